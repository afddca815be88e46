import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { runWithinTurn, forEachSlice, forEachTimeSliced } from '../../src/event-loop/time-slicing.js';

/** Blocks the event loop for about a millisecond. */
function work(): void {
  const end = performance.now() + 1;
  while (performance.now() < end);
}

/** Number of turns of the event loop until the work has ended. */
async function turnsDuring(all: Promise<unknown>): Promise<number> {
  let turns = 0;
  const state = { done: false };
  void all.finally(() => (state.done = true));
  while (!state.done) {
    await nextTurn();
    turns += 1;
  }
  return turns;
}

function* generated(length: number): Generator<number> {
  for (let item = 0; item < length; item += 1) yield item;
}

describe('forEachTimeSliced', () => {
  test.each([
    ['a list', [...generated(1_000)]],
    ['a generator', generated(1_000)],
  ])('processes every item of %s in order', async (_title, items) => {
    const done: number[] = [];
    await forEachTimeSliced(items, (item) => done.push(item));
    expect(done).toEqual([...generated(1_000)]);
  });

  test('rejects with the error of a step', async () => {
    const done: number[] = [];
    const broken = forEachTimeSliced([1, 2, 3], (item) => {
      if (item === 2) throw new Error('broken');
      done.push(item);
    });
    await expect(broken).rejects.toThrow('broken');
    expect(done).toEqual([1]);
  });

  test('yields to the event loop, also when many calls do little each', async () => {
    expect(await turnsDuring(forEachTimeSliced([...generated(60)], work))).toBeGreaterThan(5);
    const many = Array.from({ length: 60 }, () => forEachTimeSliced([0], work));
    expect(await turnsDuring(Promise.all(many))).toBeGreaterThan(5);
  });

  test('yields also when items become expensive after many cheap ones', async () => {
    const items = [...generated(1_060)];
    const all = forEachTimeSliced(items, (item) => {
      if (item >= 1_000) work();
    });
    expect(await turnsDuring(all)).toBeGreaterThan(5);
  });
});

describe('forEachSlice', () => {
  test('processes every slice in order, with a shorter last one', async () => {
    const done: [number, number][] = [];
    await forEachSlice(5, 2, (from, to) => done.push([from, to]));
    expect(done).toEqual([
      [0, 2],
      [2, 4],
      [4, 5],
    ]);
  });

  test('yields between full slices, also when many calls do a small slice each', async () => {
    expect(await turnsDuring(forEachSlice(20, 1, work))).toBeGreaterThan(10);
    const many = Array.from({ length: 60 }, () => forEachSlice(1, 10, work));
    expect(await turnsDuring(Promise.all(many))).toBeGreaterThan(3);
  });

  test('runs a short call between the slices of a long one', async () => {
    const order: string[] = [];
    const long = forEachSlice(3, 1, (from) => order.push(`long ${from}`));
    const short = forEachSlice(1, 100, () => order.push('short'));
    await Promise.all([long, short]);
    expect(order).toHaveLength(4);
    expect(order.indexOf('short')).toBeLessThan(order.indexOf('long 2'));
  });
});

describe('runWithinTurn', () => {
  test('returns the result of the work, or rejects with its error', async () => {
    expect(await runWithinTurn(() => 7)).toBe(7);
    const broken = runWithinTurn(() => {
      throw new Error('broken');
    });
    await expect(broken).rejects.toThrow('broken');
  });

  test('shares the time budget of a turn with other work', async () => {
    const many = Array.from({ length: 60 }, () => runWithinTurn(work));
    expect(await turnsDuring(Promise.all(many))).toBeGreaterThan(5);
  });
});
