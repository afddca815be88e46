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
 * Hashes of folded items, eight bytes each, in which filters search. Without them a filter by link takes 14 times as
 * long as a plain one (bound: `filter` in bench/bounds.ts).
 */
export interface HashedItems {
  /** In the order of records and their items. */
  readonly hashes: Int32Array;
  /** Of the item's record, for each hash. */
  readonly recordPositions: Uint32Array;
}

/** By record (decisions 2.23). */
export interface OrderColumn {
  /** The value of a number or date, else the folded first item; undefined for a record without the property. */
  readonly keys: readonly (number | string | undefined)[];
  /** The unfolded text, where the key is a text. */
  readonly originalTexts: readonly (string | undefined)[];
  /** Then text among the keys is not a date, and comes after all dates in both directions. */
  readonly isDate: boolean;
}

interface OrderColumnBuilder {
  readonly keys: (number | string | undefined)[];
  readonly originalTexts: (string | undefined)[];
  readonly isDate: boolean;
}

/** Looks up the position of the property once, not for each record. */
export function createPropertyReader(
  resource: Resource,
  property: string,
): (record: StoredRecord) => PropertyValue | undefined {
  const position = findPropertyPosition(resource, property);
  if (position >= 0) return (record) => record.valueAt(position);
  if (property === resource.idProperty) return (record) => record.id;
  return (record) => record.extraValue(property);
}

/** None for an absent value, one for a scalar. */
export function toTextItems(value: PropertyValue | undefined): readonly string[] {
  if (value === undefined) return [];
  return isListValue(value) ? value.map(String) : [String(value)];
}

/**
 * Maximum characters of the items of a property that a filter compares. A request target has 8 KiB at most, and longer
 * items have no place in a directory.
 */
const MAX_COMPARED_LENGTH = 65_536;

export function listComparedItems(value: PropertyValue | undefined): readonly string[] {
  let room = MAX_COMPARED_LENGTH;
  return toTextItems(value).filter(({ length }) => {
    room -= length;
    return room >= 0;
  });
}

/** Of ISO 3166-1 alpha-2. No other item is a country code. */
const COUNTRY_CODE_LENGTH = 2;

/** Items that may be country codes. */
export function filterCountryCodes(value: PropertyValue | undefined): readonly string[] {
  return toTextItems(value).filter(({ length }) => length === COUNTRY_CODE_LENGTH);
}

/**
 * The text that the directory's `q` searches: all properties except last-modified, and the English names of the
 * countries, folded (decisions 2.27; interfaces 4.1).
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

export function createOrderColumn(length: number, kind: PropertyKind | undefined): OrderColumnBuilder {
  return {
    isDate: isDateKind(kind),
    keys: new Array<number | string | undefined>(length).fill(undefined),
    originalTexts: new Array<string | undefined>(length).fill(undefined),
  };
}

/** Numbers and dates by value, everything else as text, lists by their first item. */
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
 * Copies a text into memory of its own: V8 resolves a substring through its parent at every character access, and a
 * sort makes millions. The result of a template literal or concatenation, unlike that of `join`, would stay two strings
 * until the first comparison.
 */
function flattenString(text: string): string {
  return [text.slice(0, 1), text.slice(1)].join('');
}

function isDateKind(kind: PropertyKind | undefined): boolean {
  return kind !== undefined && DATE_KINDS.has(kind);
}

const PRECISION_RANK: Readonly<Record<DatePrecision, number>> = { year: 0, month: 1, day: 2, second: 3 };

const DATE_KINDS: ReadonlySet<PropertyKind> = new Set<PropertyKind>([
  'date',
  'timestamp',
  'spaced-timestamp',
  'http-date',
]);

/** A date's key has its second and, within it, its precision: a less exact date precedes those that it covers. */
function toNumericKey(value: string | number | boolean, kind: PropertyKind | undefined): number | undefined {
  if (typeof value === 'number') return value;
  if (!isDateKind(kind)) return undefined;
  const moment = parseDate(String(value));
  return moment && toDateKey(moment.epochMs, moment.precision);
}

function toDateKey(at: number, precision: DatePrecision): number {
  return (at / 1000) * 4 + PRECISION_RANK[precision];
}
