import pLimit from 'p-limit';
import type { Fetch } from './http-client-types.js';

/** Queues tasks beyond a bounded number. */
export type Limiter = <T>(work: () => Promise<T>) => Promise<T>;

/** A task must not wait for another of the same limiter: that can be a deadlock. */
export function createLimiter(concurrency: number): Limiter {
  return pLimit(concurrency);
}

/** A request aborted while queued is not sent. */
export function withLimit<Reply, Request>(next: Fetch<Reply, Request>, limit: Limiter): Fetch<Reply, Request> {
  return (request, signal) =>
    limit(() => {
      signal.throwIfAborted();
      return next(request, signal);
    });
}

/**
 * Bounds requests by a limit that all sources share, except for one at a time, never queued (decisions 5.8). Otherwise
 * sources that do not respond could use up the limit and block the others.
 */
export function withSharedLimit<Reply, Request>(next: Fetch<Reply, Request>, limit: Limiter): Fetch<Reply, Request> {
  const others = withLimit(next, limit);
  let isInProgress = false;
  return async (request, signal) => {
    if (isInProgress) return others(request, signal);
    isInProgress = true;
    try {
      return await next(request, signal);
    } finally {
      isInProgress = false;
    }
  };
}
