import { LRUCache } from 'lru-cache';

/** What the memory budget provides to a level. */
export interface CacheLevelOptions<T> {
  /**
   * Evicts entries until `bytes` more bytes fit into the budget. Returns false, and evicts nothing, if they cannot fit.
   */
  readonly makeRoom: (bytes: number) => boolean;
  /** Called for each value that is no longer cached, whether evicted, removed or replaced. */
  readonly onRemove: (value: T) => void;
}

/**
 * One level of the cache, with its entries in least-recently-used order (decisions 7.16). An entry that does not fit is
 * not cached; the caller can still use its value.
 */
export class CacheLevel<T extends object> implements EvictableLevel {
  private readonly entries: LRUCache<string, SizedEntry<T>>;

  constructor(
    memory: number,
    private readonly options: CacheLevelOptions<T>,
  ) {
    this.entries = new LRUCache({ maxSize: memory, sizeCalculation: ({ bytes }) => bytes });
  }

  get bytes(): number {
    return this.entries.calculatedSize;
  }

  /** Returns the cached value and marks it as most recently used. */
  get(key: string): T | undefined {
    return this.entries.get(key)?.value;
  }

  /** Returns the cached value, which stays as recently used as it is. */
  peek(key: string): T | undefined {
    return this.entries.peek(key)?.value;
  }

  /**
   * Caches a value of `bytes` bytes, replacing the previous value of the key. Returns false if it does not fit; the
   * previous value is removed all the same.
   */
  put(key: string, value: T, bytes: number): boolean {
    const before = this.entries.get(key);
    const entry = { value, bytes: Math.max(1, Math.ceil(bytes)) };
    if (before?.bytes === entry.bytes) return this.replace(before, value);
    this.entries.delete(key);
    if (before !== undefined && before.value !== value) this.options.onRemove(before.value);
    const isStored = this.options.makeRoom(entry.bytes);
    if (isStored) this.entries.set(key, entry);
    else if (before?.value === value) this.options.onRemove(value);
    return isStored;
  }

  /** Needs no room, because the sizes are equal. */
  private replace(entry: SizedEntry<T>, value: T): true {
    const before = entry.value;
    entry.value = value;
    if (before !== value) this.options.onRemove(before);
    return true;
  }

  /** Removes all entries that meet the condition. */
  removeWhere(matches: (value: T, key: string) => boolean): void {
    for (const [key, entry] of [...this.entries.entries()]) {
      if (!matches(entry.value, key)) continue;
      this.entries.delete(key);
      this.notifyRemoved(entry);
    }
  }

  /** Lists the entries, the least recently used first, without marking them as used. */
  *list(): Iterable<CacheLevelEntry<T>> {
    for (const [key, { value, bytes }] of [...this.entries.entries()].reverse()) yield { key, value, bytes };
  }

  evictOne(): number {
    const entry = this.entries.pop();
    return entry === undefined ? 0 : this.notifyRemoved(entry);
  }

  private notifyRemoved({ value, bytes }: SizedEntry<T>): number {
    this.options.onRemove(value);
    return bytes;
  }
}

/** An entry of a level: its key, its value, and its size in bytes. */
export interface CacheLevelEntry<T> {
  readonly key: string;
  readonly value: T;
  readonly bytes: number;
}

/** A level as the memory budget sees it. */
export interface EvictableLevel {
  /** Size of all entries of the level. */
  readonly bytes: number;
  /** Removes the least recently used entry. Returns its bytes; 0 if the level is empty. */
  evictOne(): number;
}

/** A cached value with its size in bytes. */
export interface SizedEntry<T> {
  value: T;
  readonly bytes: number;
}
