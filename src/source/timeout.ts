import { Ended } from './ending.js';
import type { Ending } from './ending.js';
import type { Fetch } from './fetch.js';

/** Ends a request, reading of its body included, after `milliseconds`. */
export function timeout<Reply>(next: Fetch<Reply>, milliseconds: number): Fetch<Reply> {
  return (request, signal) => within(milliseconds, signal, (timed) => next(request, timed));
}

/**
 * Does work that has an ending of its own, which is aborted when `signal` is, or after `milliseconds`. When the work has ended nothing of
 * this is left: `AbortSignal.any` and `AbortSignal.timeout` would hold all that listened to them until the time is over.
 */
export function within<T>(milliseconds: number, signal: Ending, work: (signal: Ending) => Promise<T>): Promise<T> {
  const term = new Term(milliseconds, signal);
  return work(term).then(
    (done) => {
      term.end();
      return done;
    },
    (error: unknown) => {
      term.end();
      throw error;
    },
  );
}

/** An ending that comes after so many milliseconds, for whoever waits then; nothing is kept alive by it, nor is it called off. */
export function deadline(milliseconds: number): Ending {
  const ended = new Ended();
  setTimeout(expire, milliseconds, ended, milliseconds).unref();
  return ended;
}

/** The time that some work has, as a signal. */
class Term extends Ended {
  private readonly timer: NodeJS.Timeout;

  constructor(
    milliseconds: number,
    private readonly asker: Ending,
  ) {
    super();
    if (asker.aborted) this.handleEvent();
    // An object, for there is one for each page, and a closure costs more.
    asker.addEventListener('abort', this, { once: true });
    this.timer = setTimeout(expire, milliseconds, this, milliseconds);
  }

  /** The asker has ended. */
  handleEvent(): void {
    this.abort(this.asker.reason);
  }

  end(): void {
    clearTimeout(this.timer);
    this.asker.removeEventListener('abort', this);
  }
}

function expire(term: Ended, milliseconds: number): void {
  term.abort(reasonOf(milliseconds));
}

/** By the time that was too short: to make one takes longer than all else around a time that ends, and most end when nobody waits any more. */
const REASONS = new Map<number, DOMException>();

function reasonOf(milliseconds: number): DOMException {
  const known = REASONS.get(milliseconds);
  const reason = known ?? new DOMException(`not done within ${milliseconds} ms`, 'TimeoutError');
  if (known === undefined) REASONS.set(milliseconds, reason);
  return reason;
}
