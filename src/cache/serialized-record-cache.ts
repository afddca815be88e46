import type { CacheLevel } from './cache-level.js';

/** Each further chunk is twice as large, up to the maximum. */
const MIN_CHUNK_BYTES = 4 * 1024;

const MAX_CHUNK_BYTES = 64 * 1024;

/** Position and WeakMap entry (measured). */
const BYTES_PER_TEXT = 160;

const BASE_BYTES = 1_024;

/**
 * Texts, as bytes, of objects that never change, all of one serialisation. The objects are weakly referenced. The bound
 * on new pages (`new page` in bench/bounds.ts) depends on this cache.
 */
export class SerializedRecords {
  bytes = BASE_BYTES;
  private readonly textByObject = new WeakMap<object, Uint8Array>();
  private chunk = new Uint8Array(0);
  private chunkUsed = 0;
  private chunkSize = MIN_CHUNK_BYTES / 2;

  constructor(
    /** Path of the resource. */
    readonly group: string,
    private readonly onGrow: (texts: SerializedRecords) => void = () => undefined,
  ) {}

  get(object: object): Uint8Array | undefined {
    return this.textByObject.get(object);
  }

  /** Returns the copy of the text. */
  store(object: object, text: Uint8Array): Uint8Array {
    const from = this.reserve(text.length);
    this.chunk.set(text, from);
    const stored = new Uint8Array(this.chunk.buffer, from, text.length);
    this.textByObject.set(object, stored);
    this.bytes += BYTES_PER_TEXT;
    return stored;
  }

  private reserve(length: number): number {
    if (this.chunkUsed + length > this.chunk.length) {
      this.chunkSize = Math.min(2 * this.chunkSize, MAX_CHUNK_BYTES);
      this.chunk = new Uint8Array(Math.max(this.chunkSize, length));
      this.chunkUsed = 0;
      this.bytes += this.chunk.length;
      this.onGrow(this);
    }
    this.chunkUsed += length;
    return this.chunkUsed - length;
  }
}

/** By the name of the serialisation, which must be unique. */
export class SerializedRecordCache {
  constructor(private readonly level: CacheLevel<SerializedRecords>) {}

  /** Texts that do not fit into the cache live as long as the caller references them. */
  getOrCreate(serialization: string, path: string): SerializedRecords {
    const cached = this.level.get(serialization);
    if (cached !== undefined) return cached;
    const created = new SerializedRecords(path, (texts) => {
      // Texts that were evicted or replaced meanwhile must not return to the cache.
      if (this.level.get(serialization) === texts) this.level.put(serialization, texts, texts.bytes);
    });
    this.level.put(serialization, created, created.bytes);
    return created;
  }

  /** Some objects of the group `path` are no longer cached, and their texts take memory. */
  dropGroup(path: string): void {
    this.level.removeWhere((texts) => texts.group === path);
  }
}
