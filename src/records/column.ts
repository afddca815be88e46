import { isList } from '../model/value.js';
import type { Value } from '../model/value.js';
import type { HeldRecord } from '../model/record.js';
import { positionOf } from '../model/resource.js';
import type { Kind, Resource } from '../model/resource.js';
import { countryNames } from '../region/names.js';
import { readDate } from '../text/date.js';
import type { Precision } from '../text/date.js';
import { fold, foldLines } from '../text/fold.js';

/** The items of one property, by hashes of their folded texts: what filters look for, at eight bytes an item. Without them a filter by link takes 14 times a plain one, of a bound of 3. */
export interface HashedItems {
  /** One for each item of each record, in their order. */
  readonly hashes: Int32Array;
  /** Whose they are: positions of records. */
  readonly owners: Uint32Array;
}

/** What one property contributes to an order, by record. */
export interface OrderColumn {
  /** The value of a number or date, else the folded text of the first item; undefined where there is nothing. */
  readonly keys: readonly (number | string | undefined)[];
  /** The text as it was written, where the key is a text. */
  readonly written: readonly (string | undefined)[];
  /** Whether the property holds dates: text among its keys is no date, and comes after all dates in both directions. */
  readonly dated: boolean;
}

/** An order column that is being filled. */
interface Growing {
  readonly keys: (number | string | undefined)[];
  readonly written: (string | undefined)[];
  readonly dated: boolean;
}

/** How a property's value is found in a record, decided once per property and not once per record. */
export function reader(resource: Resource, property: string): (record: HeldRecord) => Value | undefined {
  const position = positionOf(resource, property);
  if (position >= 0) return (record) => record.value(position);
  return (record) => record.named(property);
}

/** The items of a value as texts: none where there is no value, one where it is no list. */
export function itemsOf(value: Value | undefined): readonly string[] {
  if (value === undefined) return [];
  return isList(value) ? value.map(String) : [String(value)];
}

/** Letters of a country's code (ISO 3166-1 alpha-2): nothing else is one, or is looked for as one. */
const COUNTRY_LETTERS = 2;

/** The codes among the items of a value that may be those of countries. */
export function countriesIn(value: Value | undefined): readonly string[] {
  return itemsOf(value).filter(({ length }) => length === COUNTRY_LETTERS);
}

/**
 * All that the directory's `q` searches in a record, as one folded text: every property but last-modified (interfaces.md, section 4.1), and the English
 * names of its countries (decisions.md, section 2).
 */
export function searchText(resource: Resource): (record: HeldRecord) => string {
  const searched = resource.properties.length;
  const countries = resource.countries.map((property) => reader(resource, property));
  return (record) => {
    const items: string[] = [];
    for (let position = 0; position < searched; position += 1) addItems(items, record.value(position));
    for (const [, value] of record.further) addItems(items, value);
    for (const read of countries) for (const code of countriesIn(read(record))) addItems(items, countryNames(code));
    return foldLines(items);
  };
}

/** What a search of some properties looks through, as one folded text. */
export function textOf(resource: Resource, properties: readonly string[]): (record: HeldRecord) => string {
  const reads = properties.map((property) => reader(resource, property));
  return (record) => {
    const items: string[] = [];
    for (const read of reads) addItems(items, read(record));
    return foldLines(items);
  };
}

/** Each item is a line: words hold no white space, so none can match across two of them. */
function addItems(items: string[], value: Value | undefined): void {
  if (value === undefined) return;
  if (!isList(value)) items.push(String(value));
  else for (const item of value) items.push(String(item));
}

/** An empty order column for `length` records, of a property of this kind. */
export function emptyOrderColumn(length: number, kind: Kind | undefined): Growing {
  return {
    dated: isDated(kind),
    keys: new Array<number | string | undefined>(length).fill(undefined),
    written: new Array<string | undefined>(length).fill(undefined),
  };
}

/** Enters a value into an order column: numbers and dates by value, all else as text, lists by their first item. */
export function enterOrder(column: Growing, at: number, value: Value | undefined, kind: Kind | undefined): void {
  const first = value !== undefined && isList(value) ? value[0] : value;
  if (first === undefined) return;
  const number = numberOf(first, kind);
  column.keys[at] = number;
  if (number !== undefined) return;
  const text = String(first);
  const folded = fold(text);
  const isFolded = folded === text;
  const key = isFolded ? flat(text) : folded;
  column.keys[at] = key;
  // It is looked at where keys are equal only: a part of the text that it was cut out of, where that is held already.
  column.written[at] = isFolded ? key : text;
}

/**
 * The same text, in memory of its own. What is cut out of another text is looked up there at each character, and an order looks at millions; joined
 * and not written as a template, for what that gives is two texts until somebody compares it.
 */
function flat(text: string): string {
  return [text.slice(0, 1), text.slice(1)].join('');
}

/** Whether values of the kind are dates, and ordered by their time. */
export function isDated(kind: Kind | undefined): boolean {
  return kind !== undefined && DATES.has(kind);
}

const EXACTNESS: Readonly<Record<Precision, number>> = { year: 0, month: 1, day: 2, second: 3 };

const DATES: ReadonlySet<Kind> = new Set<Kind>(['date', 'timestamp', 'spaced-timestamp', 'http-date']);

/** A date's second and, below it, its exactness: a less exact date sorts before the exact ones that it covers. */
function numberOf(value: string | number | boolean, kind: Kind | undefined): number | undefined {
  if (typeof value === 'number') return value;
  if (!isDated(kind)) return undefined;
  const moment = readDate(String(value));
  return moment && keyOf(moment.at, moment.precision);
}

function keyOf(at: number, precision: Precision): number {
  return (at / 1000) * 4 + EXACTNESS[precision];
}
