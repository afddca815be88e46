/**
 * What the work gives, or what `give` gives where the signal is aborted before. Once the work has ended nothing of this is left on the
 * signal, which may live for long: what the work gave would live with it.
 */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal, give: () => T): Promise<T> {
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
