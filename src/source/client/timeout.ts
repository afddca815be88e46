import { setMaxListeners } from 'node:events';
import type { Fetch } from './fetch.js';

/** Ends a request, reading of its body included, after `milliseconds`. */
export function withTimeout<Reply>(next: Fetch<Reply>, milliseconds: number): Fetch<Reply> {
  return (request, signal) => runWithTimeout(milliseconds, signal, (timed) => next(request, timed));
}

/**
 * Does work with a signal of its own, which is aborted when `signal` is, or after `milliseconds`. When the work has ended, no timer and no listener
 * is left.
 *
 * `AbortSignal.any([signal, AbortSignal.timeout(milliseconds)])` says the same, but keeps 1.3 KB (Node.js 20.20) to 1.9 KB (24.21) of each call, and all
 * that a remaining listener refers to, until the time is over or `signal`, here mostly that of the process, is aborted (nodejs/node#54614, #64476).
 */
export async function runWithTimeout<T>(
  milliseconds: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const abort = (): void => {
    controller.abort(signal.reason);
  };
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  const timer = setTimeout(() => {
    controller.abort(new DOMException(`not done within ${milliseconds} ms`, 'TimeoutError'));
  }, milliseconds);
  try {
    return await work(allowManyListeners(controller.signal));
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  }
}

/** A signal that is aborted after `milliseconds`. Its timer does not keep the process alive. */
export function createDeadlineSignal(milliseconds: number): AbortSignal {
  return allowManyListeners(AbortSignal.timeout(milliseconds));
}

/** Lets any number of requests listen to a signal. Node.js 20 warns of a leak from the eleventh listener on (`MaxListenersExceededWarning`). */
export function allowManyListeners(signal: AbortSignal): AbortSignal {
  setMaxListeners(0, signal);
  return signal;
}
