import { describe, expect, it } from 'vitest';
import { mergeSharing, mergeSources } from '../../../../src/cli/serve/workers/merge-sources.js';
import type { SharingStatus } from '../../../../src/admin/sources/sharing-status.js';
import { failedList, freshList, source } from './source-reports.js';

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
