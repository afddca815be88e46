import { findPropertyPosition } from '../model/resource.js';
import { feedEntries } from '../model/resources/feed-entries.js';
import type { RecordSet } from '../records/record-set.js';

const CHANNEL_ADDRESS = findPropertyPosition(feedEntries, 'rss');

/** For the shrink guard (decisions 6.11): of a feed its items, without its channel. */
export function countListedRecords(set: RecordSet): number {
  if (set.resource !== feedEntries) return set.totalCount;
  const known = feedItemCounts.get(set);
  if (known !== undefined) return known;
  let count = 0;
  for (const record of set.records) {
    if (record.valueAt(CHANNEL_ADDRESS) === undefined) count += 1;
  }
  feedItemCounts.set(set, count);
  return count;
}

const feedItemCounts = new WeakMap<RecordSet, number>();
