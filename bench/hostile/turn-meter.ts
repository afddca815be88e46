import { appendFileSync, readFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

/** Milliseconds between two measurements, and of the shortest turn that is written. */
const INTERVAL = 2;
const SHORTEST = 10;

/**
 * Preloaded by the program that is measured: appends the end (milliseconds since 1970) and the CPU milliseconds of each long
 * turn of the event loop of the main thread to the file in `BENCH_TURNS`. Worker threads preload it too.
 */
const file = process.env['BENCH_TURNS'];
if (isMainThread && file !== undefined) {
  const runTime = (): number => Number(readFileSync('/proc/self/schedstat', 'utf8').split(' ', 1)[0]) / 1e6;
  let last = runTime();
  setInterval(() => {
    const now = runTime();
    if (now - last > SHORTEST) appendFileSync(file, `${Date.now()} ${now - last}\n`);
    last = runTime();
  }, INTERVAL).unref();
}
