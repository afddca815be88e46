import type { IpRange } from '../../identifiers/ip-range.js';
import { countLarge, writeCounts } from './compact-counts.js';
import {
  MAX_INDEXED_RECORDS,
  NUMBERS_PER_RANGE,
  POSTING_BITS,
  SPELLED,
  createSections,
  splitAddress,
} from './index-format.js';
import { listTerms } from './record-terms.js';
import type { FieldTexts } from './field-texts.js';
import { countUnitBytes, writeUnitBytes } from './unit-bytes.js';

/** Numbers of 32 bits outside of the heap of JavaScript. */
class NumberList {
  private numbers = new Uint32Array(1_024);
  length = 0;

  push(number: number): void {
    if (this.length === this.numbers.length) {
      const larger = new Uint32Array(this.length * 2);
      larger.set(this.numbers);
      this.numbers = larger;
    }
    this.numbers[this.length] = number;
    this.length += 1;
  }

  get used(): Uint32Array {
    return this.numbers.subarray(0, this.length);
  }
}

/** Records are added in the order of their positions. */
export class IndexBuilder {
  private readonly numberOfTerm = new Map<string, number>();
  /** Pairs of term number and posting. A term of a record is one pair for each of its fields. */
  private readonly pairTerms = new NumberList();
  private readonly pairPostings = new NumberList();
  private readonly rangeOwners = new NumberList();
  private readonly rangeBounds = new NumberList();
  private readonly nameWords: number[] = [];
  /** Terms and fields, and ranges, of the record that is added. */
  private readonly seen = new Set<number>();
  private readonly seenRanges = new Set<string>();

  /** Throws a RangeError beyond `MAX_INDEXED_RECORDS`. */
  add(texts: FieldTexts): void {
    const position = this.nameWords.length;
    if (position >= MAX_INDEXED_RECORDS) throw new RangeError(`more than ${MAX_INDEXED_RECORDS} records`);
    this.seen.clear();
    this.seenRanges.clear();
    const nameWords = listTerms(texts, {
      addTerm: (term, field) => {
        this.addTerm(term, position, { field, isSpelled: true });
      },
      addJoined: (term, field) => {
        this.addTerm(term, position, { field, isSpelled: false });
      },
      addRange: (range) => {
        this.addRange(range, position);
      },
    });
    this.nameWords.push(Math.min(nameWords, 255));
  }

  private addTerm(
    term: string,
    position: number,
    { field, isSpelled }: { readonly field: number; readonly isSpelled: boolean },
  ): void {
    let number = this.numberOfTerm.get(term);
    if (number === undefined) {
      number = this.numberOfTerm.size;
      this.numberOfTerm.set(term, number);
    }
    const occurrence = number * 2 * POSTING_BITS + 2 * field + (isSpelled ? 1 : 0);
    if (this.seen.has(occurrence)) return;
    this.seen.add(occurrence);
    this.pairTerms.push(number);
    this.pairPostings.push(position * 2 ** POSTING_BITS + 2 ** field + (isSpelled ? SPELLED : 0));
  }

  private addRange({ first, last }: IpRange, position: number): void {
    const written = `${first}-${last}`;
    if (this.seenRanges.has(written)) return;
    this.seenRanges.add(written);
    this.rangeOwners.push(position);
    for (const bound of [first, last]) for (const part of splitAddress(bound)) this.rangeBounds.push(part);
  }

  /** `positionsById`: the positions of all records in the order of their ids. */
  finish(positionsById: Uint32Array): SharedArrayBuffer {
    const terms = [...this.numberOfTerm.keys()].sort();
    const { counts, postings } = this.sortPostings(terms);
    const lengths = new Uint16Array(terms.length);
    for (const [rank, term] of terms.entries()) lengths[rank] = countUnitBytes(term);
    const sections = createSections({
      terms: terms.length,
      postings: postings.length,
      records: this.nameWords.length,
      ranges: this.rangeOwners.length,
      bytes: lengths.reduce((sum, length) => sum + length, 0),
      largeLengths: countLarge(lengths),
      largePostings: countLarge(counts),
    });
    let end = 0;
    for (const term of terms) end = writeUnitBytes(term, sections.bytes, end);
    writeCounts(lengths, sections.termLengths);
    writeCounts(counts, sections.termPostings);
    sections.postings.set(postings);
    sections.positionsById.set(positionsById);
    sections.rangeOwners.set(this.rangeOwners.used);
    sections.rangeBounds.set(this.rangeBounds.used.subarray(0, this.rangeOwners.length * NUMBERS_PER_RANGE));
    sections.nameWords.set(this.nameWords);
    return sections.memory;
  }

  /** Pairs of one term and record become neighbours, and one posting. */
  private sortPostings(sortedTerms: readonly string[]): {
    readonly counts: Uint32Array;
    readonly postings: Uint32Array;
  } {
    const pairTerms = this.pairTerms.used;
    const pairPostings = this.pairPostings.used;
    const ranks = new Uint32Array(sortedTerms.length);
    for (const [rank, term] of sortedTerms.entries()) ranks[this.numberOfTerm.get(term) ?? 0] = rank;
    const starts = new Uint32Array(sortedTerms.length + 1);
    for (const number of pairTerms) increment(starts, (ranks[number] ?? 0) + 1);
    for (let rank = 1; rank < starts.length; rank += 1) starts[rank] = (starts[rank] ?? 0) + (starts[rank - 1] ?? 0);
    const sorted = new Uint32Array(pairPostings.length);
    const next = starts.slice();
    for (const [at, number] of pairTerms.entries()) {
      const rank = ranks[number] ?? 0;
      sorted[next[rank] ?? 0] = pairPostings[at] ?? 0;
      increment(next, rank);
    }
    return joinPostings(sorted, starts);
  }
}

function increment(numbers: Uint32Array, at: number): void {
  numbers[at] = (numbers[at] ?? 0) + 1;
}

/** The postings of a term are in the order of the positions. */
function joinPostings(
  sorted: Uint32Array,
  starts: Uint32Array,
): { readonly counts: Uint32Array; readonly postings: Uint32Array } {
  const counts = new Uint32Array(starts.length - 1);
  let length = 0;
  for (let rank = 0; rank < counts.length; rank += 1) {
    const first = length;
    for (let at = starts[rank] ?? 0; at < (starts[rank + 1] ?? 0); at += 1) {
      const posting = sorted[at] ?? 0;
      const before = length > first ? (sorted[length - 1] ?? 0) : undefined;
      if (before !== undefined && before >>> POSTING_BITS === posting >>> POSTING_BITS)
        sorted[length - 1] = (before | posting) >>> 0;
      else {
        sorted[length] = posting;
        length += 1;
      }
    }
    counts[rank] = length - first;
  }
  return { counts, postings: sorted.subarray(0, length) };
}
