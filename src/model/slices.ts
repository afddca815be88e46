import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Runs `step` over 0 … `length` in slices of `size`, and gives the event loop a turn between two of them, so that no amount of
 * records blocks other requests. Ends early, by throwing the signal's reason, when `signal` is aborted.
 */
export async function inSlices(
  length: number,
  size: number,
  step: (from: number, to: number) => void,
  signal?: AbortSignal,
): Promise<void> {
  for (let from = 0; from < length; from += size) {
    if (from > 0) await nextTurn();
    signal?.throwIfAborted();
    step(from, Math.min(from + size, length));
  }
}
