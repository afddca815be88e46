import { setMaxListeners } from 'node:events';
import type { Fetch } from './http-client-types.js';

/** Body included (operation 2.7.7). */
export function withTimeout<Reply>(next: Fetch<Reply>, milliseconds: number): Fetch<Reply> {
  return (request, signal) => runWithTimeout(milliseconds, signal, (timed) => next(request, timed));
}

/**
 * Aborts together with `signal` or after `milliseconds`; leaves no timer and no listener.
 *
 * `AbortSignal.any([signal, AbortSignal.timeout(milliseconds)])` would leak: each call keeps 1.3 KB (Node.js 20.20) to
 * 1.9 KB (24.21), and all that a remaining listener refers to, until the time has passed or `signal`, usually the whole
 * process's, is aborted (nodejs/node#54614, #64476).
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
    controller.abort(new DOMException(`timed out after ${milliseconds} ms`, 'TimeoutError'));
  }, milliseconds);
  try {
    return await work(allowManyListeners(controller.signal));
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  }
}

/** As when the process stops, not because it took too long: that says nothing about a source. */
export function isGivenUp({ aborted, reason }: { readonly aborted: boolean; readonly reason: unknown }): boolean {
  return aborted && !(reason instanceof Error && reason.name === 'TimeoutError');
}

/** Its timer does not keep the process alive. */
export function createDeadlineSignal(milliseconds: number): AbortSignal {
  return allowManyListeners(AbortSignal.timeout(milliseconds));
}

/** Node.js 20 warns of a leak from the eleventh listener on (`MaxListenersExceededWarning`). Returns the signal. */
export function allowManyListeners(signal: AbortSignal): AbortSignal {
  setMaxListeners(0, signal);
  return signal;
}
