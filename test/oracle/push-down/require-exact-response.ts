import { expect } from 'vitest';
import type { GatewayResponse } from '../../support/gateway/test-gateway.js';
import { allRecords, expectedList } from '../model/expected-list.js';
import type { OracleQuery } from '../model/expected-list.js';
import { DIRECTORY_TEAMS, NEWS } from '../model/oracle-resources.js';
import type { LargeSource } from './large-sources.js';
import { listedRecords } from '../start-sources.js';
import { fold } from '../model/text.js';
import { SHARED_PROPERTIES } from '../model/translate-teams.js';

/** What an answer tells of a source. */
export interface ReportedState {
  readonly state: string;
  readonly reason: string | undefined;
}

/** States of which every record is in the answer that belongs there. */
const GIVING = ['fresh', 'stale', 'excluded'];

/** What Source-Status tells, by code. */
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

/** Whether all that a source has may be held; `little`: of a source of some size it may not. */
export type MemoryBudgetSize = 'enough' | 'little';

/**
 * Holds an answer against the plain list of all records of the sources that are told to have given all that they have: nothing may differ. Where
 * others gave something as well, that list must stand in it as it is, with theirs in between.
 */
export function requireExactResponse(
  got: GatewayResponse,
  ask: OracleQuery,
  fleet: readonly LargeSource[],
  memory: MemoryBudgetSize = 'enough',
): void {
  const told = readReportedStates(got);
  const facts = { states: got.headers.get('source-status'), ask: { ...ask, noun: ask.resource.name } };
  requireTold(told, ask, fleet, memory);
  const giving = fleet.filter(({ code }) => GIVING.includes(told.get(code)?.state ?? ''));
  const asked = fleet.filter(({ code }) => told.get(code)?.state !== 'excluded');
  // Records are made in the fleet, for what they are called depends on it, and then only those that were given are looked at.
  const entries = allRecords(ask.resource, fleet).filter(({ number }) =>
    giving.some((source) => source.number === number),
  );
  const lacking = asked.filter((source) => !giving.includes(source));
  if (got.status !== 200) {
    // An error only where nothing matches in what was given, and not all was given (decisions.md, section 6).
    const { total } = expectedList(entries, ask);
    const seen = { ...facts, status: got.status, total, lacks: lacking.length > 0 };
    expect(seen).toEqual({ ...facts, status: 502, total: 0, lacks: true });
    return;
  }
  const inconclusive = got.headers.get('x-total-count') === '0' && lacking.length > 0;
  expect({ ...facts, inconclusive }).toEqual({ ...facts, inconclusive: false });
  const doubtful = fleet.filter(
    ({ code }) => !GIVING.includes(told.get(code)?.state ?? '') && told.get(code)?.reason !== 'too-large',
  );
  const write = writerOf(ask, fleet, memory);
  const records = listedRecords(got).map(write);
  const total = got.headers.get('x-total-count');
  if (doubtful.length === 0) {
    const right = expectedList(entries, ask);
    const data = right.data.map(write);
    expect({ ...facts, total, records }).toEqual({ ...facts, total: String(right.total), records: data });
    return;
  }
  const whole = expectedList(entries, { ...ask, offset: 0, limit: 1e6 }).data.map(write);
  const names = new Set(giving.map(({ sourceName }) => sourceName));
  const theirs = listedRecords(got).filter((record) => names.has(String(record['source-name'])));
  const shown = theirs.map(write);
  const runs = whole.map((_, from) => whole.slice(from, from + shown.length));
  const run = [...runs, []].find((one) => JSON.stringify(one) === JSON.stringify(shown));
  expect({ ...facts, shown }).toEqual({ ...facts, shown: run ?? whole });
  expect(Number(total), JSON.stringify(facts)).toBeGreaterThanOrEqual(whole.length);
}

/**
 * Writes a record as it is compared. A query that does not read keys may be answered without those that a source gives in a list of their own, where that
 * list is too large to be held (decisions.md, section 4, "Scopes").
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

/** The same over sources of which one may be as it was at any of some moments. */
export function requireOneExactResponse(
  got: GatewayResponse,
  ask: OracleQuery,
  fleets: readonly (readonly LargeSource[])[],
): void {
  const failures = fleets.flatMap((fleet) => {
    try {
      requireExactResponse(got, ask, fleet);
      return [];
    } catch (failure) {
      return [failure];
    }
  });
  if (failures.length === fleets.length) throw failures.at(-1);
}

function requireTold(
  told: ReadonlyMap<string, ReportedState>,
  ask: OracleQuery,
  fleet: readonly LargeSource[],
  memory: MemoryBudgetSize,
): void {
  for (const source of fleet) {
    const { state = 'untold', reason = '' } = told.get(source.code) ?? {};
    if (GIVING.includes(state)) continue;
    const excused = source.told.includes(reason) || isExcused(reason, { source, ask, fleet, memory });
    expect({ source: source.code, state, reason, excused }).toEqual({
      source: source.code,
      state,
      reason,
      excused: true,
    });
  }
}

interface Circumstances {
  readonly source: LargeSource;
  readonly ask: OracleQuery;
  readonly fleet: readonly LargeSource[];
  readonly memory: MemoryBudgetSize;
}

/** Whether a source may lack for this reason, whatever its habits. */
function isExcused(reason: string, { source, ask, fleet, memory }: Circumstances): boolean {
  if (reason === 'filter') return hasAll(source, ask, fleet);
  if (memory === 'enough') return false;
  if (reason === 'keys') return true;
  if (reason === 'search') return ask.q !== undefined && isSearched(source, ask);
  return reason === 'too-large' && !suffices(source, ask, fleet);
}

