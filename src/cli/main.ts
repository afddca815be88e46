import { parseArgs } from 'node:util';
import { getErrorMessage } from '../text/get-error-message.js';
import { COMMAND_OPTIONS, DEFAULT_LIMIT } from './command-line/command.js';
import type { Command, CommandArguments } from './command-line/command.js';
import { COMMANDS } from './commands.js';

/** (operation 1.2) */
const EXIT_USAGE = 2;

/**
 * `args`: the words after the name of the program. Returns the exit code; undefined while the command keeps running.
 */
export async function main(args: readonly string[]): Promise<number | undefined> {
  const parsed = parseArguments(args);
  if (typeof parsed === 'string') return reportUsageError(parsed);
  const [name, ...words] = parsed.positionals;
  const command = name === undefined ? undefined : COMMANDS.get(name);
  if (parsed.values.help) return printHelp(name, command);
  if (parsed.values.version) {
    const { nameAndVersion } = await import('./version.js');
    process.stdout.write(`${await nameAndVersion()}\n`);
    return 0;
  }
  if (name === undefined || command === undefined)
    return reportUsageError(name === undefined ? 'no command' : `unknown command ${name}`);
  const selected = findArgumentError(name, command, parsed) ?? readArguments(command, words, parsed.values);
  return typeof selected === 'string' ? reportUsageError(selected) : command.run(selected);
}

const OPTIONS = {
  ...COMMAND_OPTIONS,
  help: { type: 'boolean', default: false },
  version: { type: 'boolean', short: 'v', default: false },
} as const;

function parseArguments(args: readonly string[]): ParsedArguments | string {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true, tokens: true });
  } catch (error) {
    return getErrorMessage(error);
  }
}

type ParsedArguments = ReturnType<typeof parseArgs<{ options: typeof OPTIONS; allowPositionals: true; tokens: true }>>;

function findArgumentError(name: string, command: Command, parsed: ParsedArguments): string | undefined {
  const words = parsed.positionals.slice(1);
  const unexpected = words.slice(command.words.length);
  if (unexpected.length > 0) return `unexpected argument: ${unexpected.join(' ')}`;
  const missing = command.words[words.length];
  if (missing !== undefined && !missing.startsWith('[')) return `${missing} is missing`;
  const supported: readonly string[] = ['help', 'version', ...command.options];
  const unsupported = Object.keys(parsed.values).find((option) => !supported.includes(option));
  if (unsupported !== undefined) return `${name} has no option --${unsupported}`;
  const optionNames = parsed.tokens.flatMap((token) => (token.kind === 'option' ? [token.name] : []));
  const repeated = optionNames.find((option, at) => optionNames.indexOf(option) !== at);
  return repeated === undefined ? undefined : `--${repeated} is given twice`;
}

/** Returns the arguments, or the usage error. */
function readArguments(
  command: Command,
  words: readonly string[],
  values: ParsedArguments['values'],
): CommandArguments | string {
  const { config: file = '', write = false, json = false, run = false, raw = false } = values;
  if (values.config === undefined && command.options.includes('config')) return '--config FILE is missing';
  const limit = parseNumber(values.limit, DEFAULT_LIMIT);
  if (limit === undefined) return '--limit must be a whole number of at least 1';
  return { file, words, write, json, limit, run, raw };
}

function parseNumber(text: string | undefined, byDefault: number): number | undefined {
  if (text === undefined) return byDefault;
  return /^[1-9]\d{0,5}$/.test(text) ? Number(text) : undefined;
}

async function printHelp(name: string | undefined, command: Command | undefined): Promise<number> {
  const { formatCommandUsage, formatUsage } = await import('./command-line/usage.js');
  if (name !== undefined && command === undefined) return reportUsageError(`unknown command ${name}`);
  process.stdout.write(
    name === undefined || command === undefined ? formatUsage(COMMANDS) : formatCommandUsage(name, command),
  );
  return 0;
}

async function reportUsageError(message: string): Promise<number> {
  const { formatUsage } = await import('./command-line/usage.js');
  process.stderr.write(`rollcall: ${message}\n\n${formatUsage(COMMANDS)}`);
  return EXIT_USAGE;
}
