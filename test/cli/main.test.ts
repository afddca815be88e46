import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { main } from '../../src/cli/main.js';
import { sampleNames } from '../../src/demo/sample-repositories.js';

let folder: string;
let good: string;
let bad: string;
const said = { out: '', err: '' };

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
  Object.assign(said, { out: '', err: '' });
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => ((said.out += String(text)), true));
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => ((said.err += String(text)), true));
});

afterEach(() => {
  vi.restoreAllMocks();
});

describe('a command line that cannot be understood', () => {
  test.each([
    [[], 'no command'],
    [['--config', 'a.yaml'], 'no command'],
    [['sreve', '--config', 'a.yaml'], 'unknown command sreve'],
    [['__proto__', '--config', 'a.yaml'], 'unknown command __proto__'],
    [['constructor', '--config', 'a.yaml'], 'unknown command constructor'],
    [['check'], '--config FILE is missing'],
    [['serve'], '--config FILE is missing'],
    [['check', 'a.yaml', '--config', 'b.yaml'], 'one word too many: a.yaml'],
    [['check', '--confg', 'a.yaml'], "Unknown option '--confg'"],
    [['check', '--config'], "Option '--config <value>' argument missing"],
    [['check', '--config', 'a.yaml', '--config', 'b.yaml'], '--config stands there twice'],
    [['probe', 'a', '--config=a.yaml', '--budget', '1', '--budget=2'], '--budget stands there twice'],
    [['probe', '--config', 'a.yaml'], 'CODE is missing'],
    [['probe', 'harbour', 'lantern', '--config', 'a.yaml'], 'one word too many: lantern'],
    [['probe', 'harbour'], '--config FILE is missing'],
    [['probe', 'harbour', '--config', 'a.yaml', '--budget', '0'], '--budget must be a whole number of at least 1'],
    [['probe', 'harbour', '--config', 'a.yaml', '--budget', 'many'], '--budget must be a whole number of at least 1'],
    [['explain', '--config', 'a.yaml'], "'PATH?QUERY' is missing"],
    [['explain', '/data/v1/news'], '--config FILE is missing'],
    [['probe', 'harbour', '--config', 'a.yaml', '--run'], 'probe takes no --run'],
    [['check', '--config', 'a.yaml', '--write'], 'check takes no --write'],
    [['serve', '--config', 'a.yaml', '--budget', '9'], 'serve takes no --budget'],
  ])('%j is told with the usage on standard error, exit code 2', async (args, fault) => {
    expect(await main(args)).toBe(2);
    expect(said.err).toContain(`rollcall: ${fault}`);
    expect(said.err).toContain('usage: rollcall COMMAND --config FILE');
    expect(said.out).toBe('');
  });
});

describe('--help', () => {
  test('tells the usage on standard output, exit code 0', async () => {
    expect(await main(['--help'])).toBe(0);
    expect(said.out).toMatch(
      /^usage: rollcall COMMAND --config FILE\n\n {2}serve .*\n {2}check .*\n {2}probe CODE .*\n/,
    );
    expect(said.out).toContain("\n  explain 'PATH?QUERY'\n");
    expect(said.out).toContain('\n  --version, -v ');
    expect(said.err).toBe('');
  });
});

describe('--version', () => {
  test.each(['--version', '-v'])('%s prints name and version of package.json, exit code 0', async (option) => {
    const described = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
    expect(await main([option])).toBe(0);
    expect(said).toEqual({ out: `rollcall ${described.version}\n`, err: '' });
  });
});

describe('check', () => {
  test('tells that a file is valid, exit code 0', async () => {
    expect(await main(['check', '--config', good])).toBe(0);
    expect(said).toEqual({ out: `${good}: valid, 1 source\n`, err: '' });
  });

  test('takes the options in any order', async () => {
    expect(await main([`--config=${good}`, 'check'])).toBe(0);
  });

  test('tells every fault with its place on standard error, exit code 1', async () => {
    expect(await main(['check', '--config', bad])).toBe(1);
    const lines = said.err.trimEnd().split('\n');
    expect(lines).toEqual([
      expect.stringMatching(/bad\.yaml:2:3: server\.prot: .*"?port"?/),
      expect.stringMatching(/bad\.yaml:4:22: sources\.harbour\.number: must be a whole number from 1 to 999/),
    ]);
    expect(said.out).toBe('');
  });

  test('tells of a sample that there is not, and that serve could not start', async () => {
    const file = join(folder, 'samples.yaml');
    await writeFile(file, `${await readFile(good, 'utf8')}samples: { harbour: 22001, nosuch: 22002 }\n`);
    const fault = `${file}:3:28: samples.nosuch: is not a sample repository; known: ${sampleNames.join(', ')}\n`;
    for (const command of ['check', 'serve']) {
      Object.assign(said, { out: '', err: '' });
      expect(await main([command, '--config', file])).toBe(1);
      expect(said).toEqual({ out: '', err: fault });
    }
  });

  test('tells that there is no such file, exit code 1', async () => {
    expect(await main(['check', '--config', join(folder, 'none.yaml')])).toBe(1);
    expect(said.err).toContain('none.yaml:1:1: ');
    expect(said.err).toContain('ENOENT');
  });
});

describe('serve', () => {
  test('does not start with a configuration that is not valid, exit code 1', async () => {
    expect(await main(['serve', '--config', bad])).toBe(1);
    expect(said.err).toContain('server.prot');
  });
});
