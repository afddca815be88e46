/**
 * One piece of work for all who want the same at the same time.
 *
 * The race that it prevents: (1) a request finds nothing held and starts the work; (2) before it ends, a second one finds nothing
 * held either; (3) without this, it would start the same work again, and a hundred requests would ask a source a hundred times.
 * Nobody who waits can end the work for the others: it is handed its own signal, never a client's.
 */
export class SingleFlight<T> {
  private readonly inFlight = new Map<string, Promise<T>>();

  /** Whether work is under way for the key, which the next who runs it joins. */
  isInFlight(key: string): boolean {
    return this.inFlight.has(key);
  }

  /** Joins the work under way for the key, or starts it. */
  run(key: string, start: () => Promise<T>): Promise<T> {
    const joined = this.inFlight.get(key);
    if (joined !== undefined) return joined;
    const work = start();
    this.inFlight.set(key, work);
    const done = (): void => {
      this.inFlight.delete(key);
    };
    // The first who is told: who asks anew after that finds nothing under way.
    work.then(done, done);
    return work;
  }
}
