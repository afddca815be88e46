import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Runs `step` over 0 … `length` in slices of `size` (about 5 ms of work each), so that no amount of records blocks other requests:
 * one full slice in a turn of the event loop, or as many small ones, whoever they belong to. Ends early, by throwing the signal's
 * reason, when `signal` is aborted.
 */
export async function forEachSlice(
  length: number,
  size: number,
  step: (from: number, to: number) => void,
  signal?: AbortSignal,
): Promise<void> {
  for (let from = 0; from < length; from += size) {
    const to = Math.min(from + size, length);
    const free = reserveShare((to - from) / size);
    if (free !== undefined) await free;
    signal?.throwIfAborted();
    step(from, to);
  }
}

/** Milliseconds of work in one turn of `forEachTimeSliced`, by all together: a slice of `forEachSlice` by another measure. */
const TURN_MS = 5;

/**
 * The same over items of which nobody knows how much work each is: 5 ms in a turn, by all together.
 */
export async function forEachTimeSliced<T>(items: Iterable<T>, step: (item: T) => void): Promise<void> {
  const watch = new TurnTimer();
  // Lists have a loop of their own: the engine walks over them without an object for each step.
  if (isReadonlyArray(items)) {
    for (const item of items) {
      if (usedShare >= 1) await watch.waitForNextTurn();
      step(item);
      watch.countItem();
    }
  } else {
    for (const item of items) {
      if (usedShare >= 1) await watch.waitForNextTurn();
      step(item);
      watch.countItem();
    }
  }
  watch.readClock();
}

/**
 * The same items, for a consumer that takes them one after another, with turns of the event loop between them: 5 ms of work at making them in a turn,
 * by all together.
 */
export async function* iterateTimeSliced<T>(items: Iterable<T>): AsyncGenerator<T, void, undefined> {
  let from = performance.now();
  for (const item of items) {
    usedShare += (performance.now() - from) / TURN_MS;
    yield item;
    if (usedShare >= 1) await waitForFreeTurn(1);
    from = performance.now();
  }
}

function isReadonlyArray<T>(items: Iterable<T>): items is readonly T[] {
  return Array.isArray(items);
}

/** Share of a turn after which nothing new is begun in it that others follow at once. */
const LATEST_START = 0.5;

/**
 * Does one piece of work as part of a turn, early enough in it that what follows has room there too: so that what it gives has
 * not to be kept while others have their turn.
 */
export async function runWithinTurn<T>(work: () => T): Promise<T> {
  if (usedShare >= LATEST_START) await waitForFreeTurn(LATEST_START);
  const watch = new TurnTimer();
  try {
    return work();
  } finally {
    watch.readClock();
  }
}

/** Items after which the clock is looked at while they are small: reading it takes as long as many an item does. */
const ITEMS_PER_CLOCK_READ = 4;

/** Milliseconds that a small item takes at most. */
const SMALL_ITEM_MS = 0.02;

/** Enters what is done into this turn. */
class TurnTimer {
  private lastReadAt = performance.now();
  private itemsSinceRead = 0;
  private itemsUntilRead = 1;

  /** Waits for another turn. */
  async waitForNextTurn(): Promise<void> {
    await waitForFreeTurn(1);
    this.lastReadAt = performance.now();
  }

  /** An item was done. */
  countItem(): void {
    this.itemsSinceRead += 1;
    if (this.itemsSinceRead >= this.itemsUntilRead) this.readClock();
  }

  /** Enters the time since the last look. */
  readClock(): void {
    const now = performance.now();
    const took = now - this.lastReadAt;
    this.itemsUntilRead = took < this.itemsSinceRead * SMALL_ITEM_MS ? ITEMS_PER_CLOCK_READ : 1;
    this.lastReadAt = now;
    this.itemsSinceRead = 0;
    usedShare += took / TURN_MS;
  }
}

/** Share of a turn of the event loop that was taken, by all together: twenty sets in slices are one long block else. */
let usedShare = 0;

/** Resolved in the order of the callers, so that a long computation lets a short one in between. */
let queueTail: Promise<void> = Promise.resolve();

/** How many wait for that. */
let waitingCount = 0;

/** Takes such a share of this turn where it is free and nobody waits, as it is for most small sets: at once. Else waits until it is free. */
function reserveShare(share: number): Promise<void> | undefined {
  if (waitingCount === 0 && usedShare + share <= 1) {
    usedShare += share;
    return undefined;
  }
  return enqueue(async () => {
    if (usedShare + share > 1) await startNextTurn();
    usedShare += share;
  });
}

/** Waits for a turn of which less than such a share is taken. */
function waitForFreeTurn(share: number): Promise<void> {
  return enqueue(() => (usedShare < share ? undefined : startNextTurn()));
}

function enqueue(enter: () => Promise<void> | undefined): Promise<void> {
  waitingCount += 1;
  queueTail = queueTail.then(async () => {
    await enter();
    waitingCount -= 1;
  });
  return queueTail;
}

async function startNextTurn(): Promise<void> {
  await nextTurn();
  usedShare = 0;
}
