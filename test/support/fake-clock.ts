import type { Clock } from '../../src/model/clock.js';

/** A clock that stands still until it is told to go on. */
export interface FakeClock extends Clock {
  /** Milliseconds. */
  advance(milliseconds: number): void;
}

/** One that tells how often it was looked at: whoever works looks at it. */
export interface WatchedClock extends FakeClock {
  readonly looks: number;
}

/** Stands at 2026-01-01T00:00:00Z. */
export function fakeClock(): WatchedClock {
  let now = Date.UTC(2026, 0, 1);
  let looks = 0;
  return {
    now: () => {
      looks += 1;
      return now;
    },
    get looks() {
      return looks;
    },
    advance: (milliseconds) => {
      now += milliseconds;
    },
  };
}
