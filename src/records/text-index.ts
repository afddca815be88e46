import { inOneTurn, inTurns } from '../model/slices.js';

/** Pairs that are told apart, a power of two. A source's records have two thousand different ones, most of them in few records. */
const PAIRS = 2_048;

/** Kinds of pairs that have a bitmap, at most. */
const MOST_KINDS = 512;

/** The least, for short texts: they have a few dozen pairs. */
const LEAST_KINDS = 64;

/**
 * Kinds for each character of a text of middle length beyond so many. Texts of 470 characters get 360: of those without two words, one of
 * them rare, one in thirty is looked through for nothing, and the bitmaps weigh a tenth of the texts.
 */
const KINDS_PER_CHARACTER = 2;
const SHORT = 288;

/** Pairs that are in more of the texts than this say too little of a word: they have no bitmap. */
const COMMON = 1 / 2;

/** Rare pairs share a bitmap as long as it has no more of the texts than this. */
const RARE = 1 / 50;

/** By how much that is raised while there are too many bitmaps. */
const RAISED = 1.25;

/** Texts in which pairs are counted: as many tell well enough which ones are rare. */
const SAMPLE = 256;

/** Takes the sample from all over the texts, and from no period of theirs: 2^32 divided by the golden ratio. */
const SCATTER = 0x9e3779b1;

/** What a pair counts that is in none of those. */
const UNSEEN = 1 / 4;

/** The bitmap of all common pairs, which is never looked at: to enter them costs less than to leave them out. */
const COMMON_KIND = 0;

/** Bits of a word of the bitmaps. */
const BITS = 32;

/**
 * In which of many texts which pairs of adjacent characters occur: a text that holds a word holds all its pairs, so that most texts without
 * it need not be looked through. Common pairs are left out, rare ones share a bitmap.
 */
export class TextIndex {
  private constructor(
    /** For each kind of pair a bitmap of the texts that have it, one after another. */
    private readonly bitmaps: Int32Array,
    /** Words of one bitmap. */
    private readonly width: number,
    /** The kind of each pair. */
    private readonly kinds: Uint16Array,
  ) {}

  /** Looks through all texts, with turns of the event loop in between. */
  static async of(texts: readonly string[]): Promise<TextIndex> {
    // Twenty sets at once would be one long block.
    const { kinds, count } = await inOneTurn(() => kindsOf(texts));
    const width = Math.ceil(texts.length / BITS);
    const bitmaps = new Int32Array(count * width);
    const starts = Int32Array.from(kinds, (kind) => kind * width);
    let nth = 0;
    await inTurns(texts, (text) => {
      enter(charactersOf(text), { bitmaps, starts, column: Math.floor(nth / BITS), bit: 1 << (nth % BITS) });
      nth += 1;
    });
    return new TextIndex(bitmaps, width, kinds);
  }

  /** Positions, ascending, of every text that holds all of these words, and of some others; undefined where they may be in any. */
  candidates(words: readonly string[]): number[] | undefined {
    const kinds = new Set<number>();
    for (const word of words) {
      const characters = charactersOf(word);
      for (let at = 1; at < characters.length; at += 1) kinds.add(this.kinds[pairAt(characters, at)] ?? COMMON_KIND);
    }
    kinds.delete(COMMON_KIND);
    if (kinds.size === 0) return undefined;
    const common = new Int32Array(this.width).fill(~0);
    for (const kind of kinds) {
      const from = kind * this.width;
      for (let at = 0; at < this.width; at += 1) common[at] = (common[at] ?? 0) & (this.bitmaps[from + at] ?? 0);
    }
    return positionsOf(common);
  }
}

/** Where the characters of most texts are put to be looked at: to take them out of a text one by one costs twice as much. */
const scratch = Buffer.alloc(16 * 1_024);

/** The characters of a text, the lower eight bits of each; until the next one is looked at. */
function charactersOf(text: string): Uint8Array {
  if (text.length > scratch.length) return Buffer.from(text, 'latin1');
  return scratch.subarray(0, scratch.write(text, 'latin1'));
}

