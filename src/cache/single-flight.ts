/**
 * Shares one computation among all concurrent callers with the same key.
 *
 * The race that it prevents: (1) a request finds nothing cached and starts the work; (2) before the work ends, a second
 * request finds nothing cached either; (3) it would start the same work again, and a hundred requests would query a
 * source a hundred times. No caller can abort the work for the others: the work gets a signal of its own, never that of
 * a client.
 */
export class SingleFlight<T> {
  private readonly inFlight = new Map<string, Promise<T>>();

  /** Whether work for the key is in progress. A call of `run` would join it. */
  isInFlight(key: string): boolean {
    return this.inFlight.has(key);
  }

  /** Joins the work in progress for the key, or starts it. */
  run(key: string, start: () => Promise<T>): Promise<T> {
    const joined = this.inFlight.get(key);
    if (joined !== undefined) return joined;
    const work = start();
    this.inFlight.set(key, work);
    const done = (): void => {
      this.inFlight.delete(key);
    };
    // This callback is registered first, so it runs before those of the callers: a caller that then requests the key
    // again starts new work.
    work.then(done, done);
    return work;
  }
}
