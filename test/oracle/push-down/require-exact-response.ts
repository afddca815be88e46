import { expect } from 'vitest';
import type { GatewayResponse } from '../../support/gateway/test-gateway.js';
import { allRecords, expectedList } from '../model/expected-list.js';
import type { OracleQuery } from '../model/expected-list.js';
import { DIRECTORY_TEAMS, NEWS } from '../model/oracle-resources.js';
import type { LargeSource } from './large-sources.js';
import { listedRecords } from '../start-sources.js';
import { fold } from '../model/text.js';
import { hasUnreadValues } from '../model/unread-values.js';

/** What a response reports about a source. */
export interface ReportedState {
  readonly state: string;
  readonly reason: string | undefined;
}

/** States of sources whose matching records are all in the response. */
const COMPLETE = ['fresh', 'stale', 'excluded'];

/** Reason of a source of which values cannot be read that the query filters on. */
const UNREADABLE = 'unreadable';

/** Parses Source-Status, by code of the source. */
export function readReportedStates({ headers }: GatewayResponse): ReadonlyMap<string, ReportedState> {
  const members = (headers.get('source-status') ?? '').split(', ').filter((member) => member !== '');
  return new Map(
    members.map((member) => {
      const [code = '', ...parameters] = member.split(';');
      const of = new Map(parameters.map((one): [string, string] => [one.split('=')[0] ?? '', one.split('=')[1] ?? '']));
      return [code, { state: of.get('state') ?? '', reason: of.get('reason') }];
    }),
  );
}

/** Memory of the gateway: `enough` for the complete lists of all sources, or too `little` for the larger ones. */
export type MemoryBudgetSize = 'enough' | 'little';

/**
 * Compares a response with the oracle's list of all records of the sources that are reported as complete. The response must be equal.
 * If incomplete sources contributed records too, these may be between the records of the list.
 */
export function requireExactResponse(
  response: GatewayResponse,
  query: OracleQuery,
  fleet: readonly LargeSource[],
  memory: MemoryBudgetSize = 'enough',
): void {
  const reported = readReportedStates(response);
  const facts = { states: response.headers.get('source-status'), query: { ...query, noun: query.resource.name } };
  requireExplainedStates(reported, query, fleet, memory);
  const complete = fleet.filter(({ code }) => COMPLETE.includes(reported.get(code)?.state ?? ''));
  // A source with unread values is incomplete, but all records that are known to match are in the response (decisions 4.6).
  const exact = fleet.filter((source) => complete.includes(source) || reported.get(source.code)?.reason === UNREADABLE);
  const queried = fleet.filter(({ code }) => reported.get(code)?.state !== 'excluded');
  // The records of all sources are read first, because reading depends on the other sources; then those of complete sources are selected.
  const entries = allRecords(query.resource, fleet).filter(({ number }) =>
    exact.some((source) => source.number === number),
  );
  const incomplete = queried.filter((source) => !complete.includes(source));
  if (response.status !== 200) {
    // An error is correct only if no record of the complete sources matches and a source is incomplete (decisions 6.7).
    const { total } = expectedList(entries, query);
    const actual = { ...facts, status: response.status, total, isIncomplete: incomplete.length > 0 };
    expect(actual).toEqual({ ...facts, status: 502, total: 0, isIncomplete: true });
    return;
  }
  const inconclusive = response.headers.get('x-total-count') === '0' && incomplete.length > 0;
  expect({ ...facts, inconclusive }).toEqual({ ...facts, inconclusive: false });
  const doubtful = fleet.filter(
    (source) => !exact.includes(source) && reported.get(source.code)?.reason !== 'too-large',
  );
  const write = writerOf(query, fleet, memory);
  const records = listedRecords(response).map(write);
  const total = response.headers.get('x-total-count');
  if (doubtful.length === 0) {
    const expected = expectedList(entries, query);
    const data = expected.data.map(write);
    expect({ ...facts, total, records }).toEqual({ ...facts, total: String(expected.total), records: data });
    return;
  }
  const whole = expectedList(entries, { ...query, offset: 0, limit: 1e6 }).data.map(write);
  const names = new Set(exact.map(({ sourceName }) => sourceName));
  const ofComplete = listedRecords(response).filter((record) => names.has(String(record['source-name'])));
  const shown = ofComplete.map(write);
  const runs = whole.map((_, from) => whole.slice(from, from + shown.length));
  const run = [...runs, []].find((candidate) => JSON.stringify(candidate) === JSON.stringify(shown));
  expect({ ...facts, shown }).toEqual({ ...facts, shown: run ?? whole });
  expect(Number(total), JSON.stringify(facts)).toBeGreaterThanOrEqual(whole.length);
}

