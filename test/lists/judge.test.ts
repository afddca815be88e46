import { describe, expect, it } from 'vitest';
import { judge } from '../../src/lists/judge.js';
import type { KnownList, Reading } from '../../src/lists/judge.js';
import type { ListId } from '../../src/lists/list-id.js';
import { lastOutcome } from '../../src/lists/list-state.js';
import { findSnapshot } from '../../src/model/outcome.js';
import type { Outcome } from '../../src/model/outcome.js';
import type { Snapshot } from '../../src/lists/snapshot.js';
import { FAILED, HOUR, LARGE, MINUTE, POLICY, SECOND, START, WHOLE } from './known-list.js';
import { ITEM, PUSHED, freshReading, snapshotOf, unknownList } from './known-list.js';

/** After readings of a list, each so many milliseconds after the one before. */
function after(known: KnownList, ...readings: readonly (readonly [wait: number, reading: Reading])[]): KnownList {
  let [list, now] = [known, START];
  for (const [wait, reading] of readings) {
    now += wait;
    list = { id: known.id, ...judge(list, reading, { now, instant: now }, POLICY) };
  }
  return list;
}

function describeOutcome({ state }: KnownList): string | undefined {
  const outcome = lastOutcome(state);
  if (outcome === undefined) return undefined;
  const reason = 'reason' in outcome ? ` ${outcome.reason}` : '';
  const snapshot = findSnapshot(outcome);
  return outcome.state + reason + (snapshot === undefined ? '' : ` ${snapshot.set.records.length}`);
}

const read = (records: number): Reading => freshReading(snapshotOf(records));
const same = (records: number): Reading => freshReading(snapshotOf(records), true);
const result = (outcome: Outcome<Snapshot>): Reading => ({ outcome, isUnchanged: false });
const partial = (records: number): Reading =>
  result({ state: 'partial', reason: 'total', snapshot: snapshotOf(records) });
const TOO_LARGE = result({ state: 'partial', reason: 'too-large', total: 5_000 });
const LOOP = result({ state: 'excluded', reason: 'loop' });

describe('what becomes of a reading', () => {
  it.each<[title: string, readings: readonly [number, Reading][], outcome: string]>([
    ['the first one becomes the snapshot', [[0, read(3)]], 'fresh 3'],
    ['a failure without a snapshot is served', [[0, FAILED]], 'failed connect'],
    [
      'a failure leaves the last snapshot, stale',
      [
        [0, read(3)],
        [MINUTE, FAILED],
      ],
      'stale connect 3',
    ],
    [
      'a failure after stale-if-error is served',
      [
        [0, read(3)],
        [MINUTE + 2 * HOUR, FAILED],
      ],
      'failed connect',
    ],
    [
      'a success ends the failure',
      [
        [0, read(3)],
        [MINUTE, FAILED],
        [MINUTE, read(4)],
      ],
      'fresh 4',
    ],
    [
      'a partial result is newer than the snapshot',
      [
        [0, read(30)],
        [MINUTE, partial(20)],
      ],
      'partial total 20',
    ],
    [
      'a partial result that lacks most records is not served',
      [
        [0, read(30)],
        [MINUTE, partial(14)],
      ],
      'stale total 30',
    ],
    [
      'a partial result without records is not served in place of any',
      [
        [0, read(3)],
        [MINUTE, partial(0)],
      ],
      'stale total 3',
    ],
    [
      'a partial result does not end the doubt about no records',
      [
        [0, read(30)],
        [MINUTE, partial(20)],
        [MINUTE, read(0)],
      ],
      'stale shrunk 30',
    ],
    ['a partial result without a snapshot is served', [[0, partial(2)]], 'partial total 2'],
    [
      'a list that is too large leaves the snapshot, stale',
      [
        [0, read(3)],
        [MINUTE, TOO_LARGE],
      ],
      'stale too-large 3',
    ],
    [
      'a source that leads back here is excluded, whatever was known',
      [
        [0, read(3)],
        [MINUTE, LOOP],
      ],
      'excluded loop',
    ],
    [
      'less than half of the records is not trusted at first',
      [
        [0, read(30)],
        [MINUTE, read(14)],
      ],
      'stale shrunk 30',
    ],
    [
      'less than half of the records is trusted after confirm-shrink',
      [
        [0, read(30)],
        [MINUTE, read(14)],
        [10 * MINUTE, read(14)],
      ],
      'fresh 14',
    ],
    [
      'no records are never trusted by repetition',
      [
        [0, read(30)],
        [MINUTE, read(0)],
        [HOUR, read(0)],
        [3 * HOUR, read(0)],
      ],
      'failed shrunk',
    ],
    [
      'a failure between does not confirm a smaller number',
      [
        [0, read(30)],
        [MINUTE, read(14)],
        [MINUTE, FAILED],
        [MINUTE, read(14)],
      ],
      'stale shrunk 30',
    ],
  ])('%s', (_title, readings, outcome) => {
    expect(describeOutcome(after(unknownList(), ...readings))).toBe(outcome);
  });

  it('is no list without the item, when the source fails: the item may exist by now', () => {
    expect(describeOutcome(after(unknownList(ITEM), [0, read(0)], [MINUTE, FAILED]))).toBe('failed connect');
    expect(describeOutcome(after(unknownList(ITEM), [0, read(1)], [MINUTE, FAILED]))).toBe('stale connect 1');
  });

  it('is a trusted number of records, which a pushed-down query neither sets nor confirms', () => {
    const { size } = after(unknownList(), [0, read(30)]);
    const pushed = after({ ...unknownList(PUSHED), size }, [MINUTE, read(14)], [20 * MINUTE, read(14)]);
    expect([describeOutcome(pushed), pushed.size]).toEqual(['failed shrunk', size]);
    expect(after(unknownList(PUSHED), [0, read(30)]).size).toBeUndefined();
    const large = after({ ...unknownList(LARGE), size }, [MINUTE, read(14)], [10 * MINUTE, read(14)]);
    expect([describeOutcome(large), large.size?.records]).toEqual(['fresh 14', 14]);
  });
});

