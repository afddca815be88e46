import pLimit from 'p-limit';
import type { Fetch } from './fetch.js';

/** Lets so many requests through at a time and queues the others; the one bound of a house, or of a source. */
export type Limiter = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * A limiter for `concurrency` requests. While there is room work is begun at once: to queue costs more than most of what a request does here. Never
 * hand one's work to itself: it would wait for itself for ever.
 */
export function limiter(concurrency: number): Limiter {
  const limit = pLimit(concurrency);
  /** Begun at once, and still under way: never so many that none is left to the queue. */
  let apart = 0;
  /** In the queue, or let in by it and under way. */
  let queued = 0;
  const end = (): void => {
    apart -= 1;
    // Those that queue are let in by this.
    if (queued > 0) limit.concurrency = concurrency - apart;
  };
  const endOfQueued = (): void => {
    queued -= 1;
  };
  return (work) => {
    if (apart + queued >= concurrency || apart + 1 === concurrency) {
      queued += 1;
      limit.concurrency = concurrency - apart;
      const done = limit(work);
      done.then(endOfQueued, endOfQueued);
      return done;
    }
    apart += 1;
    const done = begun(work);
    done.then(end, end);
    return done;
  };
}

/** What the work gives, or that it could not even begin. */
function begun<T>(work: () => Promise<T>): Promise<T> {
  try {
    return work();
  } catch (error) {
    return Promise.reject(error instanceof Error ? error : new Error(String(error)));
  }
}

/** Bounds the requests under way. One whose signal was aborted while it waited is not sent. */
export function limited<Reply, Request>(next: Fetch<Reply, Request>, limit: Limiter): Fetch<Reply, Request> {
  return (request, signal) =>
    limit(() => {
      signal.throwIfAborted();
      return next(request, signal);
    });
}

/**
 * Bounds the requests of a source beside one that is under way: that one waits for no other source, for those that hang, however many there are, would
 * keep the well ones waiting.
 */
export function limitedBesideOne<Reply, Request>(next: Fetch<Reply, Request>, limit: Limiter): Fetch<Reply, Request> {
  const others = limited(next, limit);
  let underWay = false;
  const end = (): void => {
    underWay = false;
  };
  return (request, signal) => {
    if (underWay) return others(request, signal);
    underWay = true;
    const reply = next(request, signal);
    reply.then(end, end);
    return reply;
  };
}
