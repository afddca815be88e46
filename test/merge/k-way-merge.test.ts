import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { kWayMerge } from '../../src/merge/k-way-merge.js';

const ascending = (a: number, b: number): number => a - b;

/** A stream that counts how many of its items were read. */
function counted(items: readonly number[]): { readonly stream: Iterable<number>; readonly read: () => number } {
  let read = 0;
  function* stream(): Generator<number> {
    for (const item of items) {
      read += 1;
      yield item;
    }
  }
  return { stream: stream(), read: () => read };
}

describe('kWayMerge', () => {
  test('returns the same as sorting all streams together', () => {
    const streams = fc.array(fc.array(fc.integer({ min: 0, max: 50 })), { maxLength: 12 });
    fc.assert(
      fc.property(streams, (unsorted) => {
        const sorted = unsorted.map((items) => [...items].sort(ascending));
        expect([...kWayMerge(sorted, ascending)]).toEqual(unsorted.flat().sort(ascending));
      }),
    );
  });

  test('uses the given comparison', () => {
    const longest = (a: string, b: string): number => b.length - a.length;
    expect([
      ...kWayMerge(
        [
          ['aaaa', 'a'],
          ['bbb', 'bb'],
        ],
        longest,
      ),
    ]).toEqual(['aaaa', 'bbb', 'bb', 'a']);
  });

  test('returns nothing for no streams and for empty streams', () => {
    expect([...kWayMerge<number>([], ascending)]).toEqual([]);
    expect([...kWayMerge<number>([[], []], ascending)]).toEqual([]);
    expect([...kWayMerge([[], [1], []], ascending)]).toEqual([1]);
  });

  test('reads no stream before the first item is requested', () => {
    const { stream, read } = counted([1, 2]);
    const merged = kWayMerge([stream], ascending);
    expect(read()).toBe(0);
    merged.next();
    expect(read()).toBe(1);
  });

  test('reads each stream only one item ahead', () => {
    const low = counted([1, 2, 3, 4, 5]);
    const high = counted([10, 20, 30]);
    const merged = kWayMerge([low.stream, high.stream], ascending);
    for (let items = 1; items <= 3; items += 1) {
      merged.next();
      expect(low.read()).toBe(items);
    }
    expect(high.read()).toBe(1);
  });

  test('stops reading when its consumer stops', () => {
    const streams = Array.from({ length: 5 }, (_, from) => counted([from, from + 10, from + 20]));
    const merged = kWayMerge(
      streams.map(({ stream }) => stream),
      ascending,
    );
    for (const item of merged) if (item === 2) break;
    expect(merged.next().done).toBe(true);
    expect(streams.map(({ read }) => read())).toEqual([2, 2, 1, 1, 1]);
  });
});
