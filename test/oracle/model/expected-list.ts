import { getCountryNames, parseCountryCode, findRegion } from '../../support/gateway/program.js';
import type { RawRecord } from '../../support/upstream/paged-responses.js';
import { DATA_TEAMS } from './oracle-resources.js';
import type { OracleResource } from './oracle-resources.js';
import { asList } from './read-value.js';
import type { SingleValue } from './read-value.js';
import { readRecords } from './read-records.js';
import type { OracleRecord, OracleSource } from './read-records.js';
import { byCodePoint, parseDay, fold } from './text.js';

/** Scope of a query for data teams (decisions 4.20). */
export type Scope = 'public' | 'pgp' | 'minimal' | 'country';

/** A query before it is written as a query string. */
export interface OracleQuery {
  readonly resource: OracleResource;
  /** Property filters; the values are never empty. */
  readonly filters: readonly (readonly [property: string, value: string])[];
  readonly q?: string | undefined;
  readonly team?: string | undefined;
  readonly country?: readonly string[] | undefined;
  readonly region?: string | undefined;
  readonly scope?: Scope | undefined;
  readonly channel?: string | undefined;
  readonly link?: string | undefined;
  readonly rsslink?: string | undefined;
  readonly before?: string | undefined;
  readonly after?: string | undefined;
  readonly sort: readonly { readonly property: string; readonly descending: boolean }[];
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
  readonly fields?: readonly string[] | undefined;
}

/** The expected total and page of a query. */
export interface ExpectedList {
  readonly total: number;
  readonly data: readonly RawRecord[];
}

const known = new WeakMap<object, Map<OracleResource, readonly OracleRecord[]>>();

/** All records of all sources in one list. Cached by fleet, or by source where it is the only one. */
export function allRecords(oracleResource: OracleResource, fleet: readonly OracleSource[]): readonly OracleRecord[] {
  const owner = fleet.length === 1 ? (fleet[0] ?? fleet) : fleet;
  const lists = known.get(owner) ?? new Map<OracleResource, readonly OracleRecord[]>();
  known.set(owner, lists);
  const all = lists.get(oracleResource) ?? fleet.flatMap((source) => readRecords(oracleResource, source, fleet));
  lists.set(oracleResource, all);
  return all;
}

/** Filters, sorts and pages the list in the simplest way (decisions 2.12, 2.23 to 2.32). */
export function expectedList(all: readonly OracleRecord[], query: OracleQuery): ExpectedList {
  const { resource: oracleResource, offset = 0, limit = 100 } = query;
  const matched = all.filter((entry) => matches(entry, query));
  const sort = query.sort.length === 0 ? [oracleResource.sort] : query.sort;
  const ordered = [...matched].sort((a, b) => compare(a, b, sort, oracleResource.dates));
  const page = ordered.slice(offset, offset + limit);
  return { total: matched.length, data: page.map((entry) => project(entry, query)) };
}

function project(entry: OracleRecord, { scope = 'public', fields }: OracleQuery): RawRecord {
  const shown = scopes[scope](entry);
  return Object.fromEntries(shown.filter(([name, value]) => value !== undefined && (fields?.includes(name) ?? true)));
}

type Named = readonly (readonly [name: string, value: unknown])[];

/** The properties of a team in each scope (decisions 4.20). */
const scopes: Readonly<Record<Scope, (entry: OracleRecord) => Named>> = {
  public: ({ shown }) => [...shown],
  pgp: ({ shown, keys }) => [
    ...['id', 'team', 'source-name'].map((name) => [name, shown.get(name)] as const),
    ...['pgp-id', 'pgp-fingerprint', 'pgp-key'].map((name) => [name, keys.get(name)] as const),
  ],
  minimal: (entry) => abbreviated(entry, ['u', 's', 't', 'c', 'o', 'r']),
  country: (entry) => abbreviated(entry, ['url', 'team', 'team-full', 'country', 'country-other', 'region']),
};

const CONTINENTS = ['Africa', 'Antarctica', 'Asia', 'Europe', 'North America', 'Oceania', 'South America'];

function abbreviated({ shown }: OracleRecord, names: readonly string[]): Named {
  const country = String(shown.get('country'));
  const values = [
    asList(shown.get('website'))[0],
    ...['team', 'team-full', 'country', 'country-other'].map((name) => shown.get(name)),
    CONTINENTS.find((name) => findRegion(name)?.countries.has(country)),
  ];
  return [...names.map((name, at) => [name, values[at]] as const), ['source-name', shown.get('source-name')]];
}

