import { setTimeout as sleep } from 'node:timers/promises';

/**
 * What the work gives, or what `give` gives where the signal is aborted before. Once the work has ended nothing of this is left on the
 * signal, which may live for long: what the work gave would live with it.
 */
export function raceAbort<T>(work: Promise<T>, signal: AbortSignal, give: () => T | Promise<T>): Promise<T> {
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
export async function resolveAfter<T>(milliseconds: number, give: () => T): Promise<T> {
  await sleep(milliseconds, undefined, { ref: false });
  return give();
}

/** Waits for so many milliseconds. Rejects with the reason when the signal is aborted before. */
export async function delay(milliseconds: number, signal: AbortSignal): Promise<void> {
  // The AbortError that this rejects with is not the signal's reason.
  await sleep(milliseconds, undefined, { signal }).catch(() => undefined);
  signal.throwIfAborted();
}
