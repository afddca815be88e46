import { toItems } from '../../model/property-value.js';
import type { PropertyValue } from '../../model/property-value.js';
import type { StoredRecord } from '../../model/record.js';
import { DERIVED_FINGERPRINT, findPropertyPosition, isPgpKeyProperty } from '../../model/resource.js';
import type { Property, Resource, SearchField } from '../../model/resource.js';
import { getCountryNames, getLocalCountryNames } from '../../region/country-names.js';
import { SEARCH_FIELDS, isNameField } from './terms.js';

/** A property with its items as texts. */
export interface SearchedProperty {
  readonly name: string;
  readonly field: SearchField;
  readonly items: readonly string[];
  /** Present where the record has more than is searched. */
  readonly isCut?: true;
}

/**
 * Maximum characters of the properties of one field, line breaks between their items included: no record fills the
 * memory of the indexes.
 */
export const MAX_SEARCHED_LENGTH = 131_072;

/**
 * In characters. A longer item is searched in pieces of some milliseconds of work. A character beyond ASCII may be
 * folded to 18 (U+FDFA).
 */
const MAX_ITEM_LENGTH = { ascii: 16_384, other: 4_096 };
const ASCII = /^[\0-\x7f]*$/;

/** Further properties with numbers of autonomous systems, which may be written without `AS`. */
const AS_NUMBER_PROPERTY = /(?:^|-)(?:asn?s?|asn?-?numbers?)$/i;

/**
 * Lists properties in the order of the record: properties of the table that say what they are (`searchedAs`), and all
 * further ones. Country codes are followed by the names of the country in English and in its official languages.
 */
export function createPropertyLister(resource: Resource): (record: StoredRecord) => readonly SearchedProperty[] {
  const known = new Map([...resource.properties, ...resource.knownExtraProperties].map((one) => [one.name, one]));
  const stored = resource.properties.flatMap((property) =>
    property.searchedAs === undefined ? [] : [{ property, at: findPropertyPosition(resource, property.name) }],
  );
  const describe = (
    property: Pick<Property, 'name' | 'kind' | 'searchedAs'>,
    value: PropertyValue,
  ): SearchedProperty[] =>
    property.searchedAs === undefined
      ? []
      : [{ name: property.name, field: property.searchedAs, items: listItems(property, value) }];
  return (record) => {
    const found: SearchedProperty[] = [];
    for (const { property, at } of stored) {
      const value = record.valueAt(at);
      if (value !== undefined) found.push(...describe(property, value));
    }
    for (const [name, value] of record.extraProperties)
      found.push(...describe(known.get(name) ?? describeFurther(resource, name), value));
    return limitLengths(found);
  };
}

/** Names that people type, in addition to those that `q` of the lists searches (decisions 2.27). */
const COMMON_COUNTRY_NAMES: Readonly<Record<string, readonly string[]>> = {
  AE: ['UAE'],
  GB: ['UK', 'Great Britain'],
  NL: ['Holland'],
  US: ['USA', 'America'],
};

function listCountryNames(code: string): readonly string[] {
  return [...getCountryNames(code), ...(COMMON_COUNTRY_NAMES[code] ?? []), ...getLocalCountryNames(code)];
}

const KEY_PROPERTY = 'pgp-key';

/** Cuts each field after `MAX_SEARCHED_LENGTH` characters. */
function limitLengths(properties: readonly SearchedProperty[]): readonly SearchedProperty[] {
  const remaining = new Map<SearchField, number>();
  return properties.map(({ name, field, items }) => {
    let room = remaining.get(field) ?? MAX_SEARCHED_LENGTH;
    const searched: string[] = [];
    let isCut = false;
    for (const item of items) {
      isCut ||= item.length > room;
      if (room <= 0) break;
      searched.push(...splitItem(item.slice(0, room)));
      room -= item.length + 1;
    }
    remaining.set(field, room);
    return { name, field, items: searched, ...(isCut && { isCut }) };
  });
}

function splitItem(item: string): readonly string[] {
  const pieces: string[] = [];
  const most = ASCII.test(item) ? MAX_ITEM_LENGTH.ascii : MAX_ITEM_LENGTH.other;
  let from = 0;
  while (item.length - from > most) {
    const space = item.slice(from, from + most).search(LAST_SPACE);
    const end = from + (space > 0 ? space : most);
    pieces.push(item.slice(from, end));
    from = end;
  }
  return [...pieces, item.slice(from)];
}

/** White space with nothing but one word behind it. */
const LAST_SPACE = /\s\S{0,200}$/;

/** Ids of keys where its name says so, else one of the other properties. */
function describeFurther(resource: Resource, name: string): Pick<Property, 'name' | 'kind' | 'searchedAs'> {
  // No response shows the internal name of fingerprints that are derived from keys.
  if (name === DERIVED_FINGERPRINT) return { name: KEY_PROPERTY, kind: 'texts', searchedAs: 'key' };
  return { name, kind: 'texts', searchedAs: isPgpKeyProperty(resource, name) ? 'key' : 'other' };
}

function listItems({ name, kind }: Pick<Property, 'name' | 'kind'>, value: PropertyValue): readonly string[] {
  // One more than is searched, so that `limitLengths` notices what is cut.
  const items = toItems(value)
    .slice(0, MAX_SEARCHED_LENGTH + 1)
    .map((item) => String(item).slice(0, MAX_SEARCHED_LENGTH + 1));
  if (kind === 'country' || kind === 'countries') return items.flatMap((code) => [code, ...listCountryNames(code)]);
  return AS_NUMBER_PROPERTY.test(name) ? items.map((item) => item.replace(/^\d+$/, 'AS$&')) : items;
}

/** In the order of `SEARCH_FIELDS`. Each item is a line, and each name is one. */
export type FieldTexts = readonly string[];

export function collectTexts(properties: readonly SearchedProperty[]): FieldTexts {
  const lines = new Map<SearchField, string[]>();
  for (const { field, items } of properties) {
    const known = lines.get(field) ?? [];
    lines.set(field, known);
    for (const item of items) known.push(isNameField(field) ? item.replaceAll('\n', ' ') : item);
  }
  return SEARCH_FIELDS.map((field) => (lines.get(field) ?? []).join('\n'));
}
