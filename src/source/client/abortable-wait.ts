import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Settles as `work` does, or resolves to the result of `createResult` if the signal is aborted first. Once the work has
 * ended, no listener is left on the signal: the signal may live long and would keep the result of the work in memory.
 */
export function raceAbort<T>(work: Promise<T>, signal: AbortSignal, createResult: () => T | Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      resolve(createResult());
    };
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
    void work.then(resolve, reject).finally(() => {
      signal.removeEventListener('abort', end);
    });
  });
}

/** Resolves to the result of `createResult` after the given milliseconds. Does not keep the process alive. */
export async function resolveAfter<T>(milliseconds: number, createResult: () => T): Promise<T> {
  await sleep(milliseconds, undefined, { ref: false });
  return createResult();
}

/** Resolves after the given milliseconds. Rejects with the signal's reason if the signal is aborted first. */
export async function delay(milliseconds: number, signal: AbortSignal): Promise<void> {
  // `sleep` rejects with an AbortError, not with the signal's reason.
  await sleep(milliseconds, undefined, { signal }).catch(() => undefined);
  signal.throwIfAborted();
}
