import { areSameKey, parseKeyId } from '../../identifiers/key-id.js';
import { isTooLongToCompare, toPhoneKeys } from '../../identifiers/phone-number.js';
import { toItems } from '../../model/property-value.js';
import type { StoredRecord } from '../../model/record.js';
import { directoryTeams } from '../../model/resources/directory-teams.js';
import { createPropertyReader } from '../../records/sort-and-search-columns.js';
import { parseCountryCode } from '../../region/country.js';
import { foldText } from '../../text/text-folding.js';
import { listKeys, readAddresses } from './team-facts.js';
import type { Disagreement } from './team-link.js';

/** Equal facts become equal texts. */
type Normalize = (items: readonly string[], record: StoredRecord) => readonly string[];

const normalizeWords: Normalize = (items) =>
  items.map(
    (item) =>
      foldText(item)
        .match(/[\p{L}\p{N}]+/gu)
        ?.join(' ') ?? '',
  );

/** A regular expression for the slashes at the end takes quadratic time in a URL full of slashes. */
function trimSlashes(text: string): string {
  let end = text.length;
  while (text[end - 1] === '/') end -= 1;
  return text.slice(0, end);
}

/** Facts written in several ways. All other properties are compared word by word. */
const NORMALIZERS: Readonly<Partial<Record<string, Normalize>>> = {
  'country-code': (items) => items.map((item) => parseCountryCode(item) ?? item),
  'additional-country-code': (items) => items.map((item) => parseCountryCode(item) ?? item),
  email: (_items, record) => readAddresses(record),
  website: (items) => items.map((item) => trimSlashes(item.toLowerCase().replace(/^https?:\/\/(?:www\.)?/, ''))),
  'phone-numbers': toPhoneKeys,
  enckeys: (items) => listKeys(items).map((key) => parseKeyId(key) ?? key.toUpperCase()),
  'operating-hours': (items, record) =>
    normalizeWords(items, record).map((hours) => hours.replace(/\b24 ?x ?7\b/g, '24 7')),
};

/** The source of a record is not a fact about its team, and dates of repositories always differ. */
const IGNORED: ReadonlySet<string> = new Set(['source-name', 'establishment']);

const COMPARED = directoryTeams.properties
  .filter(({ name }) => !IGNORED.has(name))
  .map(({ name }) => ({
    name,
    read: createPropertyReader(directoryTeams, name),
    normalize: NORMALIZERS[name] ?? normalizeWords,
    areEqual: name === 'enckeys' ? haveConsistentKeys : haveEqualItems,
  }));

/** Properties with different values (decisions 2.38). */
export function findDisagreements(here: StoredRecord, there: StoredRecord): readonly Disagreement[] {
  return COMPARED.flatMap(({ name, read, normalize, areEqual }) => {
    const [one, other] = [here, there].map((record) => toItems(read(record)).map(String));
    if (one === undefined || other === undefined || one.length === 0 || other.length === 0) return [];
    const isLong = isTooLongToCompare(one) || isTooLongToCompare(other);
    const isSame = isLong ? haveEqualItems(one, other) : areEqual(normalize(one, here), normalize(other, there));
    return isSame ? [] : [{ property: name, here: one, there: other }];
  });
}

/** In any order and number. */
function haveEqualItems(one: readonly string[], other: readonly string[]): boolean {
  const [a, b] = [new Set(one), new Set(other)];
  return a.size === b.size && [...a].every((item) => b.has(item));
}

/** In any order. A key id is no other key than the one whose fingerprint, in either list, ends with it. */
function haveConsistentKeys(one: readonly string[], other: readonly string[]): boolean {
  const [a, b] = [dropRepeatedKeys(one), dropRepeatedKeys(other)];
  const haveAll = (keys: readonly string[], others: readonly string[]): boolean =>
    keys.every((key) => others.some((known) => maybeSameKey(key, known)));
  return a.length === b.length && haveAll(a, b) && haveAll(b, a);
}

/** Drops repetitions, and ids of keys that are in the list with more digits. */
function dropRepeatedKeys(keys: readonly string[]): readonly string[] {
  const different = [...new Set(keys)];
  return different.filter((key) => !different.some((known) => known.length > key.length && maybeSameKey(key, known)));
}

/** Texts other than keys are the same only as they are written. */
function maybeSameKey(one: string, other: string): boolean {
  return one === other || (isKey(one) && isKey(other) && areSameKey(one, other));
}

function isKey(text: string): boolean {
  return parseKeyId(text) !== undefined;
}
