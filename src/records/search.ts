import { kWayMerge } from '../merge/k-way-merge.js';
import type { Predicate, SortKey } from '../model/query.js';
import { inSlices } from '../model/slices.js';
import { matcher } from './filter.js';
import type { Matcher } from './filter.js';
import { furtherNamesAmong } from './further.js';
import { isTie, totalOrder, withOrder } from './order.js';
import type { OrderedSet, Place } from './order.js';
import type { RecordSet } from './record-set.js';

/** What is asked of a set of records. */
export interface Search {
  readonly where: readonly Predicate[];
  readonly order: readonly SortKey[];
}

/** What a set answers. */
export interface Found {
  /** Number of records that match, those that its source counts behind them included. */
  readonly total: number;
  /**
   * These in order. Iterable once. Of the front of a stream they end before the last ones that are equal in the order: of those more may
   * be behind it.
   */
  readonly places: Iterable<Place>;
  /** Newest date among all that match and were not dated in the future when they were read, in milliseconds; undefined where there is none. */
  readonly newest: number | undefined;
}

/** Which records of a set match. */
interface Hits {
  /** By record: 1 where it matches. */
  readonly flags: Uint8Array;
  readonly total: number;
  readonly newest: number | undefined;
}

/** Records that are filtered, or compared with one other, in one slice. */
const SLICE = 16_384;

/** Records that are sorted in one slice; the sorted runs are merged as far as they are read. */
const RUN = 2_048;

/** Records that are merged in one slice. */
const MERGED = 4_096;

/** Filters and orders the records of one set. What does not depend on the query's values is computed once and kept for the next. */
export async function search(set: RecordSet, { where, order }: Search): Promise<Found> {
  const ordered = await withOrder(set, order);
  const hits = await hitsOf(set, where);
  const { total, newest } = hits;
  const places = set.goesOn ? await settled(ordered, hits, order) : await inOrder(ordered, hits, order);
  return { total: total + set.behind, newest, places };
}

/** Names of the further properties among all records of a set that match. */
export async function furtherNamesIn(set: RecordSet, where: Search['where']): Promise<ReadonlySet<string>> {
  const { flags } = await hitsOf(set, where);
  return furtherNamesAmong(set, flags);
}

async function hitsOf(set: RecordSet, where: readonly Predicate[]): Promise<Hits> {
  const matches = await matcher(set, where);
  return matches === undefined ? set.once('every record', () => select(set, EVERY)) : select(set, matches);
}

const EVERY: Matcher = { all: true, matches: () => true };

async function select(set: RecordSet, { among, all, matches }: Matcher): Promise<Hits> {
  const { readAt } = set;
  const modified = await set.modified();
  const flags = new Uint8Array(set.records.length);
  let total = 0;
  let newest = -Infinity;
  await inSlices((among ?? flags).length, SLICE, (from, to) => {
    for (let nth = from; nth < to; nth += 1) {
      const at = among?.[nth] ?? nth;
      if (flags[at] === 1 || (all !== true && !matches(at))) continue;
      flags[at] = 1;
      total += 1;
      const time = modified[at];
      if (time !== undefined && time > newest && time <= readAt) newest = time;
    }
  });
  return { flags, total, newest: newest === -Infinity ? undefined : newest };
}

/** The default order of the resource, which most queries ask for, is computed once for the whole set; else the matches are sorted. */
async function inOrder(
  ordered: OrderedSet,
  { flags, total }: Hits,
  order: readonly SortKey[],
): Promise<Iterable<Place>> {
  if (total === 0) return [];
  if (isDefault(ordered.set, order)) return flagged(ordered, await defaultSequence(ordered, order), flags);
  return sortedRuns(ordered, positionsOf(flags), order);
}

/** Positions of the records that are flagged, ascending. */
function positionsOf(flags: Uint8Array): Uint32Array {
  const positions: number[] = [];
  for (let at = flags.indexOf(1); at >= 0; at = flags.indexOf(1, at + 1)) positions.push(at);
  return new Uint32Array(positions);
}

/** Those that nothing that is still behind can come between. */
async function settled(ordered: OrderedSet, hits: Hits, order: readonly SortKey[]): Promise<Iterable<Place>> {
  const places = [...(await inOrder(ordered, hits, order))];
  const last = places.at(-1);
  return last === undefined ? places : places.slice(0, 1 + places.findLastIndex((place) => !isTie(order, place, last)));
}

function isDefault(set: RecordSet, order: readonly SortKey[]): boolean {
  const [only, ...more] = order;
  const { property, descending } = set.resource.defaultSort;
  return more.length === 0 && only?.property === property && only.descending === descending;
}

function* flagged(from: OrderedSet, sequence: Uint32Array, flags: Uint8Array): Generator<Place, void, undefined> {
  for (const at of sequence) if (flags[at] === 1) yield { from, at };
}

/** Positions of all records of a set, in its default order. */
function defaultSequence(ordered: OrderedSet, order: readonly SortKey[]): Promise<Uint32Array> {
  const { set } = ordered;
  return set.once('default sequence', async () => {
    const { length } = set.records;
    const every = Uint32Array.from({ length }, (_, at) => at);
    const sorted = (await sortedRuns(ordered, every, order))[Symbol.iterator]();
    await inSlices(length, MERGED, (from, to) => {
      for (let at = from; at < to; at += 1) every[at] = following(sorted);
    });
    return every;
  });
}

function following(sorted: Iterator<Place>): number {
  const next = sorted.next();
  return next.done === true ? 0 : next.value.at;
}

/** Sorts run by run and merges the runs lazily. */
async function sortedRuns(
  ordered: OrderedSet,
  positions: Uint32Array,
  order: readonly SortKey[],
): Promise<Iterable<Place>> {
  const compare = totalOrder(order);
  const runs: Place[][] = [];
  await inSlices(positions.length, RUN, (from, to) => {
    const run = positions.subarray(from, to);
    runs.push(Array.from(run, (at): Place => ({ from: ordered, at })).sort(compare));
  });
  const [only, ...more] = runs;
  return only !== undefined && more.length === 0 ? only : kWayMerge(runs, compare);
}
