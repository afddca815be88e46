import pLimit from 'p-limit';
import type { Fetch } from './fetch.js';

/** Lets so many requests through at a time and queues the others; the one bound of a house, or of a source. */
export type Limiter = <T>(work: () => Promise<T>) => Promise<T>;

/** A limiter for `concurrency` requests. Never hand one's work to itself: it would wait for itself for ever. */
export function limiter(concurrency: number): Limiter {
  const limit = pLimit(concurrency);
  return (work) => limit(work);
}

/** Bounds the requests under way. One whose signal was aborted while it waited is not sent. */
export function limited<Reply>(next: Fetch<Reply>, limit: Limiter): Fetch<Reply> {
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
export function limitedBesideOne<Reply>(next: Fetch<Reply>, limit: Limiter): Fetch<Reply> {
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
