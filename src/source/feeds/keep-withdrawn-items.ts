import { forEachTimeSliced } from '../../event-loop/time-slicing.js';
import type { DraftRecord, StoredRecord } from '../../model/record.js';
import { findPropertyPosition } from '../../model/resource.js';
import { feedEntries } from '../../model/resources/feed-entries.js';
import { RecordPacker } from '../../records/packed-records.js';
import type { RecordSet } from '../../records/record-set.js';
import { formatIsoTimestamp, parseDate } from '../../text/date.js';
import { FindingCounter } from '../record/findings.js';
import type { FindingCounts } from '../record/findings.js';
import { FeedItemIndex, isChannel, isWithdrawn } from './feed-items.js';

/** Which items stay that have left their feed. */
export interface KeepPolicy {
  /** For how long, in milliseconds. */
  readonly keep: number;
  /** Number of bytes that they may take, as JSON. */
  readonly maxBytes: number;
  /** In milliseconds since 1970. */
  readonly now: number;
}

/** Items that have left their feed. */
export interface WithdrawnItems {
  /** The ones that left it last are first. */
  readonly records: readonly DraftRecord[];
  /** Bytes of their values, as JSON. */
  readonly bytes: number;
  /** Number of items for which there was no room. */
  readonly dropped: number;
  /** Findings about their times of publication, which the feed does not have any more. */
  readonly unreadDates: FindingCounts;
}

const PUBLISHED = findPropertyPosition(feedEntries, 'published');
const WITHDRAWN = findPropertyPosition(feedEntries, 'withdrawn');

/**
 * Returns the items of the last snapshot of a feed that it does not have any more, each with the time since when
 * (decisions 4.32.4), except for those that left it more than `keep` ago.
 */
export async function listWithdrawnItems(
  received: readonly DraftRecord[],
  last: RecordSet,
  { keep, maxBytes, now }: KeepPolicy,
): Promise<WithdrawnItems> {
  const present = await indexItems(received);
  const before = await indexItems(last.records);
  const withdrawn: { readonly entry: StoredRecord; readonly since: number }[] = [];
  await forEachTimeSliced(last.records, (entry) => {
    if (isChannel(entry) || isPresent(entry, before, present)) return;
    const since = withdrawnSince(entry) ?? now;
    if (now - since <= keep) withdrawn.push({ entry, since });
  });
  withdrawn.sort((one, other) => other.since - one.since);
  const packer = new RecordPacker(feedEntries);
  const unreadDates = new FindingCounter();
  let [bytes, count, isFull] = [0, 0, false];
  await forEachTimeSliced(withdrawn, ({ entry, since }) => {
    if (isFull) return;
    const values = entry.values.map((value, at) => (at === WITHDRAWN ? formatIsoTimestamp(since) : value));
    const size = Buffer.byteLength(JSON.stringify(values));
    isFull = bytes + size > maxBytes;
    if (isFull) return;
    bytes += size;
    count += 1;
    const published = values[PUBLISHED];
    if (published !== undefined && parseDate(String(published)) === undefined)
      unreadDates.add('published', 'unreadable-date');
    packer.add({ values, extraProperties: entry.extraProperties });
  });
  return { records: packer.records, bytes, dropped: withdrawn.length - count, unreadDates: unreadDates.findings };
}

/** Whether a snapshot of a feed has items that are not kept any longer: a 304 must not confirm them. */
export async function hasExpiredItems(
  { records }: RecordSet,
  { keep, now }: Pick<KeepPolicy, 'keep' | 'now'>,
): Promise<boolean> {
  let hasExpired = false;
  await forEachTimeSliced(records, (entry) => {
    if (isWithdrawn(entry)) hasExpired ||= now - (withdrawnSince(entry) ?? -Infinity) > keep;
  });
  return hasExpired;
}

async function indexItems(entries: readonly StoredRecord[]): Promise<FeedItemIndex<StoredRecord>> {
  const index = new FeedItemIndex<StoredRecord>();
  await forEachTimeSliced(entries, (entry) => {
    if (!isChannel(entry)) index.set(entry, entry);
  });
  return index;
}

/**
 * Whether the feed has an item of the last snapshot. An item whose identity only one item has, and had, is the same one, even
 * if its link changed.
 */
function isPresent(
  entry: StoredRecord,
  before: FeedItemIndex<StoredRecord>,
  present: FeedItemIndex<StoredRecord>,
): boolean {
  if (present.get(entry) !== undefined) return true;
  if (present.withSameIdentity(entry)?.size !== 1) return false;
  const same = [...(before.withSameIdentity(entry)?.values() ?? [])];
  const candidates = same.filter((one) => !isWithdrawn(one));
  return (candidates.length === 0 ? same : candidates).every((one) => one === entry);
}

function withdrawnSince(entry: StoredRecord): number | undefined {
  return parseDate(String(entry.valueAt(WITHDRAWN) ?? ''))?.epochMs;
}
