import type { CacheLevel } from './cache-level.js';

/** Something held, with the instants (milliseconds since 1970) that tell what it is good for. */
export interface ExpiringEntry<T> {
  readonly value: T;
  /** When it was put there. */
  readonly storedAt: number;
  /** From here on it is no longer fresh: something newer is to be fetched. */
  readonly staleAt: number;
  /** From here on who asks waits for that; before, what is held is given at once. Not before `staleAt`. */
  readonly waitAt: number;
  /** From here on it may not even stand in for something better. */
  readonly unusableAt: number;
}

/** What is held until an instant, on one level of the memory. */
export class ExpiringStore<T> {
  constructor(private readonly level: CacheLevel<ExpiringEntry<T>>) {}

  /**
   * What is held under the key and may still be used at `now` (milliseconds since 1970), fresh or stale. Where the clock was set back meanwhile
   * nobody can tell how old it is: nothing is fresh, and who asks waits for something newer.
   */
  get(key: string, now: number): ExpiringEntry<T> | undefined {
    const held = this.level.get(key);
    if (held === undefined || now >= held.unusableAt) return undefined;
    return now < held.storedAt ? { ...held, staleAt: now, waitAt: now } : held;
  }

  /** Holds a value of `bytes` bytes in place of what was held under the key. Returns whether there is room for it. */
  put(key: string, held: ExpiringEntry<T>, bytes: number): boolean {
    return this.level.put(key, held, bytes);
  }
}
