import { describe, expect, it } from 'vitest';
import { findPropertyPosition } from '../../../src/model/resource.js';
import type { StoredRecord } from '../../../src/model/record.js';
import { feedEntries } from '../../../src/model/resources/feed-entries.js';
import { hasExpiredItems, listWithdrawnItems } from '../../../src/source/feeds/keep-withdrawn-items.js';
import { feedChannel, feedRecordSet, feedRecords } from '../../support/unit/feed-record-set.js';

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 10, 26);
const WITHDRAWN = findPropertyPosition(feedEntries, 'withdrawn');
const POLICY = { keep: 90 * DAY, maxBytes: 10_000, now: NOW };
const CHANNEL = feedChannel('https://cert.example.org/rss.xml');

function show({ records }: { readonly records: readonly StoredRecord[] }): readonly unknown[] {
  return records.map((record) => [record.valueAt(0), record.valueAt(WITHDRAWN)]);
}

describe('items that have left their feed', () => {
  const last = feedRecordSet([
    CHANNEL,
    { identity: 'guid a', title: 'A' },
    { identity: 'guid b', title: 'B' },
    { identity: 'guid c', title: 'C', withdrawn: '2026-11-01T00:00:00+00:00' },
  ]);

  it('stay with the time at which they were first missing', async () => {
    const received = feedRecords([CHANNEL, { identity: 'guid b' }]);
    const expected = [
      ['guid a', '2026-11-26T00:00:00+00:00'],
      ['guid c', '2026-11-01T00:00:00+00:00'],
    ];
    expect(show(await listWithdrawnItems(received, last, POLICY))).toEqual(expected);
  });

  it('are dropped after the time for which they are kept', async () => {
    const received = feedRecords([CHANNEL, { identity: 'guid a' }, { identity: 'guid b' }]);
    const atEnd = { ...POLICY, keep: 25 * DAY };
    expect(show(await listWithdrawnItems(received, last, atEnd))).toEqual([['guid c', '2026-11-01T00:00:00+00:00']]);
    expect(show(await listWithdrawnItems(received, last, { ...atEnd, now: NOW + 1 }))).toEqual([]);
  });

  it('are no longer among them when the feed has them again, and the channel never is', async () => {
    const received = feedRecords([{ identity: 'guid a' }, { identity: 'guid b' }, { identity: 'guid c' }]);
    const none = await listWithdrawnItems(received, last, POLICY);
    expect(none).toEqual({ records: [], bytes: 0, dropped: 0, unreadDates: new Map() });
  });

  it('do not include an item whose link or title changed, if only it has its guid', async () => {
    const before = feedRecordSet([
      { identity: 'guid a', distinction: 'link 1' },
      { identity: 'guid b', distinction: 'link 1', withdrawn: '2026-11-01T00:00:00+00:00' },
    ]);
    const received = feedRecords([
      { identity: 'guid a', distinction: 'link 2' },
      { identity: 'guid b', distinction: 'link 2' },
    ]);
    expect(show(await listWithdrawnItems(received, before, POLICY))).toEqual([]);
  });

  it('include one of several items with the same guid', async () => {
    const before = feedRecordSet([
      { identity: 'guid a', distinction: 'link 1' },
      { identity: 'guid a', distinction: 'link 2' },
    ]);
    const received = feedRecords([{ identity: 'guid a', distinction: 'link 2' }]);
    expect(show(await listWithdrawnItems(received, before, POLICY))).toEqual([['guid a', '2026-11-26T00:00:00+00:00']]);
  });

  it('go in the order in which they left, where there is no room for all', async () => {
    const all = await listWithdrawnItems([], last, POLICY);
    const some = await listWithdrawnItems([], last, { ...POLICY, maxBytes: all.bytes - 1 });
    expect(show(all).map(String)).toEqual([
      'guid a,2026-11-26T00:00:00+00:00',
      'guid b,2026-11-26T00:00:00+00:00',
      'guid c,2026-11-01T00:00:00+00:00',
    ]);
    expect([show(some), some.dropped]).toEqual([show(all).slice(0, 2), 1]);
    expect(some.bytes).toBeLessThan(all.bytes);
  });
});

describe('a snapshot of a feed', () => {
  const set = feedRecordSet([CHANNEL, { identity: 'guid c', withdrawn: '2026-11-01T00:00:00+00:00' }]);

  it('is not to be confirmed once an item in it is not kept any longer', async () => {
    expect(await hasExpiredItems(set, { keep: 25 * DAY, now: NOW })).toBe(false);
    expect(await hasExpiredItems(set, { keep: 25 * DAY, now: NOW + 1 })).toBe(true);
    expect(await hasExpiredItems(set, { keep: 0, now: NOW })).toBe(true);
    expect(await hasExpiredItems(feedRecordSet([CHANNEL, { identity: 'guid a' }]), { keep: 0, now: NOW })).toBe(false);
  });
});
