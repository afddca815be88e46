import { describe, expect, it } from 'vitest';
import { mergeSharing, mergeSources } from '../../../../src/cli/serve/workers/merge-sources.js';
import type { SharingStatus } from '../../../../src/admin/sources/sharing-status.js';
import { parseSourcesReport } from '../../../../src/cli/serve/workers/source-status-parser.js';
import type { ListStatus, SourceLevelStatus, SourceStatus } from '../../../../src/source/status/source-status.js';

const freshList: ListStatus = {
  state: 'fresh',
  condition: 'ok',
  summary: 'fresh',
  served: 'fresh',
  records: 10,
  recordsHistory: [{ at: '2026-11-24T12:00:00+00:00', records: 10 }],
  verifiedAt: '2026-11-24T12:00:00+00:00',
  age: 5,
  isRefreshing: false,
  consecutiveFailures: 0,
  findings: [{ rule: 'white-space', field: 'host', count: 1, examples: [{ record: 'a', value: ' x' }] }],
};

const failedList: ListStatus = {
  state: 'none',
  condition: 'failed',
  summary: 'no records: timed out',
  recordsHistory: [],
  isRefreshing: true,
  consecutiveFailures: 2,
  lastError: { at: '2026-11-24T12:01:00+00:00', reason: 'timeout', description: 'timed out' },
  doubt: { records: 0, trustedRecords: 10, since: '2026-11-24T12:01:00+00:00' },
  findings: [],
};

function source(list: ListStatus, level: Partial<SourceLevelStatus> = {}): SourceStatus {
  return {
    code: 'one',
    number: 1,
    sourceName: 'One',
    required: false,
    aggregate: false,
    addresses: ['https://one.example.org/directory/v1'],
    certificates: [
      { origin: 'https://one.example.org', validUntil: '2027-01-01T00:00:00+00:00', daysLeft: 38, issuer: 'CA' },
    ],
    condition: list.condition,
    levels: [
      {
        access: 'public',
        requestedAs: 'public',
        condition: list.condition,
        requests: { sent: 3, failures: { timeout: 1 } },
        resources: [
          {
            resource: 'directory-teams',
            ...list,
            capabilities: [{ capability: 'total', verdict: 'consistent', uses: 2, checks: 1 }],
            keys: freshList,
          },
        ],
        ...level,
      },
    ],
  };
}

describe('mergeSources', () => {
  it('adds counts and shows the worst state, with the workers that differ', () => {
    const suspension = { since: '2026-11-24T12:01:00+00:00', trialFrom: '2026-11-24T12:02:00+00:00' };
    const [merged] = mergeSources([
      { worker: 1, report: [source(freshList)] },
      { worker: 2, report: [source(failedList, { suspension })] },
    ]);
    expect(merged).toMatchObject({ condition: 'failed', certificates: [{ daysLeft: 38 }] });
    expect(merged?.levels).toMatchObject([
      {
        condition: 'failed',
        suspension,
        requests: { sent: 6, failures: { timeout: 2 } },
        resources: [
          {
            state: 'none',
            isRefreshing: true,
            capabilities: [{ capability: 'total', verdict: 'consistent', uses: 4, checks: 2 }],
            workers: [
              { worker: 1, state: 'fresh', records: 10 },
              { worker: 2, state: 'none', condition: 'failed' },
            ],
          },
        ],
      },
    ]);
    expect(merged?.levels[0]?.resources[0]?.keys).toEqual(freshList);
  });

  it('shows the oldest records where the conditions are equal', () => {
    const older = { ...freshList, age: 50, verifiedAt: '2026-11-24T11:59:15+00:00' };
    const [merged] = mergeSources([freshList, older].map((list, at) => ({ worker: at + 1, report: [source(list)] })));
    expect(merged?.levels[0]?.resources[0]).toMatchObject({ age: 50, verifiedAt: older.verifiedAt });
  });

  it('lists no workers where all have the same state, and a source that only one worker has', () => {
    const other = { ...source(freshList), code: 'two' };
    const merged = mergeSources([
      { worker: 1, report: [source(freshList)] },
      { worker: 2, report: [source(freshList), other] },
    ]);
    expect(merged.map(({ code }) => code)).toEqual(['one', 'two']);
    expect(merged[0]?.levels[0]?.resources[0]).not.toHaveProperty('workers');
  });
});

describe('parseSourcesReport', () => {
  it('reads what a worker reports without losing a property', () => {
    const sources = [source(freshList), source(failedList)];
    const sharing = {
      ...{
        inAgreement: false,
        since: '2026-11-24T12:00:00+00:00',
        reason: 'clock',
        description: 'words',
        clockAhead: -300,
      },
      lastError: { at: '2026-11-24T11:00:00+00:00', message: 'Redis: no reply' },
    };
    const report = { sharing, sources };
    expect(parseSourcesReport(JSON.parse(JSON.stringify(report)))).toEqual(report);
    expect(parseSourcesReport({ sources })).toEqual({ sources });
  });

  it.each([
    ['a list without a state', { ...freshList, state: undefined }],
    ['an unknown state', { ...freshList, state: 'great' }],
    ['a number as a text', { ...freshList, records: '10' }],
    ['an unknown reason', { ...failedList, lastError: { at: '', reason: 'x', description: '' } }],
  ])('refuses %s', (_, list) => {
    const one = source(freshList);
    const wrong = {
      ...one,
      levels: [{ ...one.levels[0], resources: [{ resource: 'news', ...list, capabilities: [] }] }],
    };
    expect(() => parseSourcesReport({ sources: [wrong] })).toThrow('invalid message');
  });
});

describe('mergeSharing', () => {
  const state = (inAgreement: boolean): SharingStatus => ({ inAgreement, since: 'then', description: 'words' });

  it('returns the state of the first worker that is not in agreement, with its number', () => {
    const reports = [true, false, false].map((one, at) => ({ worker: at + 1, report: { sharing: state(one) } }));
    expect(mergeSharing(reports)).toEqual({ ...state(false), worker: 2 });
  });

  it('returns that of any worker where all are in agreement, and none without a shared memory', () => {
    expect(mergeSharing([{ worker: 1, report: { sharing: state(true) } }])).toEqual(state(true));
    expect(mergeSharing([{ worker: 1, report: {} }])).toBeUndefined();
  });
});
