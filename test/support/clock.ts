import type { Clock } from '../../src/model/clock.js';

/** A clock that stands still until it is told to go on. */
export interface FakeClock extends Clock {
  /** Milliseconds. */
  advance(milliseconds: number): void;
}

/** Stands at 2026-01-01T00:00:00Z. */
export function fakeClock(): FakeClock {
  let now = Date.UTC(2026, 0, 1);
  return {
    now: () => now,
    advance: (milliseconds) => {
      now += milliseconds;
    },
  };
}