function matches(entry: OracleRecord, query: OracleQuery): boolean {
  const { resource: oracleResource, filters, country, region, channel, scope } = query;
  return (
    filters.every(([property, value]) => texts(entry, property).includes(fold(value))) &&
    hasWords(searchedTexts(entry, oracleResource), query.q) &&
    isTeam(entry, query) &&
    (country === undefined ||
      isIn(entry, oracleResource, new Set(country.map((code) => parseCountryCode(code) ?? '')))) &&
    (region === undefined || isIn(entry, oracleResource, findRegion(region)?.countries ?? new Set())) &&
    (channel === undefined || entry.channels.includes(fold(channel))) &&
    hasLink(entry, 'link', query.link) &&
    hasLink(entry, 'rss', query.rsslink) &&
    isBetween(entry, query) &&
    (scope !== 'pgp' || entry.keys.size > 0)
  );
}

function searchedTexts(entry: OracleRecord, { q, countries }: OracleResource): string[] {
  const names = q ?? [...entry.shown.keys()].filter((property) => property !== 'last-modified');
  const found = names.flatMap((property) => texts(entry, property));
  const codes = (q === undefined ? countries : names.filter((name) => name === 'country')).flatMap((property) =>
    asList(entry.shown.get(property)),
  );
  return [...found, ...codes.flatMap((code) => getCountryNames(String(code))).map(fold)];
}

function hasWords(texts: readonly string[], words = ''): boolean {
  return words.split(/\s+/).every((word) => word === '' || texts.some((text) => text.includes(fold(word))));
}

/** The parameter `team`: an exact filter on the data interface, a search for words on the directory interface. */
function isTeam(entry: OracleRecord, { resource: oracleResource, team }: OracleQuery): boolean {
  if (team === undefined) return true;
  if (oracleResource === DATA_TEAMS) return texts(entry, 'team').includes(fold(team));
  return hasWords([...texts(entry, 'short-team-name'), ...texts(entry, 'official-team-name')], team);
}

function isIn({ shown }: OracleRecord, { countries }: OracleResource, wanted: ReadonlySet<string>): boolean {
  const codes = countries.flatMap((property) => asList(shown.get(property)));
  return codes.some((code) => wanted.has(String(code)));
}

function hasLink({ shown, written }: OracleRecord, property: string, wanted: string | undefined): boolean {
  if (wanted === undefined) return true;
  return [shown.get(property), written.get(property)].some((link) => fold(String(link)) === fold(wanted));
}

function isBetween({ shown }: OracleRecord, { before, after }: OracleQuery): boolean {
  if (before === undefined && after === undefined) return true;
  const at = parseDay(String(shown.get('published')))?.at ?? NaN;
  return at < Date.parse(before ?? '9999') && at > Date.parse(after ?? '0000');
}

function texts({ shown }: OracleRecord, property: string): string[] {
  return asList(shown.get(property)).map((item) => fold(String(item)));
}

function compare(a: OracleRecord, b: OracleRecord, sort: OracleQuery['sort'], dates: readonly string[]): number {
  for (const { property, descending } of sort) {
    const [left, right] = [asList(a.shown.get(property))[0], asList(b.shown.get(property))[0]];
    if (left === undefined && right === undefined) continue;
    if (left === undefined || right === undefined) return left === undefined ? 1 : -1;
    const isDate = dates.includes(property);
    const apart = isDate ? compareReadable(left, right) : 0;
    if (apart !== 0) return apart;
    const difference = compareValues(left, right, isDate);
    if (difference !== 0) return descending ? -difference : difference;
  }
  return a.number - b.number || compareIds(a.id, b.id);
}

/** Text that is not a date comes after all dates in both directions. */
function compareReadable(a: SingleValue, b: SingleValue): number {
  return Number(measure(a, true) === undefined) - Number(measure(b, true) === undefined);
}

function compareIds(a: string | number, b: string | number): number {
  return typeof a === 'number' && typeof b === 'number' ? a - b : byCodePoint(String(a), String(b));
}

function compareValues(a: SingleValue, b: SingleValue, dates: boolean): number {
  const [left, right] = [measure(a, dates), measure(b, dates)];
  if (left !== undefined && right !== undefined) return left[0] - right[0] || left[1] - right[1];
  if (left !== undefined || right !== undefined) return left === undefined ? 1 : -1;
  return byCodePoint(fold(String(a)), fold(String(b))) || byCodePoint(String(a), String(b));
}

function measure(value: SingleValue, dates: boolean): [number, number] | undefined {
  if (typeof value === 'number') return [value, 0];
  const date = dates ? parseDay(String(value)) : undefined;
  return date && [date.at, date.exactness];
}
