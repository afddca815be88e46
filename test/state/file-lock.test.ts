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
  // Of the clock only what signs of life go by; files have the real one.
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

/** Lets the lock be as if there had been no sign of life for so many seconds. */
async function age(seconds: number): Promise<void> {
  const at = Date.now() / 1_000 - seconds;
  await utimes(join(folder, 'state.json.lock'), at, at);
}

/** Lets the next sign of life be given, where there is one. */
async function beat(): Promise<void> {
  vi.advanceTimersByTime(5_000);
  await new Promise((resolve) => setTimeout(resolve, 200));
}

it('gives signs of life as long as it is held', async () => {
  expect(await lock.acquire()).toEqual({});
  await age(60);
  await beat();
  expect(await silence()).toBeLessThan(30);
});

it('that another process has taken over meanwhile gets no signs of life from here, and is taken again when that one has gone', async () => {
  expect(await lock.acquire()).toEqual({});
  const other = { token: 'other', pid: 1, started: '1', space: 'elsewhere boot pid:[1]' };
  await writeFile(join(folder, 'state.json.lock'), JSON.stringify(other));
  expect(await lock.acquire()).toEqual({ heldBy: 'process 1 on elsewhere' });
  await age(60);
  await beat();
  expect(await silence()).toBeGreaterThan(50);
  expect(await lock.acquire()).toEqual({});
});
