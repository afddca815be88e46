/** What `give` gives when the signal is aborted. */
export function whenAborted<T>(signal: AbortSignal, give: () => T): Promise<T> {
  return new Promise((resolve) => {
    const end = (): void => {
      resolve(give());
    };
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
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
