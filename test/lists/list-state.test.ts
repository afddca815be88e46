import { describe, expect, it } from 'vitest';
import { judge } from '../../src/lists/judge.js';
import type { Reading } from '../../src/lists/judge.js';
import { availabilityAt, outcomeAt } from '../../src/lists/list-state.js';
import type { ListState } from '../../src/lists/list-state.js';
import { FAILED, HOUR, MINUTE, POLICY, SECOND, START, freshReading, snapshotOf, unknownList } from './known-list.js';

const EXCLUDED: Reading = { outcome: { state: 'excluded', reason: 'loop' }, isUnchanged: false };
const PARTIAL: Reading = {
  outcome: { state: 'partial', reason: 'total', snapshot: snapshotOf(3) },
  isUnchanged: false,
};
const TOO_LARGE: Reading = { outcome: { state: 'partial', reason: 'too-large' }, isUnchanged: false };

const nothing = unknownList().state;
const fresh = next(nothing, freshReading(snapshotOf(3)), START);

function next(state: ListState, reading: Reading, now: number): ListState {
  return judge({ ...unknownList(), state }, reading, { now, instant: now }, POLICY).state;
}

function situation(state: ListState, later: number): string {
  const now = outcomeAt(state, START + later, POLICY);
  return 'outcome' in now ? `${now.state}: ${now.outcome.state}` : now.state;
}

describe('what a request gets', () => {
  it.each<[title: string, state: ListState, later: number, situation: string]>([
    ['waits before the first reading', nothing, 0, 'none'],
    ['the snapshot within its time to live', fresh, MINUTE - 1, 'fresh: fresh'],
    ['the snapshot while it is revalidated', fresh, MINUTE, 'stale: fresh'],
    ['waits after stale-while-revalidate', fresh, 6 * MINUTE, 'expired'],
    ['waits after stale-if-error, and gets no fallback', fresh, MINUTE + 2 * HOUR, 'none'],
    ['a failure for two seconds', next(nothing, FAILED, START), 2 * SECOND - 1, 'rejected: failed'],
    ['waits again after a failure', next(nothing, FAILED, START), 2 * SECOND, 'none'],
    ['the snapshot for two seconds after a failure', next(fresh, FAILED, START + HOUR), HOUR, 'rejected: stale'],
    ['waits again after a failure with a snapshot', next(fresh, FAILED, START + HOUR), HOUR + 2_000, 'expired'],
    [
      'the snapshot as stale while it is revalidated after a failure',
      next(fresh, FAILED, START + MINUTE),
      2 * MINUTE,
      'stale: stale',
    ],
    ['a partial result for five seconds', next(fresh, PARTIAL, START + MINUTE), MINUTE + 4_999, 'rejected: partial'],
    ['waits after a partial result', next(fresh, PARTIAL, START + MINUTE), MINUTE + 5_000, 'expired'],
    [
      'waits when stale-if-error ends soon after a failure',
      next(fresh, FAILED, START + MINUTE + 2 * HOUR - SECOND),
      MINUTE + 2 * HOUR,
      'none',
    ],
    [
      'waits after the time to live, although another instance would not ask the source yet',
      next(nothing, { ...FAILED, retryAt: START + HOUR }, START),
      MINUTE,
      'none',
    ],
    [
      'the exclusion while the source is asked again whether it leads back',
      next(nothing, EXCLUDED, START),
      HOUR,
      'excluded: excluded',
    ],
    ['waits when the clock was set back before the reading', fresh, -SECOND, 'expired'],
  ])('%s', (_title, state, later, expected) => {
    expect(situation(state, later)).toBe(expected);
  });
});

describe('the availability of a list', () => {
  it.each<[title: string, state: ListState, later: number, availability: string]>([
    ['none before the first reading', nothing, 0, 'none'],
    ['fresh within its time to live', fresh, 0, 'fresh'],
    ['stale while it is revalidated', fresh, MINUTE, 'stale'],
    ['none when a request would wait', fresh, HOUR, 'none'],
    ['too large for the time to live', next(nothing, TOO_LARGE, START), MINUTE - 1, 'too-large'],
    ['none after that', next(nothing, TOO_LARGE, START), MINUTE, 'none'],
  ])('is %s', (_title, state, later, availability) => {
    expect(availabilityAt(state, START + later, POLICY)).toBe(availability);
  });
});
