import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { main } from '../../src/cli/main.js';
import { sampleNames } from '../../src/demo/start-sample-repositories.js';

let folder: string;
let good: string;
let bad: string;
const printed = { out: '', err: '' };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rollcall-main-'));
  good = join(folder, 'good.yaml');
  bad = join(folder, 'bad.yaml');
  await writeFile(good, 'sources:\n  harbour: { number: 1, directory: https://irt.example.org/directory/v1 }\n');
  await writeFile(
    bad,
    'server:\n  prot: 8080\nsources:\n  harbour: { number: 0, directory: https://irt.example.org }\n',
  );
});

afterAll(async () => {
  await rm(folder, { recursive: true });
});

beforeEach(() => {
  Object.assign(printed, { out: '', err: '' });
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => ((printed.out += String(text)), true));
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => ((printed.err += String(text)), true));
});

afterEach(() => {
  vi.restoreAllMocks();
});

describe('an invalid command line', () => {
  test.each([
    [[], 'no command'],
    [['--config', 'a.yaml'], 'no command'],
    [['sreve', '--config', 'a.yaml'], 'unknown command sreve'],
    [['__proto__', '--config', 'a.yaml'], 'unknown command __proto__'],
    [['constructor', '--config', 'a.yaml'], 'unknown command constructor'],
    [['check'], '--config FILE is missing'],
    [['serve'], '--config FILE is missing'],
    [['check', 'a.yaml', '--config', 'b.yaml'], 'unexpected argument: a.yaml'],
    [['check', '--confg', 'a.yaml'], "Unknown option '--confg'"],
    [['check', '--config'], "Option '--config <value>' argument missing"],
    [['check', '--config', 'a.yaml', '--config', 'b.yaml'], '--config is given twice'],
    [['preview', 'a', '--config=a.yaml', '--limit', '1', '--limit=2'], '--limit is given twice'],
    [['probe', '--config', 'a.yaml'], 'CODE is missing'],
    [['probe', 'harbour', 'lantern', '--config', 'a.yaml'], 'unexpected argument: lantern'],
    [['probe', 'harbour'], '--config FILE is missing'],
    [['preview', 'harbour', '--config', 'a.yaml', '--limit', '0'], '--limit must be a whole number of at least 1'],
    [['preview', 'harbour', '--config', 'a.yaml', '--limit', 'many'], '--limit must be a whole number of at least 1'],
    [['explain', '--config', 'a.yaml'], "'PATH?QUERY' is missing"],
    [['explain', '/data/v1/news'], '--config FILE is missing'],
    [['probe', 'harbour', '--config', 'a.yaml', '--run'], 'probe has no option --run'],
    [['check', '--config', 'a.yaml', '--write'], 'check has no option --write'],
    [['serve', '--config', 'a.yaml', '--limit', '9'], 'serve has no option --limit'],
    [['probe', 'a', '--config', 'a.yaml', '--budget', '9'], "Unknown option '--budget'"],
    [['new-key', '--config', 'a.yaml'], 'new-key has no option --config'],
    [['new-key', '--json'], 'new-key has no option --json'],
    [['hash-key', '--config', 'a.yaml'], 'hash-key has no option --config'],
    [['completion'], 'SHELL is missing'],
    [['init', 'a.yaml', 'http://127.0.0.1:1/', 'c'], 'unexpected argument: c'],
    [['status'], '--config FILE is missing'],
    [['hash-key', 'rck_abc'], 'unexpected argument: rck_abc'],
  ])('%j prints the error and the usage on standard error, exit code 2', async (args, error) => {
    expect(await main(args)).toBe(2);
    expect(printed.err).toContain(`rollcall: ${error}`);
    expect(printed.err).toContain('usage: rollcall COMMAND --config FILE');
    expect(printed.out).toBe('');
  });
});

describe('--help', () => {
  test('prints the usage on standard output, exit code 0', async () => {
    expect(await main(['--help'])).toBe(0);
    expect(printed.out).toMatch(
      /^usage: rollcall COMMAND --config FILE\n\n {2}init \[FILE\] \[URL\] .*\n {2}serve .*\n {2}status .*\n/,
    );
    expect(printed.out).toContain("\n  explain 'PATH?QUERY'  ");
    expect(printed.out).toContain('\n  --version, -v ');
    expect(printed.err).toBe('');
  });
});

describe('--help of a command', () => {
  test('prints its arguments, options and exit codes, and runs nothing', async () => {
    expect(await main(['preview', '--help'])).toBe(0);
    expect(printed.out).toMatch(/^usage: rollcall preview CODE --config FILE \[--limit N\] \[--json\] \[--raw\]\n/);
    expect(printed.out).toMatch(/\n {2}--limit N +print N records, by default 5\n/);
    expect(printed.out).toMatch(/\nexit codes\n {2}0 .*\n {2}1 .*\n {2}2 .*; a usage error\n$/);
  });

  test('is a usage error where there is no such command', async () => {
    expect(await main(['prevew', '--help'])).toBe(2);
    expect(printed.err).toContain('rollcall: unknown command prevew');
  });
});

