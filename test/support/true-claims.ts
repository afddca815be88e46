import { honestly, nounOf, sorted, valuesOf } from './honest.js';
import { bodyFrom } from './habits.js';
import type { Habit, Shelves } from './habits.js';
import type { Raw } from './paging.js';
import { fold } from '../oracle/text.js';
import type { Capability } from '../../src/model/capability.js';

/** A source as nobody but a test can see it: its records, and all that it would answer. */
export interface Seen {
  readonly shelves: Shelves;
  readonly habits: readonly Habit[];
  readonly face: 'directory' | 'data';
  readonly path: 'teams' | 'news';
  readonly records: readonly Raw[];
}

/** What paging to the end brings. */
interface Paged {
  readonly records: readonly Raw[];
  readonly totals: ReadonlySet<unknown>;
}

/** Records of a page when a claim is tried: small, so that what a page hides shows. */
const LIMIT = 20;

/** What a claimed capability says of the source and is not so, in words. Every claim is tried on values that the records have, by the naive definition. */
export function falseClaims(
  seen: Seen,
  { filters, coarse, sort, search, total, limitMax }: Capability,
): readonly string[] {
  const count = seen.records.length;
  return [
    ...sort.filter((one) => !isSorted(seen, paged(seen, { sort: one }).records, one)).map((one) => `sort ${one}`),
    ...filters.filter((name) => !matchesAll(seen, name, sort[0], total)).map((name) => `filter ${name}`),
    ...coarse.filter((name) => !givesNoLess(seen, name, valuesFor(seen, name))).map((name) => `coarse ${name}`),
    ...(search && !givesNoLess(seen, 'q', searchesFor(seen)) ? ['search'] : []),
    ...(total && !paged(seen, {}).totals.has(count) ? ['total'] : []),
    ...(limitMax === undefined || pageOf(seen, {}, 0, limitMax).length === Math.min(limitMax, count) ? [] : ['limit']),
  ];
}

function bodyOf(
  { shelves, habits, face, path }: Seen,
  parameters: Readonly<Record<string, string>>,
  offset: number,
  limit: number,
): Raw {
  const query = new URLSearchParams({ ...parameters, limit: String(limit), offset: String(offset) });
  return bodyFrom(shelves, habits, { number: 1, path: `/${face}/${path}`, query, headers: {} }) ?? {};
}

function pageOf(
  seen: Seen,
  parameters: Readonly<Record<string, string>>,
  offset: number,
  limit: number,
): readonly Raw[] {
  return (bodyOf(seen, parameters, offset, limit)['data'] ?? []) as readonly Raw[];
}

/** As a client pages that trusts nothing but what comes; one page more than there can be records for is an endless list. */
function paged(seen: Seen, parameters: Readonly<Record<string, string>>): Paged {
  const [records, totals] = [[] as Raw[], new Set<unknown>()];
  while (records.length <= seen.records.length) {
    const body = bodyOf(seen, parameters, records.length, LIMIT);
    const data = (body['data'] ?? []) as readonly Raw[];
    totals.add(body['total']);
    if (data.length === 0) break;
    records.push(...data);
  }
  return { records, totals };
}

/** Whether these are the records of a list in the order of a sort, but for those that are equal in it. */
function isSorted(seen: Seen, records: readonly Raw[], sort: string, of: readonly Raw[] = seen.records): boolean {
  const noun = nounOf(seen.face, seen.path);
  const right = sorted(of, sort, noun);
  const key = (record: Raw | undefined): string =>
    JSON.stringify(record === undefined ? [] : (valuesOf(record, sort.replace(/^-/, ''), noun)[0] ?? null));
  return isSame(records, of) && records.every((record, at) => key(record) === key(right[at]));
}

function isSame(records: readonly Raw[], others: readonly Raw[]): boolean {
  return records.length === others.length && new Set([...records, ...others]).size === others.length;
}

function matchesOf(seen: Seen, name: string, value: string): readonly Raw[] {
  const match = honestly(name, seen.face);
  return seen.records.filter((record) => match(record, value, nounOf(seen.face, seen.path)));
}

function matchesAll(seen: Seen, name: string, sort: string | undefined, total: boolean): boolean {
  return valuesFor(seen, name).every((value) => {
    const due = matchesOf(seen, name, value);
    const { records, totals } = paged(seen, { [name]: value });
    const ordered = sort === undefined || isSorted(seen, paged(seen, { [name]: value, sort }).records, sort, due);
    return isSame(records, due) && ordered && (!total || (totals.size === 1 && totals.has(due.length)));
  });
}

function givesNoLess(seen: Seen, name: string, values: readonly string[]): boolean {
  return values.every((value) => {
    const came = new Set(paged(seen, { [name]: value }).records);
    return matchesOf(seen, name, value).every((record) => came.has(record));
  });
}

const SECOND = 1_000;

/** Values of a filter that the records have; of countries also two at once, of bounds also the seconds beside. */
function valuesFor(seen: Seen, name: string): readonly string[] {
  const noun = nounOf(seen.face, seen.path);
  if (name === 'before' || name === 'after') {
    const times = new Set(seen.records.map(({ published }) => Date.parse(String(published))));
    return some([...times], 12).flatMap((at) =>
      [at - SECOND, at, at + SECOND].map((one) => new Date(one).toISOString()),
    );
  }
  const properties = name === 'country' ? noun.countries : [name];
  const values = seen.records.flatMap((record) => properties.flatMap((property) => valuesOf(record, property, noun)));
  // What a source wrote as UK or EL is never pushed down (docs/decisions, "Probing").
  const single = some([...new Set(values.map(String))], 12).filter((value) => !['GB', 'GR'].includes(value));
  return name === 'country'
    ? [...single, ...single.slice(1).map((code) => `${single[0] ?? ''},${code}`)]
    : [...single, ...single.map(fold)];
}

/** So many of them, spread over all. */
function some<T>(all: readonly T[], most: number): readonly T[] {
  const step = Math.max(1, all.length / most);
  return Array.from({ length: Math.min(most, all.length) }, (_, at) => all[Math.floor(at * step)]).filter(
    (one) => one !== undefined,
  );
}

/** Searches for each word of some records, and parts of them, alone and two by two. */
function searchesFor(seen: Seen): readonly string[] {
  const records = some(seen.records, 3);
  const noun = nounOf(seen.face, seen.path);
  return records.flatMap((record) => {
    const texts = Object.keys(record)
      .filter((name) => name !== 'last-modified' && name !== 'id')
      .flatMap((name) => valuesOf(record, name, noun))
      .map(String);
    const words = some(
      texts.flatMap((text) => text.split(/\s+/)).filter((word) => word !== ''),
      8,
    );
    return [
      ...words,
      ...words.map(fold),
      ...words.map((word) => word.slice(1)),
      `${words.at(-1) ?? ''} ${words[0] ?? ''}`,
    ].filter((word) => word !== '');
  });
}
