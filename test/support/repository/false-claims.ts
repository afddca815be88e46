import { exactMatch, findOracleResource, sortRecords, readValues } from './exact-evaluation.js';
import { responseBody } from './simulated-repository.js';
import type { Behaviour, RepositoryLists } from './simulated-repository.js';
import type { RawRecord } from '../upstream/paged-responses.js';
import { fold } from '../../oracle/model/text.js';
import type { Capability } from '../gateway/program.js';

/** A source with all its records and behaviours, which only a test knows. */
export interface ClaimedSource {
  readonly lists: RepositoryLists;
  readonly behaviours: readonly Behaviour[];
  readonly apiInterface: 'directory' | 'data';
  readonly path: 'teams' | 'news';
  readonly records: readonly RawRecord[];
}

/** The result of paging to the end of a list. */
interface Paged {
  readonly records: readonly RawRecord[];
  readonly totals: ReadonlySet<unknown>;
}

/** Page size with which a claim is checked; small, so that faults between pages become visible. */
const LIMIT = 20;

/** The claims of a capability that are not true of the source, as text. Each claim is checked by its naive definition with values of the records. */
export function falseClaims(source: ClaimedSource, { filters, sort, search, total }: Capability): readonly string[] {
  const count = source.records.length;
  return [
    ...sort.filter((key) => !isSorted(source, paged(source, { sort: key }).records, key)).map((key) => `sort ${key}`),
    ...filters.filter((name) => !matchesAll(source, name, sort[0], total)).map((name) => `filter ${name}`),
    ...(search && !findsNoLess(source) ? ['search'] : []),
    ...(total && !paged(source, {}).totals.has(count) ? ['total'] : []),
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

/** Pages like a client that trusts no total. Stops after more records than the source has, because such a list is endless. */
function paged(source: ClaimedSource, parameters: Readonly<Record<string, string>>): Paged {
  const [records, totals] = [[] as RawRecord[], new Set<unknown>()];
  while (records.length <= source.records.length) {
    const body = bodyOf(source, parameters, records.length, LIMIT);
    const data = (body['data'] ?? []) as readonly RawRecord[];
    totals.add(body['total']);
    if (data.length === 0) break;
    records.push(...data);
  }
  return { records, totals };
}

/** Whether these are all records of a list, sorted correctly. The order of equal records does not matter. */
function isSorted(
  source: ClaimedSource,
  records: readonly RawRecord[],
  sort: string,
  of: readonly RawRecord[] = source.records,
): boolean {
  const resource = findOracleResource(source.apiInterface, source.path);
  const expected = sortRecords(of, sort, resource);
  const key = (record: RawRecord | undefined): string =>
    JSON.stringify(record === undefined ? [] : (readValues(record, sort.replace(/^-/, ''), resource)[0] ?? null));
  return isSame(records, of) && records.every((record, at) => key(record) === key(expected[at]));
}

function isSame(records: readonly RawRecord[], others: readonly RawRecord[]): boolean {
  return records.length === others.length && new Set([...records, ...others]).size === others.length;
}

function matchesOf(source: ClaimedSource, name: string, value: string): readonly RawRecord[] {
  const match = exactMatch(name, source.apiInterface);
  return source.records.filter((record) => match(record, value, findOracleResource(source.apiInterface, source.path)));
}

function matchesAll(source: ClaimedSource, name: string, sort: string | undefined, total: boolean): boolean {
  return valuesFor(source, name).every((value) => {
    const expected = matchesOf(source, name, value);
    const { records, totals } = paged(source, { [name]: value });
    const ordered =
      sort === undefined || isSorted(source, paged(source, { [name]: value, sort }).records, sort, expected);
    return isSame(records, expected) && ordered && (!total || (totals.size === 1 && totals.has(expected.length)));
  });
}

function findsNoLess(source: ClaimedSource): boolean {
  return searchesFor(source).every((q) => {
    const received = new Set(paged(source, { q }).records);
    return matchesOf(source, 'q', q).every((record) => received.has(record));
  });
}

const SECOND = 1_000;

/** Filter values that occur in the records; for `country` also pairs of codes, for `before` and `after` also the adjacent seconds. */
function valuesFor(source: ClaimedSource, name: string): readonly string[] {
  const resource = findOracleResource(source.apiInterface, source.path);
  if (name === 'before' || name === 'after') {
    const times = new Set(source.records.map(({ published }) => Date.parse(String(published))));
    return sample([...times], 12).flatMap((at) =>
      [at - SECOND, at, at + SECOND].map((time) => new Date(time).toISOString()),
    );
  }
  const properties = name === 'country' ? resource.countries : [name];
  const values = source.records.flatMap((record) =>
    properties.flatMap((property) => readValues(record, property, resource)),
  );
  // GB and GR, which a source may write as UK and EL, are never pushed down (decisions 5.12).
  const single = sample([...new Set(values.map(String))], 12).filter((value) => !['GB', 'GR'].includes(value));
  return name === 'country'
    ? [...single, ...single.slice(1).map((code) => `${single[0] ?? ''},${code}`)]
    : [...single, ...single.map(fold)];
}

/** A sample of at most this many items, evenly distributed over the list. */
function sample<T>(all: readonly T[], most: number): readonly T[] {
  const step = Math.max(1, all.length / most);
  return Array.from({ length: Math.min(most, all.length) }, (_, at) => all[Math.floor(at * step)]).filter(
    (item) => item !== undefined,
  );
}

/** Search texts: words of some records, their folded forms, parts of them and a pair of words. */
function searchesFor(source: ClaimedSource): readonly string[] {
  const records = sample(source.records, 3);
  const resource = findOracleResource(source.apiInterface, source.path);
  return records.flatMap((record) => {
    const texts = Object.keys(record)
      .filter((name) => name !== 'last-modified' && name !== 'id')
      .flatMap((name) => readValues(record, name, resource))
      .map(String);
    const words = sample(
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
