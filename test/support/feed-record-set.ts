import { listStoredProperties } from '../../src/model/resource.js';
import type { PropertyValue } from '../../src/model/property-value.js';
import { feedEntries } from '../../src/model/resources/feed-entries.js';
import { RecordSet } from '../../src/records/record-set.js';
import { packRecords } from './pack-records.js';

/** The channel or an item of a feed by the names of its properties. */
export type FeedEntryInput = Readonly<Record<string, PropertyValue>> & { readonly identity: string };

/** The channel of the feed at a URL. */
export function feedChannel(url: string, more: Readonly<Record<string, PropertyValue>> = {}): FeedEntryInput {
  return { identity: `channel ${url}`, rss: url, ...more };
}

/** The record set of one feed of the source with number 7. */
export function feedRecordSet(entries: readonly FeedEntryInput[], readAt = 0): RecordSet {
  const columns = listStoredProperties(feedEntries).map(({ name }) => name);
  const records = entries.map((entry) => {
    const values: Readonly<Record<string, PropertyValue>> = { 'source-name': 'National CERT', ...entry };
    return { id: entry.identity, values: columns.map((name) => values[name]) };
  });
  const origin = { sourceNumber: 7, access: 'public' } as const;
  return new RecordSet(feedEntries, origin, packRecords(feedEntries, records), { readAt });
}
