import { findSnapshot } from '../../model/outcome.js';
import type { Outcome } from '../../model/outcome.js';
import { findPropertyPosition } from '../../model/resource.js';
import { channels } from '../../model/resources/channels.js';
import { news } from '../../model/resources/news.js';
import { RecordSet } from '../../records/record-set.js';
import { foldText } from '../../text/text-folding.js';
import { combineSnapshotTimes } from '../snapshot/snapshot.js';
import type { Snapshot } from '../snapshot/snapshot.js';

const TITLE = findPropertyPosition(channels, 'title');

/** The titles, as the source writes them, of its channels that fold to the given one. */
export function matchChannelTitles({ records }: RecordSet, folded: string): readonly string[] {
  const titles = records.map(({ values }) => String(values[TITLE] ?? ''));
  return [...new Set(titles)].filter((title) => foldText(title) === folded);
}

/** What a source gave unasked: all its items and its channels. */
export interface UnfilteredLists {
  readonly items: Outcome<Snapshot>;
  readonly channels: Outcome<Snapshot>;
}

/**
 * The items of a channel, out of what the source gave for each of its titles (decisions.md, section 2, `channel`). A source that
 * gives all its items for one of several channels has ignored the filter: partial, reason `filter`.
 */
export function combineChannelItems(
  { items: all, channels: listed }: UnfilteredLists,
  parts: readonly Outcome<Snapshot>[],
): Outcome<Snapshot> {
  const outcomes = [all, listed, ...parts];
  const lacking = outcomes.find((outcome) => findSnapshot(outcome) === undefined);
  if (lacking !== undefined) return lacking;
  const [items, list, ...found] = outcomes.flatMap((outcome) => findSnapshot(outcome) ?? []);
  if (items === undefined || list === undefined) return { state: 'partial', reason: 'filter' };
  const set = mergeItems(items.set, found);
  if (list.set.records.length > 1 && containsAllItems(set, items.set)) return { state: 'partial', reason: 'filter' };
  return {
    ...leastCompleteOutcome(outcomes),
    snapshot: { ...items, set, ...combineSnapshotTimes([items, list, ...found]) },
  };
}

/** Of the items of a source, so many may be missing in a hundred, for they were fetched at another moment. */
const MAX_MISSING_PERCENT = 1;

/** Whether a channel's items are all items of the source, but for what may have come in between. */
function containsAllItems(found: RecordSet, all: RecordSet): boolean {
  const ids = new Set(found.records.map(({ id }) => id));
  const missing = all.records.filter(({ id }) => !ids.has(id)).length;
  return ids.size > 0 && isFilterIgnored(all.records.length - missing, all.records.length);
}

/** Whether a source that gives so many of its items for one of several channels has ignored the filter. */
export function isFilterIgnored(found: number, all: number): boolean {
  return found > 0 && (all - found) * 100 <= all * MAX_MISSING_PERCENT;
}

/** The items of all titles; of one title, which is the rule, they are there already. */
function mergeItems({ sourceNumber }: RecordSet, found: readonly Snapshot[]): RecordSet {
  const [only, ...more] = found;
  if (only !== undefined && more.length === 0) return only.set;
  const records = new Map(found.flatMap(({ set }) => set.records).map((record) => [record.id, record]));
  const readAt = Math.min(...found.map(({ set }) => set.readAt));
  return new RecordSet(news, sourceNumber, [...records.values()], { readAt });
}

type SnapshotOutcome = Extract<Outcome<Snapshot>, { readonly snapshot?: Snapshot }>;

/** The first of the outcomes that may lack records, else the first that is old, else fresh: the whole is no better than its parts. */
export function leastCompleteOutcome(outcomes: readonly Outcome<Snapshot>[]): SnapshotOutcome {
  const copied = outcomes.filter((outcome): outcome is SnapshotOutcome => 'snapshot' in outcome);
  const lacking = copied.find(({ state }) => state !== 'fresh' && state !== 'stale');
  const old = copied.find(({ state }) => state !== 'fresh');
  return lacking ?? old ?? copied[0] ?? { state: 'partial', reason: 'filter' };
}
