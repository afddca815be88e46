import pLimit from 'p-limit';
import type { Fetch } from './http-client-types.js';

/** Runs a bounded number of tasks at a time and queues the others. */
export type Limiter = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Creates a limiter that runs `concurrency` tasks at a time. A task must not wait for another task of the same limiter:
 * that can be a deadlock.
 */
export function createLimiter(concurrency: number): Limiter {
  return pLimit(concurrency);
}

/** Bounds the requests in progress. A request whose signal was aborted while it was queued is not sent. */
export function withLimit<Reply, Request>(next: Fetch<Reply, Request>, limit: Limiter): Fetch<Reply, Request> {
  return (request, signal) =>
    limit(() => {
      signal.throwIfAborted();
      return next(request, signal);
    });
}

/**
 * Bounds the requests of one source by a limit that all sources share, except for one request at a time, which is never
 * queued (decisions 5.8). Otherwise sources that do not respond could use up the limit and block the others.
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