describe('completion', () => {
  test('has every command with its options, for bash and for zsh', async () => {
    expect(await main(['completion', 'bash'])).toBe(0);
    expect(printed.out).toContain('    preview) words="--config --limit --json --raw --help" ;;\n');
    expect(printed.out).toMatch(/\ncomplete -o filenames -F _rollcall rollcall\n$/);
    printed.out = '';
    expect(await main(['completion', 'zsh'])).toBe(0);
    expect(printed.out).toMatch(/^#compdef rollcall\n/);
    expect(printed.out).toContain("    'check:validate the configuration, without network access'\n");
    expect(printed.out).toContain("'--config[the configuration file]:FILE:_files'");
  });

  test('names the shells that it has, exit code 1', async () => {
    expect(await main(['completion', 'fish'])).toBe(1);
    expect(printed).toEqual({ out: '', err: 'rollcall: there is a completion for bash and zsh, not for fish\n' });
  });
});

describe('--version', () => {
  test.each(['--version', '-v'])('%s prints name, version of package.json and build, exit code 0', async (option) => {
    const packageJson = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
    expect(await main([option])).toBe(0);
    expect(printed).toEqual({
      out: `rollcall ${packageJson.version}+${await readFile('dist/build-id', 'utf8')}\n`,
      err: '',
    });
  });
});

describe('check', () => {
  test('prints that a file is valid, exit code 0', async () => {
    expect(await main(['check', '--config', good])).toBe(0);
    expect(printed).toEqual({ out: `${good}: valid, 1 source\n`, err: '' });
  });

  test('warns of a shared memory without a key, which is valid', async () => {
    const shared = join(folder, 'shared.yaml');
    const settings = {
      cache: { redis: 'redis://127.0.0.1:1' },
      sources: { one: { number: 1, directory: 'http://127.0.0.1:1' } },
    };
    await writeFile(shared, JSON.stringify(settings));
    expect(await main(['check', '--config', shared])).toBe(0);
    expect(printed.out).toMatch(/: valid, 1 source\n$/);
    expect(printed.err).toMatch(/^[^\n]*shared\.yaml: warning: cache\.redis without cache\.redis-key: [^\n]+\n$/);
    printed.err = '';
    await writeFile(shared, JSON.stringify({ ...settings, cache: { ...settings.cache, 'redis-key': 'k'.repeat(32) } }));
    expect(await main(['check', '--config', shared])).toBe(0);
    expect(printed.err).toBe('');
  });

  test('accepts options before the command', async () => {
    expect(await main([`--config=${good}`, 'check'])).toBe(0);
  });

  test('prints all errors with line and column on standard error, exit code 1', async () => {
    expect(await main(['check', '--config', bad])).toBe(1);
    const lines = printed.err.trimEnd().split('\n');
    expect(lines).toEqual([
      expect.stringMatching(/bad\.yaml:2:3: server\.prot: .*"?port"?/),
      expect.stringMatching(/bad\.yaml:4:22: sources\.harbour\.number: must be a whole number from 1 to 999/),
    ]);
    expect(printed.out).toBe('');
  });

  test('rejects an unknown sample repository, as serve does, exit code 1', async () => {
    const file = join(folder, 'samples.yaml');
    await writeFile(file, `${await readFile(good, 'utf8')}samples: { harbour: 22001, nosuch: 22002 }\n`);
    const error = `${file}:3:28: samples.nosuch: is not a sample repository; known: ${sampleNames.join(', ')}\n`;
    for (const command of ['check', 'serve']) {
      Object.assign(printed, { out: '', err: '' });
      expect(await main([command, '--config', file])).toBe(1);
      expect(printed).toEqual({ out: '', err: error });
    }
  });

  test('prints where a file of a document is named that cannot be read, exit code 1', async () => {
    const file = join(folder, 'documents.yaml');
    const map = '{ short-team-name: name }';
    const documents = [
      `{ file: teams.json, map: ${map} }`,
      `{ file: none.json, map: ${map} }`,
      `{ file: teams.json, map: ${map}, join: { file: ., on: [id, team], as: keys } }`,
    ];
    await writeFile(join(folder, 'teams.json'), '[]');
    await writeFile(
      file,
      `sources:\n${documents.map((text, at) => `  s${at}: { number: ${at + 1}, document: ${text} }\n`).join('')}`,
    );
    expect(await main(['check', '--config', file])).toBe(1);
    expect(printed.err.trimEnd().split('\n')).toEqual([
      `${file}:3:38: sources.s1.document.file: the file none.json cannot be read: ENOENT`,
      `${file}:4:96: sources.s2.document.join.file: the file . is not a regular file`,
    ]);
    Object.assign(printed, { out: '', err: '' });
    // Other commands report the failure of the source.
    expect(await main(['explain', '/directory/v1/teams', '--config', file])).toBe(0);
  });

  test('prints that the file does not exist, exit code 1', async () => {
    expect(await main(['check', '--config', join(folder, 'none.yaml')])).toBe(1);
    expect(printed.err).toContain('none.yaml:1:1: ');
    expect(printed.err).toContain('ENOENT');
  });
});

describe('serve', () => {
  test('does not start with an invalid configuration, exit code 1', async () => {
    expect(await main(['serve', '--config', bad])).toBe(1);
    expect(printed.err).toContain('server.prot');
  });
});
