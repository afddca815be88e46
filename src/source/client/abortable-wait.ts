import { setTimeout as sleep } from 'node:timers/promises';

/** Uses `createResult` if the signal is aborted first. Leaves no listener: a long-lived one would keep the result. */
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

/** Does not keep the process alive. */
export async function resolveAfter<T>(milliseconds: number, createResult: () => T): Promise<T> {
  await sleep(milliseconds, undefined, { ref: false });
  return createResult();
}

/** Rejects with the signal's reason if it is aborted first. */
export async function delay(milliseconds: number, signal: AbortSignal): Promise<void> {
  // `sleep` rejects with an AbortError, not with the signal's reason.
  await sleep(milliseconds, undefined, { signal }).catch(() => undefined);
  signal.throwIfAborted();
}
