import fc from 'fast-check';
import { expect, it } from 'vitest';
import { CompactCounts, countBlocks, countLarge, writeCounts } from '../../../src/search/index/compact-counts.js';

function write(counts: readonly number[]): CompactCounts {
  const sections = {
    sums: new Uint32Array(countBlocks(counts.length)),
    small: new Uint8Array(counts.length),
    large: new Uint32Array(countLarge(counts)),
  };
  writeCounts(counts, sections);
  return new CompactCounts(sections);
}

it('has the numbers, large ones too, and their sums, in whatever order they are read', () => {
  const counts = fc.array(fc.oneof(fc.nat(9), fc.constantFrom(254, 255, 256, 70_000)), { maxLength: 70 });
  const property = fc.property(counts, fc.array(fc.nat(70)), (written, order) => {
    const read = write(written);
    expect(read.length).toBe(written.length);
    expect(written.map((_, at) => read.get(at))).toEqual(written);
    for (const at of order.filter((one) => one < written.length))
      expect([at, read.sumBefore(at)]).toEqual([at, written.slice(0, at).reduce((sum, count) => sum + count, 0)]);
  });
  fc.assert(property, { numRuns: 500 });
});

it('needs little more than a byte for each small number', () => {
  expect([countBlocks(1_600), countLarge([254, 0]), countLarge([255])]).toEqual([100, 0, 2]);
});