/** A number of the pair that ends at a position, which few others have. */
function pairAt(characters: Uint8Array, at: number): number {
  return ((characters[at - 1] ?? 0) * 97 + (characters[at] ?? 0)) & (PAIRS - 1);
}

/** Where a text is entered. */
interface Place {
  readonly bitmaps: Int32Array;
  /** Where the bitmap of each pair begins. */
  readonly starts: Int32Array;
  readonly column: number;
  readonly bit: number;
}

/** Nine tenths of the making of an index. */
function enter(characters: Uint8Array, { bitmaps, starts, column, bit }: Place): void {
  for (let at = 1; at < characters.length; at += 1) {
    const place = (starts[pairAt(characters, at)] ?? 0) + column;
    bitmaps[place] = (bitmaps[place] ?? 0) | bit;
  }
}

/** The kind of each pair, and how many kinds there are. */
interface Kinds {
  readonly kinds: Uint16Array;
  readonly count: number;
}

/** Gives pairs their kinds, so that as many of them as can be have one of their own. */
function kindsOf(texts: readonly string[]): Kinds {
  const sample = texts.filter((_, nth) => Math.imul(nth, SCATTER) >>> 0 <= (SAMPLE / texts.length) * 2 ** 32);
  const frequencies = frequenciesIn(sample);
  const rarestFirst = inAscendingOrder(frequencies);
  const most = mostKinds(sample);
  for (let full = sample.length * RARE; ; full *= RAISED) {
    const kinds = pack(rarestFirst, frequencies, { full, common: sample.length * COMMON });
    const count = 1 + kinds.reduce((one, other) => Math.max(one, other));
    if (count <= most) return { kinds, count };
  }
}

/** How many texts have each pair. */
function frequenciesIn(texts: readonly string[]): Float32Array {
  const frequencies = new Float32Array(PAIRS);
  const lastIn = new Int32Array(PAIRS).fill(-1);
  texts.forEach((text, nth) => {
    const characters = charactersOf(text);
    for (let at = 1; at < characters.length; at += 1) {
      const pair = pairAt(characters, at);
      if (lastIn[pair] === nth) continue;
      lastIn[pair] = nth;
      frequencies[pair] = (frequencies[pair] ?? 0) + 1;
    }
  });
  return frequencies.map((count) => count || UNSEEN);
}

/** The pairs by their frequencies: as numbers of both, for those are sorted without being compared one by one. */
function inAscendingOrder(frequencies: Float32Array): Uint16Array {
  const both = Float64Array.from(frequencies, (frequency, pair) => frequency * (PAIRS / UNSEEN) + pair);
  return Uint16Array.from(both.sort(), (number) => number % PAIRS);
}

/** Puts pairs together, the rarest first, until they are in so many texts; who is in more stays alone. */
function pack(
  rarestFirst: Uint16Array,
  frequencies: Float32Array,
  { full, common }: { readonly full: number; readonly common: number },
): Uint16Array {
  const kinds = new Uint16Array(PAIRS).fill(COMMON_KIND);
  let [kind, filled]: [number, number] = [COMMON_KIND, Infinity];
  for (const pair of rarestFirst) {
    const frequency = frequencies[pair] ?? 0;
    if (frequency > common) break;
    filled += frequency;
    if (filled > full) {
      kind += 1;
      filled = frequency;
    }
    kinds[pair] = kind;
  }
  return kinds;
}

function mostKinds(texts: readonly string[]): number {
  const length = texts.reduce((sum, text) => sum + text.length, 0) / Math.max(texts.length, 1);
  return Math.min(MOST_KINDS, Math.max(LEAST_KINDS, Math.round((length - SHORT) * KINDS_PER_CHARACTER)));
}

function positionsOf(bitmap: Int32Array): number[] {
  const positions: number[] = [];
  bitmap.forEach((word, at) => {
    for (let rest = word; rest !== 0; rest &= rest - 1) positions.push(at * BITS + BITS - 1 - Math.clz32(rest & -rest));
  });
  return positions;
}
