import { kWayMerge } from '../merge/k-way-merge.js';
import type { Predicate, SortKey } from '../model/query.js';
import { forEachSlice } from '../event-loop/time-slicing.js';
import { createMatcher } from './record-filter.js';
import type { Matcher } from './record-filter.js';
import { listExtraNamesOfFlagged } from './extra-property-names.js';
import { isTie, createRecordComparator, prepareSort } from './record-order.js';
import type { SortableRecordSet, RecordPosition } from './record-order.js';
import type { RecordSet } from './record-set.js';

interface RecordSetQuery {
  readonly predicates: readonly Predicate[];
  readonly order: readonly SortKey[];
}

export interface RecordSetResult {
  /** Includes matches that the source counts but that were not fetched. */
  readonly total: number;
  /**
   * In order; iterable once. If the source has more records, the last equal matches are left out: records that were not
   * fetched may belong among them (decisions 5.15).
   */
  readonly positions: Iterable<RecordPosition>;
  /** In milliseconds since 1970, without dates that were in the future when the records were read (decisions 7.8). */
  readonly newestDate: number | undefined;
}

interface MatchFlags {
  /** 1 for each record that matches, else 0. */
  readonly flags: Uint8Array;
  readonly total: number;
  readonly newestDate: number | undefined;
}

const RECORDS_PER_SLICE = 16_384;

/** Sorted in one slice; the runs are merged lazily. */
const RUN_LENGTH = 2_048;

const MERGED_PER_SLICE = 4_096;

/** What does not depend on the values of the query is computed once and cached in the set (decisions 5.1). */
export async function queryRecordSet(set: RecordSet, { predicates, order }: RecordSetQuery): Promise<RecordSetResult> {
  const ordered = await prepareSort(set, order);
  const matches = await findMatches(set, predicates);
  const { total, newestDate } = matches;
  const positions = set.hasMore
    ? await orderSettledMatches(ordered, matches, order)
    : await orderMatches(ordered, matches, order);
  return { total: total + set.unfetchedCount, newestDate, positions };
}

export async function listExtraNamesOfMatches(
  set: RecordSet,
  predicates: RecordSetQuery['predicates'],
): Promise<ReadonlySet<string>> {
  const { flags } = await findMatches(set, predicates);
  return listExtraNamesOfFlagged(set, flags);
}

/** Without predicates the result is computed once for the set. */
export async function findMatches(set: RecordSet, predicates: readonly Predicate[]): Promise<MatchFlags> {
  const matches = await createMatcher(set, predicates);
  return matches === undefined
    ? set.computeOnce('every record', () => flagMatches(set, MATCH_ALL))
    : flagMatches(set, matches);
}

const MATCH_ALL: Matcher = { allCandidatesMatch: true, matches: () => true };

async function flagMatches(set: RecordSet, { candidates, allCandidatesMatch, matches }: Matcher): Promise<MatchFlags> {
  const { readAt } = set;
  const modified = await set.dateColumn();
  const flags = new Uint8Array(set.records.length);
  let total = 0;
  let newestDate = -Infinity;
  await forEachSlice((candidates ?? flags).length, RECORDS_PER_SLICE, (from, to) => {
    for (let nth = from; nth < to; nth += 1) {
      const at = candidates?.[nth] ?? nth;
      if (flags[at] === 1 || (allCandidatesMatch !== true && !matches(at))) continue;
      flags[at] = 1;
      total += 1;
      const time = modified[at];
      if (time !== undefined && time > newestDate && time <= readAt) newestDate = time;
    }
  });
  return { flags, total, newestDate: newestDate === -Infinity ? undefined : newestDate };
}

/** The default order, which most queries use, is computed once for the complete set. */
async function orderMatches(
  ordered: SortableRecordSet,
  { flags, total }: MatchFlags,
  order: readonly SortKey[],
): Promise<Iterable<RecordPosition>> {
  if (total === 0) return [];
  if (isDefaultOrder(ordered.set, order))
    return iterateFlagged(ordered, await computeDefaultSequence(ordered, order), flags);
  return sortInRuns(ordered, listFlaggedPositions(flags), order);
}

function listFlaggedPositions(flags: Uint8Array): Uint32Array {
  const positions: number[] = [];
  for (let at = flags.indexOf(1); at >= 0; at = flags.indexOf(1, at + 1)) positions.push(at);
  return new Uint32Array(positions);
}

/** Orders the matches before which no record that was not fetched can come. */
async function orderSettledMatches(
  ordered: SortableRecordSet,
  matches: MatchFlags,
  order: readonly SortKey[],
): Promise<Iterable<RecordPosition>> {
  const positions = [...(await orderMatches(ordered, matches, order))];
  const last = positions.at(-1);
  return last === undefined
    ? positions
    : positions.slice(0, 1 + positions.findLastIndex((position) => !isTie(order, position, last)));
}

function isDefaultOrder(set: RecordSet, order: readonly SortKey[]): boolean {
  const [only, ...more] = order;
  const { property, descending } = set.resource.defaultSort;
  return more.length === 0 && only?.property === property && only.descending === descending;
}

function* iterateFlagged(
  from: SortableRecordSet,
  sequence: Uint32Array,
  flags: Uint8Array,
): Generator<RecordPosition, void, undefined> {
  for (const at of sequence) if (flags[at] === 1) yield { sortableSet: from, index: at };
}

function computeDefaultSequence(ordered: SortableRecordSet, order: readonly SortKey[]): Promise<Uint32Array> {
  const { set } = ordered;
  return set.computeOnce('default sequence', async () => {
    const { length } = set.records;
    const sequence = Uint32Array.from({ length }, (_, at) => at);
    const sorted = (await sortInRuns(ordered, sequence, order))[Symbol.iterator]();
    await forEachSlice(length, MERGED_PER_SLICE, (from, to) => {
      for (let at = from; at < to; at += 1) sequence[at] = nextPosition(sorted);
    });
    return sequence;
  });
}

function nextPosition(sorted: Iterator<RecordPosition>): number {
  const next = sorted.next();
  return next.done === true ? 0 : next.value.index;
}

async function sortInRuns(
  ordered: SortableRecordSet,
  positions: Uint32Array,
  order: readonly SortKey[],
): Promise<Iterable<RecordPosition>> {
  const compare = createRecordComparator(order);
  const runs: RecordPosition[][] = [];
  await forEachSlice(positions.length, RUN_LENGTH, (from, to) => {
    const run = positions.subarray(from, to);
    runs.push(Array.from(run, (at): RecordPosition => ({ sortableSet: ordered, index: at })).sort(compare));
  });
  const [only, ...more] = runs;
  return only !== undefined && more.length === 0 ? only : kWayMerge(runs, compare);
}
