import { findSnapshot } from '../../model/outcome.js';
import type { Outcome } from '../../model/outcome.js';
import { findPropertyPosition } from '../../model/resource.js';
import { channels } from '../../model/resources/channels.js';
import { news } from '../../model/resources/news.js';
import { RecordSet } from '../../records/record-set.js';
import { foldText } from '../../text/text-folding.js';
import { combineSnapshotFacts } from '../snapshot.js';
import type { Snapshot } from '../snapshot.js';

const TITLE = findPropertyPosition(channels, 'title');

/** As the source writes the titles that equal the folded one (decisions 5.18). */
export function matchChannelTitles({ records }: RecordSet, folded: string): readonly string[] {
  const titles = records.map(({ values }) => String(values[TITLE] ?? ''));
  return [...new Set(titles)].filter((title) => foldText(title) === folded);
}

/**
 * Joins the items of a channel's titles (decisions 2.32). If they are all items of a source with several channels, it
 * ignored the filter: partial, reason `filter`.
 */
export function combineChannelItems(
  { items: all, channels: listed }: { readonly items: Outcome<Snapshot>; readonly channels: Outcome<Snapshot> },
  parts: readonly Outcome<Snapshot>[],
): Outcome<Snapshot> {
  const outcomes = [all, listed, ...parts];
  const withoutSnapshot = outcomes.find((outcome) => findSnapshot(outcome) === undefined);
  if (withoutSnapshot !== undefined) return withoutSnapshot;
  const [items, list, ...found] = outcomes.flatMap((outcome) => findSnapshot(outcome) ?? []);
  if (items === undefined || list === undefined) return { state: 'partial', reason: 'filter' };
  const set = mergeItems(items.set, found);
  if (list.set.records.length > 1 && containsAllItems(set, items.set)) return { state: 'partial', reason: 'filter' };
  return {
    ...leastCompleteOutcome(outcomes),
    snapshot: { ...items, set, ...combineSnapshotFacts([items, list, ...found]) },
  };
}

/** Of a source's items; a list that lacks no more counts as all, because lists are fetched at different moments. */
const MAX_MISSING_PERCENT = 1;

/** Except for items published in between. */
function containsAllItems(found: RecordSet, all: RecordSet): boolean {
  const ids = new Set(found.records.map(({ id }) => id));
  const missing = all.records.filter(({ id }) => !ids.has(id)).length;
  return ids.size > 0 && isFilterIgnored(all.records.length - missing, all.records.length);
}

/** `found` of `all` items came for one of several channels. */
function isFilterIgnored(found: number, all: number): boolean {
  return found > 0 && (all - found) * 100 <= all * MAX_MISSING_PERCENT;
}

/** One title, the usual case, is returned as it is. */
function mergeItems(all: RecordSet, found: readonly Snapshot[]): RecordSet {
  const [only, ...more] = found;
  if (only !== undefined && more.length === 0) return only.set;
  const records = new Map(found.flatMap(({ set }) => set.records).map((record) => [record.id, record]));
  const readAt = Math.min(...found.map(({ set }) => set.readAt));
  return new RecordSet(news, all, [...records.values()], { readAt });
}

type SnapshotOutcome = Extract<Outcome<Snapshot>, { readonly snapshot?: Snapshot }>;

/**
 * The first that may lack records, else a stale, else a fresh one: a combination is not better than its parts. Ignores
 * outcomes that cannot have a snapshot.
 */
export function leastCompleteOutcome(outcomes: readonly Outcome<Snapshot>[]): SnapshotOutcome {
  const copied = outcomes.filter((outcome): outcome is SnapshotOutcome => 'snapshot' in outcome);
  const incomplete = copied.find(({ state }) => state !== 'fresh' && state !== 'stale');
  const notFresh = copied.find(({ state }) => state !== 'fresh');
  return incomplete ?? notFresh ?? copied[0] ?? { state: 'partial', reason: 'filter' };
}
