import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createSections, openSections } from '../../../src/search/index/index-format.js';
import type { IndexSections } from '../../../src/search/index/index-format.js';

const NAMES = [
  'termEnds',
  'postingEnds',
  'letters',
  'postings',
  'positionsById',
  'rangeOwners',
  'rangeBounds',
  'units',
  'nameWords',
] as const satisfies readonly (keyof IndexSections)[];

it('is read as it was written, whatever the lengths of its sections', () => {
  const length = fc.nat(9);
  const lengths = fc.record({ terms: length, postings: length, records: length, ranges: length, units: length });
  const property = fc.property(lengths, (chosen) => {
    const written = createSections(chosen);
    for (const [nth, name] of NAMES.entries()) written[name].set(written[name].map((_, at) => nth * 16 + at + 1));
    const read = openSections(written.memory);
    for (const [nth, name] of NAMES.entries())
      expect([name, [...read[name]]]).toEqual([name, Array.from(written[name], (_, at) => nth * 16 + at + 1)]);
    const { terms, postings, records, ranges, units } = chosen;
    expect(NAMES.map((name) => read[name].length)).toEqual([
      terms,
      terms,
      terms,
      postings,
      records,
      ranges,
      ranges * 8,
      units,
      records,
    ]);
  });
  fc.assert(property);
});

it('is memory that threads share', () => {
  const { memory } = createSections({ terms: 0, postings: 0, records: 0, ranges: 0, units: 0 });
  expect(memory).toBeInstanceOf(SharedArrayBuffer);
});
