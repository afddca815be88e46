import { copyOf } from '../model/outcome.js';
import type { Outcome } from '../model/outcome.js';
import { positionOf } from '../model/resource.js';
import { channels } from '../model/resources/channels.js';
import { news } from '../model/resources/news.js';
import { RecordSet } from '../records/record-set.js';
import { fold } from '../text/fold.js';
import { instantsOf } from './snapshot/snapshot.js';
import type { Copy } from './snapshot/snapshot.js';

const TITLE = positionOf(channels, 'title');

/** The titles, as the source writes them, of its channels that fold to the given one. */
export function titlesOf({ records }: RecordSet, folded: string): readonly string[] {
  const titles = records.map(({ values }) => String(values[TITLE] ?? ''));
  return [...new Set(titles)].filter((title) => fold(title) === folded);
}

/** What a source gave unasked: all its items and its channels. */
export interface Unfiltered {
  readonly all: Outcome<Copy>;
  readonly listed: Outcome<Copy>;
}

/**
 * The items of a channel, out of what the source gave for each of its titles (decisions.md, section 2, `channel`). A source that
 * gives all its items for one of several channels has ignored the filter: partial, reason `filter`.
 */
export function channelItems({ all, listed }: Unfiltered, parts: readonly Outcome<Copy>[]): Outcome<Copy> {
  const outcomes = [all, listed, ...parts];
  const lacking = outcomes.find((outcome) => copyOf(outcome) === undefined);
  if (lacking !== undefined) return lacking;
  const [items, list, ...found] = outcomes.flatMap((outcome) => copyOf(outcome) ?? []);
  if (items === undefined || list === undefined) return { state: 'partial', reason: 'filter' };
  const set = union(items.set, found);
  if (list.set.records.length > 1 && isUnfiltered(set, items.set)) return { state: 'partial', reason: 'filter' };
  return { ...worst(outcomes), copy: { ...items, set, ...instantsOf([items, list, ...found]) } };
}

/** Of the items of a source, so many may be missing in a hundred, for they were fetched at another moment. */
const MISSING_IN_HUNDRED = 1;

/** Whether a channel's items are all items of the source, but for what may have come in between. */
function isUnfiltered(found: RecordSet, all: RecordSet): boolean {
  const ids = new Set(found.records.map(({ id }) => id));
  const missing = all.records.filter(({ id }) => !ids.has(id)).length;
  return ids.size > 0 && isIgnored(all.records.length - missing, all.records.length);
}

/** Whether a source that gives so many of its items for one of several channels has ignored the filter. */
export function isIgnored(found: number, all: number): boolean {
  return found > 0 && (all - found) * 100 <= all * MISSING_IN_HUNDRED;
}

/** The items of all titles; of one title, which is the rule, they are there already. */
function union({ sourceNumber }: RecordSet, found: readonly Copy[]): RecordSet {
  const [only, ...more] = found;
  if (only !== undefined && more.length === 0) return only.set;
  const records = new Map(found.flatMap(({ set }) => set.records).map((record) => [record.id, record]));
  const readAt = Math.min(...found.map(({ set }) => set.readAt));
  return new RecordSet(news, sourceNumber, [...records.values()], { readAt });
}

type WithCopy = Extract<Outcome<Copy>, { readonly copy?: Copy }>;

/** The first of the outcomes that may lack records, else the first that is old, else fresh: the whole is no better than its parts. */
export function worst(outcomes: readonly Outcome<Copy>[]): WithCopy {
  const copied = outcomes.filter((outcome): outcome is WithCopy => 'copy' in outcome);
  const lacking = copied.find(({ state }) => state !== 'fresh' && state !== 'stale');
  const old = copied.find(({ state }) => state !== 'fresh');
  return lacking ?? old ?? copied[0] ?? { state: 'partial', reason: 'filter' };
}
