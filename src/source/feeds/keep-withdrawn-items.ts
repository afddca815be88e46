import type { DraftRecord, StoredRecord } from '../../model/record.js';
import { findPropertyPosition } from '../../model/resource.js';
import { feedEntries } from '../../model/resources/feed-entries.js';
import { RecordPacker } from '../../records/packed-records.js';
import type { RecordSet } from '../../records/record-set.js';
import { formatIsoTimestamp, parseDate } from '../../text/date.js';

/** For how long items stay that have left their feed, and what the time is. Both in milliseconds, the second since 1970. */
export interface KeepPolicy {
  readonly keep: number;
  readonly now: number;
}

const IDENTITY = findPropertyPosition(feedEntries, 'identity');
const TITLE = findPropertyPosition(feedEntries, 'title');
const LINK = findPropertyPosition(feedEntries, 'link');
const WITHDRAWN = findPropertyPosition(feedEntries, 'withdrawn');
const CHANNEL_ADDRESS = findPropertyPosition(feedEntries, 'rss');

/**
 * Returns the items of the last snapshot of a feed that it does not have any more, each with the time since when
 * (decisions 4.32.4), except for those that left it more than `keep` ago.
 */
export function listWithdrawnItems(
  received: readonly DraftRecord[],
  last: RecordSet,
  { keep, now }: KeepPolicy,
): readonly DraftRecord[] {
  const present = new Set(received.flatMap(listIdentities));
  const packer = new RecordPacker(feedEntries);
  for (const record of last.records) {
    if (record.valueAt(CHANNEL_ADDRESS) !== undefined || listIdentities(record).some((one) => present.has(one)))
      continue;
    const since = withdrawnSince(record) ?? now;
    if (now - since > keep) continue;
    const values = record.values.map((value, at) => (at === WITHDRAWN ? formatIsoTimestamp(since) : value));
    packer.add({ values, extraProperties: record.extraProperties });
  }
  return packer.records;
}

/** Whether the last snapshot of a feed has items that are no longer kept (decisions 4.32.4). */
export function hasExpiredItems({ resource, records }: RecordSet, { keep, now }: KeepPolicy): boolean {
  return resource === feedEntries && records.some((record) => now - (withdrawnSince(record) ?? now) > keep);
}

/**
 * The identity of an item, and those that it has while another item has the same guid or link: they contain its link or
 * title (decisions 4.32.3). An item has not left its feed because another one came or went.
 */
function listIdentities(record: Pick<StoredRecord, 'valueAt'>): readonly string[] {
  const identity = String(record.valueAt(IDENTITY));
  const distinctions = [LINK, TITLE].flatMap((at) => record.valueAt(at) ?? []);
  return [identity, ...distinctions.map((distinction) => `${identity} ${String(distinction)}`)];
}

function withdrawnSince(record: StoredRecord): number | undefined {
  return parseDate(String(record.valueAt(WITHDRAWN) ?? ''))?.epochMs;
}
