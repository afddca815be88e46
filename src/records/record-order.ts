import type { Compare } from '../merge/heap.js';
import type { SortKey } from '../model/query.js';
import { compareCodePoints } from '../text/code-point-order.js';
import type { OrderColumn } from './sort-and-search-columns.js';
import type { RecordSet } from './record-set.js';

/** All sets of a query have the columns of the same properties in the same sequence. */
export interface SortableRecordSet {
  readonly set: RecordSet;
  readonly columns: readonly OrderColumn[];
}

export interface RecordPosition {
  readonly sortableSet: SortableRecordSet;
  readonly index: number;
}

/** The set computes its sort keys at the first call. */
export async function prepareSort(set: RecordSet, order: readonly SortKey[]): Promise<SortableRecordSet> {
  return { set, columns: await Promise.all(order.map(({ property }) => set.orderColumn(property))) };
}

/**
 * Compares by the properties of the order, then source number, then id (decisions 2.23). Records without a property
 * come last in both directions. In a date property, other text comes after all dates in both directions, itself in the
 * requested direction.
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

/** Whether only source number and id decide. */
export function isTie(order: readonly SortKey[], a: RecordPosition, b: RecordPosition): boolean {
  return order.every((_, key) => compareField(a, b, key, false) === 0);
}

/** Compares integers that are text: without leading zeros, the shorter one is smaller. */
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
