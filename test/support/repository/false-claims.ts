import { exactMatch, findOracleResource, sortRecords, readValues } from './exact-evaluation.js';
import { responseBody } from './simulated-repository.js';
import type { Behaviour, RepositoryLists } from './simulated-repository.js';
import type { RawRecord } from '../upstream/paged-responses.js';
import { fold } from '../../oracle/model/text.js';
import type { Capability } from '../../../src/model/capability.js';

/** A source as nobody but a test can see it: its records, and all that it would answer. */
export interface ClaimedSource {
  readonly lists: RepositoryLists;
  readonly behaviours: readonly Behaviour[];
  readonly apiInterface: 'directory' | 'data';
  readonly path: 'teams' | 'news';
  readonly records: readonly RawRecord[];
}

/** What paging to the end brings. */
interface Paged {
  readonly records: readonly RawRecord[];
  readonly totals: ReadonlySet<unknown>;
}

/** Records of a page when a claim is tried: small, so that what a page hides shows. */
const LIMIT = 20;

/** What a claimed capability says of the source and is not so, in words. Every claim is tried on values that the records have, by the naive definition. */
export function falseClaims(
  seen: ClaimedSource,
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
  { lists, behaviours, apiInterface, path }: ClaimedSource,
  parameters: Readonly<Record<string, string>>,
  offset: number,
  limit: number,
): RawRecord {
  const query = new URLSearchParams({ ...parameters, limit: String(limit), offset: String(offset) });
  return responseBody(lists, behaviours, { number: 1, path: `/${apiInterface}/${path}`, query, headers: {} }) ?? {};
}

function pageOf(
  seen: ClaimedSource,
  parameters: Readonly<Record<string, string>>,
  offset: number,
  limit: number,
): readonly RawRecord[] {
  return (bodyOf(seen, parameters, offset, limit)['data'] ?? []) as readonly RawRecord[];
}

/** As a client pages that trusts nothing but what comes; one page more than there can be records for is an endless list. */
function paged(seen: ClaimedSource, parameters: Readonly<Record<string, string>>): Paged {
  const [records, totals] = [[] as RawRecord[], new Set<unknown>()];
  while (records.length <= seen.records.length) {
    const body = bodyOf(seen, parameters, records.length, LIMIT);
    const data = (body['data'] ?? []) as readonly RawRecord[];
    totals.add(body['total']);
    if (data.length === 0) break;
    records.push(...data);
  }
  return { records, totals };
}

/** Whether these are the records of a list in the order of a sort, but for those that are equal in it. */
function isSorted(
  seen: ClaimedSource,
  records: readonly RawRecord[],
  sort: string,
  of: readonly RawRecord[] = seen.records,
): boolean {
  const resource = findOracleResource(seen.apiInterface, seen.path);
  const right = sortRecords(of, sort, resource);
  const key = (record: RawRecord | undefined): string =>
    JSON.stringify(record === undefined ? [] : (readValues(record, sort.replace(/^-/, ''), resource)[0] ?? null));
  return isSame(records, of) && records.every((record, at) => key(record) === key(right[at]));
}

function isSame(records: readonly RawRecord[], others: readonly RawRecord[]): boolean {
  return records.length === others.length && new Set([...records, ...others]).size === others.length;
}

function matchesOf(seen: ClaimedSource, name: string, value: string): readonly RawRecord[] {
  const match = exactMatch(name, seen.apiInterface);
  return seen.records.filter((record) => match(record, value, findOracleResource(seen.apiInterface, seen.path)));
}

function matchesAll(seen: ClaimedSource, name: string, sort: string | undefined, total: boolean): boolean {
  return valuesFor(seen, name).every((value) => {
    const due = matchesOf(seen, name, value);
    const { records, totals } = paged(seen, { [name]: value });
    const ordered = sort === undefined || isSorted(seen, paged(seen, { [name]: value, sort }).records, sort, due);
    return isSame(records, due) && ordered && (!total || (totals.size === 1 && totals.has(due.length)));
  });
}

function givesNoLess(seen: ClaimedSource, name: string, values: readonly string[]): boolean {
  return values.every((value) => {
    const came = new Set(paged(seen, { [name]: value }).records);
    return matchesOf(seen, name, value).every((record) => came.has(record));
  });
}

const SECOND = 1_000;

/** Values of a filter that the records have; of countries also two at once, of bounds also the seconds beside. */
function valuesFor(seen: ClaimedSource, name: string): readonly string[] {
  const resource = findOracleResource(seen.apiInterface, seen.path);
  if (name === 'before' || name === 'after') {
    const times = new Set(seen.records.map(({ published }) => Date.parse(String(published))));
    return some([...times], 12).flatMap((at) =>
      [at - SECOND, at, at + SECOND].map((one) => new Date(one).toISOString()),
    );
  }
  const properties = name === 'country' ? resource.countries : [name];
  const values = seen.records.flatMap((record) =>
    properties.flatMap((property) => readValues(record, property, resource)),
  );
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
function searchesFor(seen: ClaimedSource): readonly string[] {
  const records = some(seen.records, 3);
  const resource = findOracleResource(seen.apiInterface, seen.path);
  return records.flatMap((record) => {
    const texts = Object.keys(record)
      .filter((name) => name !== 'last-modified' && name !== 'id')
      .flatMap((name) => readValues(record, name, resource))
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
