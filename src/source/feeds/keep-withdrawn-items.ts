import { forEachTimeSliced } from '../../event-loop/time-slicing.js';
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
const WITHDRAWN = findPropertyPosition(feedEntries, 'withdrawn');
const CHANNEL_ADDRESS = findPropertyPosition(feedEntries, 'rss');

/** Items that have left their feed. */
export interface WithdrawnItems {
  readonly records: readonly DraftRecord[];
  /** Bytes of their values, as JSON. */
  readonly bytes: number;
}

/**
 * Returns the items of the last snapshot of a feed that it does not have any more, each with the time since when
 * (decisions 4.32.4), except for those that left it more than `keep` ago.
 */
export async function listWithdrawnItems(
  received: readonly DraftRecord[],
  last: RecordSet,
  { keep, now }: KeepPolicy,
): Promise<WithdrawnItems> {
  const present = new Set<unknown>();
  await forEachTimeSliced(received, (record) => {
    present.add(record.valueAt(IDENTITY));
  });
  const packer = new RecordPacker(feedEntries);
  let bytes = 0;
  await forEachTimeSliced(last.records, (record) => {
    if (record.valueAt(CHANNEL_ADDRESS) !== undefined || present.has(record.valueAt(IDENTITY))) return;
    const since = withdrawnSince(record) ?? now;
    if (now - since > keep) return;
    const values = record.values.map((value, at) => (at === WITHDRAWN ? formatIsoTimestamp(since) : value));
    bytes += Buffer.byteLength(JSON.stringify(values));
    packer.add({ values, extraProperties: record.extraProperties });
  });
  return { records: packer.records, bytes };
}

function withdrawnSince(record: StoredRecord): number | undefined {
  return parseDate(String(record.valueAt(WITHDRAWN) ?? ''))?.epochMs;
}
