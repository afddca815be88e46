import { findEmailAddresses } from '../../identifiers/email-address.js';
import { areSameKey, parseKeyId } from '../../identifiers/key-id.js';
import { isTooLongToCompare, toPhoneKeys } from '../../identifiers/phone-number.js';
import { toItems } from '../../model/property-value.js';
import type { StoredRecord } from '../../model/record.js';
import { directoryTeams } from '../../model/resources/directory-teams.js';
import { createPropertyReader } from '../../records/sort-and-search-columns.js';
import { parseCountryCode } from '../../region/country.js';
import { foldText } from '../../text/text-folding.js';
import { foldWords, listKeys } from './team-facts.js';
import type { Disagreement } from './team-link.js';

/** Properties of one record, as its repository states them. A property without a value is absent or empty. */
export type StatedValues = ReadonlyMap<string, readonly string[]>;

/**
 * What the records that state a property say together (decisions 2.38):
 *
 * - `alone`: only one of several records states it;
 * - `agree`: all that state it state the same facts, in whatever spelling;
 * - `differ`: some facts are not stated by all of them;
 * - `contradict`: two of them have no fact in common, of a kind that a reader acts on.
 */
type Agreement = 'alone' | 'agree' | 'differ' | 'contradict';

export interface ComparedValue {
  readonly text: string;
  /** Number of records that state the same fact, this one included. */
  readonly holders: number;
}

export interface ComparedProperty {
  readonly property: string;
  readonly agreement: Agreement;
  /** All that state it write it in the same way. */
  readonly isSpeltAlike: boolean;
  /** For each record, in their order; empty where it does not state the property. */
  readonly values: readonly (readonly ComparedValue[])[];
}

/** How the values of a property are compared. Equal facts become equal texts. */
interface Comparison {
  /** A source may write several facts into one text. */
  readonly split?: (texts: readonly string[]) => readonly string[];
  readonly normalize: (texts: readonly string[]) => readonly string[];
  /** Beside equal texts. */
  readonly isSame?: (one: string, other: string) => boolean;
  /** Of two values without a common fact, at most one leads the reader to the team. */
  readonly isActedOn?: boolean;
}

/** A text without any letter or digit is compared as it is. */
function normalizeWords(texts: readonly string[]): readonly string[] {
  return texts.map((text) => foldWords(text) ?? foldText(text).trim());
}

/** A regular expression for the slashes at the end takes quadratic time in a URL full of slashes. */
function trimSlashes(text: string): string {
  let end = text.length;
  while (text[end - 1] === '/') end -= 1;
  return text.slice(0, end);
}

/** As {@link listKeys}, of e-mail addresses. A text without an address is compared as it is. */
function splitAddresses(texts: readonly string[]): readonly string[] {
  return texts.flatMap((text) => {
    const found = findEmailAddresses(text, MAX_ADDRESSES);
    return found.length === 0 ? [text] : found;
  });
}

const MAX_ADDRESSES = 20;

const COUNTRIES: Comparison = { normalize: (texts) => texts.map((text) => parseCountryCode(text) ?? text) };
const PHONES: Comparison = { normalize: toPhoneKeys, isActedOn: true };

/** Facts written in several ways. All other properties are compared word by word. */
const COMPARISONS: Readonly<Partial<Record<string, Comparison>>> = {
  'country-code': COUNTRIES,
  'additional-country-code': COUNTRIES,
  email: { split: splitAddresses, normalize: (texts) => texts.map((text) => text.toLowerCase()), isActedOn: true },
  website: {
    normalize: (texts) => texts.map((text) => trimSlashes(text.toLowerCase().replace(/^https?:\/\/(?:www\.)?/, ''))),
  },
  'phone-numbers': PHONES,
  'phone-emergency': PHONES,
  enckeys: {
    split: listKeys,
    normalize: (keys) => dropRepeatedKeys(keys.map((key) => parseKeyId(key) ?? key.toUpperCase())),
    isSame: maybeSameKey,
    isActedOn: true,
  },
  'operating-hours': {
    normalize: (texts) => normalizeWords(texts).map((hours) => hours.replace(/\b24 ?x ?7\b/g, '24 7')),
    isActedOn: true,
  },
  // `1996` is no other date than `1996-07-14`.
  establishment: {
    normalize: (texts) => texts,
    isSame: (one, other) => one.startsWith(other) || other.startsWith(one),
  },
};

const WORDS: Comparison = { normalize: normalizeWords };

/**
 * A row for each property that a record states, in the order in which the records name them. Every value keeps its
 * record: nothing is merged. Values of one property that are too long together are compared as written.
 */