describe('a list that is too large', () => {
  const withSize = (id: ListId, records: number): KnownList => ({
    ...unknownList(id),
    size: { records, trustedAt: START },
  });
  const tooLarge = result({ state: 'partial', reason: 'too-large' });

  it('has at least one record more than may be drained', () => {
    expect(describeOutcome(after(withSize(WHOLE, 202), [0, tooLarge]))).toBe('partial too-large');
    expect(describeOutcome(after(withSize(WHOLE, 203), [0, tooLarge]))).toBe('failed shrunk');
  });

  it('proves no number where only memory was short', () => {
    expect(describeOutcome(after(withSize(LARGE, 5_000), [0, tooLarge]))).toBe('partial too-large');
  });
});

describe('the date of a change', () => {
  const changedAt = (known: KnownList): number | undefined => known.state.snapshot?.changedAt;

  it.each<[title: string, readings: readonly [number, Reading][], seconds: number | undefined]>([
    ['the first content has none', [[0, read(3)]], undefined],
    [
      'other records have the first whole second after their acceptance',
      [
        [0, read(3)],
        [2 * SECOND + 499, read(4)],
      ],
      3,
    ],
    [
      'accepted exactly on a second, they have the next one',
      [
        [0, read(3)],
        [2 * SECOND + 500, read(4)],
      ],
      4,
    ],
    [
      'equal records keep theirs',
      [
        [0, read(3)],
        [SECOND, read(4)],
        [MINUTE, same(4)],
      ],
      2,
    ],
    [
      'a failure in whose place the snapshot was served changes nothing',
      [
        [0, read(3)],
        [MINUTE, FAILED],
        [MINUTE, same(3)],
      ],
      undefined,
    ],
    [
      'equal records count as changed after a failure that was served',
      [
        [0, FAILED],
        [SECOND, read(3)],
      ],
      2,
    ],
    [
      'equal records keep the date that they got after a failure',
      [
        [0, FAILED],
        [SECOND, read(3)],
        [MINUTE, same(3)],
      ],
      2,
    ],
    [
      'equal records count as changed after a partial result that was served',
      [
        [0, read(30)],
        [SECOND, partial(20)],
        [SECOND, same(30)],
      ],
      3,
    ],
    [
      'equal records count as changed after a partial result and then a failure',
      [
        [0, read(30)],
        [SECOND, partial(20)],
        [SECOND, FAILED],
        [SECOND, same(30)],
      ],
      4,
    ],
    [
      'equal records count as changed after a time in which the source was too large',
      [
        [0, read(3)],
        [SECOND, TOO_LARGE],
        [SECOND, same(3)],
      ],
      3,
    ],
  ])('%s', (_title, readings, seconds) => {
    const expected = seconds === undefined ? undefined : Math.floor(START / SECOND) * SECOND + seconds * SECOND;
    expect(changedAt(after(unknownList(), ...readings))).toBe(expected);
  });

  it('is there from the first content on, where something else may have been served before', () => {
    expect(changedAt(after(unknownList(WHOLE, true), [0, read(3)]))).toBe(START + 500);
  });

  it('does not fall when the clock is set back', () => {
    const known = after(unknownList(), [0, read(3)]);
    const moment = { now: START - HOUR, instant: START };
    expect(judge(known, read(4), moment, POLICY).state.snapshot?.changedAt).toBe(START + 500);
  });
});