/**
 * Serialises a record for comparison. The response to a query that does not read keys may lack the keys that a source sends in a
 * separate list, if that list is too large for the cache (decisions 4.25).
 */
function writerOf(
  { resource: oracleResource }: OracleQuery,
  fleet: readonly LargeSource[],
  memory: MemoryBudgetSize,
): (record: object) => string {
  const apart = fleet.filter(({ data, honest }) => data?.keys === 'pgp' && (memory === 'little' || !honest));
  const names = new Set(oracleResource === DIRECTORY_TEAMS ? apart.map(({ sourceName }) => sourceName) : []);
  return (record) => {
    const hides = 'source-name' in record && names.has(String(record['source-name']));
    return JSON.stringify(record, (name, value: unknown) => (hides && name === 'enckeys' ? undefined : value));
  };
}

/** Requires that a response is exact for one of several states of the sources. */
export function requireOneExactResponse(
  response: GatewayResponse,
  query: OracleQuery,
  fleets: readonly (readonly LargeSource[])[],
): void {
  const failures = fleets.flatMap((fleet) => {
    try {
      requireExactResponse(response, query, fleet);
      return [];
    } catch (failure) {
      return [failure];
    }
  });
  if (failures.length === fleets.length) throw failures.at(-1);
}

/** Requires that every incomplete source is reported with a reason that its behaviours or the circumstances explain. */
function requireExplainedStates(
  reported: ReadonlyMap<string, ReportedState>,
  query: OracleQuery,
  fleet: readonly LargeSource[],
  memory: MemoryBudgetSize,
): void {
  for (const source of fleet) {
    const { state = 'unreported', reason = '' } = reported.get(source.code) ?? {};
    if (COMPLETE.includes(state)) continue;
    const explained = source.reasons.includes(reason) || isExplained(reason, { source, query, fleet, memory });
    expect({ source: source.code, state, reason, explained }).toEqual({
      source: source.code,
      state,
      reason,
      explained: true,
    });
  }
}

interface Circumstances {
  readonly source: LargeSource;
  readonly query: OracleQuery;
  readonly fleet: readonly LargeSource[];
  readonly memory: MemoryBudgetSize;
}

/** Whether a source with any behaviours may be incomplete for this reason. */
function isExplained(reason: string, { source, query, fleet, memory }: Circumstances): boolean {
  if (reason === UNREADABLE) return hasUnreadValues(source, query) === 'yes';
  if (reason === 'filter') return hasNearlyAllItems(source, query, fleet);
  if (memory === 'enough') return false;
  if (reason === 'keys') return true;
  // The totals of a short page and of a long one look like a list that lost most of its records.
  if (reason === 'shrunk') return source.behaviours.includes('reports the page size as total');
  if (reason === 'search') return query.q !== undefined && isSearched(source, query);
  return reason === 'too-large' && !suffices(source, query, fleet);
}

/** Whether the requested channel contains at least 99 % of the items: this looks like an ignored filter. */
function hasNearlyAllItems(
  source: LargeSource,
  { resource: oracleResource, channel }: OracleQuery,
  fleet: readonly LargeSource[],
): boolean {
  const items = allRecords(oracleResource, fleet).filter(({ number }) => number === source.number);
  const { total } = expectedList(items, { resource: oracleResource, channel, filters: [], sort: [], limit: 0 });
  return channel !== undefined && total > 0 && (items.length - total) * 100 <= items.length;
}

/**
 * Whether the capabilities of the source make it unnecessary to fetch more records than its drain threshold. False for a source with
 * untrue claims, because the test does not know which of its claims Rollcall still believes.
 */
