import { findRegion } from '../../src/region/region.js';
import { getCountryNames } from '../../src/region/country-names.js';
import { CHANNELS, DIRECTORY, NEWS, TEAMS } from '../oracle/nouns.js';
import type { Noun } from '../oracle/nouns.js';
import { any, items } from '../oracle/read-value.js';
import type { One } from '../oracle/read-value.js';
import { byCodePoint, day, fold } from '../oracle/text.js';
import type { Raw } from './paging.js';

/** Whether a record matches one parameter; and how an upstream may see it otherwise. */
export type Match = (record: Raw, value: string, noun: Noun) => boolean;

/** Orders two texts of a property. */
export type Collation = (a: string, b: string) => number;

/** Parameters that choose no records. */
export const RESERVED = ['fields', 'limit', 'offset', 'sort', 'envelope', 'pretty', 'callback', 'scope'];

/** The oracle's word for a list of an interface. */
export function nounOf(face: string, list: string): Noun {
  if (list === 'teams') return face === 'directory' ? DIRECTORY : TEAMS;
  return list === 'news' ? NEWS : CHANNELS;
}

/** The values of a property, as they are to be read. */
export function valuesOf(record: Raw, property: string, { table, extra, last }: Noun): readonly One[] {
  const read = table.get(property) ?? extra.get(property) ?? (property === 'last-modified' ? last : undefined) ?? any;
  return items(read(record[property]));
}

function textsOf(record: Raw, properties: readonly string[], noun: Noun): readonly string[] {
  return properties.flatMap((property) => valuesOf(record, property, noun)).map((value) => fold(String(value)));
}

/** A parameter as decisions.md, section 2, has it; a property's name is an exact filter. */
export function honestly(name: string, face: string): Match {
  const known: Readonly<Record<string, Match>> = {
    country,
    region: inRegion,
    q,
    channel,
    link,
    rsslink,
    before,
    after,
  };
  if (name === 'team' && face === 'directory') return team;
  return known[name] ?? ((record, value, noun) => textsOf(record, [name], noun).includes(fold(value)));
}

const country: Match = (record, value, noun) => {
  const wanted = value.toUpperCase().split(',');
  return noun.countries.flatMap((name) => valuesOf(record, name, noun)).some((code) => wanted.includes(String(code)));
};

const inRegion: Match = (record, value, noun) => {
  const wanted = findRegion(value)?.countries;
  return noun.countries
    .flatMap((name) => valuesOf(record, name, noun))
    .some((code) => wanted?.has(String(code)) === true);
};

const q: Match = (record, value, noun) => words(value, searchedTexts(record, noun).map(fold));

/** The texts that `q` looks through, each property for itself, as they are written; the English names of countries at the end. */
export function searchedTexts(record: Raw, noun: Noun): readonly string[] {
  const names = noun.q ?? Object.keys(record).filter((name) => name !== 'last-modified');
  return [...names.flatMap((name) => valuesOf(record, name, noun)).map(String), ...namesOfCountries(record, noun)];
}

/** The English names by which `q` finds the record. */
export function namesOfCountries(record: Raw, noun: Noun): readonly string[] {
  const named = noun.q === undefined ? noun.countries : noun.q.filter((name) => name === 'country');
  return named.flatMap((name) => valuesOf(record, name, noun)).flatMap((code) => getCountryNames(String(code)));
}

const team: Match = (record, value, noun) =>
  words(value, textsOf(record, ['short-team-name', 'official-team-name'], noun));

function words(value: string, texts: readonly string[]): boolean {
  return fold(value)
    .split(/\s+/)
    .every((word) => texts.some((text) => text.includes(word)));
}

const channel: Match = ({ channels, title }, value) =>
  items(any(channels ?? title)).some((one) => fold(String(one)) === fold(value));

const link: Match = (record, value, noun) => textsOf(record, ['link'], noun).includes(fold(value));

const rsslink: Match = (record, value, noun) => textsOf(record, ['rss'], noun).includes(fold(value));

/** When an item was published, in milliseconds since 1970. */
export function publishedAt(record: Raw): number {
  return day(String(valuesOf(record, 'published', NEWS)[0]))?.at ?? NaN;
}

const before: Match = (record, value) => publishedAt(record) < Date.parse(value);

const after: Match = (record, value) => publishedAt(record) > Date.parse(value);

/** Folded, then as it is, by code point. */
export const ours: Collation = (a, b) => byCodePoint(fold(a), fold(b)) || byCodePoint(a, b);

/** Where records without the property stand. */
export type Missing = 'last' | 'first';

/** Records in the order of a `sort`; of those that are equal in it, as they stood. */
export function sorted(
  records: readonly Raw[],
  sort: string,
  noun: Noun,
  { collation = ours, missing = 'last' }: { readonly collation?: Collation; readonly missing?: Missing } = {},
): readonly Raw[] {
  const keys = sort
    .split(',')
    .map((token) => ({ name: token.replace(/^-/, ''), sign: token.startsWith('-') ? -1 : 1 }));
  const rows = records.map((record) => ({ record, values: keys.map(({ name }) => valuesOf(record, name, noun)[0]) }));
  const compare = (a: Row, b: Row): number => {
    for (const [at, { name, sign }] of keys.entries()) {
      const [left, right] = [a.values[at], b.values[at]];
      if (left === undefined && right === undefined) continue;
      if (left === undefined || right === undefined)
        return (left === undefined ? 1 : -1) * (missing === 'last' ? 1 : -1);
      const dated = noun.dates.includes(name);
      const apart = Number(measure(left, dated) === undefined) - Number(measure(right, dated) === undefined);
      if (dated && apart !== 0) return apart;
      const difference = sign * compareValues(left, right, { dated, collation });
      if (difference !== 0) return difference;
    }
    return 0;
  };
  return rows.sort(compare).map(({ record }) => record);
}

/** A record with the values that it is ordered by. */
interface Row {
  readonly record: Raw;
  readonly values: readonly (One | undefined)[];
}

function compareValues(
  a: One,
  b: One,
  { dated, collation }: { readonly dated: boolean; readonly collation: Collation },
): number {
  const [left, right] = [measure(a, dated), measure(b, dated)];
  if (left !== undefined && right !== undefined) return left[0] - right[0] || left[1] - right[1];
  if (left !== undefined || right !== undefined) return left === undefined ? 1 : -1;
  return collation(String(a), String(b));
}

function measure(value: One, dated: boolean): [number, number] | undefined {
  if (typeof value === 'number') return [value, 0];
  const date = dated ? day(String(value)) : undefined;
  return date && [date.at, date.exactness];
}
