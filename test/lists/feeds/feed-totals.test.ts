import { expect, it } from 'vitest';
import { FeedTotals } from '../../../src/lists/feeds/feed-totals.js';

const [A, B, GONE] = ['https://cert.example.org/a.xml', 'https://cert.example.org/b.xml', 'https://gone.example.org/'];

it('sums up what the feeds of a source have at present, as old as the oldest of them', () => {
  const totals = new FeedTotals(new Set([A, B]));
  const first = totals.note(A, { outcome: { state: 'fresh', snapshot: {} }, records: 2, verifiedAt: 5 });
  expect(first).toEqual({ outcome: { state: 'fresh', snapshot: true }, records: 2, verifiedAt: 5 });
  const stale = { state: 'stale', reason: 'body', snapshot: {} } as const;
  const second = totals.note(B, { outcome: stale, records: 1, verifiedAt: 3 });
  expect(second).toEqual({ outcome: { ...stale, snapshot: true }, records: 3, verifiedAt: 3 });
  const third = totals.note(B, { outcome: { state: 'failed', reason: 'status' }, records: 0 });
  expect(third).toEqual({ outcome: { state: 'partial', reason: 'feed', snapshot: true }, records: 2, verifiedAt: 5 });
});

it('takes over the results of the feeds that are still registered', () => {
  const earlier = new FeedTotals(new Set([A, GONE]));
  earlier.note(A, { outcome: { state: 'fresh', snapshot: {} }, records: 2, verifiedAt: 5 });
  earlier.note(GONE, { outcome: { state: 'failed', reason: 'dns' }, records: 0 });
  const totals = new FeedTotals(new Set([A, B]));
  totals.continueFrom(earlier);
  expect(totals.note(B, { outcome: { state: 'fresh', snapshot: {} }, records: 1, verifiedAt: 7 })).toMatchObject({
    outcome: { state: 'fresh' },
    records: 3,
  });
});
