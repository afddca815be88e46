import { parseArgs } from 'node:util';
import { check } from './check.js';
import { serve } from './serve.js';

/** A command: takes the configuration's file, gives an exit code, or none when it goes on running. */
type Command = (file: string) => Promise<number | undefined>;

const COMMANDS: Readonly<Record<string, Command>> = { serve, check };

const USAGE = `usage: rollcall COMMAND --config FILE

  serve   serve the directory until SIGTERM or SIGINT
  check   validate the configuration, touching no network
`;

/** Exit code for a command line that cannot be understood. */
const MISUSED = 2;

/** The command line (operation.md). `args` are the words behind the program's name. */
export async function main(args: readonly string[]): Promise<number | undefined> {
  const parsed = parse(args);
  if (typeof parsed === 'string') return misused(parsed);
  if (parsed.help) {
    process.stdout.write(USAGE);
    return 0;
  }
  const [name, ...rest] = parsed.words;
  const command = name === undefined || !Object.hasOwn(COMMANDS, name) ? undefined : COMMANDS[name];
  if (command === undefined) return misused(name === undefined ? 'no command' : `unknown command ${name}`);
  if (rest.length > 0) return misused(`one word too many: ${rest.join(' ')}`);
  if (parsed.config === undefined) return misused('--config FILE is missing');
  return command(parsed.config);
}

function parse(args: readonly string[]): { words: string[]; config: string | undefined; help: boolean } | string {
  try {
    const options = { config: { type: 'string' }, help: { type: 'boolean', default: false } } as const;
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    return { words: positionals, config: values.config, help: values.help };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function misused(fault: string): number {
  process.stderr.write(`rollcall: ${fault}\n\n${USAGE}`);
  return MISUSED;
}
