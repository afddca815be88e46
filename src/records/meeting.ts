import type { Predicate, SortKey } from '../model/query.js';
import type { HeldRecord } from '../model/record.js';
import { inSlices } from '../model/slices.js';
import { matcher } from './filter.js';
import { isTie, totalOrder, withOrder } from './order.js';
import type { RecordSet } from './record-set.js';

/** Records that are looked at in one slice. */
const SLICE = 8_192;

/** The first record of a set that does not meet a predicate; undefined where all do. */
export async function strayIn(set: RecordSet, predicate: Predicate): Promise<HeldRecord | undefined> {
  const met = await matcher(set, [predicate]);
  return met && first(set, (at) => !met.matches(at));
}

/** The first record of a set that meets all of the predicates; undefined where none does. */
export async function matchIn(set: RecordSet, where: readonly Predicate[]): Promise<HeldRecord | undefined> {
  const met = await matcher(set, where);
  return first(set, (at) => met?.matches(at) ?? true);
}

/** The first record of a set that should stand before the one in front of it; undefined where all stand as the order has them, but for equals. */
export async function misplacedIn(set: RecordSet, order: readonly SortKey[]): Promise<HeldRecord | undefined> {
  const from = await withOrder(set, order);
  const compare = totalOrder(order);
  const [before, here] = [
    { from, at: 0 },
    { from, at: 0 },
  ];
  return first(set, (at) => {
    before.at = here.at;
    here.at = at;
    return compare(before, here) > 0 && !isTie(order, before, here);
  });
}

async function first(set: RecordSet, is: (at: number) => boolean): Promise<HeldRecord | undefined> {
  let found: number | undefined;
  await inSlices(set.records.length, SLICE, (from, to) => {
    for (let at = from; at < to && found === undefined; at += 1) if (is(at)) found = at;
  });
  return found === undefined ? undefined : set.records[found];
}
