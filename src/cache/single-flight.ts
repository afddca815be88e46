/**
 * Shares one computation among all concurrent callers with the same key. No caller can abort it for the others: the
 * work gets a signal of its own, never that of a client.
 */
export class SingleFlight<T> {
  private readonly inFlight = new Map<string, Promise<T>>();

  /** A call of `run` would join the work. */
  isInFlight(key: string): boolean {
    return this.inFlight.has(key);
  }

  run(key: string, start: () => Promise<T>): Promise<T> {
    const joined = this.inFlight.get(key);
    if (joined !== undefined) return joined;
    const work = start();
    this.inFlight.set(key, work);
    const done = (): void => {
      this.inFlight.delete(key);
    };
    // Registered before those of the callers: a caller that then requests the key again starts new work.
    work.then(done, done);
    return work;
  }
}
