/** Besides `--help` and `--version`, which every command has. */
export const COMMAND_OPTIONS = {
  config: { type: 'string', value: 'FILE', text: 'the configuration file' },
  write: { type: 'boolean', text: 'also print the supports: block for the configuration' },
  limit: { type: 'string', value: 'N', text: 'print N records, by default 5' },
  run: { type: 'boolean', text: 'query the sources and report requests and results' },
  json: { type: 'boolean', text: 'print JSON' },
  raw: { type: 'boolean', text: 'print the entries as received, as JSON' },
} as const;

export type CommandOption = keyof typeof COMMAND_OPTIONS;

/** Records that `preview` prints (operation 1.7). */
export const DEFAULT_LIMIT = 5;

export interface CommandArguments {
  /** As many as {@link Command.words}; without those that may be left out. */
  readonly words: readonly string[];
  /** Empty for a command without `--config`. */
  readonly file: string;
  readonly write: boolean;
  readonly json: boolean;
  readonly limit: number;
  readonly run: boolean;
  readonly raw: boolean;
}

/** By name. */
export type CommandTable = ReadonlyMap<string, Command>;

export interface Command {
  /** In brackets: may be left out. */
  readonly words: readonly string[];
  /** In one line. */
  readonly summary: string;
  readonly options: readonly CommandOption[];
  /** Beside the usage error, which is 2 for every command. */
  readonly exitCodes: Readonly<Record<number, string>>;
  /** The exit code; undefined while the command keeps running. */
  readonly run: (args: CommandArguments) => Promise<number | undefined>;
}
