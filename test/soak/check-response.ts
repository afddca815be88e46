import type { RandomNumber, SourceOutages } from './source-outages.js';
import { namesOf } from './source-outages.js';

/** Configured times of the gateway under load, in milliseconds; short, so that each of them expires many times. */
export const TIMES = {
  ttl: 1_000,
  staleWhileRevalidate: 1_500,
  staleIfError: 6_000,
  timeout: 600,
  deadline: 2_000,
  cooldown: 2_000,
};

/** Tolerance for a busy machine, in milliseconds. */
const SLACK = 1_000;

/** Milliseconds of health after which a source must be fresh again: two cooldowns, a drain and the lifetime of a snapshot. */
const RECOVERY = 10_000;

/** A query string with its parameters. */
export interface SoakRequest {
  readonly query: string;
  readonly strict: boolean;
  /** The only source that is queried; undefined for all. */
  readonly only: string | undefined;
  readonly team: string;
  readonly descending: boolean;
  readonly limit: number;
  readonly offset: number;
}

/** A response, with the times at which the request was sent and the response received, in milliseconds since 1970. */
export interface SoakResponse {
  readonly status: number;
  readonly sourceStatus: string;
  readonly cacheControl: string;
  readonly total: string;
  readonly body: unknown;
  readonly sent: number;
  readonly received: number;
}

/** A random query with an envelope. */
export function randomRequest(random: RandomNumber, codes: readonly string[]): SoakRequest {
  const pick = <T>(items: readonly T[]): T | undefined => items[Math.floor(random() * items.length)];
  const draft = {
    strict: random() < 0.2,
    only: random() < 0.3 ? pick(codes) : undefined,
    team: pick(['', '', '1', '07', codes[0] ?? '']) ?? '',
    descending: random() < 0.5,
    limit: pick([1_000, 1_000, 7, 0]) ?? 1_000,
    offset: pick([0, 0, 0, 40]) ?? 0,
  };
  const { only, team, descending, limit, offset } = draft;
  const sort = descending ? '-short-team-name' : 'short-team-name';
  const narrowed = `${only === undefined ? '' : `&source-name=${only}`}${team === '' ? '' : `&team=${team}`}`;
  return { ...draft, query: `envelope=1&pretty=0&sort=${sort}&limit=${limit}&offset=${offset}${narrowed}` };
}

interface State {
  readonly code: string;
  readonly state: string;
  readonly reason: string;
  readonly age: number;
}

/** All faults of a response, given which sources were reachable at that time. */
export function findFaults(
  request: SoakRequest,
  response: SoakResponse,
  fleet: readonly SourceOutages[],
): readonly string[] {
  const states = readStates(response.sourceStatus);
  const reported = fleet.map(({ code }) => states.find((state) => state.code === code));
  if (reported.some((state) => state === undefined))
    return [`a source is missing in Source-Status: ${response.sourceStatus}`];
  const queried = states.filter(({ state }) => state !== 'excluded');
  const faults = queried.flatMap((state) => faultOfState(state, response, fleet));
  const further =
    response.status === 200 ? faultsOfList(request, response, queried) : faultsOfError(request, response, queried);
  return [...faults, ...further];
}

function readStates(field: string): readonly State[] {
  const members = field.matchAll(/(?<code>[a-z]+);state=(?<state>[a-z]+)(?:;reason=(?<reason>[a-z-]+))?[^,]*/g);
  return [...members].map(([text, code = '', state = '', reason = '']) => {
    return { code, state, reason, age: Number(/;age=(\d+)/.exec(text)?.[1] ?? NaN) };
  });
}

/** Whether a reported state of a source is impossible. */
function faultOfState(
  { code, state, age }: State,
  { sent, received }: SoakResponse,
  fleet: readonly SourceOutages[],
): string[] {
  const { ttl, staleWhileRevalidate, staleIfError, deadline } = TIMES;
  const current = ttl + staleWhileRevalidate;
  const { healthyPeriods } = fleet.find((outages) => outages.code === code) ?? { healthyPeriods: [] };
  const oldest = { fresh: current + deadline, stale: ttl + staleIfError + deadline }[state];
  if (oldest !== undefined && !(age * 1_000 <= oldest + SLACK)) return [`${code} is ${state} and ${age} s old`];
  if (!['fresh', 'stale', 'failed', 'suspended'].includes(state)) return [`${code} is ${state}`];
  const wasReachable = healthyPeriods.some(({ from, to }) => from <= received && to >= sent - current - SLACK);
  if (state === 'fresh' && !wasReachable) return [`${code} is fresh, but was not reachable`];
  const recovered = healthyPeriods.find(({ from, to }) => from <= sent - RECOVERY && to >= received);
  return state !== 'fresh' && recovered !== undefined
    ? [`${code} is ${state}, but has been healthy for ${received - recovered.from} ms`]
    : [];
}

