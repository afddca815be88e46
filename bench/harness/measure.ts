import { existsSync, readFileSync } from 'node:fs';

/** The middle value; of an even number the lower middle one. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? NaN;
}

/** Milliseconds of CPU, of all threads of this process, that the work takes. */
export async function cpuOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Milliseconds that the work takes. */
export async function timeOf(work: () => unknown): Promise<number> {
  const before = performance.now();
  await work();
  return performance.now() - before;
}

/** Milliseconds of the shortest run of each of two works, which take turns. */
export async function shortestInTurns(
  one: () => unknown,
  other: () => unknown,
  runs: number,
): Promise<[number, number]> {
  const shortest: [number, number] = [Infinity, Infinity];
  for (let run = 0; run < runs; run += 1) {
    shortest[0] = Math.min(shortest[0], await timeOf(one));
    shortest[1] = Math.min(shortest[1], await timeOf(other));
  }
  return shortest;
}

/** Milliseconds of the longest turn of the event loop while the work is done: so long would another request have waited. */
export async function longestBlock(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = running();
  const look = (): void => {
    const now = running();
    longest = Math.max(longest, now - last);
    last = now;
    probe = setImmediate(look);
  };
  let probe = setImmediate(look);
  await work();
  clearImmediate(probe);
  return Math.max(longest, running() - last);
}

/** Where Linux gives the nanoseconds for which the main thread has been running. */
const SCHEDULED = '/proc/self/schedstat';

/** Milliseconds for which the main thread has been running, so that other programs on the machine do not count. Elsewhere: time. */
const running: () => number = existsSync(SCHEDULED)
  ? () => Number(readFileSync(SCHEDULED, 'utf8').split(' ', 1)[0]) / 1e6
  : () => performance.now();

/** Bytes in use after a full collection, heap and typed arrays. */
export function retainedBytes(): number {
  if (globalThis.gc === undefined) throw new Error('benchmarks are run by `npm run bench`, with --expose-gc');
  globalThis.gc();
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
