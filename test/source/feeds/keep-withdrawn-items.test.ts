import { describe, expect, it } from 'vitest';
import { findPropertyPosition } from '../../../src/model/resource.js';
import type { StoredRecord } from '../../../src/model/record.js';
import { feedEntries } from '../../../src/model/resources/feed-entries.js';
import { listWithdrawnItems } from '../../../src/source/feeds/keep-withdrawn-items.js';
import { feedChannel, feedRecordSet, feedRecords } from '../../support/feed-record-set.js';

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 10, 26);
const WITHDRAWN = findPropertyPosition(feedEntries, 'withdrawn');
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
    expect(show(await listWithdrawnItems(received, last, { keep: 90 * DAY, now: NOW }))).toEqual(expected);
  });

  it('are dropped after the time for which they are kept', async () => {
    const received = feedRecords([CHANNEL, { identity: 'guid a' }, { identity: 'guid b' }]);
    const atEnd = { keep: 25 * DAY, now: NOW };
    expect(show(await listWithdrawnItems(received, last, atEnd))).toEqual([['guid c', '2026-11-01T00:00:00+00:00']]);
    expect(show(await listWithdrawnItems(received, last, { ...atEnd, now: NOW + 1 }))).toEqual([]);
  });

  it('are no longer among them when the feed has them again, and the channel never is', async () => {
    const received = feedRecords([{ identity: 'guid a' }, { identity: 'guid b' }, { identity: 'guid c' }]);
    const none = await listWithdrawnItems(received, last, { keep: 90 * DAY, now: NOW });
    expect(none).toEqual({ records: [], bytes: 0 });
  });
});
