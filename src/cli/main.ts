import { parseArgs } from 'node:util';
import { check } from './check.js';
import { explainTarget } from './explain.js';
import { DEFAULT_BUDGET, probeSource } from './probe.js';
import { serve } from './serve.js';
import { nameAndVersion } from './version.js';

/** The parsed arguments of a command. */
interface CommandArguments {
  /** Path of the configuration file. */
  readonly file: string;
  /** Arguments after the name of the command. */
  readonly words: readonly string[];
  readonly write: boolean;
  readonly json: boolean;
  readonly budget: number;
  readonly run: boolean;
}

/** A command. Its exit code is undefined while it keeps running. */
interface Command {
  /** Names of its arguments, for messages. */
  readonly words: readonly string[];
  /** Options that it accepts, besides `--config`. */
  readonly options: readonly string[];
  readonly run: (args: CommandArguments) => Promise<number | undefined>;
}

const COMMANDS: ReadonlyMap<string, Command> = new Map<string, Command>([
  ['serve', { words: [], options: [], run: ({ file }) => serve(file) }],
  ['check', { words: [], options: [], run: ({ file }) => check(file) }],
  [
    'probe',
    {
      words: ['CODE'],
      options: ['write', 'json', 'budget'],
      run: ({ words: [code = ''], ...options }) => probeSource({ ...options, code }),
    },
  ],
  [
    'explain',
    {
      words: ["'PATH?QUERY'"],
      options: ['run', 'json'],
      run: ({ words: [target = ''], ...options }) => explainTarget({ ...options, target }),
    },
  ],
]);

const USAGE = `usage: rollcall COMMAND --config FILE

  serve        serve the directory until SIGTERM or SIGINT
  check        validate the configuration, without network access
  probe CODE   probe the capabilities of a source with at most ${DEFAULT_BUDGET} requests
                 --budget N   send at most N requests
                 --write      also print the supports: block for the configuration
                 --json       print JSON
  explain 'PATH?QUERY'
               explain how a query would be answered, without network access
                 --run        query the sources and report requests and results
                 --json       print JSON

  --help         print this help
  --version, -v  print name and version
`;

/** Exit code of a usage error (operation 1.2). */
const EXIT_USAGE = 2;

/**
 * Runs a command line (operation 1.2). `args` are the words after the name of the program. Returns the exit code;
 * undefined while the command keeps running.
 */
export async function main(args: readonly string[]): Promise<number | undefined> {
  const parsed = parseArguments(args);
  if (typeof parsed === 'string') return reportUsageError(parsed);
  if (parsed.values.help) {
    process.stdout.write(USAGE);
    return 0;
  }
  if (parsed.values.version) {
    process.stdout.write(`${await nameAndVersion()}\n`);
    return 0;
  }
  const command = selectCommand(parsed);
  return typeof command === 'string' ? reportUsageError(command) : command();
}

const OPTIONS = {
  config: { type: 'string' },
  help: { type: 'boolean', default: false },
  version: { type: 'boolean', short: 'v', default: false },
  write: { type: 'boolean' },
  json: { type: 'boolean' },
  budget: { type: 'string' },
  run: { type: 'boolean' },
} as const;

function parseArguments(args: readonly string[]): ParsedArguments | string {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true, tokens: true });
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

type ParsedArguments = ReturnType<typeof parseArgs<{ options: typeof OPTIONS; allowPositionals: true; tokens: true }>>;

/** Selects the command and checks its arguments. Returns the function that runs it, or the usage error. */
function selectCommand({ values, positionals, tokens }: ParsedArguments): (() => Promise<number | undefined>) | string {
  const [name, ...words] = positionals;
  const command = name === undefined ? undefined : COMMANDS.get(name);
  if (command === undefined) return name === undefined ? 'no command' : `unknown command ${name}`;
  const unexpected = words.slice(command.words.length);
  if (unexpected.length > 0) return `unexpected argument: ${unexpected.join(' ')}`;
  const missing = command.words[words.length];
  if (missing !== undefined) return `${missing} is missing`;
  const unsupported = Object.keys(values).find(
    (option) => !['config', 'help', 'version', ...command.options].includes(option),
  );
  if (unsupported !== undefined) return `${String(name)} has no option --${unsupported}`;
  const optionNames = tokens.flatMap((token) => (token.kind === 'option' ? [token.name] : []));
  const repeated = optionNames.find((option, at) => optionNames.indexOf(option) !== at);
  if (repeated !== undefined) return `--${repeated} is given twice`;
  const { config: file, write = false, json = false, run = false } = values;
  if (file === undefined) return '--config FILE is missing';
  const budget = parseBudget(values.budget);
  if (budget === undefined) return '--budget must be a whole number of at least 1';
  return () => command.run({ file, words, write, json, budget, run });
}

function parseBudget(text: string | undefined): number | undefined {
  if (text === undefined) return DEFAULT_BUDGET;
  return /^[1-9]\d{0,5}$/.test(text) ? Number(text) : undefined;
}

function reportUsageError(message: string): number {
  process.stderr.write(`rollcall: ${message}\n\n${USAGE}`);
  return EXIT_USAGE;
}
