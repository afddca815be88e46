import type { CacheLevel, CacheLevelEntry } from './cache-level.js';

/** Times are in milliseconds since 1970. */
export interface ExpiringEntry<T> {
  readonly value: T;
  readonly storedAt: number;
  /** From this time the value must be refreshed. */
  readonly staleAt: number;
  /**
   * From this time requests wait for the refresh; before it, the stale value is served at once. Not earlier than
   * `staleAt`.
   */
  readonly waitAt: number;
  /** From this time the value may not be used at all, not even as a fallback. */
  readonly unusableAt: number;
}

export class ExpiringStore<T> {
  constructor(private readonly level: CacheLevel<ExpiringEntry<T>>) {}

  /**
   * Fresh or stale. If the clock was set back since the entry was stored, its age is unknown: it is not fresh, and
   * requests wait for a refresh (decisions 7.1).
   */
  get(key: string, now: number): ExpiringEntry<T> | undefined {
    return ifUsable(this.level.get(key), now);
  }

  /** As `get`, but the entry stays as recently used as it is. */
  peek(key: string, now: number): ExpiringEntry<T> | undefined {
    return ifUsable(this.level.peek(key), now);
  }

  /** Returns false if the entry does not fit; the previous value of the key is removed all the same. */
  put(key: string, entry: ExpiringEntry<T>, bytes: number): boolean {
    return this.level.put(key, entry, bytes);
  }

  removeWhere(matches: (key: string) => boolean): void {
    this.level.removeWhere((_entry, key) => matches(key));
  }

  list(): Iterable<CacheLevelEntry<ExpiringEntry<T>>> {
    return this.level.list();
  }
}

function ifUsable<T>(entry: ExpiringEntry<T> | undefined, now: number): ExpiringEntry<T> | undefined {
  if (entry === undefined || now >= entry.unusableAt) return undefined;
  return now < entry.storedAt ? { ...entry, staleAt: now, waitAt: now } : entry;
}
