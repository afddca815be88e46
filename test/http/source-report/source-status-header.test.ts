import { describe, expect, test } from 'vitest';
import { createContributions, getSourceStatusField } from '../../../src/http/source-report/source-status-header.js';
import type { Outcome, SourceOutcome } from '../../../src/model/outcome.js';
import { directoryTeams } from '../../../src/model/resources/directory-teams.js';
import { RecordSet } from '../../../src/records/record-set.js';
import type { Snapshot } from '../../../src/lists/snapshot.js';
import { firstSource } from '../../support/gateway/first-source.js';
import { packRecords } from '../../support/unit/pack-records.js';

const NOW = 1_000_000;

/** A snapshot with the given number of records, fetched the given number of milliseconds ago. */
function snapshotOf(records: number, ago: number): Snapshot {
  const ids = Array.from({ length: records }, (_, at) => ({ id: `a.${at}` }));
  return {
    set: new RecordSet(directoryTeams, firstSource, packRecords(directoryTeams, ids)),
    fetchedAt: NOW - ago,
    verifiedAt: NOW - ago,
    staleAt: NOW + 1,
    lists: [{ times: { verifiedAt: NOW - ago, staleAt: NOW + 1, waitAt: NOW + 1, isRefreshing: false } }],
    via: [],
  };
}

function outcome(code: string, of: Outcome<Snapshot>): SourceOutcome<Snapshot> {
  return { code, sourceName: `The ${code}`, outcome: of, milliseconds: 1 };
}

/** The value of Source-Status for these outcomes. */
function statusOf(outcomes: readonly SourceOutcome<Snapshot>[], now = NOW): string {
  return getSourceStatusField(createContributions(outcomes), now).text;
}

function fresh(count: number, records = 2): SourceOutcome<Snapshot>[] {
  return Array.from({ length: count }, (_, at) =>
    outcome(`s${at}`, { state: 'fresh', snapshot: snapshotOf(records, 0) }),
  );
}

/** Source-Status (decisions 6.2). */
describe('Source-Status', () => {
  test('states the contribution of each source and its age in whole seconds', () => {
    const field = statusOf([
      outcome('first', { state: 'fresh', snapshot: snapshotOf(3, 12_999) }),
      outcome('ti', { state: 'failed', reason: 'timeout' }),
      outcome('big', { state: 'partial', reason: 'too-large', total: 2_000_000 }),
      outcome('odd', { state: 'inconsistent', reason: 'drift', snapshot: snapshotOf(1, 0) }),
      outcome('other', { state: 'excluded', reason: 'source-name' }),
    ]);
    expect(field).toBe(
      'first;state=fresh;records=3;age=12, ti;state=failed;reason=timeout, big;state=partial;reason=too-large, ' +
        'odd;state=inconsistent;reason=drift;records=1;age=0, other;state=excluded;reason=source-name',
    );
  });

  test('states the age of the oldest of the parts that a source consists of', () => {
    const snapshot = snapshotOf(3, 2_000);
    const lists = [2_000, 40_000, 7_000].flatMap((ago) => snapshotOf(1, ago).lists);
    expect(statusOf([outcome('feeds', { state: 'fresh', snapshot: { ...snapshot, lists } })])).toBe(
      'feeds;state=fresh;records=3;age=40',
    );
  });

  test('writes an age of 0 when the clock has been set back', () => {
    expect(statusOf([outcome('first', { state: 'fresh', snapshot: snapshotOf(0, -5_000) })])).toBe(
      'first;state=fresh;records=0;age=0',
    );
  });

  test('names each of 20 sources', () => {
    const field = statusOf(fresh(20));
    expect(field.split(', ')).toHaveLength(20);
    expect(field).not.toContain('*');
  });

  test('groups fresh sources in one member when there are more than 20', () => {
    expect(statusOf(fresh(21))).toBe('*;state=fresh;sources=21;records=42');
    expect(statusOf(fresh(87, 100))).toBe('*;state=fresh;sources=87;records=8700');
  });

  test('names each failed source, and groups the excluded ones, when there are more than 20', () => {
    const outcomes = [
      ...fresh(15),
      outcome('ti', { state: 'failed', reason: 'dns' }),
      ...['a', 'b', 'c', 'd', 'e'].map((code) => outcome(code, { state: 'excluded', reason: 'source-name' })),
    ];
    expect(statusOf(outcomes)).toBe(
      '*;state=fresh;sources=15;records=30, *;state=excluded;sources=5, ti;state=failed;reason=dns',
    );
  });

  test('has no shared member when no source is fresh or excluded', () => {
    const failed = Array.from({ length: 21 }, (_, at) => outcome(`s${at}`, { state: 'failed', reason: 'connect' }));
    expect(statusOf(failed)).not.toContain('*');
  });
});

describe('the time until which Source-Status is valid', () => {
  test('is the exact millisecond at which the field changes', () => {
    const outcomes = [
      outcome('a', { state: 'fresh', snapshot: snapshotOf(1, 12_300) }),
      outcome('b', { state: 'fresh', snapshot: snapshotOf(1, 50_900) }),
    ];
    const next = getSourceStatusField(createContributions(outcomes), NOW).validUntil;
    expect(statusOf(outcomes, next - 1)).toBe(statusOf(outcomes));
    expect(statusOf(outcomes, next)).not.toBe(statusOf(outcomes));
  });

  test('is Infinity where the field has no age', () => {
    expect(getSourceStatusField(createContributions(fresh(21)), NOW).validUntil).toBe(Infinity);
  });
});
