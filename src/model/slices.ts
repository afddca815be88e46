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
    await room((to - from) / size);
    signal?.throwIfAborted();
    step(from, to);
  }
}

/** Milliseconds of one go of `inTurns`: a slice of `inSlices` by another measure. */
const GO = 5;

/** The same over items of which nobody knows how much work each is: at once while there is room in this turn, then 5 ms in a turn. */
export async function inTurns<T>(items: Iterable<T>, step: (item: T) => void): Promise<void> {
  let ownTurn = false;
  let begun = 0;
  for (const item of items) {
    const now = performance.now();
    if (ownTurn ? now - begun > GO : used >= 1) {
      await room(1);
      ownTurn = true;
      begun = performance.now();
    }
    step(item);
    if (!ownTurn) used += (performance.now() - now) / GO;
  }
}

/** Share of a slice that was done in this turn of the event loop, by all together: twenty sets in slices are one long block else. */
let used = 0;

/** Resolved in the order of the callers, so that a long computation lets a short one in between. */
let admitted: Promise<void> = Promise.resolve();

function room(share: number): Promise<void> {
  admitted = admitted.then(() => admit(share));
  return admitted;
}

async function admit(share: number): Promise<void> {
  if (used + share > 1) {
    await nextTurn();
    used = 0;
  }
  used += share;
}
