import type { Compare } from '../merge/heap.js';
import type { SortKey } from '../model/query.js';
import { compareCodePoints } from '../text/code-points.js';
import type { OrderColumn } from './column.js';
import type { RecordSet } from './record-set.js';

/** A set with the sort keys of one order at hand: the same properties, in the same sequence, for every set of a query. */
export interface OrderedSet {
  readonly set: RecordSet;
  readonly columns: readonly OrderColumn[];
}

/** One record of one set. */
export interface Place {
  readonly from: OrderedSet;
  readonly at: number;
}

/** Computes, or finds, the sort keys that the order needs. */
export async function withOrder(set: RecordSet, order: readonly SortKey[]): Promise<OrderedSet> {
  return { set, columns: await Promise.all(order.map(({ property }) => set.orderColumn(property))) };
}

/**
 * The total order of section 2 of decisions.md: the fields asked for in turn; records without a field last in both directions, and before them, where
 * the field is a date, those with text that is none (among themselves in the direction asked);
 * ties by source number, then by the record's id, which is unique within its source.
 */
export function totalOrder(order: readonly SortKey[]): Compare<Place> {
  return (a, b) => {
    for (let key = 0; key < order.length; key += 1) {
      const difference = compareField(a, b, key, order[key]?.descending === true);
      if (difference !== 0) return difference;
    }
    return a.from.set.sourceNumber - b.from.set.sourceNumber || compareIds(idOf(a), idOf(b));
  };
}

/** Whether two records are equal in an order, and only source and id tell which one stands first. */
export function isTie(order: readonly SortKey[], a: Place, b: Place): boolean {
  return order.every((_, key) => compareField(a, b, key, false) === 0);
}

/** Integers by value, though they are held as text: of two without leading zeros, the shorter is the smaller. */
function compareIds(a: string, b: string): number {
  return INTEGER.test(a) && INTEGER.test(b) ? a.length - b.length || compareCodePoints(a, b) : compareCodePoints(a, b);
}

const INTEGER = /^\d+$/;

function idOf({ from, at }: Place): string {
  return from.set.records[at]?.id ?? '';
}

function compareField(a: Place, b: Place, key: number, descending: boolean): number {
  const [left, right] = [a.from.columns[key], b.from.columns[key]];
  const [x, y] = [left?.keys[a.at], right?.keys[b.at]];
  if (x === undefined || y === undefined) return Number(x === undefined) - Number(y === undefined);
  if (left?.dated === true && typeof x !== typeof y) return compareKeys(x, y);
  const difference = compareKeys(x, y) || compareCodePoints(left?.written[a.at] ?? '', right?.written[b.at] ?? '');
  return descending ? -difference : difference;
}

/** Numbers and dates come before text that is none. */
function compareKeys(x: number | string, y: number | string): number {
  if (typeof x === 'string') return typeof y === 'string' ? compareCodePoints(x, y) : 1;
  return typeof y === 'string' ? -1 : x - y;
}
