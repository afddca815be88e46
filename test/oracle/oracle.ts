import { countryCode, region } from '../../src/region/region.js';
import type { Raw } from '../support/directory-upstream.js';
import { read } from './reading.js';
import type { Member, Shown, Team } from './reading.js';
import { byCodePoint, day, fold } from './text.js';

/** A query before it is written as a query string. */
export interface Ask {
  /** Property filters; the values are never empty. */
  readonly filters: readonly (readonly [property: string, value: string])[];
  readonly q?: string | undefined;
  readonly team?: string | undefined;
  readonly country?: readonly string[] | undefined;
  readonly region?: string | undefined;
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

/** Every record of every source, in one list. */
export function everything(fleet: readonly Member[]): readonly Team[] {
  return fleet.flatMap((source) => read(source, fleet));
}

/** Filters, sorts and cuts the one list, in the plainest way (decisions.md, section 2). */
export function expected(all: readonly Team[], ask: Ask): Expected {
  const matched = all.filter((team) => meets(team, ask));
  const sort = ask.sort.length === 0 ? [{ property: 'short-team-name', descending: false }] : ask.sort;
  const ordered = [...matched].sort((a, b) => compare(a, b, sort));
  const { offset = 0, limit = 100 } = ask;
  const page = ordered.slice(offset, offset + limit);
  return { total: matched.length, data: page.map((team) => narrowed(team, ask.fields)) };
}

function narrowed({ shown }: Team, fields: readonly string[] | undefined): Raw {
  return Object.fromEntries([...shown].filter(([name]) => fields?.includes(name) ?? true));
}

function meets(team: Team, { filters, q, team: name, country, region: place }: Ask): boolean {
  const searched = [...team.shown.keys()].filter((property) => property !== 'last-modified');
  return (
    filters.every(([property, value]) => texts(team, property).includes(fold(value))) &&
    hasWords(team, searched, q) &&
    hasWords(team, ['short-team-name', 'official-team-name'], name) &&
    (country === undefined || isIn(team, new Set(country.map((code) => countryCode(code) ?? '')))) &&
    (place === undefined || isIn(team, region(place)?.countries ?? new Set()))
  );
}

function hasWords(team: Team, properties: readonly string[], words = ''): boolean {
  const searched = properties.flatMap((property) => texts(team, property));
  return words.split(/\s+/).every((word) => word === '' || searched.some((text) => text.includes(fold(word))));
}

function isIn(team: Team, countries: ReadonlySet<string>): boolean {
  const codes = [...items(team.shown.get('country-code')), ...items(team.shown.get('additional-country-code'))];
  return codes.some((code) => countries.has(String(code)));
}

function texts({ shown }: Team, property: string): string[] {
  return items(shown.get(property)).map((item) => fold(String(item)));
}

/** The items of a list, or the one value. */
export function items(value: Shown | undefined): readonly (string | number | boolean)[] {
  return value === undefined ? [] : [value].flat();
}

function compare(a: Team, b: Team, sort: Ask['sort']): number {
  for (const { property, descending } of sort) {
    const [left, right] = [items(a.shown.get(property))[0], items(b.shown.get(property))[0]];
    if (left === undefined && right === undefined) continue;
    if (left === undefined || right === undefined) return left === undefined ? 1 : -1;
    const difference = compareValues(left, right, property === 'establishment' || property === 'last-modified');
    if (difference !== 0) return descending ? -difference : difference;
  }
  return a.number - b.number || byCodePoint(a.id, b.id);
}

function compareValues(a: string | number | boolean, b: string | number | boolean, dates: boolean): number {
  const [left, right] = [measure(a, dates), measure(b, dates)];
  if (left !== undefined && right !== undefined) return left[0] - right[0] || left[1] - right[1];
  if (left !== undefined || right !== undefined) return left === undefined ? 1 : -1;
  return byCodePoint(fold(String(a)), fold(String(b))) || byCodePoint(String(a), String(b));
}

function measure(value: string | number | boolean, dates: boolean): [number, number] | undefined {
  if (typeof value === 'number') return [value, 0];
  const date = dates ? day(String(value)) : undefined;
  return date && [date.at, date.exactness];
}
