import { getCountryNames } from '../../src/region/country-names.js';
import { parseCountryCode, findRegion } from '../../src/region/region.js';
import type { Raw } from '../support/paging.js';
import { TEAMS } from './nouns.js';
import type { Noun } from './nouns.js';
import { items } from './read-value.js';
import type { One } from './read-value.js';
import { read } from './reading.js';
import type { Entry, Member } from './reading.js';
import { byCodePoint, day, fold } from './text.js';

/** What a data teams query shows. */
export type Scope = 'public' | 'pgp' | 'minimal' | 'country';

/** A query before it is written as a query string. */
export interface Ask {
  readonly noun: Noun;
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

/** What the one true list answers. */
export interface Expected {
  readonly total: number;
  readonly data: readonly Raw[];
}

const known = new WeakMap<readonly Member[], Map<Noun, readonly Entry[]>>();

/** Every record of every source, in one list; the same for the same fleet. */
export function everything(noun: Noun, fleet: readonly Member[]): readonly Entry[] {
  const lists = known.get(fleet) ?? new Map<Noun, readonly Entry[]>();
  known.set(fleet, lists);
  const all = lists.get(noun) ?? fleet.flatMap((source) => read(noun, source, fleet));
  lists.set(noun, all);
  return all;
}

/** Filters, sorts and cuts the one list, in the plainest way (decisions.md, section 2). */
export function expected(all: readonly Entry[], ask: Ask): Expected {
  const { noun, offset = 0, limit = 100 } = ask;
  const matched = all.filter((entry) => meets(entry, ask));
  const sort = ask.sort.length === 0 ? [noun.sort] : ask.sort;
  const ordered = [...matched].sort((a, b) => compare(a, b, sort, noun.dates));
  const page = ordered.slice(offset, offset + limit);
  return { total: matched.length, data: page.map((entry) => shownBy(entry, ask)) };
}

function shownBy(entry: Entry, { scope = 'public', fields }: Ask): Raw {
  const shown = scopes[scope](entry);
  return Object.fromEntries(shown.filter(([name, value]) => value !== undefined && (fields?.includes(name) ?? true)));
}

type Named = readonly (readonly [name: string, value: unknown])[];

/** decisions.md, section 4, "Scopes". */
const scopes: Readonly<Record<Scope, (entry: Entry) => Named>> = {
  public: ({ shown }) => [...shown],
  pgp: ({ shown, keys }) => [
    ...['id', 'team', 'source-name'].map((name) => [name, shown.get(name)] as const),
    ...['pgp-id', 'pgp-fingerprint', 'pgp-key'].map((name) => [name, keys.get(name)] as const),
  ],
  minimal: (entry) => abbreviated(entry, ['u', 's', 't', 'c', 'o', 'r']),
  country: (entry) => abbreviated(entry, ['url', 'team', 'team-full', 'country', 'country-other', 'region']),
};

const CONTINENTS = ['Africa', 'Antarctica', 'Asia', 'Europe', 'North America', 'Oceania', 'South America'];

function abbreviated({ shown }: Entry, names: readonly string[]): Named {
  const country = String(shown.get('country'));
  const values = [
    items(shown.get('website'))[0],
    ...['team', 'team-full', 'country', 'country-other'].map((name) => shown.get(name)),
    CONTINENTS.find((name) => findRegion(name)?.countries.has(country)),
  ];
  return [...names.map((name, at) => [name, values[at]] as const), ['source-name', shown.get('source-name')]];
}

function meets(entry: Entry, ask: Ask): boolean {
  const { noun, filters, country, region: place, channel, scope } = ask;
  return (
    filters.every(([property, value]) => texts(entry, property).includes(fold(value))) &&
    hasWords(searched(entry, noun), ask.q) &&
    isTeam(entry, ask) &&
    (country === undefined || isIn(entry, noun, new Set(country.map((code) => parseCountryCode(code) ?? '')))) &&
    (place === undefined || isIn(entry, noun, findRegion(place)?.countries ?? new Set())) &&
    (channel === undefined || entry.channels.includes(fold(channel))) &&
    links(entry, 'link', ask.link) &&
    links(entry, 'rss', ask.rsslink) &&
    isBetween(entry, ask) &&
    (scope !== 'pgp' || entry.keys.size > 0)
  );
}

function searched(entry: Entry, { q, countries }: Noun): string[] {
  const names = q ?? [...entry.shown.keys()].filter((property) => property !== 'last-modified');
  const found = names.flatMap((property) => texts(entry, property));
  const codes = (q === undefined ? countries : names.filter((name) => name === 'country')).flatMap((property) =>
    items(entry.shown.get(property)),
  );
  return [...found, ...codes.flatMap((code) => getCountryNames(String(code))).map(fold)];
}

function hasWords(texts: readonly string[], words = ''): boolean {
  return words.split(/\s+/).every((word) => word === '' || texts.some((text) => text.includes(fold(word))));
}

/** On the data interface exact, on the directory by words. */
function isTeam(entry: Entry, { noun, team }: Ask): boolean {
  if (team === undefined) return true;
  if (noun === TEAMS) return texts(entry, 'team').includes(fold(team));
  return hasWords([...texts(entry, 'short-team-name'), ...texts(entry, 'official-team-name')], team);
}

function isIn({ shown }: Entry, { countries }: Noun, wanted: ReadonlySet<string>): boolean {
  const codes = countries.flatMap((property) => items(shown.get(property)));
  return codes.some((code) => wanted.has(String(code)));
}

function links({ shown, written }: Entry, property: string, wanted: string | undefined): boolean {
  if (wanted === undefined) return true;
  return [shown.get(property), written.get(property)].some((link) => fold(String(link)) === fold(wanted));
}

function isBetween({ shown }: Entry, { before, after }: Ask): boolean {
  if (before === undefined && after === undefined) return true;
  const at = day(String(shown.get('published')))?.at ?? NaN;
  return at < Date.parse(before ?? '9999') && at > Date.parse(after ?? '0000');
}

function texts({ shown }: Entry, property: string): string[] {
  return items(shown.get(property)).map((item) => fold(String(item)));
}

function compare(a: Entry, b: Entry, sort: Ask['sort'], dates: readonly string[]): number {
  for (const { property, descending } of sort) {
    const [left, right] = [items(a.shown.get(property))[0], items(b.shown.get(property))[0]];
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

/** Text that is no date comes after all dates, whichever way they are sorted. */
function compareReadable(a: One, b: One): number {
  return Number(measure(a, true) === undefined) - Number(measure(b, true) === undefined);
}

function compareIds(a: string | number, b: string | number): number {
  return typeof a === 'number' && typeof b === 'number' ? a - b : byCodePoint(String(a), String(b));
}

function compareValues(a: One, b: One, dates: boolean): number {
  const [left, right] = [measure(a, dates), measure(b, dates)];
  if (left !== undefined && right !== undefined) return left[0] - right[0] || left[1] - right[1];
  if (left !== undefined || right !== undefined) return left === undefined ? 1 : -1;
  return byCodePoint(fold(String(a)), fold(String(b))) || byCodePoint(String(a), String(b));
}

function measure(value: One, dates: boolean): [number, number] | undefined {
  if (typeof value === 'number') return [value, 0];
  const date = dates ? day(String(value)) : undefined;
  return date && [date.at, date.exactness];
}
