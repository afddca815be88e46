import { describe, expect, test } from 'vitest';
import { ShrinkGuard } from '../../../src/source/snapshot/shrink-guard.js';

const CONFIRM = 600_000;
const STANDS_IN = 100 * CONFIRM;

/** A guard that believes that there were so many teams; undefined: it knows of none. */
function after(before: number | undefined): ShrinkGuard {
  const guard = new ShrinkGuard(CONFIRM, STANDS_IN);
  if (before !== undefined) guard.confirmCount('teams', before, 0);
  return guard;
}

describe('the shrink guard', () => {
  test.each([
    [100, 50],
    [100, 101],
    [21, 11],
    [20, 0],
    [1, 0],
    [0, 0],
    [undefined, 0],
    [undefined, 7],
  ])('believes a source that had %s records and gives %i', (before, now) => {
    expect(after(before).confirmCount('teams', now, 0)).toBe(true);
  });

  test.each([
    [100, 49],
    [21, 10],
    [21, 0],
  ])('doubts a source that had %i records and gives %i', (before, now) => {
    expect(after(before).confirmCount('teams', now, 0)).toBe(false);
  });

  test('believes what it doubted once it is still so after the time to confirm, and doubts anew the next time', () => {
    const guard = after(100);
    expect(guard.confirmCount('teams', 40, 1_000)).toBe(false);
    expect(guard.confirmCount('teams', 38, 1_000 + CONFIRM - 1)).toBe(false);
    expect(guard.believedCount('teams')).toBe(100);
    expect(guard.confirmCount('teams', 40, 1_000 + CONFIRM)).toBe(true);
    expect(guard.believedCount('teams')).toBe(40);
    expect(guard.confirmCount('teams', 3, 1_000 + CONFIRM)).toBe(false);
  });

  test('holds against what the process before believed, as if that had been so when it is first asked', () => {
    const memory = new Map([['teams', 100]]);
    const guard = new ShrinkGuard(CONFIRM, STANDS_IN, {
      recordCount: (key) => memory.get(key),
      setRecordCount: (key, records) => memory.set(key, records),
    });
    expect(guard.believedCount('teams')).toBe(100);
    expect(guard.confirmCount('teams', 40, 5)).toBe(false);
    expect(guard.confirmCount('teams', 40, 4 + CONFIRM)).toBe(false);
    expect([...memory]).toEqual([['teams', 100]]);
    expect(guard.confirmCount('teams', 40, 5 + CONFIRM)).toBe(true);
    expect(guard.believedCount('teams')).toBe(40);
    expect(guard.confirmCount('news', 0, 5)).toBe(true);
    expect(Object.fromEntries(memory)).toEqual({ teams: 40, news: 0 });
  });

  test('begins anew when the source has given enough in between', () => {
    const guard = after(100);
    guard.confirmCount('teams', 40, 0);
    expect(guard.confirmCount('teams', 99, 1)).toBe(true);
    expect(guard.confirmCount('teams', 40, CONFIRM)).toBe(false);
  });

  test('never believes a fall to nothing, however long ago it was that there was something', () => {
    const guard = after(100);
    for (const at of [0, CONFIRM, 1_000 * CONFIRM]) expect(guard.confirmCount('teams', 0, at)).toBe(false);
    expect(guard.confirmCount('teams', 60, 1_001 * CONFIRM)).toBe(true);
  });

  test('believes little at once when what there was may not stand in for it any more', () => {
    const guard = after(100);
    expect(guard.confirmCount('teams', 0, STANDS_IN - 2)).toBe(false);
    expect(guard.confirmCount('teams', 5, STANDS_IN - 1)).toBe(false);
    expect(guard.confirmCount('teams', 5, STANDS_IN)).toBe(true);
  });

  test('takes nothing for no confirmation of little', () => {
    const guard = after(100);
    expect(guard.confirmCount('teams', 0, 0)).toBe(false);
    expect(guard.confirmCount('teams', 5, CONFIRM)).toBe(false);
    expect(guard.confirmCount('teams', 0, 2 * CONFIRM - 1)).toBe(false);
    expect(guard.confirmCount('teams', 5, 2 * CONFIRM)).toBe(false);
    expect(guard.confirmCount('teams', 5, 3 * CONFIRM)).toBe(true);
  });

  test('watches each resource for itself', () => {
    const guard = after(100);
    guard.confirmCount('news', 100, 0);
    guard.confirmCount('teams', 40, 0);
    expect(guard.confirmCount('news', 40, CONFIRM)).toBe(false);
  });
});
