import { asFailure } from './failure.js';
import type { SourceFailure } from './failure.js';
import type { Fetch } from './fetch.js';
import { Suspended } from './breaker.js';
import { pause } from './waiting.js';

/** How often, and how soon, a request is sent again. */
export interface RetryOptions {
  /** Further requests after the first. */
  readonly retries: number;
  /** Milliseconds that a wait may take at most: what a source asks for beyond is as good as no answer. */
  readonly longestWait: number;
  /** 0 up to, not including, 1. */
  readonly random: () => number;
}

/** First upper bound of the wait, in milliseconds; it doubles with each further one. */
const BASE = 200;

/** Statuses of a source that may do better a moment later. */
const PASSING: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);

/**
 * Sends a request again that failed in a way that may pass: a connection that broke, a status that says so. Not after a timeout, which
 * a source in trouble needs least. Waits with full jitter, so that many do not come back at once, or as long as Retry-After asks.
 */
export function retried<Reply, Request>(
  next: Fetch<Reply, Request>,
  { retries, longestWait, random }: RetryOptions,
): Fetch<Reply, Request> {
  const again = async (
    error: unknown,
    attempt: number,
    ask: () => Promise<Reply>,
    signal: AbortSignal,
  ): Promise<Reply> => {
    const failure = asFailure(error);
    const wait = failure.retryAfter ?? random() * BASE * 2 ** attempt;
    if (attempt === retries || !mayPass(failure) || wait > longestWait) throw error;
    await pause(wait, signal);
    return ask().catch((next: unknown) => again(next, attempt + 1, ask, signal));
  };
  return (request, signal) =>
    next(request, signal).catch((error: unknown) => again(error, 0, () => next(request, signal), signal));
}

function mayPass(failure: SourceFailure): boolean {
  if (failure instanceof Suspended || failure.relayed) return false;
  return failure.reason === 'connect' || (failure.status !== undefined && PASSING.has(failure.status));
}
