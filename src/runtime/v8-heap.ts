import { setFlagsFromString } from 'node:v8';

/** Percent by which V8's heap may grow beyond what was in use after a collection, before it is collected anew. */
const GROWTH_PERCENT = 25;

/** The same until the configuration is read, which says how much may be held. */
const INITIAL_GROWTH_PERCENT = 75;

/** Bytes of V8's heap that are in use when nothing is held, about. */
const BASELINE_HEAP_BYTES = 25 * 2 ** 20;

/**
 * Keeps V8's heap near what is held: by itself it grows to several times what is in use before it collects, so that memory would be bounded by that
 * and not by `cache.memory` (operation.md). To be called before anything else is loaded.
 */
export function limitHeapGrowth(): void {
  setHeapGrowth(INITIAL_GROWTH_PERCENT);
}

/**
 * Lets the heap grow between two collections as far as so many bytes of memory (`cache.memory`) allow: to collect is work, and as long as less than half of
 * what may be held is, there is room for garbage: a drain of teams takes 5.6 × JSON.parse with a heap that may only grow by a quarter, and 4.8 × so, of a bound of 5 × (bench/README.md).
 * The result is to be called when more than half comes to be held, and when that is over.
 */
export function createHeapGrowthControl(memory: number): (isHalfFull: boolean) => void {
  const half = BASELINE_HEAP_BYTES + maxCacheBytes(memory) / 2;
  const roomy = Math.max(GROWTH_PERCENT, Math.floor(((BASELINE_HEAP_BYTES + memory) / half - 1) * 100));
  const adapt = (isHalfFull: boolean): void => {
    setHeapGrowth(isHalfFull ? GROWTH_PERCENT : roomy);
  };
  adapt(false);
  return adapt;
}

function setHeapGrowth(percent: number): void {
  setFlagsFromString(`--heap-growing-percent=${percent}`);
}

/** Bytes that may be held within so many of memory (`cache.memory`): the rest is what V8 lets their garbage take before it is collected. */
export function maxCacheBytes(memory: number): number {
  return Math.ceil((memory * 100) / (100 + GROWTH_PERCENT));
}
