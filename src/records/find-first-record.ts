import type { Predicate, SortKey } from '../model/query.js';
import type { StoredRecord } from '../model/record.js';
import { forEachSlice } from '../event-loop/time-slicing.js';
import { createMatcher } from './record-filter.js';
import { isTie, createRecordComparator, prepareSort } from './record-order.js';
import type { RecordSet } from './record-set.js';

const RECORDS_PER_SLICE = 8_192;

export async function findNonMatchingRecord(set: RecordSet, predicate: Predicate): Promise<StoredRecord | undefined> {
  const matcher = await createMatcher(set, [predicate]);
  return matcher && findFirstRecord(set, (at) => !matcher.matches(at));
}

export async function findMatchingRecord(
  set: RecordSet,
  predicates: readonly Predicate[],
): Promise<StoredRecord | undefined> {
  const matcher = await createMatcher(set, predicates);
  return findFirstRecord(set, (at) => matcher?.matches(at) ?? true);
}

/** Returns the first record that should come before its predecessor. Equal records may be in any sequence. */
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
