import type { RandomNumber, SourceOutages } from './source-outages.js';
import { namesOf } from './source-outages.js';

/** Times of the gateway under load, in milliseconds; short, so that everything happens many times. */
export const TIMES = {
  ttl: 1_000,
  staleWhileRevalidate: 1_500,
  staleIfError: 6_000,
  timeout: 600,
  deadline: 2_000,
  cooldown: 2_000,
};

/** What the machine may be late, in milliseconds. */
const SLACK = 1_000;

/** After so many milliseconds of good weather a source must be in the answers again: two cooldowns, a drain, and what is remembered. */
const BACK = 10_000;

/** A query, and what it selects. */
export interface SoakRequest {
  readonly query: string;
  readonly strict: boolean;
  /** The one source that is asked; undefined for all. */
  readonly only: string | undefined;
  readonly team: string;
  readonly descending: boolean;
  readonly limit: number;
  readonly offset: number;
}

/** An answer, and when it was asked for and came, in milliseconds since 1970. */
export interface SoakResponse {
  readonly status: number;
  readonly sourceStatus: string;
  readonly cacheControl: string;
  readonly total: string;
  readonly body: unknown;
  readonly sent: number;
  readonly came: number;
}

/** A query of one of the kinds that show sources in their answers. */
export function randomRequest(random: RandomNumber, codes: readonly string[]): SoakRequest {
  const pick = <T>(items: readonly T[]): T | undefined => items[Math.floor(random() * items.length)];
  const ask = {
    strict: random() < 0.2,
    only: random() < 0.3 ? pick(codes) : undefined,
    team: pick(['', '', '1', '07', codes[0] ?? '']) ?? '',
    descending: random() < 0.5,
    limit: pick([1_000, 1_000, 7, 0]) ?? 1_000,
    offset: pick([0, 0, 0, 40]) ?? 0,
  };
  const { only, team, descending, limit, offset } = ask;
  const sort = descending ? '-short-team-name' : 'short-team-name';
  const narrowed = `${only === undefined ? '' : `&source-name=${only}`}${team === '' ? '' : `&team=${team}`}`;
  return { ...ask, query: `envelope=1&pretty=0&sort=${sort}&limit=${limit}&offset=${offset}${narrowed}` };
}

interface State {
  readonly code: string;
  readonly state: string;
  readonly reason: string;
  readonly age: number;
}

/** Everything that is wrong with an answer, given what was reachable when it was made; empty where nothing is. */
export function findFaults(ask: SoakRequest, answer: SoakResponse, fleet: readonly SourceOutages[]): readonly string[] {
  const states = readStates(answer.sourceStatus);
  const told = fleet.map(({ code }) => states.find((state) => state.code === code));
  if (told.some((state) => state === undefined))
    return [`a source is missing in Source-Status: ${answer.sourceStatus}`];
  const asked = states.filter(({ state }) => state !== 'excluded');
  const faults = asked.flatMap((state) => faultOfState(state, answer, fleet));
  return [...faults, ...(answer.status === 200 ? faultsOfList(ask, answer, asked) : faultsOfError(ask, answer, asked))];
}

function readStates(field: string): readonly State[] {
  const members = field.matchAll(/(?<code>[a-z]+);state=(?<state>[a-z]+)(?:;reason=(?<reason>[a-z-]+))?[^,]*/g);
  return [...members].map(([text, code = '', state = '', reason = '']) => {
    return { code, state, reason, age: Number(/;age=(\d+)/.exec(text)?.[1] ?? NaN) };
  });
}

/** A state that cannot be true. */
function faultOfState(
  { code, state, age }: State,
  { sent, came }: SoakResponse,
  fleet: readonly SourceOutages[],
): string[] {
  const { ttl, staleWhileRevalidate, staleIfError, deadline } = TIMES;
  const current = ttl + staleWhileRevalidate;
  const { known } = fleet.find((outages) => outages.code === code) ?? { known: [] };
  const oldest = { fresh: current + deadline, stale: ttl + staleIfError + deadline }[state];
  if (oldest !== undefined && !(age * 1_000 <= oldest + SLACK)) return [`${code} is ${state} and ${age} s old`];
  if (!['fresh', 'stale', 'failed', 'suspended'].includes(state)) return [`${code} is ${state}`];
  const reached = known.some(({ from, to }) => from <= came && to >= sent - current - SLACK);
  if (state === 'fresh' && !reached) return [`${code} is fresh, and was not to be reached`];
  const back = known.find(({ from, to }) => from <= sent - BACK && to >= came);
  return state !== 'fresh' && back !== undefined ? [`${code} is ${state}, and well for ${came - back.from} ms`] : [];
}

