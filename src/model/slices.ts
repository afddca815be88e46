import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Runs `step` over 0 … `length` in slices of `size` (about 5 ms of work each), so that no amount of records blocks other requests:
 * one full slice in a turn of the event loop, or as many small ones, whoever they belong to. Ends early, by throwing the signal's
 * reason, when `signal` is aborted.
 */
export async function inSlices(
  length: number,
  size: number,
  step: (from: number, to: number) => void,
  signal?: AbortSignal,
): Promise<void> {
  for (let from = 0; from < length; from += size) {
    const to = Math.min(from + size, length);
    const free = room((to - from) / size);
    if (free !== undefined) await free;
    signal?.throwIfAborted();
    step(from, to);
  }
}

/** Milliseconds of work in one turn of `inTurns`, by all together: a slice of `inSlices` by another measure. */
const GO = 5;

/**
 * The same over items of which nobody knows how much work each is: 5 ms in a turn, by all together.
 */
export async function inTurns<T>(items: Iterable<T>, step: (item: T) => void): Promise<void> {
  const watch = new Watch();
  // Lists have a loop of their own: the engine walks over them without an object for each step.
  if (isList(items)) {
    for (const item of items) {
      if (used >= 1) await watch.anew();
      step(item);
      watch.did();
    }
  } else {
    for (const item of items) {
      if (used >= 1) await watch.anew();
      step(item);
      watch.did();
    }
  }
  watch.look();
}

/**
 * The same items, for a consumer that takes them one after another, with turns of the event loop between them: 5 ms of work at making them in a turn,
 * by all together.
 */
export async function* paced<T>(items: Iterable<T>): AsyncGenerator<T, void, undefined> {
  let from = performance.now();
  for (const item of items) {
    used += (performance.now() - from) / GO;
    yield item;
    if (used >= 1) await opening(1);
    from = performance.now();
  }
}

function isList<T>(items: Iterable<T>): items is readonly T[] {
  return Array.isArray(items);
}

/** Share of a turn after which nothing new is begun in it that others follow at once. */
const BEGUN = 0.5;

/**
 * Does one piece of work as part of a turn, early enough in it that what follows has room there too: so that what it gives has
 * not to be kept while others have their turn.
 */
export async function inOneTurn<T>(work: () => T): Promise<T> {
  if (used >= BEGUN) await opening(BEGUN);
  const watch = new Watch();
  try {
    return work();
  } finally {
    watch.look();
  }
}

/** Items after which the clock is looked at while they are small: reading it takes as long as many an item does. */
const UNWATCHED = 4;

/** Milliseconds that a small item takes at most. */
const SMALL = 0.02;

/** Enters what is done into this turn. */
class Watch {
  private looked = performance.now();
  private done = 0;
  private unwatched = 1;

  /** Waits for another turn. */
  async anew(): Promise<void> {
    await opening(1);
    this.looked = performance.now();
  }

  /** An item was done. */
  did(): void {
    this.done += 1;
    if (this.done >= this.unwatched) this.look();
  }

  /** Enters the time since the last look. */
  look(): void {
    const now = performance.now();
    const took = now - this.looked;
    this.unwatched = took < this.done * SMALL ? UNWATCHED : 1;
    this.looked = now;
    this.done = 0;
    used += took / GO;
  }
}

/** Share of a turn of the event loop that was taken, by all together: twenty sets in slices are one long block else. */
let used = 0;

/** Resolved in the order of the callers, so that a long computation lets a short one in between. */
let admitted: Promise<void> = Promise.resolve();

/** How many wait for that. */
let waiting = 0;

/** Takes such a share of this turn where it is free and nobody waits, as it is for most small sets: at once. Else waits until it is free. */
function room(share: number): Promise<void> | undefined {
  if (waiting === 0 && used + share <= 1) {
    used += share;
    return undefined;
  }
  return inLine(async () => {
    if (used + share > 1) await anew();
    used += share;
  });
}

/** Waits for a turn of which less than such a share is taken. */
function opening(share: number): Promise<void> {
  return inLine(() => (used < share ? undefined : anew()));
}

function inLine(enter: () => Promise<void> | undefined): Promise<void> {
  waiting += 1;
  admitted = admitted.then(async () => {
    await enter();
    waiting -= 1;
  });
  return admitted;
}

async function anew(): Promise<void> {
  await nextTurn();
  used = 0;
}
