import { FIELD_BITS, NUMBERS_PER_RANGE, openSections } from './index-format.js';
import type { IndexSections } from './index-format.js';
import { countTypingErrors } from '../text/edit-distance.js';
import { differInLetters, letterBits } from './letter-bits.js';
import { FIRST_WORD } from './terms.js';
import type { IpRange } from '../../identifiers/ip-range.js';

/** A record that has a term. */
export interface Posting {
  readonly position: number;
  /** The fields in which it has the term, as bits in the order of `WORD_FIELDS`. */
  readonly fields: number;
}

/** Reads an index: its terms, and the records that have them. */
export class SearchIndex {
  private readonly sections: IndexSections;

  constructor(memory: SharedArrayBuffer) {
    this.sections = openSections(memory);
  }

  /** Number of records. */
  get size(): number {
    return this.sections.positionsById.length;
  }

  /** Positions of all records in the order of their ids. */
  get positionsById(): Uint32Array {
    return this.sections.positionsById;
  }

  /** Number of words in the names of a record. */
  nameWordsOf(position: number): number {
    return this.sections.nameWords[position] ?? 0;
  }

  /** The number of a term; undefined where no record has it. */
  findTerm(term: string): number | undefined {
    const at = this.firstTermFrom(term);
    return this.compareTerm(at, term) === 0 && this.lengthOf(at) === term.length ? at : undefined;
  }

  /** Yields the numbers of the terms that begin with a text. */
  *findTermsFrom(beginning: string): Generator<number, void, undefined> {
    const { termEnds } = this.sections;
    for (let at = this.firstTermFrom(beginning); at < termEnds.length; at += 1) {
      if (this.compareTerm(at, beginning) !== 0) return;
      yield at;
    }
  }

  /** Yields the words that differ from this one by at least one and at most `most` typing errors, with their number. */
  *findSimilarWords(word: string, most: number): Generator<{ term: number; errors: number }, void, undefined> {
    if (most === 0) return;
    const { termEnds, letters, units } = this.sections;
    const codes = Uint16Array.from({ length: word.length }, (_, at) => word.charCodeAt(at));
    const bits = letterBits(codes, 0, codes.length);
    for (let term = this.firstTermFrom(FIRST_WORD); term < termEnds.length; term += 1) {
      const [from, end] = [term === 0 ? 0 : (termEnds[term - 1] ?? 0), termEnds[term] ?? 0];
      if (Math.abs(end - from - word.length) > most) continue;
      const other = letters[term] ?? 0;
      if (differInLetters(bits, other, most)) continue;
      const errors = countTypingErrors(codes, { units, from, length: end - from }, most);
      if (errors > 0 && errors <= most) yield { term, errors };
    }
  }

  /** The text of a term. */
  textOf(term: number): string {
    const { termEnds, units } = this.sections;
    return String.fromCharCode(...units.subarray(term === 0 ? 0 : termEnds[term - 1], termEnds[term]));
  }

  /** Number of UTF-16 code units of a term. */
  lengthOf(term: number): number {
    const { termEnds } = this.sections;
    return (termEnds[term] ?? 0) - (term === 0 ? 0 : (termEnds[term - 1] ?? 0));
  }

  /** Number of code units at the beginning of a term that a text begins with, too. */
  countCommonUnits(term: number, text: string): number {
    const { termEnds, units } = this.sections;
    const from = term === 0 ? 0 : (termEnds[term - 1] ?? 0);
    const most = Math.min(text.length, (termEnds[term] ?? 0) - from);
    let common = 0;
    while (common < most && units[from + common] === text.charCodeAt(common)) common += 1;
    return common;
  }

  /** Number of times that a code unit occurs in a term. */
  countUnit(term: number, unit: number): number {
    const { termEnds, units } = this.sections;
    let count = 0;
    for (let at = term === 0 ? 0 : (termEnds[term - 1] ?? 0); at < (termEnds[term] ?? 0); at += 1)
      if (units[at] === unit) count += 1;
    return count;
  }

  /** Number of records that have a term. */
  countPostings(term: number): number {
    const { postingEnds } = this.sections;
    return (postingEnds[term] ?? 0) - (term === 0 ? 0 : (postingEnds[term - 1] ?? 0));
  }

  /** Calls back for each record that has a term, with its position and fields (`Posting`). */
  forEachPosting(term: number, callback: (position: Posting['position'], fields: Posting['fields']) => void): void {
    const { postingEnds, postings } = this.sections;
    const end = postingEnds[term] ?? 0;
    for (let at = term === 0 ? 0 : (postingEnds[term - 1] ?? 0); at < end; at += 1) {
      const posting = postings[at] ?? 0;
      callback(posting >>> FIELD_BITS, posting & FIELD_MASK);
    }
  }

  /** Yields the IP ranges of the records that have a common address with this one. */
  *findRanges({ first, last }: IpRange): Generator<{ position: number; range: IpRange }, void, undefined> {
    const { rangeOwners, rangeBounds } = this.sections;
    for (const [at, position] of rangeOwners.entries()) {
      const range = readRange(rangeBounds.subarray(at * NUMBERS_PER_RANGE, (at + 1) * NUMBERS_PER_RANGE));
      if (range.first <= last && range.last >= first) yield { position, range };
    }
  }

  /** The first term that is not before a text. */
  private firstTermFrom(text: string): number {
    let [low, high] = [0, this.sections.termEnds.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.compareTerm(middle, text) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Compares the beginning of a term with a text: 0 where the term begins with it. */
  private compareTerm(term: number, text: string): number {
    const { termEnds, units } = this.sections;
    if (term >= termEnds.length) return 1;
    const from = term === 0 ? 0 : (termEnds[term - 1] ?? 0);
    const length = (termEnds[term] ?? 0) - from;
    for (let at = 0; at < text.length; at += 1) {
      if (at >= length) return -1;
      const difference = (units[from + at] ?? 0) - text.charCodeAt(at);
      if (difference !== 0) return difference;
    }
    return 0;
  }
}

const FIELD_MASK = 2 ** FIELD_BITS - 1;

function readRange(numbers: Uint32Array): IpRange {
  const join = (from: number): bigint =>
    numbers.subarray(from, from + 4).reduce((number, part) => (number << 32n) | BigInt(part), 0n);
  return { first: join(0), last: join(4) };
}
