import { createHash } from 'node:crypto';
import { countryCode } from '../../src/region/region.js';
import type { Raw } from '../support/directory-upstream.js';
import { byCodePoint, day, fold, isoDay, isoSecond } from './text.js';

/** A value as it is shown. */
export type Shown = string | number | boolean | readonly (string | number | boolean)[];

/** A record as it is shown, with what decides its place among equals. */
export interface Team {
  readonly id: string;
  readonly number: number;
  /** Keys in the order in which they are shown. */
  readonly shown: ReadonlyMap<string, Shown>;
}

/** A registered source and all that it has. */
export interface Member {
  readonly code: string;
  readonly number: number;
  readonly sourceName: string;
  readonly aggregate: boolean;
  readonly records: readonly Raw[];
}

/** The table of interfaces.md, section 2.1, but for last-modified, with how each property is read. */
export const TABLE: ReadonlyMap<string, (raw: unknown) => Shown | undefined> = new Map<
  string,
  (raw: unknown) => Shown | undefined
>([
  ['short-team-name', text],
  ['official-team-name', text],
  ['postal-address', text],
  ['country-code', (raw) => mapped(text(raw), country)],
  ['additional-country-code', (raw) => list(raw)?.map(country)],
  ['website', list],
  ['email', text],
  ['host', text],
  ['establishment', (raw) => mapped(text(raw), (value) => mapped(day(value), isoDay) ?? value)],
  ['phone-numbers', (raw) => filled(list(raw)?.filter((phone) => phone !== '(fax)'))],
  ['enckeys', list],
  ['operating-hours', text],
  ['constituency', text],
  ['constituency-code', text],
  ['constituency-description', text],
  ['source-name', text],
]);

/** All records of a source, read by section 4 of decisions.md. */
export function read(source: Member, fleet: readonly Member[]): Team[] {
  const shown = source.records.map((raw) => readOne(raw, source)).filter(isTeam);
  const others = fleet.filter((other) => other !== source).map(({ sourceName }) => fold(sourceName));
  const own = shown.filter((team) => !source.aggregate || !others.includes(fold(String(team.get('source-name')))));
  return withIds(own, source.number);
}

type Fields = ReadonlyMap<string, Shown>;

function readOne(raw: Raw, { code, sourceName, aggregate }: Member): Fields {
  const shown = new Map<string, Shown>();
  const enter = (name: string, value: Shown | undefined): void => {
    if (value !== undefined) shown.set(name, value);
  };
  for (const [name, of] of TABLE) {
    enter(name, name === 'source-name' ? ((aggregate ? of(raw[name]) : undefined) ?? sourceName) : of(raw[name]));
  }
  const further = Object.keys(raw).filter((name) => !TABLE.has(name) && name !== 'last-modified');
  for (const name of further) {
    if (aggregate || !name.startsWith('-') || name.startsWith(`-${code}-`)) enter(name, any(raw[name]));
  }
  enter(
    'last-modified',
    mapped(text(raw['last-modified']), (value) => mapped(day(value), ({ at }) => isoSecond(at)) ?? value),
  );
  return shown;
}

function isTeam(shown: Fields): boolean {
  return shown.has('short-team-name') || shown.has('official-team-name');
}

/**
 * A slug of the short name; where it is empty or taken, `~` and a hash. Of several that claim a slug the one whose hash is lowest has
 * it. Records that are alike in all that the hash covers are alike in everything here, so it does not matter which is which.
 */
function withIds(teams: readonly Fields[], number: number): Team[] {
  const claims = teams.map((shown) => ({ shown, slug: slug(shown), hash: hash(shown) }));
  claims.sort((a, b) => byCodePoint(a.hash, b.hash));
  const taken = new Set(['']);
  return claims.map(({ shown, slug: claimed, hash: other }) => {
    const id = taken.has(claimed) ? `~${other}` : claimed;
    taken.add(claimed);
    return { id, number, shown };
  });
}

function slug(team: Fields): string {
  const words = fold(String(team.get('short-team-name') ?? '')).match(/[a-z0-9]+/g);
  return words?.join('-') ?? '';
}

function hash(team: Fields): string {
  const names = ['short-team-name', 'official-team-name', 'country-code', 'email'];
  const facts = JSON.stringify(names.map((name) => String(team.get(name) ?? '')));
  return createHash('sha256').update(facts).digest('hex').slice(0, 8);
}

function mapped<T, U>(value: T | undefined, map: (value: T) => U): U | undefined {
  return value === undefined ? undefined : map(value);
}

function filled<T>(items: readonly T[] | undefined): readonly T[] | undefined {
  return items?.length === 0 ? undefined : items;
}

function country(code: string): string {
  return countryCode(code) ?? code;
}

function any(raw: unknown): Shown | undefined {
  if (Array.isArray(raw)) return filled(raw.map(scalar).filter((item) => item !== undefined));
  return scalar(raw);
}

function scalar(raw: unknown): string | number | boolean | undefined {
  if (typeof raw === 'number' || typeof raw === 'boolean') return raw;
  if (typeof raw === 'string') return raw.trim() === '' ? undefined : raw.trim();
  const empty = raw === null || raw === undefined || Object.keys(raw).length === 0;
  return empty ? undefined : JSON.stringify(raw);
}

function text(raw: unknown): string | undefined {
  return mapped(any(raw), (value) => (Array.isArray(value) ? value.join(', ') : String(value)));
}

function list(raw: unknown): readonly string[] | undefined {
  return mapped(any(raw), (value) => (Array.isArray(value) ? value : [value]).map(String));
}
