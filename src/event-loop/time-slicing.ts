import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Calls `step` for ranges of `size` items (about 5 ms of work), so that many records do not block other requests. One
 * turn of the event loop runs one full slice, or several small ones of any callers.
 */
export async function forEachSlice(
  length: number,
  size: number,
  step: (from: number, to: number) => void,
): Promise<void> {
  for (let from = 0; from < length; from += size) {
    const to = Math.min(from + size, length);
    const free = reserveShare((to - from) / size);
    if (free !== undefined) await free;
    step(from, to);
  }
}

/** Work of all callers together in one turn of the event loop. */
const TURN_MS = 5;

/** At most 5 ms of work of all callers in a turn. For items whose cost is not known in advance. */
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
 * Lets the event loop run after each 5 ms of producing items (all callers together), for a consumer that takes them one
 * by one.
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

/** Part of a turn after which `runWithinTurn` waits for the next turn. */
const LATEST_START = 0.5;

/**
 * Runs early in a turn, so that the work that follows at once has room in the same turn. The result then does not have
 * to be kept while other callers have their turns.
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

/** Reading the clock takes as long as many a small item. */
const ITEMS_PER_CLOCK_READ = 4;

const SMALL_ITEM_MS = 0.02;

class TurnTimer {
  private lastReadAt = performance.now();
  private itemsSinceRead = 0;
  private itemsUntilRead = 1;

  async waitForNextTurn(): Promise<void> {
    await waitForFreeTurn(1);
    this.lastReadAt = performance.now();
  }

  countItem(): void {
    this.itemsSinceRead += 1;
    if (this.itemsSinceRead >= this.itemsUntilRead) this.readClock();
  }

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
 * Of the current turn, of all callers together. Without a common count, twenty sliced computations would block as long
 * as one unsliced one.
 */
let usedShare = 0;

/** In the order of the callers, so that short computations run between the slices of a long one. */
let queueTail: Promise<void> = Promise.resolve();

let waitingCount = 0;

/**
 * At once, if the share is free and no caller waits, as for most small record sets. Otherwise returns a promise that
 * resolves when it is reserved.
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
