import { First } from '../merge/first.js';
import type { Compare } from '../merge/heap.js';
import { kWayMerge } from '../merge/k-way-merge.js';
import type { Predicate, SortKey } from '../model/query.js';
import { inSlices } from '../model/slices.js';
import { matcher } from './filter.js';
import { totalOrder, withOrder } from './order.js';
import type { OrderedSet, Place } from './order.js';
import type { RecordSet } from './record-set.js';

/** What is asked of a set of records. */
export interface Search {
  readonly where: readonly Predicate[];
  readonly order: readonly SortKey[];
  /** How many records from the start of the order will be looked at; the rest need not be in order. */
  readonly first: number;
}

/** What a set answers. */
export interface Found {
  /** Number of records that match. */
  readonly total: number;
  /** At least the first `Search.first` of them, in order. Iterable once. */
  readonly places: Iterable<Place>;
  /** Newest last-modified among all that match, in milliseconds; undefined where none has a date. */
  readonly newest: number | undefined;
}

/** Positions of records in their set, in some sequence. */
type Positions = readonly number[] | Uint32Array;

/** Records that are looked at between two turns of the event loop. */
const SLICE = 16_384;

/** Records that are sorted in one go; the sorted runs are merged as far as they are read. */
const RUN = 2_048;

/** Below this share of the matches, the first ones are selected instead of sorting all. */
const SELECT_BELOW = 1 / 4;

/** Filters and orders the records of one set. Everything that does not depend on the query's values is computed once per set. */
export async function search(set: RecordSet, query: Search): Promise<Found> {
  const { where, order } = query;
  const ordered = await withOrder(set, order);
  const byDefault = isDefault(set, order);
  const sequence = byDefault ? await defaultSequence(ordered, order) : undefined;
  const matches = await matching(set, where, sequence);
  return {
    total: matches.length,
    newest: await newestOf(set, where.length === 0 ? undefined : matches),
    places: byDefault ? placesOf(ordered, matches) : await firstInOrder(ordered, matches, query),
  };
}

function isDefault(set: RecordSet, order: readonly SortKey[]): boolean {
  const [only, ...more] = order;
  return more.length === 0 && only?.property === set.resource.defaultSort && !only.descending;
}

/** Positions of all records in the resource's default order, computed once per set: most queries ask for it. */
function defaultSequence(ordered: OrderedSet, order: readonly SortKey[]): Promise<Uint32Array> {
  return ordered.set.once('default order', async () => {
    const { length } = ordered.set.records;
    const sorted = (await sortedRuns(ordered, everyPosition(length), order))[Symbol.iterator]();
    const sequence = new Uint32Array(length);
    await inSlices(length, SLICE, (from, to) => {
      for (let at = from; at < to; at += 1) sequence[at] = following(sorted);
    });
    return sequence;
  });
}

function following(sorted: Iterator<Place>): number {
  const next = sorted.next();
  return next.done === true ? 0 : next.value.at;
}

/** 0, 1, 2 … by record. */
function everyPosition(length: number): Uint32Array {
  const positions = new Uint32Array(length);
  for (let at = 0; at < length; at += 1) positions[at] = at;
  return positions;
}

/** Positions of the records that match, in the given sequence (absent: as they are held). */
async function matching(
  set: RecordSet,
  where: readonly Predicate[],
  sequence: Uint32Array | undefined,
): Promise<Positions> {
  const matches = await matcher(set, where);
  const all = sequence ?? everyPosition(set.records.length);
  if (matches === undefined) return all;
  const found: number[] = [];
  await inSlices(all.length, SLICE, (from, to) => {
    for (const position of all.subarray(from, to)) if (matches(position)) found.push(position);
  });
  return found;
}

async function newestOf(set: RecordSet, matches: Positions | undefined): Promise<number | undefined> {
  const modified = await set.modified();
  if (matches === undefined)
    return set.once('newest', () => Promise.resolve(newest(modified, everyPosition(modified.length))));
  return newest(modified, matches);
}

function newest(modified: Float64Array, positions: Positions): number | undefined {
  let found = -Infinity;
  for (const position of positions) {
    const time = modified[position];
    if (time !== undefined && time > found) found = time;
  }
  return found === -Infinity ? undefined : found;
}

function* placesOf(from: OrderedSet, positions: Positions): Generator<Place, void, undefined> {
  for (const at of positions) yield { from, at };
}

async function firstInOrder(ordered: OrderedSet, matches: Positions, query: Search): Promise<Iterable<Place>> {
  if (query.first > matches.length * SELECT_BELOW) return sortedRuns(ordered, matches, query.order);
  const compare = totalOrder(query.order);
  const first = new First<Place>(query.first, compare);
  await inSlices(matches.length, SLICE, (from, to) => {
    for (let at = from; at < to; at += 1) first.offer({ from: ordered, at: matches[at] ?? 0 });
  });
  return first.inOrder();
}

/** Sorts run by run, with a turn of the event loop between two, and merges the runs lazily. */
async function sortedRuns(
  ordered: OrderedSet,
  positions: Positions,
  order: readonly SortKey[],
): Promise<Iterable<Place>> {
  const compare: Compare<Place> = totalOrder(order);
  const runs: Place[][] = [];
  await inSlices(positions.length, RUN, (from, to) => {
    const run = Array.from({ length: to - from }, (_, at) => ({ from: ordered, at: positions[from + at] ?? 0 }));
    runs.push(run.sort(compare));
  });
  return kWayMerge(runs, compare);
}
