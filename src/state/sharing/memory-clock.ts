import type { Clock } from '../../model/clock.js';
import { MAX_CLOCK_DIFFERENCE_MS, NOTICE_MS } from './instance-agreement.js';

/** Longest time from now until an entry becomes active, in milliseconds. No instance publishes with a longer one. */
const MAX_NOTICE_MS = 2 * NOTICE_MS;

/** When a report was sent. */
export interface SendTime {
  /** By the monotonic clock. */
  readonly monotonic: number;
  /** By the clock of this instance, in milliseconds since 1970. */
  readonly own: number;
}

/** By how many milliseconds the clock of this instance differs from that of the memory. */
interface ClockDifference {
  readonly least: number;
  readonly greatest: number;
}

/**
 * What is known of the clock of the shared memory, from the last reply. Its times are in milliseconds since 1970. The reply
 * may have been sent at any moment of the wait for it, so that each time has an earliest and a latest value.
 */
export class MemoryClock {
  /** Bounds of the difference between the clock of the memory and the monotonic clock. */
  private offset: { readonly least: number; readonly most: number };
  private difference: ClockDifference = { least: 0, greatest: Infinity };
  private ownAhead: number | undefined;

  constructor(
    private readonly own: Clock,
    /** Milliseconds by a clock that is never set. */
    private readonly monotonic: () => number,
  ) {
    const offset = own.now() - monotonic();
    this.offset = { least: offset, most: offset };
  }

  /** Milliseconds by which the clock of this instance is ahead of that of the memory; undefined before the first reply. */
  get clockAhead(): number | undefined {
    return this.ownAhead;
  }

  /** Whether the clocks certainly differ by more than is allowed. */
  get isWrong(): boolean {
    return this.difference.least > MAX_CLOCK_DIFFERENCE_MS;
  }

  /** Whether the last reply decides if the clocks differ. It does not where the wait for it was long. */
  get isConclusive(): boolean {
    return this.isWrong || this.difference.greatest <= MAX_CLOCK_DIFFERENCE_MS;
  }

  /** Returns when a report is sent, to be passed to `noteReply`. */
  startReport(): SendTime {
    return { monotonic: this.monotonic(), own: this.own.now() };
  }

  /** Notes the time that the memory sent in the reply to a report. */
  noteReply(time: number, sent: SendTime): void {
    const receivedAt = this.monotonic();
    const [least, most] = [time - receivedAt, time - sent.monotonic];
    const ownOffset = sent.own - sent.monotonic;
    this.offset = { least, most };
    this.ownAhead = Math.round(ownOffset - (least + most) / 2);
    this.difference = {
      least: Math.max(0, least - ownOffset, ownOffset - most),
      greatest: Math.max(Math.abs(least - ownOffset), Math.abs(most - ownOffset)),
    };
  }

  /** Returns the most milliseconds until a time. */
  millisecondsUntil(time: number): number {
    return time - this.earliestAt(this.monotonic());
  }

  /** Whether a time has certainly passed. */
  hasPassed(time: number): boolean {
    return this.millisecondsUntil(time) <= 0;
  }

  /** Returns the earliest time that the clock may have shown at a time by the monotonic clock. */
  earliestAt(monotonic: number): number {
    return monotonic + this.offset.least;
  }

  /** Returns from when on a time may have passed, by the monotonic clock. */
  toMonotonic(time: number): number {
    return time - this.offset.most;
  }

  /** Whether a time is one at which an instance may let an entry become active. */
  isSoon(time: number): boolean {
    return time <= this.monotonic() + this.offset.most + MAX_NOTICE_MS;
  }

  /** Whether a time by the clock of any instance, which may differ as allowed, is not later than now. */
  isPast(time: number): boolean {
    return time <= this.monotonic() + this.offset.most + 2 * MAX_CLOCK_DIFFERENCE_MS;
  }
}
