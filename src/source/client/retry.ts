import { getReason } from '../../model/reasons.js';
import { asFailure } from './source-failure.js';
import type { SourceFailure } from './source-failure.js';
import type { Fetch } from './http-client-types.js';
import { SuspendedFailure } from './circuit-breaker.js';
import { delay } from './abortable-wait.js';

/** Operation 2.7.8. */
export interface RetryOptions {
  /** After the first request. */
  readonly retries: number;
  /** Milliseconds. If a source requests a longer delay with Retry-After, the request is not retried. */
  readonly maxDelay: number;
  /** At least 0, below 1. */
  readonly random: () => number;
}

/** Upper bound in milliseconds; doubles with each further retry (decisions 6.13). */
const BASE_DELAY = 200;

/**
 * Retries after a broken connection or a transient status. Not after a timeout, because a source in trouble benefits
 * least; for a suspended source; or for a response with Source-Status (decisions 5.21). Without Retry-After the delay
 * is random with full jitter, so that many clients do not retry at the same moment.
 */
export function withRetry<Reply, Request>(
  next: Fetch<Reply, Request>,
  { retries, maxDelay, random }: RetryOptions,
  onResend: (request: Request, resends: number) => void = () => undefined,
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
  const { retried } = getReason(failure.reason);
  return retried === true || retried?.includes(failure.status ?? 0) === true;
}
