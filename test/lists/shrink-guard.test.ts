import { describe, expect, test } from 'vitest';
import { adoptDoubt, describeDoubt, judgeSize } from '../../src/lists/shrink-guard.js';
import type { TrustedSize } from '../../src/lists/shrink-guard.js';

const CONFIRM = 600_000;
const POLICY = { confirmShrink: CONFIRM, ttl: 0, staleIfError: 100 * CONFIRM };

/** The size after numbers of records at times. */
function sizeAfter(...numbers: readonly (readonly [records: number, at: number])[]): TrustedSize | undefined {
  return numbers.reduce<TrustedSize | undefined>(
    (size, [records, at]) => judgeSize(size, records, at, POLICY),
    undefined,
  );
}

describe('the trusted number of records', () => {
  test.each([
    [100, 50],
    [100, 101],
    [21, 11],
    [20, 0],
    [1, 0],
    [0, 0],
  ])('follows a source that had %s records and now has %i', (before, now) => {
    expect(sizeAfter([before, 0], [now, 1])).toEqual({ records: now, trustedAt: 1 });
  });

  test.each([
    [100, 49],
    [21, 10],
    [21, 0],
  ])('stays where a source had %i records and now has %i, which is doubted', (before, now) => {
    expect(sizeAfter([before, 0], [now, 1])).toEqual({
      records: before,
      trustedAt: 0,
      doubt: { records: now, since: 1 },
    });
  });

  test('follows a smaller number that persists for confirm-shrink, and doubts the next fall again', () => {
    expect(sizeAfter([100, 0], [40, 1_000], [38, 999 + CONFIRM])?.records).toBe(100);
    expect(sizeAfter([100, 0], [40, 1_000], [40, 1_000 + CONFIRM])?.records).toBe(40);
    expect(sizeAfter([100, 0], [40, 1_000], [40, 1_000 + CONFIRM], [3, 1_000 + CONFIRM])?.doubt?.records).toBe(3);
  });

  test('follows a smaller number although it was first seen while the clock was ahead', () => {
    expect(sizeAfter([100, 0], [40, 9 * CONFIRM], [40, 1_000], [40, 1_000 + CONFIRM])?.records).toBe(40);
  });

  test('is not confirmed by a larger number between', () => {
    expect(sizeAfter([100, 0], [40, 1_000], [90, 2_000], [40, 1_000 + CONFIRM])?.records).toBe(90);
  });

  test('never follows a fall to zero, which does not confirm another fall', () => {
    expect(sizeAfter([100, 0], [0, 1], [0, 1_000 * CONFIRM])?.records).toBe(100);
    expect(sizeAfter([100, 0], [0, 1], [40, 1 + CONFIRM])?.doubt).toEqual({ records: 40, since: 1 + CONFIRM });
  });

  test('follows any number but zero once no snapshot could be served in its place', () => {
    expect(sizeAfter([100, 0], [40, 100 * CONFIRM])?.records).toBe(40);
    expect(sizeAfter([100, 0], [0, 100 * CONFIRM])?.records).toBe(100);
  });
});

describe('a doubt', () => {
  test('is shown with the time from which the number is accepted, which zero does not have', () => {
    expect(describeDoubt(sizeAfter([100, 0], [40, 5]), POLICY)).toEqual({
      records: 40,
      trustedRecords: 100,
      since: 5,
      acceptedFrom: 5 + CONFIRM,
    });
    expect(describeDoubt(sizeAfter([100, 0], [0, 5]), POLICY)?.acceptedFrom).toBeUndefined();
    expect(describeDoubt(sizeAfter([100, 0]), POLICY)).toBeUndefined();
  });

  test('of another instance counts since the first of both, but not where this instance trusts a later number', () => {
    const other: TrustedSize = { records: 100, trustedAt: 0, doubt: { records: 40, since: 5 } };
    expect(adoptDoubt(sizeAfter([100, 0], [38, 9]), other)?.doubt).toEqual({ records: 40, since: 5 });
    expect(adoptDoubt(undefined, other)).toEqual(other);
    const confirmed = sizeAfter([100, 0], [40, 5], [40, 5 + CONFIRM]);
    expect(adoptDoubt(confirmed, other)).toBe(confirmed);
  });
});
