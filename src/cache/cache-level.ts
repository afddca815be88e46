import { LRUCache } from 'lru-cache';

export interface CacheLevelOptions<T> {
  readonly makeRoom: (bytes: number) => boolean;
  readonly onRemove: (value: T) => void;
}

/** One level of what is held. An entry for which there is no room is not kept: who put it there has its value all the same. */
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

  /** What is held under the key, which makes it the most recently used. */
  get(key: string): T | undefined {
    return this.entries.get(key)?.value;
  }

  /** Holds a value of `bytes` bytes in place of what was held under the key. Returns whether there is room for it. */
  put(key: string, value: T, bytes: number): boolean {
    const before = this.entries.get(key);
    const entry = { value, bytes: Math.max(1, Math.ceil(bytes)) };
    if (before?.bytes === entry.bytes) return this.replace(before, value);
    this.entries.delete(key);
    if (before !== undefined && before.value !== value) this.options.onRemove(before.value);
    const kept = this.options.makeRoom(entry.bytes);
    if (kept) this.entries.set(key, entry);
    else if (before?.value === value) this.options.onRemove(value);
    return kept;
  }

  /** Needs no other room than is taken. */
  private replace(entry: SizedEntry<T>, value: T): true {
    const before = entry.value;
    entry.value = value;
    if (before !== value) this.options.onRemove(before);
    return true;
  }

  /** Lets go of every entry of which this is said. */
  removeWhere(which: (value: T) => boolean): void {
    for (const [key, entry] of [...this.entries.entries()]) {
      if (!which(entry.value)) continue;
      this.entries.delete(key);
      this.notifyRemoved(entry);
    }
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

export interface EvictableLevel {
  /** Bytes that are held on it. */
  readonly bytes: number;
  /** Lets go of one entry; returns its bytes. */
  evictOne(): number;
}

export interface SizedEntry<T> {
  value: T;
  readonly bytes: number;
}
