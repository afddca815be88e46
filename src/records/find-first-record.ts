import type { Predicate, SortKey } from '../model/query.js';
import type { StoredRecord } from '../model/record.js';
import { forEachSlice } from '../event-loop/time-slicing.js';
import { createMatcher } from './record-filter.js';
import { isTie, createRecordComparator, prepareSort } from './record-order.js';
import type { RecordSet } from './record-set.js';

/** Number of records examined in one slice. */
const RECORDS_PER_SLICE = 8_192;

/** Returns the first record of a set that does not meet a predicate; undefined if all do. */
export async function findNonMatchingRecord(set: RecordSet, predicate: Predicate): Promise<StoredRecord | undefined> {
  const met = await createMatcher(set, [predicate]);
  return met && findFirstRecord(set, (at) => !met.matches(at));
}

/** Returns the first record of a set that meets all predicates; undefined if none does. */
export async function findMatchingRecord(
  set: RecordSet,
  where: readonly Predicate[],
): Promise<StoredRecord | undefined> {
  const met = await createMatcher(set, where);
  return findFirstRecord(set, (at) => met?.matches(at) ?? true);
}

/**
 * Returns the first record of a set that should come before its predecessor; undefined if the set is in order. Records
 * that are equal in the order may be in any sequence.
 */
export async function findMisplacedRecord(
  set: RecordSet,
  order: readonly SortKey[],
): Promise<StoredRecord | undefined> {
  const from = await prepareSort(set, order);
  const compare = createRecordComparator(order);
  const [before, here] = [
    { sortableSet: from, index: 0 },
    { sortableSet: from, index: 0 },
  ];
  return findFirstRecord(set, (at) => {
    before.index = here.index;
    here.index = at;
    return compare(before, here) > 0 && !isTie(order, before, here);
  });
}

async function findFirstRecord(set: RecordSet, is: (at: number) => boolean): Promise<StoredRecord | undefined> {
  let found: number | undefined;
  await forEachSlice(set.records.length, RECORDS_PER_SLICE, (from, to) => {
    for (let at = from; at < to && found === undefined; at += 1) if (is(at)) found = at;
  });
  return found === undefined ? undefined : set.records[found];
}