function faultsOfError(request: SoakRequest, { status, body }: SoakResponse, queried: readonly State[]): string[] {
  const { strict } = request;
  const failed = queried.filter(({ state }) => (strict ? state !== 'fresh' : !isUsable(state)));
  const usable = queried.filter(({ state }) => isUsable(state)).map(({ code }) => code);
  const isTimeout = failed.every(({ reason }) => reason === 'timeout');
  if (status !== (isTimeout ? 504 : 502)) return [`status ${status} instead of ${isTimeout ? 504 : 502}`];
  if (failed.length === 0) return [`status ${status}, but no source failed`];
  if (!strict && select(request, usable).length > 0) return [`status ${status}, but records match`];
  return listAt(body, 'data') === undefined ? [] : ['an error with data'];
}

function faultsOfList(request: SoakRequest, response: SoakResponse, queried: readonly State[]): string[] {
  const notFresh = queried.filter(({ state }) => state !== 'fresh');
  const usable = queried.filter(({ state }) => isUsable(state));
  const listed = (listAt(response.body, 'sources') ?? []).map((source) => textAt(source, 'source-name'));
  const control =
    notFresh.length === 0
      ? 'public'
      : notFresh.length + usable.length > queried.length && notFresh.every(({ state }) => state === 'stale')
        ? 'no-cache'
        : 'no-store';
  const expected = select(
    request,
    usable.map(({ code }) => code),
  );
  const shown = (listAt(response.body, 'data') ?? []).map((record) => textAt(record, 'short-team-name'));
  return [
    ...(usable.length === 0 ? ['a list, but no source is usable'] : []),
    ...(expected.length === 0 && usable.length < queried.length ? ['an empty list, but a source failed'] : []),
    ...(request.strict && notFresh.length > 0 ? ['an incomplete response to a strict request'] : []),
    ...differ(
      'sources of the envelope',
      listed,
      notFresh.map(({ code }) => code),
    ),
    ...(response.cacheControl.startsWith(control)
      ? []
      : [`Cache-Control ${response.cacheControl} instead of ${control}`]),
    ...differ('total', [response.total], [String(expected.length)]),
    ...differ('records', shown, expected.slice(request.offset, request.offset + request.limit)),
  ];
}

/** Requires that all records of a source are of the same generation, from a healthy period that the reported age allows. */
export function findRecordFaults(
  { body, sourceStatus, sent, received }: SoakResponse,
  fleet: readonly SourceOutages[],
): readonly string[] {
  const ages = new Map(readStates(sourceStatus).map(({ code, age }) => [code, age]));
  const hosts = new Map<string, string>();
  const faults = new Set<string>();
  for (const record of listAt(body, 'data') ?? []) {
    const [code, host] = [textAt(record, 'source-name'), textAt(record, 'host')];
    if ((hosts.get(code) ?? host) !== host) faults.add(`${code} is a mixture of ${host} and ${hosts.get(code) ?? ''}`);
    hosts.set(code, host);
  }
  for (const [code, host] of hosts) {
    const period = fleet
      .find((outages) => outages.code === code)
      ?.healthyPeriods.find(({ generation }) => host === `generation ${generation}`);
    const earliest = sent - ((ages.get(code) ?? 0) + 1) * 1_000 - SLACK;
    const isPossible = period !== undefined && period.from <= received && period.to >= earliest;
    if (!isPossible) faults.add(`${code} is of ${host}, which was not available`);
  }
  return [...faults];
}

function isUsable(state: string): boolean {
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
  return same ? [] : [`${what}: ${shown.slice(0, 30).join(', ')} instead of ${expected.slice(0, 30).join(', ')}`];
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
