import { COMMAND_OPTIONS } from './command.js';
import type { Command, CommandOption, CommandTable } from './command.js';
import { TERMINAL_WIDTH, columnWidth, wrapText } from './terminal-text.js';

/** All commands (operation 1.2). */
export function formatUsage(table: CommandTable): string {
  const commands = [...table].map(([name, { words, summary }]) => [[name, ...words].join(' '), summary] as const);
  return [
    'usage: rollcall COMMAND --config FILE\n\n',
    formatRows(commands),
    '\n',
    formatRows([
      ['COMMAND --help', 'print the arguments, options and exit codes of a command'],
      ['--help', 'print this help'],
      ['--version, -v', 'print name, version and build'],
    ]),
  ].join('');
}

/** One command. */
export function formatCommandUsage(name: string, { words, summary, options, exitCodes }: Command): string {
  const optional = options.filter((option) => option !== 'config').map((option) => `[${describeOption(option)}]`);
  const required = options.includes('config') ? [describeOption('config')] : [];
  return [
    `usage: ${['rollcall', name, ...words, ...required, ...optional].join(' ')}\n\n${summary}\n`,
    ...(options.length === 0
      ? []
      : ['\n', formatRows(options.map((option) => [describeOption(option), COMMAND_OPTIONS[option].text]))]),
    '\nexit codes\n',
    formatRows(Object.entries({ ...exitCodes, 2: [exitCodes[2], 'a usage error'].filter(Boolean).join('; ') })),
  ].join('');
}

function describeOption(name: CommandOption): string {
  const option = COMMAND_OPTIONS[name];
  return 'value' in option ? `--${name} ${option.value}` : `--${name}`;
}

function formatRows(rows: readonly (readonly [name: string, text: string])[]): string {
  const width = columnWidth(rows.map(([name]) => name));
  const indent = ' '.repeat(width + 4);
  return rows
    .map(
      ([name, text]) =>
        `  ${name.padEnd(width)}  ${wrapText(text, TERMINAL_WIDTH - indent.length).join(`\n${indent}`)}\n`,
    )
    .join('');
}
