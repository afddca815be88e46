import { expect, it } from 'vitest';
import { FeedTotals } from '../../../src/source/feeds/feed-totals.js';
import type { Snapshot } from '../../../src/source/snapshot/snapshot.js';
import { feedChannel, feedRecordSet } from '../../support/unit/feed-record-set.js';

const [A, B, GONE] = ['https://cert.example.org/a.xml', 'https://cert.example.org/b.xml', 'https://gone.example.org/'];

function snapshot(verifiedAt: number, items: number): Snapshot {
  const entries = Array.from({ length: items }, (_, at) => ({ identity: `guid ${at}` }));
  const set = feedRecordSet([feedChannel(A), ...entries]);
  return { set, fetchedAt: 1, verifiedAt, staleAt: 9, since: 1, via: [], leases: [] };
}

it('sums up what the feeds of a source have at present, as old as the oldest of them', () => {
  const totals = new FeedTotals(new Set([A, B]));
  const first = totals.note(A, { state: 'fresh', snapshot: snapshot(5, 2) });
  expect(first).toEqual({ outcome: { state: 'fresh', snapshot: true }, records: 2, fetchedAt: 5 });
  const second = totals.note(B, { state: 'stale', reason: 'body', snapshot: snapshot(3, 1) });
  expect(second).toEqual({ outcome: { state: 'stale', reason: 'body', snapshot: true }, records: 3, fetchedAt: 3 });
  const third = totals.note(B, { state: 'failed', reason: 'status' });
  expect(third).toEqual({ outcome: { state: 'partial', reason: 'feed', snapshot: true }, records: 2, fetchedAt: 5 });
});

it('takes over the results of the feeds that are still registered', () => {
  const earlier = new FeedTotals(new Set([A, GONE]));
  earlier.note(A, { state: 'fresh', snapshot: snapshot(5, 2) });
  earlier.note(GONE, { state: 'failed', reason: 'dns' });
  const totals = new FeedTotals(new Set([A, B]));
  totals.continueFrom(earlier);
  expect(totals.note(B, { state: 'fresh', snapshot: snapshot(7, 1) })).toMatchObject({
    outcome: { state: 'fresh' },
    records: 3,
  });
});
