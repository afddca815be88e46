import type { Ending } from './ending.js';

/**
 * What the work gives, or what `give` gives where the signal is aborted before. Once the work has ended nothing of this is left on the
 * signal, which may live for long: what the work gave would live with it.
 */
export function unlessAborted<T>(work: Promise<T>, signal: Ending, give: () => T): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      resolve(give());
    };
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
    void work.then(resolve, reject).finally(() => {
      signal.removeEventListener('abort', end);
    });
  });
}

/** What `give` gives when so many milliseconds have passed. */
export function after<T>(milliseconds: number, give: () => T): Promise<T> {
  return new Promise((resolve) => {
    setTimeout(() => {
      resolve(give());
    }, milliseconds).unref();
  });
}

/** Waits for so many milliseconds. Rejects with the reason when the signal is aborted before. */
export async function pause(milliseconds: number, signal: Ending): Promise<void> {
  signal.throwIfAborted();
  await new Promise<void>((resolve) => {
    const over = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', over);
      resolve();
    };
    const timer = setTimeout(over, milliseconds);
    signal.addEventListener('abort', over, { once: true });
  });
  signal.throwIfAborted();
}
