/** For a request, in milliseconds (operation 2.5.4). */
export const SHARED_MEMORY_TIMEOUT_MS = 50;

/**
 * If the timer fires late because the event loop was busy, replies that have already arrived are processed first. A
 * later result is discarded.
 */
export function withDeadline<T>(promise: Promise<T>, milliseconds: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = (): void => reject(new Error(`no reply within ${milliseconds} ms`));
    const timer = setTimeout(() => setImmediate(late), milliseconds);
    promise.finally(() => clearTimeout(timer)).then(resolve, reject);
  });
}
