import type { DraftRecord } from '../../../src/model/record.js';
import { listStoredProperties } from '../../../src/model/resource.js';
import type { PropertyValue } from '../../../src/model/property-value.js';
import { feedEntries } from '../../../src/model/resources/feed-entries.js';
import { RecordSet } from '../../../src/records/record-set.js';
import { packRecords } from './pack-records.js';

/** The channel or an item of a feed by the names of its properties. */
export type FeedEntryInput = Readonly<Record<string, PropertyValue>> & { readonly identity: string };

/** The channel of the feed at a URL. */
export function feedChannel(url: string, more: Readonly<Record<string, PropertyValue>> = {}): FeedEntryInput {
  return { identity: `channel ${url}`, rss: url, ...more };
}

/** The records of one feed. */
export function feedRecords(entries: readonly FeedEntryInput[]): readonly DraftRecord[] {
  const columns = listStoredProperties(feedEntries).map(({ name }) => name);
  const rows = entries.map((entry) => {
    const values: Readonly<Record<string, PropertyValue>> = { 'source-name': 'National CERT', ...entry };
    return { id: entry.identity, values: columns.map((name) => values[name]) };
  });
  return packRecords(feedEntries, rows);
}

/** The record set of one feed of the source with number 7. */
export function feedRecordSet(entries: readonly FeedEntryInput[], readAt = 0): RecordSet {
  return new RecordSet(feedEntries, { sourceNumber: 7 }, feedRecords(entries), { readAt });
}
