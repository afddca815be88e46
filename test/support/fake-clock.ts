import type { Clock } from './gateway/program.js';

/** A clock whose time changes only by `advance`. */
export interface FakeClock extends Clock {
  advance(milliseconds: number): void;
}

/** A fake clock that counts its reads. A component that works in the background reads the clock, so a stable count means that it is idle. */
export interface WatchedClock extends FakeClock {
  /** Number of calls of `now`. */
  readonly looks: number;
}

/** Creates a clock that starts at 2026-01-01T00:00:00Z. */
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