export function compareRecords(records: readonly StatedValues[]): readonly ComparedProperty[] {
  const properties = new Set(records.flatMap((values) => [...values.keys()]));
  return [...properties].flatMap((property) => {
    const texts = records.map((values) => values.get(property) ?? []);
    return texts.some(({ length }) => length > 0) ? [compareProperty(property, texts)] : [];
  });
}

function compareProperty(property: string, texts: readonly (readonly string[])[]): ComparedProperty {
  const known = COMPARISONS[property] ?? WORDS;
  const isLong = texts.some(isTooLongToCompare);
  const { split, normalize, isSame, isActedOn }: Comparison = isLong ? AS_WRITTEN : known;
  const written = texts.filter(({ length }) => length > 0);
  const items = texts.map((one) => split?.(one) ?? one);
  const facts = items.map((item) => new Set(normalize(item)));
  const has = createSearch(isSame);
  const stating = facts.filter(({ size }) => size > 0);
  const pairs = stating.flatMap((one, at) => stating.slice(at + 1).map((other) => [one, other] as const));
  const areEqual = pairs.every(([a, b]) => a.size === b.size && hasAll(a, b, has) && hasAll(b, a, has));
  const isContradiction = pairs.some(([a, b]) => ![...a].some((fact) => has(b, fact)));
  return {
    property,
    agreement:
      stating.length === 1 && texts.length > 1
        ? 'alone'
        : areEqual
          ? 'agree'
          : isContradiction && isActedOn === true
            ? 'contradict'
            : 'differ',
    isSpeltAlike: written.every((one) => haveEqualTexts(one, written[0] ?? [])),
    values: items.map((item) =>
      item.map((text) => {
        const [fact = text] = normalize([text]);
        return { text, holders: facts.filter((others) => has(others, fact)).length };
      }),
    ),
  };
}

const AS_WRITTEN: Comparison = { normalize: (texts) => texts };

/** Each fact with each. */
const MAX_PAIRED = 100;

type Search = (facts: ReadonlySet<string>, fact: string) => boolean;

function createSearch(isSame: Comparison['isSame']): Search {
  return (facts, fact) =>
    facts.has(fact) ||
    (isSame !== undefined && facts.size <= MAX_PAIRED && [...facts].some((one) => isSame(one, fact)));
}

function hasAll(facts: ReadonlySet<string>, others: ReadonlySet<string>, has: Search): boolean {
  return [...facts].every((fact) => has(others, fact));
}

function haveEqualTexts(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((text, at) => text === other[at]);
}

/** Drops repetitions, and ids of keys that are in the list with more digits. */
function dropRepeatedKeys(keys: readonly string[]): readonly string[] {
  const different = [...new Set(keys)];
  return different.filter((key) => !different.some((known) => known.length > key.length && maybeSameKey(key, known)));
}

/** A key id is no other key than the one whose fingerprint ends with it. Other texts are compared as written. */
function maybeSameKey(one: string, other: string): boolean {
  return one === other || (isKey(one) && isKey(other) && areSameKey(one, other));
}

function isKey(text: string): boolean {
  return parseKeyId(text) !== undefined;
}

/** The source of a record is not a fact about its team, and dates of repositories always differ. */
const IGNORED: ReadonlySet<string> = new Set(['source-name', 'establishment']);

const COMPARED = directoryTeams.properties
  .filter(({ name }) => !IGNORED.has(name))
  .map(({ name }) => ({ name, read: createPropertyReader(directoryTeams, name) }));

/** Properties that both records state with different facts, in the order of the interface (decisions 2.38). */
export function findDisagreements(here: StoredRecord, there: StoredRecord): readonly Disagreement[] {
  return COMPARED.flatMap(({ name, read }) => {
    const [one, other] = [here, there].map((record) => toItems(read(record)).map(String));
    if (one === undefined || other === undefined || one.length === 0 || other.length === 0) return [];
    const { agreement } = compareProperty(name, [one, other]);
    return agreement === 'agree' ? [] : [{ property: name, here: one, there: other }];
  });
}

const CONFIRMING = COMPARED.filter(({ name }) => name === 'enckeys' || name === 'phone-numbers');

/** Both state keys or telephone numbers, and of each that both state they have one in common. */
export function confirmEachOther(one: StoredRecord, other: StoredRecord): boolean {
  const agreements = CONFIRMING.flatMap(({ name, read }) => {
    const texts = [one, other].map((record) => toItems(read(record)).map(String));
    return texts.every(({ length }) => length > 0) ? compareProperty(name, texts).agreement : [];
  });
  return agreements.length > 0 && !agreements.includes('contradict');
}
