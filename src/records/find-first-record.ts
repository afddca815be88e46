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
  const matcher = await createMatcher(set, [predicate]);
  return matcher && findFirstRecord(set, (at) => !matcher.matches(at));
}

/** Returns the first record of a set that meets all predicates; undefined if none does. */
export async function findMatchingRecord(
  set: RecordSet,
  predicates: readonly Predicate[],
): Promise<StoredRecord | undefined> {
  const matcher = await createMatcher(set, predicates);
  return findFirstRecord(set, (at) => matcher?.matches(at) ?? true);
}

/**
 * Returns the first record of a set that should come before its predecessor; undefined if the set is in order. Records
 * that are equal in the order may be in any sequence.
 */
export async function findMisplacedRecord(
  set: RecordSet,
  order: readonly SortKey[],
): Promise<StoredRecord | undefined> {
  const sortable = await prepareSort(set, order);
  const compare = createRecordComparator(order);
  const [before, current] = [
    { sortableSet: sortable, index: 0 },
    { sortableSet: sortable, index: 0 },
  ];
  return findFirstRecord(set, (at) => {
    before.index = current.index;
    current.index = at;
    return compare(before, current) > 0 && !isTie(order, before, current);
  });
}

async function findFirstRecord(set: RecordSet, test: (at: number) => boolean): Promise<StoredRecord | undefined> {
  let found: number | undefined;
  await forEachSlice(set.records.length, RECORDS_PER_SLICE, (from, to) => {
    for (let at = from; at < to && found === undefined; at += 1) if (test(at)) found = at;
  });
  return found === undefined ? undefined : set.records[found];
}
