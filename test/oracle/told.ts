import { expect } from 'vitest';
import type { Got } from '../support/rollcall.js';
import { everything, expected } from './oracle.js';
import type { Ask } from './oracle.js';
import { DIRECTORY, NEWS } from './nouns.js';
import type { Pushed } from './pushed-fleet.js';
import { recordsIn } from './running.js';
import { fold } from './text.js';

/** What an answer tells of a source. */
export interface Told {
  readonly state: string;
  readonly reason: string | undefined;
}

/** States of which every record is in the answer that belongs there. */
const GIVING = ['fresh', 'stale', 'excluded'];

/** What Source-Status tells, by code. */
export function toldBy({ headers }: Got): ReadonlyMap<string, Told> {
  const members = (headers.get('source-status') ?? '').split(', ').filter((member) => member !== '');
  return new Map(
    members.map((member) => {
      const [code = '', ...parameters] = member.split(';');
      const of = new Map(parameters.map((one): [string, string] => [one.split('=')[0] ?? '', one.split('=')[1] ?? '']));
      return [code, { state: of.get('state') ?? '', reason: of.get('reason') }];
    }),
  );
}

/**
 * Holds an answer against the plain list of all records of the sources that are told to have given all that they have: nothing may differ. Where
 * others gave something as well, that list must stand in it as it is, with theirs in between.
 */
export function requireExact(got: Got, ask: Ask, fleet: readonly Pushed[]): void {
  const told = toldBy(got);
  const facts = { states: got.headers.get('source-status'), ask: { ...ask, noun: ask.noun.name } };
  requireTold(told, ask, fleet);
  const giving = fleet.filter(({ code }) => GIVING.includes(told.get(code)?.state ?? ''));
  const asked = fleet.filter(({ code }) => told.get(code)?.state !== 'excluded');
  // Records are made in the fleet, for what they are called depends on it, and then only those that were given are looked at.
  const entries = everything(ask.noun, fleet).filter(({ number }) => giving.some((source) => source.number === number));
  const lacking = asked.filter((source) => !giving.includes(source));
  if (got.status !== 200) {
    // An error only where nothing matches in what was given, and not all was given (decisions.md, section 6).
    const { total } = expected(entries, ask);
    const seen = { ...facts, status: got.status, total, lacks: lacking.length > 0 };
    expect(seen).toEqual({ ...facts, status: 502, total: 0, lacks: true });
    return;
  }
  const inconclusive = got.headers.get('x-total-count') === '0' && lacking.length > 0;
  expect({ ...facts, inconclusive }).toEqual({ ...facts, inconclusive: false });
  const doubtful = fleet.filter(
    ({ code }) => !GIVING.includes(told.get(code)?.state ?? '') && told.get(code)?.reason !== 'too-large',
  );
  const records = recordsIn(got).map((record) => JSON.stringify(record));
  const total = got.headers.get('x-total-count');
  if (doubtful.length === 0) {
    const right = expected(entries, ask);
    const data = right.data.map((record) => JSON.stringify(record));
    expect({ ...facts, total, records }).toEqual({ ...facts, total: String(right.total), records: data });
    return;
  }
  const whole = expected(entries, { ...ask, offset: 0, limit: 1e6 }).data.map((record) => JSON.stringify(record));
  const names = new Set(giving.map(({ sourceName }) => sourceName));
  const theirs = recordsIn(got).filter((record) => names.has(String(record['source-name'])));
  const shown = theirs.map((record) => JSON.stringify(record));
  const runs = whole.map((_, from) => whole.slice(from, from + shown.length));
  const run = [...runs, []].find((one) => JSON.stringify(one) === JSON.stringify(shown));
  expect({ ...facts, shown }).toEqual({ ...facts, shown: run ?? whole });
  expect(Number(total), JSON.stringify(facts)).toBeGreaterThanOrEqual(whole.length);
}

/** The same over sources of which one may be as it was at any of some moments. */
export function requireOneExact(got: Got, ask: Ask, fleets: readonly (readonly Pushed[])[]): void {
  const failures = fleets.flatMap((fleet) => {
    try {
      requireExact(got, ask, fleet);
      return [];
    } catch (failure) {
      return [failure];
    }
  });
  if (failures.length === fleets.length) throw failures.at(-1);
}

