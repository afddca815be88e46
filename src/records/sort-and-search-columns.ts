import { isListValue } from '../model/property-value.js';
import type { PropertyValue } from '../model/property-value.js';
import type { StoredRecord } from '../model/record.js';
import { findPropertyPosition } from '../model/resource.js';
import type { PropertyKind, Resource } from '../model/resource.js';
import { getCountryNames } from '../region/country-names.js';
import { parseDate } from '../text/date.js';
import type { DatePrecision } from '../text/date.js';
import { foldText, foldLines } from '../text/text-folding.js';

/**
 * Hashes of the folded items of one property, in which filters search: eight bytes for each item. Without them a filter
 * by link takes 14 times as long as a plain one (bound: `filter` in bench/bounds.ts).
 */
export interface HashedItems {
  /** One hash for each item of each record, in their order. */
  readonly hashes: Int32Array;
  /** Position of the item's record, for each hash. */
  readonly recordPositions: Uint32Array;
}

/** Sort keys of one property, by record (decisions 2.23). */
export interface OrderColumn {
  /**
   * The value of a number or date, otherwise the folded text of the first item; undefined for a record without the
   * property.
   */
  readonly keys: readonly (number | string | undefined)[];
  /** The unfolded text, where the key is a text. */
  readonly originalTexts: readonly (string | undefined)[];
  /**
   * Whether the property contains dates. Text among the keys of such a property is not a date, and comes after all
   * dates in both directions.
   */
  readonly isDate: boolean;
}

/** An order column under construction. */
interface OrderColumnBuilder {
  readonly keys: (number | string | undefined)[];
  readonly originalTexts: (string | undefined)[];
  readonly isDate: boolean;
}

/**
 * Returns a function that reads a property from a record. The position of the property is looked up once, not for each
 * record.
 */
export function createPropertyReader(
  resource: Resource,
  property: string,
): (record: StoredRecord) => PropertyValue | undefined {
  const position = findPropertyPosition(resource, property);
  if (position >= 0) return (record) => record.valueAt(position);
  if (property === resource.idProperty) return (record) => record.id;
  return (record) => record.extraValue(property);
}

/** Returns the items of a value as texts: none for an absent value, one for a scalar. */
export function toTextItems(value: PropertyValue | undefined): readonly string[] {
  if (value === undefined) return [];
  return isListValue(value) ? value.map(String) : [String(value)];
}

/**
 * Maximum number of characters of the items of one property that a filter compares. A request target has 8 KiB at most, and
 * items that together are longer than all of a usual record have no place in a directory.
 */
const MAX_COMPARED_LENGTH = 65_536;

/** The items of a value that a filter compares: those that fit, in their order. */
export function listComparedItems(value: PropertyValue | undefined): readonly string[] {
  let room = MAX_COMPARED_LENGTH;
  return toTextItems(value).filter(({ length }) => {
    room -= length;
    return room >= 0;
  });
}

/** Length of an ISO 3166-1 alpha-2 code. No other item is a country code. */
const COUNTRY_CODE_LENGTH = 2;

/** Returns the items of a value that may be country codes. */
export function filterCountryCodes(value: PropertyValue | undefined): readonly string[] {
  return toTextItems(value).filter(({ length }) => length === COUNTRY_CODE_LENGTH);
}

/**
 * Returns a function that builds the text that the directory's `q` searches: all properties of the record except
 * last-modified, and the English names of its countries, folded (decisions 2.27; interfaces 4.1).
 */
export function createSearchTextReader(resource: Resource): (record: StoredRecord) => string {
  const searched = resource.properties.length;
  const countries = resource.countryProperties.map((property) => createPropertyReader(resource, property));
  return (record) => {
    const items: string[] = [];
    for (let position = 0; position < searched; position += 1) addItems(items, record.valueAt(position));
    for (const [, value] of record.extraProperties) addItems(items, value);
    for (const read of countries)
      for (const code of filterCountryCodes(read(record))) addItems(items, getCountryNames(code));
    return foldLines(items);
  };
}

/** Returns a function that builds the folded text of some properties, which a search examines. */
export function createTextReader(resource: Resource, properties: readonly string[]): (record: StoredRecord) => string {
  const reads = properties.map((property) => createPropertyReader(resource, property));
  return (record) => {
    const items: string[] = [];
    for (const read of reads) addItems(items, read(record));
    return foldLines(items);
  };
}

/** Each item becomes a line. Words contain no white space, so no word matches across two items. */
function addItems(items: string[], value: PropertyValue | undefined): void {
  if (value === undefined) return;
  if (!isListValue(value)) items.push(String(value));
  else for (const item of value) items.push(String(item));
}

/** Creates an empty order column for `length` records and a property of this kind. */
export function createOrderColumn(length: number, kind: PropertyKind | undefined): OrderColumnBuilder {
  return {
    isDate: isDateKind(kind),
    keys: new Array<number | string | undefined>(length).fill(undefined),
    originalTexts: new Array<string | undefined>(length).fill(undefined),
  };
}

/** Sets the sort key of one record: numbers and dates by value, everything else as text, lists by their first item. */
export function setSortKey(
  column: OrderColumnBuilder,
  at: number,
  value: PropertyValue | undefined,
  kind: PropertyKind | undefined,
): void {
  const first = value !== undefined && isListValue(value) ? value[0] : value;
  if (first === undefined) return;
  const number = toNumericKey(first, kind);
  column.keys[at] = number;
  if (number !== undefined) return;
  const text = String(first);
  const folded = foldText(text);
  const isFolded = folded === text;
  const key = isFolded ? flattenString(text) : folded;
  column.keys[at] = key;
  // Read only where keys are equal. Unless it equals the key, it stays a substring of the text of its sheet, which is
  // in memory anyway.
  column.originalTexts[at] = isFolded ? key : text;
}

/**
 * Copies a text into memory of its own. V8 resolves a substring through its parent string at every character access,
 * and a sort makes millions of them. `join` is used because the result of a template literal or concatenation would
 * stay two strings until the first comparison.
 */
function flattenString(text: string): string {
  return [text.slice(0, 1), text.slice(1)].join('');
}

/** Whether values of the kind are dates, which are ordered by time. */
export function isDateKind(kind: PropertyKind | undefined): boolean {
  return kind !== undefined && DATE_KINDS.has(kind);
}

const PRECISION_RANK: Readonly<Record<DatePrecision, number>> = { year: 0, month: 1, day: 2, second: 3 };

const DATE_KINDS: ReadonlySet<PropertyKind> = new Set<PropertyKind>([
  'date',
  'timestamp',
  'spaced-timestamp',
  'http-date',
]);

/**
 * Returns a number, or the key of a date: its second and, within it, its precision, so that a less exact date comes
 * before the exact dates that it covers. Returns undefined for other text.
 */
function toNumericKey(value: string | number | boolean, kind: PropertyKind | undefined): number | undefined {
  if (typeof value === 'number') return value;
  if (!isDateKind(kind)) return undefined;
  const moment = parseDate(String(value));
  return moment && toDateKey(moment.epochMs, moment.precision);
}

function toDateKey(at: number, precision: DatePrecision): number {
  return (at / 1000) * 4 + PRECISION_RANK[precision];
}
