import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createIncludedFileReader } from '../../../src/config/yaml/expand-variables.js';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rollcall-included-'));
  await mkdir(join(folder, 'keys'));
});

afterAll(async () => {
  await rm(folder, { recursive: true });
});

async function readWritten(
  content: string | Uint8Array,
): Promise<ReturnType<ReturnType<typeof createIncludedFileReader>>> {
  await writeFile(join(folder, 'keys/one'), content);
  return createIncludedFileReader(folder)('keys/one');
}

describe('createIncludedFileReader', () => {
  test.each([
    ['secret', 'secret'],
    ['secret\n', 'secret'],
    ['secret\r\n', 'secret'],
    ['secret\n\n', 'secret\n'],
    ['\nsecret ', '\nsecret '],
    ['', ''],
    ['ключ', 'ключ'],
  ])('reads %j as %j: without one line break at the end', async (content, text) => {
    expect(await readWritten(content)).toEqual({ content: text });
  });

  test('reads an absolute path', async () => {
    await readWritten('secret');
    expect(createIncludedFileReader('/')(join(folder, 'keys/one'))).toEqual({ content: 'secret' });
  });

  test('reads 64 KiB, and no more', async () => {
    expect(await readWritten('x'.repeat(65_536))).toEqual({ content: 'x'.repeat(65_536) });
    expect(await readWritten('x'.repeat(65_537))).toEqual({ problem: 'the file keys/one has more than 64 KiB' });
    expect(createIncludedFileReader('/dev')('zero')).toEqual({ problem: 'the file zero has more than 64 KiB' });
  });

  test('names the path and the error of a file that cannot be read, and never the content', async () => {
    expect(await readWritten(Uint8Array.of(0x73, 0xff))).toEqual({ problem: 'the file keys/one is not UTF-8 text' });
    const read = createIncludedFileReader(folder);
    expect(read('none')).toEqual({ problem: 'the file none cannot be read: ENOENT' });
    expect(read('keys')).toEqual({ problem: 'the file keys cannot be read: EISDIR' });
  });
});
