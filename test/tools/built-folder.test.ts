import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { BUILD_INPUTS, isBuilt, replaceFolder } from '../../tools/built-folder.js';

let root: string;
let folder: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'rollcall-built-'));
  folder = join(root, 'dist');
  for (const path of ['src/a', 'tools']) mkdirSync(join(root, path), { recursive: true });
  for (const file of [...BUILD_INPUTS, 'src/a/b.ts']) writeFileSync(join(root, file), file);
});

afterEach(() => {
  rmSync(root, { recursive: true });
});

const write =
  (text: string, file = 'program.js') =>
  (next: string): Promise<void> => {
    writeFileSync(join(next, file), text);
    return Promise.resolve();
  };

it('is built until a source is changed, added or renamed', async () => {
  expect(isBuilt(root, folder)).toBe(false);
  const changes = [
    () => {
      writeFileSync(join(root, 'src/a/b.ts'), 'changed');
    },
    () => {
      writeFileSync(join(root, 'src/c.ts'), '');
    },
    () => {
      rmSync(join(root, 'src/c.ts'));
      writeFileSync(join(root, 'src/d.ts'), '');
    },
  ];
  for (const change of changes) {
    await replaceFolder(root, folder, write('built'));
    expect(isBuilt(root, folder)).toBe(true);
    change();
    expect(isBuilt(root, folder)).toBe(false);
  }
});

it('stays as it was where a build fails, and nothing else is left', async () => {
  await replaceFolder(root, folder, write('first'));
  const failing = async (next: string): Promise<void> => {
    await write('second')(next);
    throw new Error('no space left');
  };
  await expect(replaceFolder(root, folder, failing)).rejects.toThrow('no space left');
  expect(readFileSync(join(folder, 'program.js'), 'utf8')).toBe('first');
  expect(isBuilt(root, folder)).toBe(true);
  expect(readdirSync(join(root, 'var'))).toEqual([]);
});

it('has nothing of the build before', async () => {
  await replaceFolder(root, folder, write('old', 'old.js'));
  await replaceFolder(root, folder, write('new'));
  expect(existsSync(join(folder, 'old.js'))).toBe(false);
});
