import { setFlagsFromString } from 'node:v8';

/** Growth of V8's heap beyond what was in use after a collection until the next collection, in percent. */
const GROWTH_PERCENT = 25;

/** The same before the configuration is read, which has the size of the cache. */
const INITIAL_GROWTH_PERCENT = 75;

/** Approximate size of V8's heap with an empty cache, in bytes. */
const BASELINE_HEAP_BYTES = 25 * 2 ** 20;

/**
 * Sets how V8 manages the heap of all threads. Call this before any other module is loaded.
 *
 * - The heap grows little between two collections. By default it grows to several times what is in use before it is
 *   collected, so that `cache.memory` would not bound the memory (operation 2.5.1).
 * - Every object begins in the young generation. By default V8 pretenures the objects of an allocation site once most of
 *   them have survived. The listener lists of sockets and of responses share a site in node:events, so the lists of
 *   responses would be allocated in the old generation after sources were fetched, and keep each request with its response
 *   until that is collected. That costs a fifth of the requests per second.
 */
export function configureHeap(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
  setHeapGrowth(INITIAL_GROWTH_PERCENT);
}

/**
 * Lets V8's heap grow between two collections as far as `memory` bytes (`cache.memory`) allow, because collections take
 * time. As long as less than half of the cache is in use, there is more room for garbage: draining teams takes 5.6
 * times as long as JSON.parse where the heap may grow by a quarter only, and 4.8 times with this control. The bound is
 * 5 times (bench/README.md).
 *
 * Call the result with `true` when more than half of the cache comes into use, and with `false` when that ends.
 */
export function createHeapGrowthControl(memory: number): (isHalfFull: boolean) => void {
  const halfFullBytes = BASELINE_HEAP_BYTES + maxCacheBytes(memory) / 2;
  const roomyGrowth = Math.max(GROWTH_PERCENT, Math.floor(((BASELINE_HEAP_BYTES + memory) / halfFullBytes - 1) * 100));
  const setHalfFull = (isHalfFull: boolean): void => {
    setHeapGrowth(isHalfFull ? GROWTH_PERCENT : roomyGrowth);
  };
  setHalfFull(false);
  return setHalfFull;
}

function setHeapGrowth(percent: number): void {
  setFlagsFromString(`--heap-growing-percent=${percent}`);
}

/**
 * Size of the cache for `memory` bytes (`cache.memory`). The rest is for garbage until V8 collects it (decisions 7.16).
 */
export function maxCacheBytes(memory: number): number {
  return Math.ceil((memory * 100) / (100 + GROWTH_PERCENT));
}
