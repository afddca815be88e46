import { describe, expect, test } from 'vitest';
import { ShrinkGuard } from '../../../src/source/snapshot/shrink-guard.js';

const CONFIRM = 600_000;
const STALE_IF_ERROR = 100 * CONFIRM;

/** A guard with the given confirmed number of teams; undefined: no number is known. */
function guardWith(before: number | undefined): ShrinkGuard {
  const guard = new ShrinkGuard(CONFIRM, STALE_IF_ERROR);
  if (before !== undefined) guard.confirmCount('teams', before, 0);
  return guard;
}

describe('shrink guard', () => {
  test.each([
    [100, 50],
    [100, 101],
    [21, 11],
    [20, 0],
    [1, 0],
    [0, 0],
    [undefined, 0],
    [undefined, 7],
  ])('accepts a source that had %s records and now has %i', (before, now) => {
    expect(guardWith(before).confirmCount('teams', now, 0)).toBe(true);
  });

  test.each([
    [100, 49],
    [21, 10],
    [21, 0],
  ])('rejects a source that had %i records and now has %i', (before, now) => {
    expect(guardWith(before).confirmCount('teams', now, 0)).toBe(false);
  });

  test('accepts a smaller number that persists for confirm-shrink, and rejects the next fall again', () => {
    const guard = guardWith(100);
    expect(guard.confirmCount('teams', 40, 1_000)).toBe(false);
    expect(guard.confirmCount('teams', 38, 1_000 + CONFIRM - 1)).toBe(false);
    expect(guard.believedCount('teams')).toBe(100);
    expect(guard.confirmCount('teams', 40, 1_000 + CONFIRM)).toBe(true);
    expect(guard.believedCount('teams')).toBe(40);
    expect(guard.confirmCount('teams', 3, 1_000 + CONFIRM)).toBe(false);
  });

  test('accepts a smaller number after confirm-shrink although it was first seen while the clock was ahead', () => {
    const guard = guardWith(100);
    expect(guard.confirmCount('teams', 40, 9 * CONFIRM)).toBe(false);
    expect(guard.confirmCount('teams', 40, 1_000)).toBe(false);
    expect(guard.confirmCount('teams', 40, 1_000 + CONFIRM)).toBe(true);
  });

  test('compares with the stored number of the previous process, as if it had been confirmed at the first check', () => {
    const memory = new Map([['teams', 100]]);
    const guard = new ShrinkGuard(CONFIRM, STALE_IF_ERROR, {
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

  test('states what it doubts, and from when it accepts it; never for a fall to zero', () => {
    const guard = guardWith(100);
    expect(guard.doubtOf('teams')).toBeUndefined();
    guard.confirmCount('teams', 40, 1_000);
    guard.confirmCount('teams', 38, 2_000);
    const doubt = { records: 38, trustedRecords: 100, since: 1_000, acceptedFrom: 1_000 + CONFIRM };
    expect(guard.doubtOf('teams')).toEqual(doubt);
    guard.confirmCount('teams', 0, 3_000);
    expect(guard.doubtOf('teams')).toEqual({ ...doubt, records: 0, since: 3_000, acceptedFrom: undefined });
  });

  test('accepts at once what the operator confirms, and stores it', () => {
    const memory = new Map([['teams', 100]]);
    const guard = new ShrinkGuard(CONFIRM, STALE_IF_ERROR, {
      recordCount: (key) => memory.get(key),
      setRecordCount: (key, records) => memory.set(key, records),
    });
    expect(guard.acceptDoubted(0)).toBe(false);
    guard.confirmCount('teams', 0, 1);
    expect(guard.acceptDoubted(2)).toBe(true);
    expect(Object.fromEntries(memory)).toEqual({ teams: 0 });
    expect(guard.confirmCount('teams', 0, 3)).toBe(true);
  });

  test('forgets the stored numbers, too', () => {
    const guard = new ShrinkGuard(CONFIRM, STALE_IF_ERROR, {
      recordCount: () => 100,
      setRecordCount: () => undefined,
    });
    guard.forget();
    expect(guard.believedCount('teams')).toBeUndefined();
    expect(guard.confirmCount('teams', 1, 0)).toBe(true);
  });

  test('restarts confirm-shrink when the source returned enough records in between', () => {
    const guard = guardWith(100);
    guard.confirmCount('teams', 40, 0);
    expect(guard.confirmCount('teams', 99, 1)).toBe(true);
    expect(guard.confirmCount('teams', 40, CONFIRM)).toBe(false);
  });

  test('never accepts a fall to zero, even after stale-if-error', () => {
    const guard = guardWith(100);
    for (const at of [0, CONFIRM, 1_000 * CONFIRM]) expect(guard.confirmCount('teams', 0, at)).toBe(false);
    expect(guard.confirmCount('teams', 60, 1_001 * CONFIRM)).toBe(true);
  });

  test('accepts a small number at once after stale-if-error, when no fallback is left', () => {
    const guard = guardWith(100);
    expect(guard.confirmCount('teams', 0, STALE_IF_ERROR - 2)).toBe(false);
    expect(guard.confirmCount('teams', 5, STALE_IF_ERROR - 1)).toBe(false);
    expect(guard.confirmCount('teams', 5, STALE_IF_ERROR)).toBe(true);
  });

  test('does not count zero records as a confirmation of a small number', () => {
    const guard = guardWith(100);
    expect(guard.confirmCount('teams', 0, 0)).toBe(false);
    expect(guard.confirmCount('teams', 5, CONFIRM)).toBe(false);
    expect(guard.confirmCount('teams', 0, 2 * CONFIRM - 1)).toBe(false);
    expect(guard.confirmCount('teams', 5, 2 * CONFIRM)).toBe(false);
    expect(guard.confirmCount('teams', 5, 3 * CONFIRM)).toBe(true);
  });

  test('compares each resource separately', () => {
    const guard = guardWith(100);
    guard.confirmCount('news', 100, 0);
    guard.confirmCount('teams', 40, 0);
    expect(guard.confirmCount('news', 40, CONFIRM)).toBe(false);
  });
});
