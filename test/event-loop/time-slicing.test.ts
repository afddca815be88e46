import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { runWithinTurn, forEachSlice, forEachTimeSliced } from '../../src/event-loop/time-slicing.js';

/** Keeps the event loop for about a millisecond. */
function work(): void {
  const end = performance.now() + 1;
  while (performance.now() < end);
}

/** How many turns of the event loop begin until the work is done. */
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

describe('inTurns', () => {
  test.each([
    ['a list', [...generated(1_000)]],
    ['what is generated', generated(1_000)],
  ])('does every item in order, of %s', async (_title, items) => {
    const done: number[] = [];
    await forEachTimeSliced(items, (item) => done.push(item));
    expect(done).toEqual([...generated(1_000)]);
  });

  test('ends with what a step throws', async () => {
    const done: number[] = [];
    const broken = forEachTimeSliced([1, 2, 3], (item) => {
      if (item === 2) throw new Error('broken');
      done.push(item);
    });
    await expect(broken).rejects.toThrow('broken');
    expect(done).toEqual([1]);
  });

  test('lets others have their turn, also when many do a little each', async () => {
    expect(await turnsDuring(forEachTimeSliced([...generated(60)], work))).toBeGreaterThan(5);
    const many = Array.from({ length: 60 }, () => forEachTimeSliced([0], work));
    expect(await turnsDuring(Promise.all(many))).toBeGreaterThan(5);
  });

  test('sees when small items become large ones', async () => {
    const items = [...generated(1_060)];
    const all = forEachTimeSliced(items, (item) => {
      if (item >= 1_000) work();
    });
    expect(await turnsDuring(all)).toBeGreaterThan(5);
  });
});

describe('inSlices', () => {
  test('does every slice in order, the last one a short one', async () => {
    const done: [number, number][] = [];
    await forEachSlice(5, 2, (from, to) => done.push([from, to]));
    expect(done).toEqual([
      [0, 2],
      [2, 4],
      [4, 5],
    ]);
  });

  test('lets others have their turn between full slices, also when many do a small one each', async () => {
    expect(await turnsDuring(forEachSlice(20, 1, work))).toBeGreaterThan(10);
    const many = Array.from({ length: 60 }, () => forEachSlice(1, 10, work));
    expect(await turnsDuring(Promise.all(many))).toBeGreaterThan(3);
  });

  test('lets a short one in between the slices of a long one', async () => {
    const order: string[] = [];
    const long = forEachSlice(3, 1, (from) => order.push(`long ${from}`));
    const short = forEachSlice(1, 100, () => order.push('short'));
    await Promise.all([long, short]);
    expect(order).toHaveLength(4);
    expect(order.indexOf('short')).toBeLessThan(order.indexOf('long 2'));
  });

  test('ends with the reason of its signal, and does no further slice', async () => {
    const done: number[] = [];
    const ending = new AbortController();
    const broken = forEachSlice(
      3,
      1,
      (from) => {
        done.push(from);
        ending.abort(new Error('over'));
      },
      ending.signal,
    );
    await expect(broken).rejects.toThrow('over');
    expect(done).toEqual([0]);
  });
});

describe('inOneTurn', () => {
  test('gives what the work gives, or throws what it throws', async () => {
    expect(await runWithinTurn(() => 7)).toBe(7);
    const broken = runWithinTurn(() => {
      throw new Error('broken');
    });
    await expect(broken).rejects.toThrow('broken');
  });

  test('is counted with all else that is done in a turn', async () => {
    const many = Array.from({ length: 60 }, () => runWithinTurn(work));
    expect(await turnsDuring(Promise.all(many))).toBeGreaterThan(5);
  });
});
