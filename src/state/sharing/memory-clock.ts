import type { Clock } from '../../model/clock.js';
import { MAX_CLOCK_DIFFERENCE_MS, NOTICE_MS } from './instance-agreement.js';

/** In milliseconds. No instance publishes with a longer one. */
const MAX_NOTICE_MS = 2 * NOTICE_MS;

interface SendTime {
  readonly monotonic: number;
  /** In milliseconds since 1970. */
  readonly own: number;
}

/**
 * What the last reply shows of the clock of the shared memory, in milliseconds since 1970. The reply may have been sent
 * at any moment of the wait for it, so each time has an earliest and a latest value.
 */
export class MemoryClock {
  /** Clock of the memory minus the monotonic clock. */
  private offset: { readonly least: number; readonly most: number };
  private difference: { readonly least: number; readonly greatest: number } = { least: 0, greatest: Infinity };
  private ownAhead: number | undefined;

  constructor(
    private readonly own: Clock,
    private readonly monotonic: () => number,
  ) {
    const offset = own.now() - monotonic();
    this.offset = { least: offset, most: offset };
  }

  /** In milliseconds; undefined before the first reply. */
  get clockAhead(): number | undefined {
    return this.ownAhead;
  }

  /** The clocks certainly differ by more than is allowed. */
  get isWrong(): boolean {
    return this.difference.least > MAX_CLOCK_DIFFERENCE_MS;
  }

  /** Not where the wait for the last reply was long. */
  get isConclusive(): boolean {
    return this.isWrong || this.difference.greatest <= MAX_CLOCK_DIFFERENCE_MS;
  }

  startReport(): SendTime {
    return { monotonic: this.monotonic(), own: this.own.now() };
  }

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

  /** At most. */
  millisecondsUntil(time: number): number {
    return time - this.earliestAt(this.monotonic());
  }

  /** Certainly. */
  hasPassed(time: number): boolean {
    return this.millisecondsUntil(time) <= 0;
  }

  /** The earliest time that the clock may have shown. */
  earliestAt(monotonic: number): number {
    return monotonic + this.offset.least;
  }

  /** From when on the time may have passed. */
  toMonotonic(time: number): number {
    return time - this.offset.most;
  }

  /** Whether an instance may let an entry become active at this time. */
  isSoon(time: number): boolean {
    return time <= this.monotonic() + this.offset.most + MAX_NOTICE_MS;
  }

  /** By the clock of any instance that differs as allowed. */
  isPast(time: number): boolean {
    return time <= this.monotonic() + this.offset.most + 2 * MAX_CLOCK_DIFFERENCE_MS;
  }
}
