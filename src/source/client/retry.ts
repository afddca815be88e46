import { asFailure } from './source-failure.js';
import type { SourceFailure } from './source-failure.js';
import type { Fetch } from './fetch.js';
import { SuspendedFailure } from './circuit-breaker.js';
import { delay } from './abortable-wait.js';

/** How often, and how soon, a request is sent again. */
export interface RetryOptions {
  /** Further requests after the first. */
  readonly retries: number;
  /** Milliseconds that a wait may take at most: what a source asks for beyond is as good as no answer. */
  readonly maxDelay: number;
  /** 0 up to, not including, 1. */
  readonly random: () => number;
}

/** First upper bound of the wait, in milliseconds; it doubles with each further one. */
const BASE_DELAY = 200;

/** Statuses of a source that may do better a moment later. */
const TRANSIENT_STATUSES: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);

/**
 * Sends a request again that failed in a way that may pass: a connection that broke, a status that says so. Not after a timeout, which
 * a source in trouble needs least. Waits with full jitter, so that many do not come back at once, or as long as Retry-After asks.
 */
export function withRetry<Reply, Request>(
  next: Fetch<Reply, Request>,
  { retries, maxDelay: longestWait, random }: RetryOptions,
): Fetch<Reply, Request> {
  const again = async (
    error: unknown,
    attempt: number,
    ask: () => Promise<Reply>,
    signal: AbortSignal,
  ): Promise<Reply> => {
    const failure = asFailure(error);
    const wait = failure.retryAfter ?? random() * BASE_DELAY * 2 ** attempt;
    if (attempt === retries || !isTransient(failure) || wait > longestWait) throw error;
    await delay(wait, signal);
    return ask().catch((next: unknown) => again(next, attempt + 1, ask, signal));
  };
  return (request, signal) =>
    next(request, signal).catch((error: unknown) => again(error, 0, () => next(request, signal), signal));
}

function isTransient(failure: SourceFailure): boolean {
  if (failure instanceof SuspendedFailure || failure.hasSourceStatus) return false;
  return failure.reason === 'connect' || (failure.status !== undefined && TRANSIENT_STATUSES.has(failure.status));
}
