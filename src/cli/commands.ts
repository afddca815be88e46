import type { Command, CommandTable } from './command-line/command.js';

const CONFIG_ERRORS = 'the configuration has errors';
const NO_SOURCE = `${CONFIG_ERRORS}, or no source has the code`;

/**
 * Operation 1.2. Each command loads its own code: a bundle of all takes ten times as long to load as the smallest. Help
 * and completion derive from the table.
 */
export const COMMANDS: CommandTable = new Map<string, Command>([
  [
    'init',
    {
      words: ['[FILE]', '[URL]'],
      summary: 'write a short configuration, by default rollcall.yaml; with a URL, read it once and register it',
      options: [],
      exitCodes: {
        0: 'the file was written',
        1: 'the file exists, or cannot be written',
        2: 'the address cannot be read or registered',
      },
      run: async ({ words }) => (await import('./init/init.js')).init(words),
    },
  ],
  [
    'serve',
    {
      words: [],
      summary: 'serve the directory until SIGTERM or SIGINT',
      options: ['config'],
      exitCodes: { 0: 'stopped by a signal', 1: `${CONFIG_ERRORS}, or the server could not start` },
      run: async ({ file }) => (await import('./serve/serve.js')).serve(file),
    },
  ],
  [
    'status',
    {
      words: [],
      summary: 'print the state of the sources of a running server',
      options: ['config', 'json'],
      exitCodes: { 0: 'the state was printed', 1: CONFIG_ERRORS, 2: 'no server answers on its admin port' },
      run: async ({ file, json }) => (await import('./status.js')).printStatus({ file, json }),
    },
  ],
  [
    'check',
    {
      words: [],
      summary: 'validate the configuration, without network access',
      options: ['config'],
      exitCodes: { 0: 'it is valid', 1: 'it has errors' },
      run: async ({ file }) => (await import('./check.js')).check(file),
    },
  ],
  [
    'probe',
    {
      words: ['CODE'],
      summary: 'probe the capabilities of a source, or its feeds',
      options: ['config', 'write', 'json'],
      exitCodes: { 0: 'the source was probed', 1: NO_SOURCE, 2: 'none of its resources or feeds could be read' },
      run: async ({ words: [code = ''], ...options }) => (await import('./probe.js')).printProbe({ ...options, code }),
    },
  ],
  [
    'explain',
    {
      words: ["'PATH?QUERY'"],
      summary: 'explain how a query would be answered, without network access',
      options: ['config', 'run', 'json'],
      exitCodes: {
        0: 'the query was explained',
        1: `${CONFIG_ERRORS}, or the server would refuse the query`,
        2: 'with --run: the query produced no list',
      },
      run: async ({ words: [target = ''], ...options }) =>
        (await import('./explain.js')).explain({ ...options, target }),
    },
  ],
  [
    'preview',
    {
      words: ['CODE'],
      summary: 'read the first page of a source, or its feeds, and print what becomes of the entries',
      options: ['config', 'limit', 'json', 'raw'],
      exitCodes: { 0: 'at least one list or feed was read', 1: NO_SOURCE, 2: 'no list and no feed could be read' },
      run: async ({ words: [code = ''], ...options }) =>
        (await import('./preview.js')).printPreview({ ...options, code }),
    },
  ],
  [
    'new-key',
    {
      words: [],
      summary: 'print a new client key and its SHA-256 hash',
      options: [],
      exitCodes: { 0: 'the key was printed' },
      run: async () => (await import('./client-key-commands.js')).printNewKey(),
    },
  ],
  [
    'hash-key',
    {
      words: [],
      summary: 'read a client key from standard input and print its SHA-256 hash',
      options: [],
      exitCodes: { 0: 'the hash was printed', 1: 'the input is no client key' },
      run: async () => (await import('./client-key-commands.js')).printKeyHash(process.stdin),
    },
  ],
  [
    'schema',
    {
      words: [],
      summary: 'print the JSON Schema of the configuration file, for editors',
      options: [],
      exitCodes: { 0: 'it was printed' },
      run: async () => (await import('./schema.js')).printSchema(),
    },
  ],
  [
    'completion',
    {
      words: ['SHELL'],
      summary: 'print the completion of commands and options for bash or zsh',
      options: [],
      exitCodes: { 0: 'it was printed', 1: 'the shell is neither bash nor zsh' },
      run: async ({ words: [shell = ''] }) =>
        (await import('./command-line/completion.js')).printCompletion(shell, COMMANDS),
    },
  ],
]);