function faultsOfError(ask: SoakRequest, { status, body }: SoakResponse, asked: readonly State[]): string[] {
  const { strict } = ask;
  const lacking = asked.filter(({ state }) => (strict ? state !== 'fresh' : !gives(state)));
  const giving = asked.filter(({ state }) => gives(state)).map(({ code }) => code);
  const late = lacking.every(({ reason }) => reason === 'timeout');
  if (status !== (late ? 504 : 502)) return [`status ${status}, where ${late ? 504 : 502} belongs`];
  if (lacking.length === 0) return [`status ${status}, and nothing is lacking`];
  if (!strict && select(ask, giving).length > 0) return [`status ${status}, and something matches`];
  return listAt(body, 'data') === undefined ? [] : ['an error with data'];
}

function faultsOfList(ask: SoakRequest, answer: SoakResponse, asked: readonly State[]): string[] {
  const lacking = asked.filter(({ state }) => state !== 'fresh');
  const giving = asked.filter(({ state }) => gives(state));
  const marks = (listAt(answer.body, 'sources') ?? []).map((source) => textAt(source, 'source-name'));
  const control =
    lacking.length === 0
      ? 'public'
      : lacking.length + giving.length > asked.length && lacking.every(({ state }) => state === 'stale')
        ? 'no-cache'
        : 'no-store';
  const expected = select(
    ask,
    giving.map(({ code }) => code),
  );
  const shown = (listAt(answer.body, 'data') ?? []).map((record) => textAt(record, 'short-team-name'));
  return [
    ...(giving.length === 0 ? ['a list, and no source gives'] : []),
    ...(expected.length === 0 && giving.length < asked.length ? ['an empty list, and a source gave nothing'] : []),
    ...(ask.strict && lacking.length > 0 ? ['an answer that lacks something, although strict'] : []),
    ...differ(
      'sources of the envelope',
      marks,
      lacking.map(({ code }) => code),
    ),
    ...(answer.cacheControl.startsWith(control)
      ? []
      : [`Cache-Control ${answer.cacheControl}, where ${control} belongs`]),
    ...differ('total', [answer.total], [String(expected.length)]),
    ...differ('records', shown, expected.slice(ask.offset, ask.offset + ask.limit)),
  ];
}

/** Every record must be of a time at which its source was well, and which its age allows; all of a source of the same. */
export function findRecordFaults(
  { body, sourceStatus, sent, came }: SoakResponse,
  fleet: readonly SourceOutages[],
): readonly string[] {
  const ages = new Map(readStates(sourceStatus).map(({ code, age }) => [code, age]));
  const seen = new Map<string, string>();
  const faults = new Set<string>();
  for (const record of listAt(body, 'data') ?? []) {
    const [code, host] = [textAt(record, 'source-name'), textAt(record, 'host')];
    if ((seen.get(code) ?? host) !== host) faults.add(`${code} is mixed of ${host} and ${seen.get(code) ?? ''}`);
    seen.set(code, host);
  }
  for (const [code, host] of seen) {
    const spell = fleet
      .find((outages) => outages.code === code)
      ?.known.find(({ generation }) => host === `generation ${generation}`);
    const earliest = sent - ((ages.get(code) ?? 0) + 1) * 1_000 - SLACK;
    const possible = spell !== undefined && spell.from <= came && spell.to >= earliest;
    if (!possible) faults.add(`${code} is of ${host}, which was not to be had`);
  }
  return [...faults];
}

function gives(state: string): boolean {
  return state === 'fresh' || state === 'stale';
}

function select({ team, descending }: SoakRequest, codes: readonly string[]): readonly string[] {
  const names = codes
    .flatMap(namesOf)
    .filter((name) => name.includes(team))
    .sort();
  return descending ? names.reverse() : names;
}

function differ(what: string, shown: readonly string[], expected: readonly string[]): string[] {
  const same = shown.length === expected.length && shown.every((item, at) => item === expected[at]);
  return same
    ? []
    : [`${what}: ${shown.slice(0, 30).join(', ')} where there should be ${expected.slice(0, 30).join(', ')}`];
}

function valueAt(json: unknown, name: string): unknown {
  return typeof json === 'object' && json !== null
    ? Object.entries(json).find(([key]) => key === name)?.[1]
    : undefined;
}

function listAt(json: unknown, name: string): readonly unknown[] | undefined {
  const value = valueAt(json, name);
  return Array.isArray(value) ? value : undefined;
}

function textAt(json: unknown, name: string): string {
  const value = valueAt(json, name);
  return typeof value === 'string' ? value : '';
}
