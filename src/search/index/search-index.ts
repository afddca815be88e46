import type { IpRange } from '../../identifiers/ip-range.js';
import { CompactCounts } from './compact-counts.js';
import { NUMBERS_PER_RANGE, POSTING_BITS, SPELLED, openSections, splitAddress } from './index-format.js';
import type { IndexSections } from './index-format.js';
import { findSimilarWords } from './similar-words.js';
import type { SimilarTerm } from './similar-words.js';
import { TermList } from './term-list.js';

/**
 * `fields` are bits in the order of `WORD_FIELDS`. `isSpelled`: the record has the term by itself, not only as two
 * words that are written as one.
 */
type PostingReceiver = (position: number, fields: number, isSpelled: boolean) => void;

export class SearchIndex {
  readonly terms: TermList;
  private readonly sections: IndexSections;
  private readonly counts: CompactCounts;

  constructor(memory: SharedArrayBuffer) {
    this.sections = openSections(memory);
    this.terms = new TermList(this.sections.bytes, new CompactCounts(this.sections.termLengths));
    this.counts = new CompactCounts(this.sections.termPostings);
  }

  get size(): number {
    return this.sections.positionsById.length;
  }

  get positionsById(): Uint32Array {
    return this.sections.positionsById;
  }

  nameWordsOf(position: number): number {
    return this.sections.nameWords[position] ?? 0;
  }

  /** Words with at least one and at most `most` typing errors. */
  findSimilarWords(word: string, most: number): readonly SimilarTerm[] {
    return findSimilarWords(this.terms, word, most);
  }

  forEachPosting(term: number, callback: PostingReceiver): void {
    const { postings } = this.sections;
    const from = this.counts.sumBefore(term);
    const end = from + this.counts.get(term);
    for (let at = from; at < end; at += 1) {
      const posting = postings[at] ?? 0;
      callback(posting >>> POSTING_BITS, posting & FIELD_MASK, (posting & SPELLED) !== 0);
    }
  }

  /** Calls back for each IP range that has an address in common with this one. `size` is exact up to 2^53 addresses. */
  forEachRange({ first, last }: IpRange, callback: (position: number, size: number) => void): void {
    const { rangeOwners, rangeBounds } = this.sections;
    const [from, to] = [splitAddress(first), splitAddress(last)];
    for (let nth = 0; nth < rangeOwners.length; nth += 1) {
      const at = nth * NUMBERS_PER_RANGE;
      if (compareAddress(rangeBounds, at, to) > 0) continue;
      if (compareAddress(rangeBounds, at + ADDRESS_NUMBERS, from) < 0) continue;
      callback(rangeOwners[nth] ?? 0, countAddresses(rangeBounds, at));
    }
  }
}

const FIELD_MASK = SPELLED - 1;

const ADDRESS_NUMBERS = NUMBERS_PER_RANGE / 2;

function countAddresses(bounds: Uint32Array, at: number): number {
  let size = 0;
  for (let part = 0; part < ADDRESS_NUMBERS; part += 1)
    size = size * 2 ** 32 + (bounds[at + ADDRESS_NUMBERS + part] ?? 0) - (bounds[at + part] ?? 0);
  return size + 1;
}

/** Lists have many ranges: no number of the heap is made for them. */
function compareAddress(numbers: Uint32Array, at: number, address: readonly number[]): number {
  for (let part = 0; part < ADDRESS_NUMBERS; part += 1) {
    const difference = (numbers[at + part] ?? 0) - (address[part] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
