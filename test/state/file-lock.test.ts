import { mkdtemp, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { FileLock } from '../../src/state/file-lock.js';

let folder: string;
let lock: FileLock;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rollcall-lock-'));
  lock = new FileLock(join(folder, 'state.json'));
  // Only the interval of the signs of life is faked: the file system uses the real clock.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
});

afterEach(async () => {
  await lock.release();
  vi.useRealTimers();
  await rm(folder, { recursive: true });
});

/** Seconds since the lock's last sign of life. */
async function silence(): Promise<number> {
  return (Date.now() - (await stat(join(folder, 'state.json.lock'))).mtimeMs) / 1_000;
}

/** Sets the last sign of life of the lock so many seconds back. */
async function age(seconds: number): Promise<void> {
  const at = Date.now() / 1_000 - seconds;
  await utimes(join(folder, 'state.json.lock'), at, at);
}

/** Lets the time of the next sign of life pass. */
async function beat(): Promise<void> {
  vi.advanceTimersByTime(5_000);
  await new Promise((resolve) => setTimeout(resolve, 200));
}

it('a held lock gives signs of life', async () => {
  expect(await lock.acquire()).toEqual({});
  await age(60);
  await beat();
  expect(await silence()).toBeLessThan(30);
});

it('a lock that another process took over gets no signs of life from this one, and is acquired again once that process is gone', async () => {
  expect(await lock.acquire()).toEqual({});
  const other = { token: 'other', pid: 1, started: '1', space: 'elsewhere boot pid:[1]' };
  await writeFile(join(folder, 'state.json.lock'), JSON.stringify(other));
  expect(await lock.acquire()).toEqual({ heldBy: 'process 1 on elsewhere' });
  await age(60);
  await beat();
  expect(await silence()).toBeGreaterThan(50);
  expect(await lock.acquire()).toEqual({});
});
