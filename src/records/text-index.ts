import { inTurns } from '../model/slices.js';

/** Kinds of pairs of characters that are told apart, at most: more would tell few texts apart. */
const MOST_KINDS = 512;

/** The least, for short texts: they have a few dozen pairs. */
const LEAST_KINDS = 64;

/**
 * What an index weighs between these two, as a share of its texts at a byte a character. A record of 600 characters has some 250 different
 * pairs, of 300 kinds: of such texts without a word of four letters one in six is looked through for nothing.
 */
const SHARE = 1 / 16;

/** Bits of a word of the bitmaps. */
const BITS = 32;

/**
 * In which of many texts which pairs of adjacent characters occur: a text that holds a word holds all its pairs, so that most texts without
 * it need not be looked through. A bit a text for each kind of pair.
 */
export class TextIndex {
  private constructor(
    /** For each kind of pair a bitmap of the texts that have it, one after another. */
    private readonly bitmaps: Uint32Array,
    /** Words of one bitmap. */
    private readonly width: number,
    /** Kinds of pairs that are told apart. */
    private readonly kinds: number,
  ) {}

  /** Looks through all texts, with turns of the event loop in between. */
  static async of(texts: readonly string[]): Promise<TextIndex> {
    const width = Math.ceil(texts.length / BITS);
    const kinds = kindsFor(texts);
    const bitmaps = new Uint32Array(kinds * width);
    let nth = 0;
    await inTurns(texts, (text) => {
      const bit = 1 << (nth % BITS);
      const column = Math.floor(nth / BITS);
      for (let at = 1; at < text.length; at += 1) {
        const place = (pairAt(text, at) % kinds) * width + column;
        bitmaps[place] = (bitmaps[place] ?? 0) | bit;
      }
      nth += 1;
    });
    return new TextIndex(bitmaps, width, kinds);
  }

  /** Positions, ascending, of every text that holds all of these words, and of some others; undefined where no word has a pair. */
  candidates(words: readonly string[]): Uint32Array | undefined {
    const kinds = new Set(
      words.flatMap((word) => Array.from({ length: word.length - 1 }, (_, at) => pairAt(word, at + 1) % this.kinds)),
    );
    if (kinds.size === 0) return undefined;
    const common = new Uint32Array(this.width).fill(~0);
    for (const kind of kinds) {
      const from = kind * this.width;
      for (let at = 0; at < this.width; at += 1) common[at] = (common[at] ?? 0) & (this.bitmaps[from + at] ?? 0);
    }
    return positionsOf(common);
  }
}

/** A number of the pair that ends at a position. */
function pairAt(text: string, at: number): number {
  return text.charCodeAt(at - 1) * 31 + text.charCodeAt(at);
}

function kindsFor(texts: readonly string[]): number {
  const bytes = texts.reduce((sum, { length }) => sum + length, 0) / Math.max(texts.length, 1);
  return Math.min(MOST_KINDS, Math.max(LEAST_KINDS, Math.round(bytes * SHARE * 8)));
}

function positionsOf(bitmap: Uint32Array): Uint32Array {
  const positions: number[] = [];
  bitmap.forEach((word, at) => {
    for (let rest = word; rest !== 0; rest &= rest - 1) positions.push(at * BITS + BITS - 1 - Math.clz32(rest & -rest));
  });
  return Uint32Array.from(positions);
}
