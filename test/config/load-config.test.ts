import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatConfigError, loadConfig } from '../../src/config/load-config.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rollcall-config-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

async function load(content: string | Uint8Array): ReturnType<typeof loadConfig> {
  const file = join(folder, 'rollcall.yaml');
  await writeFile(file, content);
  return loadConfig(file, { PORT: '8181' });
}

describe('loadConfig', () => {
  test('reads a file and the environment', async () => {
    const text = `\uFEFFserver: { port: "\${PORT}" }\nsources: { a: { number: 1, source-name: Åse, directory: 'https://a.example.org' } }`;
    expect(await load(text)).toMatchObject({
      config: { server: { port: 8181 }, sources: [{ code: 'a', sourceName: 'Åse' }] },
    });
  });

  test('returns the errors of the file', async () => {
    expect(await load('sources: {}')).toMatchObject({ errors: [{ path: 'sources', line: 1, column: 10 }] });
  });

  test('returns an error for a missing file and for a directory', async () => {
    expect(await loadConfig(join(folder, 'none.yaml'), {})).toEqual({
      errors: [{ path: '', line: 1, column: 1, message: expect.stringContaining('cannot be read: ENOENT') as unknown }],
    });
    expect(await loadConfig(folder, {})).toMatchObject({
      errors: [{ message: expect.stringContaining('cannot be read: EISDIR') as unknown }],
    });
  });

  test('returns an error for bytes that are not UTF-8', async () => {
    expect(await load(Uint8Array.of(0x61, 0x3a, 0x20, 0xff))).toEqual({
      errors: [{ path: '', line: 1, column: 1, message: 'the file is not UTF-8 text' }],
    });
  });
});

describe('the files of sources.d', () => {
  const source = (code: string, number: number): string =>
    `  ${code}: { number: ${number}, directory: 'https://${code}.example.org' }\n`;

  /** Files by name; the configuration file is `rollcall.yaml`. */
  async function loadFiles(files: Readonly<Record<string, string>>): ReturnType<typeof loadConfig> {
    const own = await mkdtemp(join(folder, 'parts-'));
    await mkdir(join(own, 'sources.d'));
    for (const [name, text] of Object.entries(files)) await writeFile(join(own, name), text);
    return loadConfig(join(own, 'rollcall.yaml'), { PORT: '8181' });
  }

  test('add their sources to those of the configuration file, which may have none', async () => {
    const included = {
      'sources.d/b.yaml': `sources:\n${source('beta', 2)}`,
      'sources.d/a.yml': `\uFEFFsources:\n${source('alpha', 1)}`,
      'sources.d/draft.yaml.off': 'no configuration',
      'sources.d/.hidden.yaml': 'no configuration',
    };
    const codes = [{ code: 'alpha' }, { code: 'beta' }];
    expect(await loadFiles({ 'rollcall.yaml': 'server: { port: 8181 }\n', ...included })).toMatchObject({
      config: { server: { port: 8181 }, sources: codes },
    });
    expect(await loadFiles({ 'rollcall.yaml': 'sources:\n', ...included })).toMatchObject({
      config: { sources: codes },
    });
    expect(await loadFiles({ 'rollcall.yaml': `sources:\n${source('gamma', 3)}`, ...included })).toMatchObject({
      config: { sources: [...codes, { code: 'gamma' }] },
    });
  });

  test('have errors at their own lines, reported together with those of the configuration file', async () => {
    const loaded = await loadFiles({
      'rollcall.yaml': `server: { prot: 1 }\nsources:\n${source('alpha', 1)}`,
      'sources.d/a.yaml': `# more\nsources:\n${source('alpha', 2)}${source('beta', 1)}`,
      'sources.d/b.yaml': 'server: { port: 1 }\n',
      'sources.d/c.yaml': '- a\n',
      'sources.d/d.yaml': 'sources: [1]\n',
      'sources.d/e.yaml': 'sources: { x: {\n',
    });
    expect('errors' in loaded && loaded.errors.map((error) => formatConfigError('etc/rollcall.yaml', error))).toEqual([
      expect.stringMatching(/^etc\/rollcall\.yaml:1:11: server\.prot: unknown key/),
      'etc/sources.d/a.yaml:3:3: sources.alpha: is the code of another source, before sources.d/a.yaml',
      expect.stringMatching(/^etc\/sources\.d\/a\.yaml:4:19: sources\.beta\.number: is the same as sources\.alpha/),
      'etc/sources.d/b.yaml:1:1: server: a file of sources.d has the mapping sources, and nothing else',
      'etc/sources.d/c.yaml:1:1: a file of sources.d has the mapping sources, and nothing else',
      'etc/sources.d/d.yaml:1:10: sources: must be codes to sources',
      expect.stringMatching(/^etc\/sources\.d\/e\.yaml:\d:\d+: not valid YAML/),
    ]);
  });

  test('are errors if they cannot be read, and never left out', async () => {
    const files = { 'rollcall.yaml': `sources:\n${source('alpha', 1)}` };
    const own = await mkdtemp(join(folder, 'parts-'));
    await writeFile(join(own, 'rollcall.yaml'), files['rollcall.yaml']);
    await mkdir(join(own, 'sources.d/a.yaml'), { recursive: true });
    expect(await loadConfig(join(own, 'rollcall.yaml'), {})).toMatchObject({
      errors: [{ file: 'sources.d/a.yaml', line: 1, column: 1, message: expect.stringContaining('EISDIR') as unknown }],
    });
  });

  test('do not hide an error of the sources of the configuration file', async () => {
    const loaded = await loadFiles({
      'rollcall.yaml': 'sources: x\n',
      'sources.d/a.yaml': `sources:\n${source('alpha', 1)}`,
    });
    expect(loaded).toMatchObject({ errors: [{ path: 'sources', line: 1, column: 10 }] });
  });
});

describe('formatConfigError', () => {
  test('writes file, line, column, key and reason', () => {
    const error = { path: 'sources.first.number', line: 12, column: 5, message: 'is required' };
    expect(formatConfigError('config/demo.yaml', error)).toBe(
      'config/demo.yaml:12:5: sources.first.number: is required',
    );
  });

  test('omits the key when the error concerns the whole file', () => {
    const error = { path: '', line: 1, column: 1, message: 'the file is empty' };
    expect(formatConfigError('demo.yaml', error)).toBe('demo.yaml:1:1: the file is empty');
  });
});
