import { setMaxListeners } from 'node:events';
import type { Fetch } from './fetch.js';

/** Ends a request, reading of its body included, after `milliseconds`. */
export function timeout<Reply>(next: Fetch<Reply>, milliseconds: number): Fetch<Reply> {
  return (request, signal) => within(milliseconds, signal, (timed) => next(request, timed));
}

/**
 * Does work under a signal of its own, which is aborted when `signal` is, or after `milliseconds`. When the work has ended nothing of
 * this is left: `AbortSignal.any` and `AbortSignal.timeout` would hold all that listened to them until the time is over.
 */
export async function within<T>(
  milliseconds: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  // As many listen as there are requests of one drain under way.
  setMaxListeners(0, controller.signal);
  const end = (): void => {
    controller.abort(signal.reason);
  };
  if (signal.aborted) end();
  signal.addEventListener('abort', end, { once: true });
  const timer = setTimeout(() => {
    controller.abort(new DOMException(`not done within ${milliseconds} ms`, 'TimeoutError'));
  }, milliseconds);
  try {
    return await work(controller.signal);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
  }
}
