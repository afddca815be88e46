import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Calls `step` for the ranges of 0 … `length` in slices of `size` items (about 5 ms of work each), so that many records
 * do not block other requests. One turn of the event loop runs one full slice, or several small ones of any callers.
 * Rejects with the reason of `signal` when it is aborted.
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

/** Milliseconds of work of all callers together in one turn of the event loop. */
const TURN_MS = 5;

/**
 * Calls `step` for each item, at most 5 ms of work of all callers in a turn of the event loop. For items whose cost is
 * not known in advance.
 */
export async function forEachTimeSliced<T>(items: Iterable<T>, step: (item: T) => void): Promise<void> {
  const timer = new TurnTimer();
  // Arrays have a loop of their own, because V8 iterates over them without creating an object for each step.
  if (isReadonlyArray(items)) {
    for (const item of items) {
      if (usedShare >= 1) await timer.waitForNextTurn();
      step(item);
      timer.countItem();
    }
  } else {
    for (const item of items) {
      if (usedShare >= 1) await timer.waitForNextTurn();
      step(item);
      timer.countItem();
    }
  }
  timer.readClock();
}

/**
 * Yields the same items, and lets the event loop run after each 5 ms of producing them (the work of all callers
 * together). For a consumer that takes items one by one.
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

/** Share of a turn after which `runWithinTurn` waits for the next turn. */
const LATEST_START = 0.5;

/**
 * Runs one piece of work early in a turn, so that the work that follows at once has room in the same turn. The result
 * then does not have to be kept while other callers have their turns.
 */
export async function runWithinTurn<T>(work: () => T): Promise<T> {
  if (usedShare >= LATEST_START) await waitForFreeTurn(LATEST_START);
  const timer = new TurnTimer();
  try {
    return work();
  } finally {
    timer.readClock();
  }
}

/** Number of small items between two readings of the clock, because reading it takes as long as many an item. */
const ITEMS_PER_CLOCK_READ = 4;

/** Maximum milliseconds of a small item. */
const SMALL_ITEM_MS = 0.02;

/** Adds the time of the work to the used share of the turn. */
class TurnTimer {
  private lastReadAt = performance.now();
  private itemsSinceRead = 0;
  private itemsUntilRead = 1;

  async waitForNextTurn(): Promise<void> {
    await waitForFreeTurn(1);
    this.lastReadAt = performance.now();
  }

  /** Counts one finished item. */
  countItem(): void {
    this.itemsSinceRead += 1;
    if (this.itemsSinceRead >= this.itemsUntilRead) this.readClock();
  }

  /** Adds the time since the last reading. */
  readClock(): void {
    const now = performance.now();
    const elapsed = now - this.lastReadAt;
    this.itemsUntilRead = elapsed < this.itemsSinceRead * SMALL_ITEM_MS ? ITEMS_PER_CLOCK_READ : 1;
    this.lastReadAt = now;
    this.itemsSinceRead = 0;
    usedShare += elapsed / TURN_MS;
  }
}

/**
 * Used share of the current turn, of all callers together. Without a common count, twenty sliced computations would
 * block as long as one unsliced one.
 */
let usedShare = 0;

/** Resolves in the order of the callers, so that short computations run between the slices of a long one. */
let queueTail: Promise<void> = Promise.resolve();

/** Number of callers that wait for a turn. */
let waitingCount = 0;

/**
 * Reserves a share of this turn at once, if it is free and no caller waits, as for most small record sets. Otherwise
 * returns a promise that resolves when the share is reserved.
 */
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

/** Waits for a turn of which less than `share` is used. */
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
