import type { Level } from './budget.js';

/** Bytes of the first piece of memory that texts of one way stand in; each further one is twice as large, up to the largest. */
const SMALLEST_PIECE = 4 * 1024;

const LARGEST_PIECE = 64 * 1024;

/** Bytes that a text takes beside itself: where it stands, and whose it is (measured). */
const PER_TEXT = 160;

/** Bytes that a way takes beside its texts. */
const AT_LEAST = 1_024;

/**
 * The bytes of what was written, in one way, of things that never change: each thing is written once for as long as its text is held. A
 * thing that nobody else holds is not held by its text either. The bound of a new page (bench/README.md) rests on it.
 */
export class Texts {
  /** Bytes that all of it takes, about. */
  bytes = AT_LEAST;
  private readonly texts = new WeakMap<object, Uint8Array>();
  private piece = new Uint8Array(0);
  private used = 0;
  private size = SMALLEST_PIECE / 2;

  constructor(
    /** What its things are part of. */
    readonly path: string,
    /** Told when it takes more. */
    private readonly grown: (texts: Texts) => void = () => undefined,
  ) {}

  get(thing: object): Uint8Array | undefined {
    return this.texts.get(thing);
  }

  /** Keeps a copy of the text of a thing, and returns that. */
  keep(thing: object, text: Uint8Array): Uint8Array {
    const from = this.room(text.length);
    this.piece.set(text, from);
    const kept = new Uint8Array(this.piece.buffer, from, text.length);
    this.texts.set(thing, kept);
    this.bytes += PER_TEXT;
    return kept;
  }

  /** Where so many bytes more can stand. */
  private room(length: number): number {
    if (this.used + length > this.piece.length) {
      this.size = Math.min(2 * this.size, LARGEST_PIECE);
      this.piece = new Uint8Array(Math.max(this.size, length));
      this.used = 0;
      this.bytes += this.piece.length;
      this.grown(this);
    }
    this.used += length;
    return this.used - length;
  }
}

/** The texts that are held, on one level of the memory, by the way in which they were written: a name that no other way has. */
export class HeldTexts {
  constructor(private readonly level: Level<Texts>) {}

  /** The texts of a way, of things that are part of `path`. Those for which there is no room are kept for as long as who asked has them. */
  of(way: string, path: string): Texts {
    const held = this.level.get(way);
    if (held !== undefined) return held;
    const made = new Texts(path, (texts) => {
      // What has given way meanwhile, or made room for another of its name, does not come back.
      if (this.level.get(way) === texts) this.level.put(way, texts, texts.bytes);
    });
    this.level.put(way, made, made.bytes);
    return made;
  }

  /** Lets go of all texts of things that are part of `path`: some of these are gone, and their texts take room. */
  drop(path: string): void {
    this.level.drop((texts) => texts.path === path);
  }
}
