import { asFailure } from './source-failure.js';
import type { SourceFailure } from './source-failure.js';
import type { Fetch } from './http-client-types.js';
import { SuspendedFailure } from './circuit-breaker.js';
import { delay } from './abortable-wait.js';

/** How often and after which delay a failed request is sent again (operation 2.7.8). */
export interface RetryOptions {
  /** Maximum number of requests after the first one. */
  readonly retries: number;
  /**
   * Longest delay before a retry, in milliseconds. If a source requests a longer one with Retry-After, the request is
   * not retried.
   */
  readonly maxDelay: number;
  /** Random number, 0 ≤ n < 1. */
  readonly random: () => number;
}

/** Called before a request is sent again, with the number of requests that follow the first one. */
export type ResendObserver<Request> = (request: Request, resends: number) => void;

/** Upper bound of the first delay, in milliseconds. It doubles with each further retry (decisions 6.13). */
const BASE_DELAY = 200;

/** Statuses that may be transient. */
const TRANSIENT_STATUSES: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);

/**
 * Retries a request after a failure that may be transient: a broken connection or a transient status. Not retried are a
 * timeout, because a source in trouble benefits least from a second request; a suspended source; and a response with
 * Source-Status (decisions 5.21). The delay is that of Retry-After, otherwise random with full jitter, so that many
 * clients do not retry at the same moment.
 */
export function withRetry<Reply, Request>(
  next: Fetch<Reply, Request>,
  { retries, maxDelay, random }: RetryOptions,
  onResend: ResendObserver<Request> = () => undefined,
): Fetch<Reply, Request> {
  const retry = async (
    error: unknown,
    attempt: number,
    send: (resends: number) => Promise<Reply>,
    signal: AbortSignal,
  ): Promise<Reply> => {
    const failure = asFailure(error);
    const wait = failure.retryAfter ?? random() * BASE_DELAY * 2 ** attempt;
    if (attempt === retries || !isTransient(failure) || wait > maxDelay) throw error;
    await delay(wait, signal);
    return send(attempt + 1).catch((next: unknown) => retry(next, attempt + 1, send, signal));
  };
  return (request, signal) => {
    const resend = (resends: number): Promise<Reply> => {
      onResend(request, resends);
      return next(request, signal);
    };
    return next(request, signal).catch((error: unknown) => retry(error, 0, resend, signal));
  };
}

function isTransient(failure: SourceFailure): boolean {
  if (failure instanceof SuspendedFailure || failure.hasSourceStatus) return false;
  return failure.reason === 'connect' || (failure.status !== undefined && TRANSIENT_STATUSES.has(failure.status));
}
