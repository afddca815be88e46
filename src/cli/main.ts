import { parseArgs } from 'node:util';
import { getErrorMessage } from '../text/get-error-message.js';

interface CommandArguments {
  readonly file: string;
  readonly words: readonly string[];
  readonly write: boolean;
  readonly json: boolean;
  readonly limit: number;
  readonly run: boolean;
  readonly raw: boolean;
}

/** A standalone command needs no configuration, and accepts no `--config`. */
type Command = ConfiguredCommand | StandaloneCommand;

interface ConfiguredCommand {
  readonly needsConfig: true;
  readonly words: readonly string[];
  /** Besides `--config`. */
  readonly options: readonly string[];
  /** The exit code; undefined while the command keeps running. */
  readonly run: (args: CommandArguments) => Promise<number | undefined>;
}

interface StandaloneCommand {
  readonly needsConfig: false;
  readonly words: readonly [];
  readonly options: readonly [];
  /** The exit code. */
  readonly run: () => Promise<number>;
}

/** Each command loads its own code: a bundle of all takes ten times as long to load as the smallest. */
const COMMANDS: ReadonlyMap<string, Command> = new Map<string, Command>([
  [
    'serve',
    {
      needsConfig: true,
      words: [],
      options: [],
      run: async ({ file }) => (await import('./serve/serve.js')).serve(file),
    },
  ],
  [
    'check',
    { needsConfig: true, words: [], options: [], run: async ({ file }) => (await import('./check.js')).check(file) },
  ],
  [
    'probe',
    {
      needsConfig: true,
      words: ['CODE'],
      options: ['write', 'json'],
      run: async ({ words: [code = ''], ...options }) => (await import('./probe.js')).probeSource({ ...options, code }),
    },
  ],
  [
    'explain',
    {
      needsConfig: true,
      words: ["'PATH?QUERY'"],
      options: ['run', 'json'],
      run: async ({ words: [target = ''], ...options }) =>
        (await import('./explain.js')).explain({ ...options, target }),
    },
  ],
  [
    'preview',
    {
      needsConfig: true,
      words: ['CODE'],
      options: ['limit', 'json', 'raw'],
      run: async ({ words: [code = ''], ...options }) =>
        (await import('./preview.js')).previewSource({ ...options, code }),
    },
  ],
  [
    'new-key',
    {
      needsConfig: false,
      words: [],
      options: [],
      run: async () => (await import('./new-key.js')).printNewKey(),
    },
  ],
  [
    'hash-key',
    {
      needsConfig: false,
      words: [],
      options: [],
      run: async () => (await import('./hash-key.js')).printKeyHash(process.stdin),
    },
  ],
  [
    'schema',
    {
      needsConfig: false,
      words: [],
      options: [],
      run: async () => (await import('./schema.js')).printSchema(),
    },
  ],
]);

/** Records that `preview` prints (operation 1.7). */
const DEFAULT_LIMIT = 5;

const USAGE = `usage: rollcall COMMAND --config FILE

  serve        serve the directory until SIGTERM or SIGINT
  check        validate the configuration, without network access
  probe CODE   probe the capabilities of a source, or its feeds
                 --write      also print the supports: block for the configuration
                 --json       print JSON
  explain 'PATH?QUERY'
               explain how a query would be answered, without network access
                 --run        query the sources and report requests and results
                 --json       print JSON
  preview CODE read the first page of a source, or its feeds, and print what becomes of the entries
                 --limit N    print N records, by default ${DEFAULT_LIMIT}
                 --json       print JSON
                 --raw        print the entries as received, as JSON
  new-key      print a new client key and its SHA-256 hash; without --config
  hash-key     read a client key from standard input and print its SHA-256 hash; without --config
  schema       print the JSON Schema of the configuration file, for editors; without --config

  --help         print this help
  --version, -v  print name, version and build
`;

/** (operation 1.2) */
const EXIT_USAGE = 2;

/**
 * `args`: the words after the name of the program. Returns the exit code; undefined while the command keeps running.
 */
export async function main(args: readonly string[]): Promise<number | undefined> {
  const parsed = parseArguments(args);
  if (typeof parsed === 'string') return reportUsageError(parsed);
  if (parsed.values.help) {
    process.stdout.write(USAGE);
    return 0;
  }
  if (parsed.values.version) {
    const { nameAndVersion } = await import('./version.js');
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
  limit: { type: 'string' },
  run: { type: 'boolean' },
  raw: { type: 'boolean' },
} as const;

function parseArguments(args: readonly string[]): ParsedArguments | string {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true, tokens: true });
  } catch (error) {
    return getErrorMessage(error);
  }
}

type ParsedArguments = ReturnType<typeof parseArgs<{ options: typeof OPTIONS; allowPositionals: true; tokens: true }>>;

/** Returns the function that runs the command, or the usage error. */
function selectCommand(parsed: ParsedArguments): (() => Promise<number | undefined>) | string {
  const [name, ...words] = parsed.positionals;
  const command = name === undefined ? undefined : COMMANDS.get(name);
  if (name === undefined || command === undefined) return name === undefined ? 'no command' : `unknown command ${name}`;
  const error = findArgumentError(name, command, parsed);
  if (error !== undefined) return error;
  return command.needsConfig ? readArguments(command, words, parsed.values) : command.run;
}

function findArgumentError(name: string, command: Command, parsed: ParsedArguments): string | undefined {
  const words = parsed.positionals.slice(1);
  const unexpected = words.slice(command.words.length);
  if (unexpected.length > 0) return `unexpected argument: ${unexpected.join(' ')}`;
  const missing = command.words[words.length];
  if (missing !== undefined) return `${missing} is missing`;
  const supported = ['help', 'version', ...(command.needsConfig ? ['config'] : []), ...command.options];
  const unsupported = Object.keys(parsed.values).find((option) => !supported.includes(option));
  if (unsupported !== undefined) return `${name} has no option --${unsupported}`;
  const optionNames = parsed.tokens.flatMap((token) => (token.kind === 'option' ? [token.name] : []));
  const repeated = optionNames.find((option, at) => optionNames.indexOf(option) !== at);
  return repeated === undefined ? undefined : `--${repeated} is given twice`;
}

/** Returns the function that runs the command, or the usage error. */
function readArguments(
  command: ConfiguredCommand,
  words: readonly string[],
  values: ParsedArguments['values'],
): (() => Promise<number | undefined>) | string {
  const { config: file, write = false, json = false, run = false, raw = false } = values;
  if (file === undefined) return '--config FILE is missing';
  const limit = parseNumber(values.limit, DEFAULT_LIMIT);
  if (limit === undefined) return '--limit must be a whole number of at least 1';
  return () => command.run({ file, words, write, json, limit, run, raw });
}

function parseNumber(text: string | undefined, byDefault: number): number | undefined {
  if (text === undefined) return byDefault;
  return /^[1-9]\d{0,5}$/.test(text) ? Number(text) : undefined;
}

function reportUsageError(message: string): number {
  process.stderr.write(`rollcall: ${message}\n\n${USAGE}`);
  return EXIT_USAGE;
}
