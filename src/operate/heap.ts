import { PerformanceObserver, constants } from 'node:perf_hooks';
import type { PerformanceEntry, PerformanceObserverEntryList } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** Percent by which V8's heap may grow beyond what was in use after a collection, before it is collected anew. */
const GROWTH = 25;

/** The same as long as less than half of what may be held is: to collect is work, and there is room enough. */
const ROOMY_GROWTH = 75;

/** Bytes of both halves of V8's space for new objects. */
const YOUNG = 8 * 2 ** 20;

/** Objects that are kept, so that the space for new ones grows, at a time; and how often that is done at most. */
const KEPT = 2_000;
const MOST_TURNS = 1_000;

/**
 * Keeps V8's heap near what is held, once and for all: by itself it grows to several times what is in use before it collects, and by 32 MB
 * for new objects alone (64 MB in later releases), so that memory would be bounded by that, and not by `cache.memory` (operation.md).
 * To be called before anything else is loaded: the space for new objects never shrinks under load. Its bound is one of V8's options that are heard
 * at the start of a process only; by which factor it grows is heard at any time.
 */
export function boundHeap(): void {
  heedHeld(false);
  // New objects are looked through by one thread: for a space this small the helpers of V8 burn more than they take off it.
  setFlagsFromString('--no-parallel-scavenge');
  growYoung();
  // Where nothing is asked for seconds, V8 makes the space smaller: it has to grow again once new objects come.
  new PerformanceObserver(growYoung).observe({ entryTypes: ['gc'] });
}

/** Lets the space for new objects grow to its bound, and no further: some 20 ms where it was small, nothing where it was not. */
function growYoung(gone?: PerformanceObserverEntryList): void {
  if (youngBytes() >= YOUNG || gone?.getEntries().some(isOfAll) === true) return;
  setFlagsFromString('--semi-space-growth-factor=2');
  let kept: object[] = [];
  for (let turn = 0; youngBytes() < YOUNG && turn < MOST_TURNS; turn += 1) {
    if (turn % 100 === 0) kept = [];
    for (let nth = 0; nth < KEPT; nth += 1) kept.push({ nth });
  }
  setFlagsFromString('--semi-space-growth-factor=1');
}

/** Whether all objects were looked through, and not the new ones alone. */
function isOfAll(collection: PerformanceEntry & { readonly detail?: unknown }): boolean {
  const { detail } = collection;
  const isKnown = typeof detail === 'object' && detail !== null && 'kind' in detail;
  return !isKnown || detail.kind !== constants.NODE_PERFORMANCE_GC_MINOR;
}

/** Lets the heap grow less between two collections while more than half of what may be held is. */
export function heedHeld(isHalfFull: boolean): void {
  setFlagsFromString(`--heap-growing-percent=${isHalfFull ? GROWTH : ROOMY_GROWTH}`);
}

/** Bytes that may be held within so many of memory (`cache.memory`): the rest is what V8 lets their garbage take before it is collected. */
export function heldWithin(memory: number): number {
  return Math.ceil((memory * 100) / (100 + GROWTH));
}

function youngBytes(): number {
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? Infinity;
}
