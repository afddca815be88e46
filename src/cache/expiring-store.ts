import type { CacheLevel, CacheLevelEntry } from './cache-level.js';

/** A cached value with the times, in milliseconds since 1970, that determine how it may be used. */
export interface ExpiringEntry<T> {
  readonly value: T;
  /** Time at which the value was stored. */
  readonly storedAt: number;
  /** From this time the value is stale and must be refreshed. */
  readonly staleAt: number;
  /**
   * From this time requests wait for the refresh; before it, the stale value is served at once. Not earlier than
   * `staleAt`.
   */
  readonly waitAt: number;
  /** From this time the value may not be used at all, not even as a fallback. */
  readonly unusableAt: number;
}

/** Cached values that expire, on one level of the cache. */
export class ExpiringStore<T> {
  constructor(private readonly level: CacheLevel<ExpiringEntry<T>>) {}

  /**
   * Returns the entry if it may be used at `now` (milliseconds since 1970), fresh or stale. If the clock was set back
   * since it was stored, its age is unknown: it is not fresh, and requests wait for a refresh (decisions 7.1).
   */
  get(key: string, now: number): ExpiringEntry<T> | undefined {
    return ifUsable(this.level.get(key), now);
  }

  /** As `get`, but the entry stays as recently used as it is. */
  peek(key: string, now: number): ExpiringEntry<T> | undefined {
    return ifUsable(this.level.peek(key), now);
  }

  /** Caches a value of `bytes` bytes, replacing the previous value of the key. Returns false if it does not fit. */
  put(key: string, entry: ExpiringEntry<T>, bytes: number): boolean {
    return this.level.put(key, entry, bytes);
  }

  /** Removes all entries whose keys meet the condition. */
  removeWhere(matches: (key: string) => boolean): void {
    this.level.removeWhere((_entry, key) => matches(key));
  }

  /** Lists all entries, the least recently used first. */
  list(): Iterable<CacheLevelEntry<ExpiringEntry<T>>> {
    return this.level.list();
  }
}

function ifUsable<T>(entry: ExpiringEntry<T> | undefined, now: number): ExpiringEntry<T> | undefined {
  if (entry === undefined || now >= entry.unusableAt) return undefined;
  return now < entry.storedAt ? { ...entry, staleAt: now, waitAt: now } : entry;
}
