import { existsSync, readFileSync } from 'node:fs';

/** The median; of an even number of values the lower one of the middle two. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? NaN;
}

/** The smallest value that is not exceeded by this share of the values. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * share) - 1] ?? NaN;
}

/** CPU milliseconds of all threads of this process for some work. */
export async function cpuOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Elapsed milliseconds of some work. */
export async function timeOf(work: () => unknown): Promise<number> {
  const before = performance.now();
  await work();
  return performance.now() - before;
}

/** Runs two functions in turns, and returns the milliseconds of the shortest run of each. */
export async function shortestInTurns(
  first: () => unknown,
  second: () => unknown,
  runs: number,
): Promise<[number, number]> {
  const shortest: [number, number] = [Infinity, Infinity];
  for (let run = 0; run < runs; run += 1) {
    shortest[0] = Math.min(shortest[0], await timeOf(first));
    shortest[1] = Math.min(shortest[1], await timeOf(second));
  }
  return shortest;
}

/** Milliseconds of the longest turn of the event loop during some work: the time that another request would have waited. */
export async function longestBlock(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = runTime();
  const sample = (): void => {
    const now = runTime();
    longest = Math.max(longest, now - last);
    last = now;
    next = setImmediate(sample);
  };
  let next = setImmediate(sample);
  await work();
  clearImmediate(next);
  return Math.max(longest, runTime() - last);
}

/** Linux file with the nanoseconds for which the main thread has run. */
const SCHEDULER_STATISTICS = '/proc/self/schedstat';

/** Milliseconds for which the main thread has run, without the time of other programs. On other systems than Linux: elapsed time. */
const runTime: () => number = existsSync(SCHEDULER_STATISTICS)
  ? () => Number(readFileSync(SCHEDULER_STATISTICS, 'utf8').split(' ', 1)[0]) / 1e6
  : () => performance.now();

/** Bytes of heap and typed arrays in use after a full garbage collection. */
export function retainedBytes(): number {
  if (globalThis.gc === undefined) throw new Error('benchmarks need --expose-gc; run them with `npm run bench`');
  globalThis.gc();
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
