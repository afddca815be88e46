import type { CacheLevel } from './cache-level.js';

/** Bytes of the first piece of memory that texts of one way stand in; each further one is twice as large, up to the largest. */
const MIN_CHUNK_BYTES = 4 * 1024;

const MAX_CHUNK_BYTES = 64 * 1024;

/** Bytes that a text takes beside itself: where it stands, and whose it is (measured). */
const BYTES_PER_TEXT = 160;

/** Bytes that a way takes beside its texts. */
const BASE_BYTES = 1_024;

/**
 * The bytes of what was written, in one way, of things that never change: each thing is written once for as long as its text is held. A
 * thing that nobody else holds is not held by its text either. The bound of a new page (bench/README.md) rests on it.
 */
export class SerializedTexts {
  /** Bytes that all of it takes, about. */
  bytes = BASE_BYTES;
  private readonly textByObject = new WeakMap<object, Uint8Array>();
  private chunk = new Uint8Array(0);
  private chunkUsed = 0;
  private chunkSize = MIN_CHUNK_BYTES / 2;

  constructor(
    /** What its things are part of. */
    readonly group: string,
    /** Told when it takes more. */
    private readonly onGrow: (texts: SerializedTexts) => void = () => undefined,
  ) {}

  get(thing: object): Uint8Array | undefined {
    return this.textByObject.get(thing);
  }

  /** Keeps a copy of the text of a thing, and returns that. */
  store(thing: object, text: Uint8Array): Uint8Array {
    const from = this.reserve(text.length);
    this.chunk.set(text, from);
    const kept = new Uint8Array(this.chunk.buffer, from, text.length);
    this.textByObject.set(thing, kept);
    this.bytes += BYTES_PER_TEXT;
    return kept;
  }

  /** Where so many bytes more can stand. */
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

/** The texts that are held, on one level of the memory, by the way in which they were written: a name that no other way has. */
export class TextCache {
  constructor(private readonly level: CacheLevel<SerializedTexts>) {}

  /** The texts of a way, of things that are part of `path`. Those for which there is no room are kept for as long as who asked has them. */
  getOrCreate(way: string, path: string): SerializedTexts {
    const held = this.level.get(way);
    if (held !== undefined) return held;
    const made = new SerializedTexts(path, (texts) => {
      // What has given way meanwhile, or made room for another of its name, does not come back.
      if (this.level.get(way) === texts) this.level.put(way, texts, texts.bytes);
    });
    this.level.put(way, made, made.bytes);
    return made;
  }

  /** Lets go of all texts of things that are part of `path`: some of these are gone, and their texts take room. */
  dropGroup(path: string): void {
    this.level.removeWhere((texts) => texts.group === path);
  }
}
