import fc from 'fast-check';
import { expect, it } from 'vitest';
import { CompactCounts, countBlocks, countLarge, writeCounts } from '../../../src/search/index/compact-counts.js';
import { TermList } from '../../../src/search/index/term-list.js';
import { countUnitBytes, toUnitBytes } from '../../../src/search/index/unit-bytes.js';

function write(terms: readonly string[]): TermList {
  const lengths = terms.map(countUnitBytes);
  const sections = {
    sums: new Uint32Array(countBlocks(terms.length)),
    small: new Uint8Array(terms.length),
    large: new Uint32Array(countLarge(lengths)),
  };
  writeCounts(lengths, sections);
  return new TermList(toUnitBytes(terms.join('')), new CompactCounts(sections));
}

const text = fc.string({ unit: fc.constantFrom('a', 'b', '\u00e4', '\u65e5', '\uffff'), maxLength: 6 });
const texts = fc.oneof(
  fc.uniqueArray(text, { maxLength: 60 }),
  // Many blocks with one beginning.
  fc.nat(400).map((count) => ['a', 'b', ...Array.from({ length: count }, (_, at) => `ab${at}`)]),
);

it('finds terms, and those that begin with a text', () => {
  const property = fc.property(texts, text, (unsorted, searched) => {
    const sorted = unsorted.toSorted();
    const terms = write(sorted);
    expect([...terms.findFrom('')].map((term) => terms.textOf(term))).toEqual(sorted);
    expect(terms.size).toBe(sorted.length);
    for (const [at, term] of sorted.entries())
      expect([terms.find(term), terms.lengthOf(at), terms.bytesOf(at)]).toEqual([
        at,
        term.length,
        countUnitBytes(term),
      ]);
    expect(terms.find(searched)).toBe(sorted.includes(searched) ? sorted.indexOf(searched) : undefined);
    expect([...terms.findFrom(searched)].map((term) => terms.textOf(term))).toEqual(
      sorted.filter((term) => term.startsWith(searched)),
    );
  });
  fc.assert(property, { numRuns: 300 });
});

it('finds the first term behind all terms with the same beginning', () => {
  const property = fc.property(texts, fc.nat(), fc.nat(4), (unsorted, chosen, length) => {
    const sorted = unsorted.toSorted();
    const at = chosen % Math.max(1, sorted.length);
    const term = sorted[at];
    if (term === undefined) return;
    const beginning = term.slice(0, length);
    const expected = sorted.findIndex((other, position) => position > at && !other.startsWith(beginning));
    expect(write(sorted).firstBehind(at, countUnitBytes(beginning))).toBe(expected < 0 ? sorted.length : expected);
  });
  fc.assert(property, { numRuns: 500 });
});

it('counts the bytes that a term has in common with a text, and those of one kind', () => {
  const terms = write(['org.example.', 'org.example.dept.']);
  expect(terms.countCommonBytes(1, toUnitBytes('org.example.desk.'))).toBe('org.example.de'.length);
  expect(terms.countCommonBytes(0, toUnitBytes('org.example.desk.'))).toBe('org.example.'.length);
  expect(terms.countCommonBytes(0, toUnitBytes('org.example.org.'))).toBe('org.example.'.length);
  expect([terms.countByte(0, 46), terms.countByte(1, 46)]).toEqual([2, 3]);
});
