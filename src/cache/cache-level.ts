import { LRUCache } from 'lru-cache';

interface CacheLevelOptions<T> {
  /** Evicts until `bytes` more bytes fit into the budget. Returns false, and evicts nothing, if they cannot fit. */
  readonly makeRoom: (bytes: number) => boolean;
  readonly onRemove: (value: T) => void;
}

/**
 * Entries are in least-recently-used order (decisions 7.16). One that does not fit is not cached; the caller can still
 * use its value.
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

  /** Marks the value as most recently used. */
  get(key: string): T | undefined {
    return this.entries.get(key)?.value;
  }

  /** The value stays as recently used as it is. */
  peek(key: string): T | undefined {
    return this.entries.peek(key)?.value;
  }

  /** Returns false if the value does not fit; the previous value of the key is removed all the same. */
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

  /** The sizes are equal. */
  private replace(entry: SizedEntry<T>, value: T): true {
    const before = entry.value;
    entry.value = value;
    if (before !== value) this.options.onRemove(before);
    return true;
  }

  removeWhere(matches: (value: T, key: string) => boolean): void {
    for (const [key, entry] of [...this.entries.entries()]) {
      if (!matches(entry.value, key)) continue;
      this.entries.delete(key);
      this.notifyRemoved(entry);
    }
  }

  /** The least recently used first, without marking them as used. */
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

export interface CacheLevelEntry<T> {
  readonly key: string;
  readonly value: T;
  readonly bytes: number;
}

export interface EvictableLevel {
  readonly bytes: number;
  /** The least recently used one. Returns its bytes; 0 if the level is empty. */
  evictOne(): number;
}

interface SizedEntry<T> {
  value: T;
  readonly bytes: number;
}