/** Whether the channel that is asked for has nearly all items: that looks as if the filter was ignored. */
function hasAll(
  source: LargeSource,
  { resource: oracleResource, channel }: OracleQuery,
  fleet: readonly LargeSource[],
): boolean {
  const items = allRecords(oracleResource, fleet).filter(({ number }) => number === source.number);
  const { total } = expectedList(items, { resource: oracleResource, channel, filters: [], sort: [], limit: 0 });
  return channel !== undefined && total > 0 && (items.length - total) * 100 <= items.length;
}

/** Whether what the source can do, and does, makes it needless to fetch more than its threshold. Of liars nobody knows what is still believed. */
function suffices(source: LargeSource, ask: OracleQuery, fleet: readonly LargeSource[]): boolean {
  if (!source.honest) return false;
  if (ask.channel !== undefined && source.supports.news?.filters.includes('channel') !== true) return false;
  return streams(source, ask) || narrows(source, ask, fleet);
}

/** Whether the first records of the answer are the first that it gives, or their number is all that is wanted. */
function streams(source: LargeSource, ask: OracleQuery): boolean {
  const claims = claimsOf(source, ask);
  if (claims === undefined || !claims.total || ask.scope === 'pgp') return false;
  if (!parametersOf(ask).every((name) => isPushed(name, source, ask))) return false;
  if (ask.limit === 0) return true;
  const [key, ...more] = ask.sort.length === 0 ? [ask.resource.sort] : ask.sort;
  if (key === undefined || more.length > 0 || key.property === 'source-name') return false;
  const property = key.property === 'last-modified' ? key.property : theirs(key.property, source, ask);
  return property !== undefined && claims.sort.includes(`${key.descending ? '-' : ''}${property}`);
}

/** The name of a property on the interface on which the source has it; undefined where it has none. */
function theirs(property: string, source: LargeSource, { resource: oracleResource }: OracleQuery): string | undefined {
  if (oracleResource === NEWS || (oracleResource === DIRECTORY_TEAMS ? source.directory : source.data) !== undefined)
    return property;
  const pair = SHARED_PROPERTIES.find((names) => names[oracleResource === DIRECTORY_TEAMS ? 0 : 1] === property);
  return pair?.[oracleResource === DIRECTORY_TEAMS ? 1 : 0];
}

/** Whether what is left by one of its filters is no more than its threshold. */
function narrows(source: LargeSource, ask: OracleQuery, fleet: readonly LargeSource[]): boolean {
  if (ask.scope === 'pgp') return false;
  const plain: OracleQuery = { resource: ask.resource, filters: [], sort: [], limit: 0 };
  const own = allRecords(ask.resource, fleet).filter(({ number }) => number === source.number);
  const alone = [
    ...ask.filters
      .filter(([name]) => name !== 'source-name')
      .map(([name, value]): [string, OracleQuery] => [name, { ...plain, filters: [[name, value]] }]),
    ...(['country', 'region', 'team', 'q', 'channel', 'before', 'after', 'link'] as const)
      .filter((name) => ask[name] !== undefined)
      .map((name): [string, OracleQuery] => [name, { ...plain, [name]: ask[name] }]),
  ];
  return alone.some(([name, one]) => isPushed(name, source, ask) && expectedList(own, one).total <= source.threshold);
}

function parametersOf(ask: OracleQuery): readonly string[] {
  const named = (['country', 'region', 'team', 'q', 'channel', 'before', 'after', 'link'] as const).filter(
    (name) => ask[name] !== undefined,
  );
  return [...ask.filters.map(([name]) => name), ...named];
}

function claimsOf(
  { supports }: LargeSource,
  { resource: oracleResource }: OracleQuery,
): LargeSource['supports']['teams'] {
  return oracleResource === NEWS ? supports.news : supports.teams;
}

/** Whether a parameter is left to the source altogether. */
function isPushed(name: string, source: LargeSource, ask: OracleQuery): boolean {
  const claims = claimsOf(source, ask);
  if (name === 'source-name') return true;
  if (claims === undefined || name === 'id' || namesAliased(name, ask)) return false;
  if (name === 'q') return isSearched(source, ask) && claims.exact;
  const isNative =
    ask.resource === NEWS || (ask.resource === DIRECTORY_TEAMS ? source.directory : source.data) !== undefined;
  const words = name === 'team' && ask.resource === DIRECTORY_TEAMS;
  if (isNative) return claims.filters.includes(name) && ((name !== 'region' && !words) || claims.exact);
  if (name === 'country' || name === 'region')
    return claims.filters.includes(name) && (name === 'country' || claims.exact);
  const property = words ? undefined : theirs(name, source, ask);
  return property !== undefined && property !== 'country' && claims.filters.includes(property);
}

/** Whether the source is asked for what is sought: the source-name is not its own. */
function isSearched(source: LargeSource, ask: OracleQuery): boolean {
  const isNative =
    ask.resource === NEWS || (ask.resource === DIRECTORY_TEAMS ? source.directory : source.data) !== undefined;
  const words = fold(ask.resource === DIRECTORY_TEAMS ? (ask.q ?? '') : '')
    .split(/\s+/)
    .filter((word) => word !== '');
  const own = !words.some((word) => fold(source.sourceName).includes(word));
  return isNative && own && claimsOf(source, ask)?.search === true;
}

/** Countries that records write in another way, too: a filter by one of them is never pushed down (docs/decisions/0015-push-down.md). */
const ALIASED = ['UK', 'GB', 'EL', 'GR'];

function namesAliased(name: string, { country = [], filters }: OracleQuery): boolean {
  const named = filters.filter(([one]) => one === name && one.includes('country')).map(([, value]) => value);
  return [...named, ...(name === 'country' ? country : [])].some((code) => ALIASED.includes(code.toUpperCase()));
}
