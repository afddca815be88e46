import type { ListStatus, SourceLevelStatus, SourceStatus } from '../../../../src/source/status/source-status.js';

/** A list in good order. */
export const freshList: ListStatus = {
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

/** A list that has never been fetched, and is doubted. */
export const failedList: ListStatus = {
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

/** A source with one list of teams, whose keys are in good order. */
export function source(list: ListStatus, level: Partial<SourceLevelStatus> = {}): SourceStatus {
  return {
    code: 'one',
    number: 1,
    sourceName: 'One',
    kind: 'interfaces',
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
