import { findRegion, getCountryNames } from '../gateway/program.js';
import { CHANNELS, DIRECTORY_TEAMS, NEWS, DATA_TEAMS } from '../../oracle/model/oracle-resources.js';
import type { OracleResource } from '../../oracle/model/oracle-resources.js';
import { readAny, asList } from '../../oracle/model/read-value.js';
import type { SingleValue } from '../../oracle/model/read-value.js';
import { byCodePoint, parseDay, fold } from '../../oracle/model/text.js';
import type { RawRecord } from '../upstream/paged-responses.js';

/** Decides whether a record matches one parameter. A simulated repository may replace it by a deviating one. */
export type Match = (record: RawRecord, value: string, resource: OracleResource) => boolean;

/** Orders two texts of a property. */
export type Collation = (a: string, b: string) => number;

/** Parameters that do not select records. */
export const NON_FILTER_PARAMETERS = ['fields', 'limit', 'offset', 'sort', 'envelope', 'pretty', 'callback', 'scope'];

/** The oracle's resource for a list of an interface. */
export function findOracleResource(apiInterface: string, list: string): OracleResource {
  if (list === 'teams') return apiInterface === 'directory' ? DIRECTORY_TEAMS : DATA_TEAMS;
  return list === 'news' ? NEWS : CHANNELS;
}

/** The values of a property, read as the specification requires. */
export function readValues(
  record: RawRecord,
  property: string,
  { table, extra, last }: OracleResource,
): readonly SingleValue[] {
  const read =
    table.get(property) ?? extra.get(property) ?? (property === 'last-modified' ? last : undefined) ?? readAny;
  return asList(read(record[property]));
}

function textsOf(record: RawRecord, properties: readonly string[], resource: OracleResource): readonly string[] {
  return properties.flatMap((property) => readValues(record, property, resource)).map((value) => fold(String(value)));
}

/** Evaluates a parameter exactly (decisions 2.25 to 2.32). The name of a property is an exact filter. */
export function exactMatch(name: string, apiInterface: string): Match {
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
  if (name === 'team' && apiInterface === 'directory') return team;
  return known[name] ?? ((record, value, resource) => textsOf(record, [name], resource).includes(fold(value)));
}

const country: Match = (record, value, resource) => {
  const wanted = value.toUpperCase().split(',');
  return resource.countries
    .flatMap((name) => readValues(record, name, resource))
    .some((code) => wanted.includes(String(code)));
};

const inRegion: Match = (record, value, resource) => {
  const wanted = findRegion(value)?.countries;
  return resource.countries
    .flatMap((name) => readValues(record, name, resource))
    .some((code) => wanted?.has(String(code)) === true);
};

const q: Match = (record, value, resource) => words(value, searchedTexts(record, resource).map(fold));

/** The unfolded texts that `q` searches, one per property value, followed by the English names of countries. */
export function searchedTexts(record: RawRecord, resource: OracleResource): readonly string[] {
  const names = resource.q ?? Object.keys(record).filter((name) => name !== 'last-modified');
  return [
    ...names.flatMap((name) => readValues(record, name, resource)).map(String),
    ...countryNamesOf(record, resource),
  ];
}

/** The English country names by which `q` finds the record. */
export function countryNamesOf(record: RawRecord, resource: OracleResource): readonly string[] {
  const named = resource.q === undefined ? resource.countries : resource.q.filter((name) => name === 'country');
  return named.flatMap((name) => readValues(record, name, resource)).flatMap((code) => getCountryNames(String(code)));
}

const team: Match = (record, value, resource) =>
  words(value, textsOf(record, ['short-team-name', 'official-team-name'], resource));

function words(value: string, texts: readonly string[]): boolean {
  return fold(value)
    .split(/\s+/)
    .every((word) => texts.some((text) => text.includes(word)));
}

const channel: Match = ({ channels, title }, value) =>
  asList(readAny(channels ?? title)).some((name) => fold(String(name)) === fold(value));

const link: Match = (record, value, resource) => textsOf(record, ['link'], resource).includes(fold(value));

const rsslink: Match = (record, value, resource) => textsOf(record, ['rss'], resource).includes(fold(value));

/** The publication time of a news item in milliseconds since 1970; NaN if it is unreadable. */
export function publishedAt(record: RawRecord): number {
  return parseDay(String(readValues(record, 'published', NEWS)[0]))?.at ?? NaN;
}

const before: Match = (record, value) => publishedAt(record) < Date.parse(value);

const after: Match = (record, value) => publishedAt(record) > Date.parse(value);

/** Compares folded texts by code point, then the texts as written. */
export const gatewayCollation: Collation = (a, b) => byCodePoint(fold(a), fold(b)) || byCodePoint(a, b);

/** The position of records without the property. */
export type MissingValuePlacement = 'last' | 'first';

/** Sorts records by a `sort` parameter. The sort is stable. */
export function sortRecords(
  records: readonly RawRecord[],
  sort: string,
  resource: OracleResource,
  {
    collation = gatewayCollation,
    missing = 'last',
  }: { readonly collation?: Collation; readonly missing?: MissingValuePlacement } = {},
): readonly RawRecord[] {
  const keys = sort
    .split(',')
    .map((token) => ({ name: token.replace(/^-/, ''), sign: token.startsWith('-') ? -1 : 1 }));
  const rows = records.map((record) => ({
    record,
    values: keys.map(({ name }) => readValues(record, name, resource)[0]),
  }));
  const compare = (a: Row, b: Row): number => {
    for (const [at, { name, sign }] of keys.entries()) {
      const [left, right] = [a.values[at], b.values[at]];
      if (left === undefined && right === undefined) continue;
      if (left === undefined || right === undefined)
        return (left === undefined ? 1 : -1) * (missing === 'last' ? 1 : -1);
      const dated = resource.dates.includes(name);
      const apart = Number(measure(left, dated) === undefined) - Number(measure(right, dated) === undefined);
      if (dated && apart !== 0) return apart;
      const difference = sign * compareValues(left, right, { dated, collation });
      if (difference !== 0) return difference;
    }
    return 0;
  };
  return rows.sort(compare).map(({ record }) => record);
}

/** A record with its sort values. */
interface Row {
  readonly record: RawRecord;
  readonly values: readonly (SingleValue | undefined)[];
}

function compareValues(
  a: SingleValue,
  b: SingleValue,
  { dated, collation }: { readonly dated: boolean; readonly collation: Collation },
): number {
  const [left, right] = [measure(a, dated), measure(b, dated)];
  if (left !== undefined && right !== undefined) return left[0] - right[0] || left[1] - right[1];
  if (left !== undefined || right !== undefined) return left === undefined ? 1 : -1;
  return collation(String(a), String(b));
}

function measure(value: SingleValue, dated: boolean): [number, number] | undefined {
  if (typeof value === 'number') return [value, 0];
  const date = dated ? parseDay(String(value)) : undefined;
  return date && [date.at, date.exactness];
}