function requireTold(told: ReadonlyMap<string, Told>, ask: Ask, fleet: readonly Pushed[]): void {
  for (const source of fleet) {
    const { state = 'untold', reason } = told.get(source.code) ?? {};
    if (GIVING.includes(state)) continue;
    const excused = reason === 'too-large' ? !suffices(source, ask, fleet) : source.told.includes(reason ?? '');
    expect({ source: source.code, state, reason, excused }).toEqual({
      source: source.code,
      state,
      reason,
      excused: true,
    });
  }
}

/** Whether what the source can do, and does, makes it needless to fetch more than its threshold. Of liars nobody knows what is still believed. */
function suffices(source: Pushed, ask: Ask, fleet: readonly Pushed[]): boolean {
  if (!source.honest) return false;
  const { noun } = ask;
  const native = noun === DIRECTORY ? source.directory : noun === NEWS ? source.data?.news : source.data?.teams;
  const other = noun === NEWS ? undefined : noun === DIRECTORY ? source.data?.teams : source.directory;
  const records = native ?? other ?? [];
  if (records.length <= source.threshold) return true;
  return native !== undefined && (streams(source, ask) || narrows(source, ask, fleet));
}

/** Whether the first records of the answer are the first that it gives. */
function streams(source: Pushed, ask: Ask): boolean {
  const claims = claimsOf(source, ask);
  const [key, ...more] = ask.sort.length === 0 ? [ask.noun.sort] : ask.sort;
  const sort = key?.descending === true ? `-${key.property}` : key?.property;
  if (claims === undefined || more.length > 0 || sort === undefined || key?.property === 'source-name') return false;
  const all = parametersOf(ask).every((name) => isPushed(name, source, ask));
  return all && claims.sort.includes(sort) && claims.total && ask.scope !== 'pgp';
}

/** Whether what is left by one of its filters is no more than its threshold. */
function narrows(source: Pushed, ask: Ask, fleet: readonly Pushed[]): boolean {
  if (ask.scope === 'pgp') return false;
  const plain: Ask = { noun: ask.noun, filters: [], sort: [], limit: 0 };
  const own = everything(ask.noun, fleet).filter(({ number }) => number === source.number);
  const alone = [
    ...ask.filters
      .filter(([name]) => name !== 'source-name')
      .map(([name, value]): [string, Ask] => [name, { ...plain, filters: [[name, value]] }]),
    ...(['country', 'region', 'team', 'q', 'before', 'after', 'link'] as const)
      .filter((name) => ask[name] !== undefined)
      .map((name): [string, Ask] => [name, { ...plain, [name]: ask[name] }]),
  ];
  return alone.some(([name, one]) => isPushed(name, source, ask) && expected(own, one).total <= source.threshold);
}

function parametersOf(ask: Ask): readonly string[] {
  const named = (['country', 'region', 'team', 'q', 'before', 'after', 'link'] as const).filter(
    (name) => ask[name] !== undefined,
  );
  return [...ask.filters.map(([name]) => name), ...named];
}

function claimsOf({ supports }: Pushed, { noun }: Ask): Pushed['supports']['teams'] {
  return noun === NEWS ? supports.news : supports.teams;
}

/** Whether a parameter is left to the source altogether. */
function isPushed(name: string, source: Pushed, ask: Ask): boolean {
  const claims = claimsOf(source, ask);
  if (name === 'source-name') return true;
  if (claims === undefined || name === 'id' || namesAliased(name, ask)) return false;
  const words = fold(name === 'q' && ask.noun === DIRECTORY ? (ask.q ?? '') : '')
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.some((word) => fold(source.sourceName).includes(word))) return false;
  if (name === 'q') return claims.search && claims.exact;
  const trusted = name === 'region' || (name === 'team' && ask.noun === DIRECTORY);
  return claims.filters.includes(name) && (!trusted || claims.exact);
}

/** Countries that records write in another way, too: a filter by one of them is never pushed down (docs/decisions/0015-push-down.md). */
const ALIASED = ['UK', 'GB', 'EL', 'GR'];

function namesAliased(name: string, { country = [], filters }: Ask): boolean {
  const named = filters.filter(([one]) => one === name && one.includes('country')).map(([, value]) => value);
  return [...named, ...(name === 'country' ? country : [])].some((code) => ALIASED.includes(code.toUpperCase()));
}
