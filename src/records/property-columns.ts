import { isListValue } from '../model/property-value.js';
import type { PropertyValue } from '../model/property-value.js';
import type { StoredRecord } from '../model/record.js';
import { findPropertyPosition } from '../model/resource.js';
import type { PropertyKind, Resource } from '../model/resource.js';
import { getCountryNames } from '../region/country-names.js';
import { parseDate } from '../text/date.js';
import type { DatePrecision } from '../text/date.js';
import { foldText, foldLines } from '../text/text-folding.js';

/** The items of one property, by hashes of their folded texts: what filters look for, at eight bytes an item. Without them a filter by link takes 14 times a plain one, of a bound of 3. */
export interface HashedItems {
  /** One for each item of each record, in their order. */
  readonly hashes: Int32Array;
  /** Whose they are: positions of records. */
  readonly recordPositions: Uint32Array;
}

/** What one property contributes to an order, by record. */
export interface OrderColumn {
  /** The value of a number or date, else the folded text of the first item; undefined where there is nothing. */
  readonly keys: readonly (number | string | undefined)[];
  /** The text as it was written, where the key is a text. */
  readonly originalTexts: readonly (string | undefined)[];
  /** Whether the property holds dates: text among its keys is no date, and comes after all dates in both directions. */
  readonly isDate: boolean;
}

/** An order column that is being filled. */
interface OrderColumnBuilder {
  readonly keys: (number | string | undefined)[];
  readonly originalTexts: (string | undefined)[];
  readonly isDate: boolean;
}

/** How a property's value is found in a record, decided once per property and not once per record. */
export function createPropertyReader(
  resource: Resource,
  property: string,
): (record: StoredRecord) => PropertyValue | undefined {
  const position = findPropertyPosition(resource, property);
  if (position >= 0) return (record) => record.valueAt(position);
  return (record) => record.extraValue(property);
}

/** The items of a value as texts: none where there is no value, one where it is no list. */
export function toTextItems(value: PropertyValue | undefined): readonly string[] {
  if (value === undefined) return [];
  return isListValue(value) ? value.map(String) : [String(value)];
}

/** Letters of a country's code (ISO 3166-1 alpha-2): nothing else is one, or is looked for as one. */
const COUNTRY_CODE_LENGTH = 2;

/** The codes among the items of a value that may be those of countries. */
export function filterCountryCodes(value: PropertyValue | undefined): readonly string[] {
  return toTextItems(value).filter(({ length }) => length === COUNTRY_CODE_LENGTH);
}

/**
 * All that the directory's `q` searches in a record, as one folded text: every property but last-modified (interfaces.md, section 4.1), and the English
 * names of its countries (decisions.md, section 2).
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

/** What a search of some properties looks through, as one folded text. */
export function createTextReader(resource: Resource, properties: readonly string[]): (record: StoredRecord) => string {
  const reads = properties.map((property) => createPropertyReader(resource, property));
  return (record) => {
    const items: string[] = [];
    for (const read of reads) addItems(items, read(record));
    return foldLines(items);
  };
}

/** Each item is a line: words hold no white space, so none can match across two of them. */
function addItems(items: string[], value: PropertyValue | undefined): void {
  if (value === undefined) return;
  if (!isListValue(value)) items.push(String(value));
  else for (const item of value) items.push(String(item));
}

/** An empty order column for `length` records, of a property of this kind. */
export function createOrderColumn(length: number, kind: PropertyKind | undefined): OrderColumnBuilder {
  return {
    isDate: isDateKind(kind),
    keys: new Array<number | string | undefined>(length).fill(undefined),
    originalTexts: new Array<string | undefined>(length).fill(undefined),
  };
}

/** Enters a value into an order column: numbers and dates by value, all else as text, lists by their first item. */
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
  // It is looked at where keys are equal only: a part of the text that it was cut out of, where that is held already.
  column.originalTexts[at] = isFolded ? key : text;
}

/**
 * The same text, in memory of its own. What is cut out of another text is looked up there at each character, and an order looks at millions; joined
 * and not written as a template, for what that gives is two texts until somebody compares it.
 */
function flattenString(text: string): string {
  return [text.slice(0, 1), text.slice(1)].join('');
}

/** Whether values of the kind are dates, and ordered by their time. */
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

/** A date's second and, below it, its exactness: a less exact date sorts before the exact ones that it covers. */
function toNumericKey(value: string | number | boolean, kind: PropertyKind | undefined): number | undefined {
  if (typeof value === 'number') return value;
  if (!isDateKind(kind)) return undefined;
  const moment = parseDate(String(value));
  return moment && toDateKey(moment.epochMs, moment.precision);
}

function toDateKey(at: number, precision: DatePrecision): number {
  return (at / 1000) * 4 + PRECISION_RANK[precision];
}
