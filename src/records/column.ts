import { itemsOf, isList } from '../model/value.js';
import type { Value } from '../model/value.js';
import type { HeldRecord } from '../model/record.js';
import { positionOf } from '../model/resource.js';
import type { Kind, Resource } from '../model/resource.js';
import { readDate } from '../text/date.js';
import type { Precision } from '../text/date.js';
import { fold } from '../text/fold.js';

/** Folded text of one property, by record: what filters compare with. */
export type FoldedCell = string | readonly string[] | undefined;

/** What one property contributes to an order, by record. A record has a number, or a text, or neither. */
export interface OrderColumn {
  /** NaN where the value is not a number or date. */
  readonly numbers: Float64Array;
  /** Folded text of the first item; undefined where there is a number or nothing. */
  readonly folded: (string | undefined)[];
  /** The same, as it was written. */
  readonly written: (string | undefined)[];
}

/** How a property's value is found in a record, decided once per property and not once per record. */
export function reader(resource: Resource, property: string): (record: HeldRecord) => Value | undefined {
  const position = positionOf(resource, property);
  if (position >= 0) return (record) => record.values[position];
  return (record) => record.further.find(([name]) => name === property)?.[1];
}

/** Folded text of a value, item by item. */
export function foldedCell(value: Value | undefined): FoldedCell {
  if (value === undefined) return undefined;
  return isList(value) ? value.map((item) => fold(String(item))) : fold(String(value));
}

/** All that `q` searches in a record, as one folded text: every property but last-modified (interfaces.md, section 4.1). */
export function searchText(resource: Resource, record: HeldRecord): string {
  const skipped = positionOf(resource, resource.lastModified);
  const parts: string[] = [];
  record.values.forEach((value, position) => {
    if (position !== skipped && value !== undefined) parts.push(isList(value) ? value.join('\n') : String(value));
  });
  for (const [, value] of record.further) parts.push(itemsOf(value).join('\n'));
  // Words hold no white space, so none can match across the line feed between two values.
  return fold(parts.join('\n'));
}

/** An empty order column for `length` records. */
export function emptyOrderColumn(length: number): OrderColumn {
  return {
    numbers: new Float64Array(length).fill(NaN),
    folded: new Array<string | undefined>(length).fill(undefined),
    written: new Array<string | undefined>(length).fill(undefined),
  };
}

/** Enters a value into an order column: numbers and dates by value, all else as text, lists by their first item. */
export function enterOrder(column: OrderColumn, at: number, value: Value | undefined, kind: Kind | undefined): void {
  const [first] = itemsOf(value);
  if (first === undefined) return;
  const number = numberOf(first, kind);
  if (number !== undefined) {
    column.numbers[at] = number;
    return;
  }
  const text = String(first);
  column.folded[at] = fold(text);
  column.written[at] = text;
}

const EXACTNESS: Readonly<Record<Precision, number>> = { year: 0, month: 1, day: 2, second: 3 };

/** A date's second and, below it, its exactness: a less exact date sorts before the exact ones that it covers. */
function numberOf(value: string | number | boolean, kind: Kind | undefined): number | undefined {
  if (typeof value === 'number') return value;
  if (kind !== 'date' && kind !== 'timestamp') return undefined;
  const moment = readDate(String(value));
  return moment && (moment.at / 1000) * 4 + EXACTNESS[moment.precision];
}
