import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  MAX_INDEXED_RECORDS,
  POSTING_BITS,
  SPELLED,
  createSections,
  openSections,
  splitAddress,
} from '../../../src/search/index/index-format.js';
import type { IndexSections } from '../../../src/search/index/index-format.js';
import { WORD_FIELDS } from '../../../src/search/index/terms.js';

/** All sections of an index in one list. */
function listSections(sections: IndexSections): readonly (Uint8Array | Uint32Array)[] {
  const { termLengths, termPostings, postings, positionsById, rangeOwners, rangeBounds, bytes, nameWords } = sections;
  const counts = [termLengths, termPostings].flatMap(({ sums, small, large }) => [sums, small, large]);
  return [...counts, postings, positionsById, rangeOwners, rangeBounds, bytes, nameWords];
}

it('is read as it was written, whatever the lengths of its sections', () => {
  const length = fc.nat(40);
  const lengths = fc.record({
    ...{ terms: length, postings: length, records: length, ranges: length, bytes: length },
    ...{ largeLengths: length, largePostings: length },
  });
  const property = fc.property(lengths, (chosen) => {
    const written = createSections(chosen);
    for (const [nth, section] of listSections(written).entries()) section.fill(nth + 1);
    const read = listSections(openSections(written.memory));
    for (const [nth, section] of read.entries()) expect(section.every((one) => one === nth + 1)).toBe(true);
    const { terms, postings, records, ranges, bytes, largeLengths, largePostings } = chosen;
    const blocks = Math.ceil(terms / 16);
    expect(read.map((section) => section.length)).toEqual([
      ...[blocks, terms, largeLengths, blocks, terms, largePostings],
      ...[postings, records, ranges, ranges * 8, bytes, records],
    ]);
  });
  fc.assert(property);
});

it('splits an address into numbers of 32 bits, the highest first', () => {
  expect(splitAddress((1n << 96n) | (2n << 64n) | (3n << 32n) | 0xffffffffn)).toEqual([1, 2, 3, 0xffffffff]);
});

it('is memory that threads share', () => {
  const { memory } = createSections({
    terms: 0,
    postings: 0,
    records: 0,
    ranges: 0,
    bytes: 0,
    largeLengths: 0,
    largePostings: 0,
  });
  expect(memory).toBeInstanceOf(SharedArrayBuffer);
});

it('has postings of 32 bits, whose positions, fields and mark of a spelled word share no bit', () => {
  const fields = 2 ** WORD_FIELDS.length - 1;
  const last = (MAX_INDEXED_RECORDS - 1) * 2 ** POSTING_BITS;
  expect(last + SPELLED + fields).toBe(2 ** 32 - 1);
  expect(((last & SPELLED) | (last & fields) | (SPELLED & fields)) >>> 0).toBe(0);
});
