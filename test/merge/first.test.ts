import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { First } from '../../src/merge/first.js';

interface Item {
  readonly key: number;
  readonly id: number;
}

const total = (a: Item, b: Item): number => a.key - b.key || a.id - b.id;

function firstOf(size: number, items: readonly Item[]): Item[] {
  const first = new First<Item>(size, total);
  for (const item of items) first.offer(item);
  return first.inOrder();
}

describe('First', () => {
  test('keeps what sorting all and cutting keeps', () => {
    const keys = fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 60 });
    fc.assert(
      fc.property(keys, fc.nat(70), (unsorted, size) => {
        const items = unsorted.map((key, id) => ({ key, id }));
        expect(firstOf(size, items)).toEqual([...items].sort(total).slice(0, size));
      }),
      { numRuns: 500 },
    );
  });

  test('keeps nothing where nothing is wanted', () => {
    expect(firstOf(0, [{ key: 1, id: 1 }])).toEqual([]);
  });

  test('gives the same when it is asked twice, and goes on afterwards', () => {
    const first = new First<number>(2, (a, b) => a - b);
    for (const item of [5, 3, 4]) first.offer(item);
    expect(first.inOrder()).toEqual([3, 4]);
    expect(first.inOrder()).toEqual([3, 4]);
    first.offer(1);
    first.offer(9);
    expect(first.inOrder()).toEqual([1, 3]);
  });

  test('compares an item that comes too late once, however many are kept', () => {
    let comparisons = 0;
    const first = new First<number>(1000, (a, b) => {
      comparisons += 1;
      return a - b;
    });
    for (let item = 0; item < 1000; item += 1) first.offer(item);
    comparisons = 0;
    for (let item = 1000; item < 2000; item += 1) first.offer(item);
    expect(comparisons).toBe(1000);
  });
});
