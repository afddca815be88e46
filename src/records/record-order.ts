import type { Compare } from '../merge/heap.js';
import type { SortKey } from '../model/query.js';
import { compareCodePoints } from '../text/code-point-order.js';
import type { OrderColumn } from './sort-and-search-columns.js';
import type { RecordSet } from './record-set.js';

/**
 * A record set with the sort keys of an order. All sets of a query have the columns of the same properties in the same
 * sequence.
 */
export interface SortableRecordSet {
  readonly set: RecordSet;
  readonly columns: readonly OrderColumn[];
}

/** One record of one set. */
export interface RecordPosition {
  readonly sortableSet: SortableRecordSet;
  readonly index: number;
}

/** Gets the sort keys of an order from the set, which computes them at the first call. */
export async function prepareSort(set: RecordSet, order: readonly SortKey[]): Promise<SortableRecordSet> {
  return { set, columns: await Promise.all(order.map(({ property }) => set.orderColumn(property))) };
}

/**
 * Returns a comparison for the total order of decisions 2.23: the properties of the order in turn, then source number,
 * then id, which is unique within a source. Records without a property come last in both directions. In a date
 * property, text that is not a date comes after all dates in both directions and is ordered in the requested direction.
 */
export function createRecordComparator(order: readonly SortKey[]): Compare<RecordPosition> {
  return (a, b) => {
    for (let key = 0; key < order.length; key += 1) {
      const difference = compareField(a, b, key, order[key]?.descending === true);
      if (difference !== 0) return difference;
    }
    return a.sortableSet.set.sourceNumber - b.sortableSet.set.sourceNumber || compareIds(idOf(a), idOf(b));
  };
}

/** Whether two records are equal in an order, so that only source number and id decide. */
export function isTie(order: readonly SortKey[], a: RecordPosition, b: RecordPosition): boolean {
  return order.every((_, key) => compareField(a, b, key, false) === 0);
}

/** Compares integers by value although they are text: without leading zeros, the shorter one is smaller. */
function compareIds(a: string, b: string): number {
  return INTEGER.test(a) && INTEGER.test(b) ? a.length - b.length || compareCodePoints(a, b) : compareCodePoints(a, b);
}

const INTEGER = /^\d+$/;

function idOf({ sortableSet: from, index: at }: RecordPosition): string {
  return from.set.records[at]?.id ?? '';
}

function compareField(a: RecordPosition, b: RecordPosition, key: number, descending: boolean): number {
  const [left, right] = [a.sortableSet.columns[key], b.sortableSet.columns[key]];
  const [x, y] = [left?.keys[a.index], right?.keys[b.index]];
  if (x === undefined || y === undefined) return Number(x === undefined) - Number(y === undefined);
  if (left?.isDate === true && typeof x !== typeof y) return compareKeys(x, y);
  const difference =
    compareKeys(x, y) || compareCodePoints(left?.originalTexts[a.index] ?? '', right?.originalTexts[b.index] ?? '');
  return descending ? -difference : difference;
}

/** Numbers and dates come before other text. */
function compareKeys(x: number | string, y: number | string): number {
  if (typeof x === 'string') return typeof y === 'string' ? compareCodePoints(x, y) : 1;
  return typeof y === 'string' ? -1 : x - y;
}
