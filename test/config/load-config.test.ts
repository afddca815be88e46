import { mkdtemp, rm, writeFile } from 'node:fs/promises';
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
