import pLimit from 'p-limit';
import type { Fetch } from './fetch.js';

/** Runs so many pieces of work at a time, and queues the others. */
export type Limiter = <T>(work: () => Promise<T>) => Promise<T>;

/** A limiter for `concurrency` pieces of work. Work that waits for other work of the same limiter may wait for ever. */
export function createLimiter(concurrency: number): Limiter {
  return pLimit(concurrency);
}

/** Bounds the requests under way. One whose signal was aborted while it waited is not sent. */
export function withLimit<Reply, Request>(next: Fetch<Reply, Request>, limit: Limiter): Fetch<Reply, Request> {
  return (request, signal) =>
    limit(() => {
      signal.throwIfAborted();
      return next(request, signal);
    });
}

/**
 * Bounds the requests of a source by a limit that all sources share, but for one at a time, which never queues: else sources that hang, however many
 * there are, would keep the others waiting.
 */
export function withSharedLimit<Reply, Request>(next: Fetch<Reply, Request>, limit: Limiter): Fetch<Reply, Request> {
  const others = withLimit(next, limit);
  let underWay = false;
  return async (request, signal) => {
    if (underWay) return others(request, signal);
    underWay = true;
    try {
      return await next(request, signal);
    } finally {
      underWay = false;
    }
  };
}
