import { PerformanceObserver, constants } from 'node:perf_hooks';
import type { PerformanceEntry, PerformanceObserverEntryList } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import type { HeapSpaceInfo } from 'node:v8';

/** Percent by which V8's heap may grow beyond what was in use after a collection, before it is collected anew. */
const GROWTH = 25;

/** The same until the configuration is read, which tells how much may be held. */
const GROWTH_AT_FIRST = 75;

/** Bytes of V8's heap that are in use when nothing is held, about. */
const OWN = 25 * 2 ** 20;

/** Bytes of both halves of V8's space for new objects. */
const YOUNG = 8 * 2 ** 20;

/** Milliseconds, as many as V8 takes. */
const NEVER = 2 ** 31 - 1;

/** Numbers in what is kept so that the space for new objects grows: as large as an object there can be; and how many of these are made at most. */
const KEPT = 12_000;
const MOST_TURNS = 2_000;

/**
 * Keeps V8's heap near what is held, once and for all: by itself it grows to several times what is in use before it collects, and by 32 MB
 * for new objects alone (64 MB in later releases), so that memory would be bounded by that, and not by `cache.memory` (operation.md).
 * To be called before anything else is loaded: the space for new objects never shrinks under load. Its bound is one of V8's options that are heard
 * at the start of a process only; by which factor it grows is heard at any time.
 */
export function boundHeap(): void {
  grow(GROWTH_AT_FIRST);
  // New objects are looked through by one thread: for a space this small the helpers of V8 burn more than they take off it.
  setFlagsFromString('--no-parallel-scavenge');
  // Where little is made for seconds V8 would collect all that it can, the hidden classes of what comes and goes with a refresh among it, and deoptimize all that was compiled for them.
  setFlagsFromString(`--gc-memory-reducer-start-delay-ms=${NEVER}`);
  growYoung();
  // Where nothing is asked for seconds, V8 makes the space smaller: it has to grow again once new objects come.
  new PerformanceObserver(growYoung).observe({ entryTypes: ['gc'] });
}

/**
 * Lets the space for new objects grow to its bound, and no further: some milliseconds where it was small, nothing where it was not. It grows by what
 * outlives a collection; what outlives a second one would move to the old objects, and be garbage there, so that is kept no longer than for one.
 */
function growYoung(gone?: PerformanceObserverEntryList): void {
  if (young().space_size >= YOUNG || gone?.getEntries().some(isOfAll) === true) return;
  setFlagsFromString('--semi-space-growth-factor=2');
  let kept: number[][] = [];
  let used = 0;
  for (let turn = 0; turn < MOST_TURNS; turn += 1) {
    kept.push(new Array<number>(KEPT).fill(0.5));
    const { space_size, space_used_size } = young();
    if (space_size >= YOUNG) break;
    if (space_used_size < used) kept = [];
    used = space_used_size;
  }
  setFlagsFromString('--semi-space-growth-factor=1');
}

/** Whether all objects were looked through, and not the new ones alone. */
function isOfAll(collection: PerformanceEntry & { readonly detail?: unknown }): boolean {
  const { detail } = collection;
  const isKnown = typeof detail === 'object' && detail !== null && 'kind' in detail;
  return !isKnown || detail.kind !== constants.NODE_PERFORMANCE_GC_MINOR;
}

/**
 * Lets the heap grow as far between two collections as so many bytes of memory (`cache.memory`) let it: to collect is work, and as long as less than half of
 * what may be held is, there is room for garbage. To be told when more than half comes to be held, and when that is over.
 */
export function growWithin(memory: number): (isHalfFull: boolean) => void {
  const half = OWN + heldWithin(memory) / 2;
  const roomy = Math.max(GROWTH, Math.floor(((OWN + memory) / half - 1) * 100));
  const heed = (isHalfFull: boolean): void => {
    grow(isHalfFull ? GROWTH : roomy);
  };
  heed(false);
  return heed;
}

function grow(percent: number): void {
  setFlagsFromString(`--heap-growing-percent=${percent}`);
}

/** Bytes that may be held within so many of memory (`cache.memory`): the rest is what V8 lets their garbage take before it is collected. */
export function heldWithin(memory: number): number {
  return Math.ceil((memory * 100) / (100 + GROWTH));
}

/** Of a release of V8 that has no such space nothing is known, and it is as large as it will be. */
function young(): Pick<HeapSpaceInfo, 'space_size' | 'space_used_size'> {
  const known = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
  return known ?? { space_size: Infinity, space_used_size: 0 };
}