function suffices(source: LargeSource, query: OracleQuery, fleet: readonly LargeSource[]): boolean {
  if (!source.honest) return false;
  if (query.channel !== undefined || !servesNatively(source, query)) return false;
  return streams(source, query) || narrows(source, query, fleet);
}

/** Whether the first records of the response are the first records that the source sends, or only the total is requested. */
function streams(source: LargeSource, query: OracleQuery): boolean {
  const claims = claimsOf(source, query);
  if (claims === undefined || !claims.total || query.scope === 'pgp') return false;
  if (!parametersOf(query).every((name) => isPushed(name, source, query))) return false;
  if (query.limit === 0) return true;
  const [key, ...more] = query.sort.length === 0 ? [query.resource.sort] : query.sort;
  if (key === undefined || more.length > 0 || key.property === 'source-name') return false;
  return claims.sort.includes(`${key.descending ? '-' : ''}${key.property}`);
}

/** Whether the source serves the resource on the interface of the query: nothing is pushed down to the other one. */
function servesNatively({ directory, data }: LargeSource, { resource: oracleResource }: OracleQuery): boolean {
  return oracleResource === NEWS || (oracleResource === DIRECTORY_TEAMS ? directory : data) !== undefined;
}

/** Whether one of the pushed-down filters leaves at most as many records as the drain threshold. */
function narrows(source: LargeSource, query: OracleQuery, fleet: readonly LargeSource[]): boolean {
  if (query.scope === 'pgp') return false;
  const plain: OracleQuery = { resource: query.resource, filters: [], sort: [], limit: 0 };
  const own = allRecords(query.resource, fleet).filter(({ number }) => number === source.number);
  const alone = [
    ...query.filters
      .filter(([name]) => name !== 'source-name')
      .map(([name, value]): [string, OracleQuery] => [name, { ...plain, filters: [[name, value]] }]),
    ...(['country', 'region', 'team', 'q', 'before', 'after', 'link'] as const)
      .filter((name) => query[name] !== undefined)
      .map((name): [string, OracleQuery] => [name, { ...plain, [name]: query[name] }]),
  ];
  return alone.some(([name, one]) => isPushed(name, source, query) && expectedList(own, one).total <= source.threshold);
}

function parametersOf(query: OracleQuery): readonly string[] {
  const named = (['country', 'region', 'team', 'q', 'before', 'after', 'link'] as const).filter(
    (name) => query[name] !== undefined,
  );
  return [...query.filters.map(([name]) => name), ...named];
}

function claimsOf(
  { supports }: LargeSource,
  { resource: oracleResource }: OracleQuery,
): LargeSource['supports']['teams'] {
  return oracleResource === NEWS ? supports.news : supports.teams;
}

/** Whether a parameter is pushed down completely, without a residual. */
function isPushed(name: string, source: LargeSource, query: OracleQuery): boolean {
  const claims = claimsOf(source, query);
  if (name === 'source-name') return true;
  if (claims === undefined || name === 'id' || namesAliased(name, query)) return false;
  if (name === 'q') return isSearched(source, query) && claims.exact;
  const words = name === 'team' && query.resource === DIRECTORY_TEAMS;
  return claims.filters.includes(name) && ((name !== 'region' && !words) || claims.exact);
}

/** Whether `q` is pushed down: not if a word occurs in the source-name, which Rollcall adds to the records. */
function isSearched(source: LargeSource, query: OracleQuery): boolean {
  const words = fold(query.resource === DIRECTORY_TEAMS ? (query.q ?? '') : '')
    .split(/\s+/)
    .filter((word) => word !== '');
  const own = !words.some((word) => fold(source.sourceName).includes(word));
  return own && claimsOf(source, query)?.search === true;
}

/** Country codes that have two forms: a filter by one of them is never pushed down (decisions 5.12). */
const ALIASED = ['UK', 'GB', 'EL', 'GR'];

function namesAliased(name: string, { country = [], filters }: OracleQuery): boolean {
  const named = filters.filter(([one]) => one === name && one.includes('country')).map(([, value]) => value);
  return [...named, ...(name === 'country' ? country : [])].some((code) => ALIASED.includes(code.toUpperCase()));
}
