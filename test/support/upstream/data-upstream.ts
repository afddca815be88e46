import type { ServerResponse } from 'node:http';
import { preparePage, sendPrepared } from './paged-responses.js';
import type { PagingBehaviour, RawRecord } from './paged-responses.js';
import type { RequestHandler, UpstreamRequest } from './upstream-server.js';

/** What a repository has on the data interface; whatever JSON can say. */
export interface DataRecords {
  /** With the PGP properties that they have, whoever is shown them. */
  readonly teams?: readonly unknown[];
  /** In detail form and in the order of its lists; a list leaves content and channels out. */
  readonly news?: readonly unknown[];
  readonly channels?: readonly unknown[];
}

/** A parameter that narrows a list. */
export type Narrowing = 'scope' | 'channel' | 'before' | 'after';

/** How an upstream keeps to the data interface, beside its paging. What is not named is exemplary. */
export interface DataBehaviour extends PagingBehaviour {
  /** Whose envelope it has: that of the documentation of 2016, or that of the answers recorded in 2026. */
  readonly generation?: 2016 | 2026;
  /** Where it shows PGP properties: to everybody, as FIRST does today; those of every other team to everybody; or under `scope=pgp` only. */
  readonly keys?: 'public' | 'some' | 'pgp';
  /** The status with which it refuses `scope=pgp`; absent: it does not. */
  readonly keysRefused?: number;
  /** Most news that paging leads to, and what it says to an offset behind them. `total` counts all the same. */
  readonly window?: { readonly size: number; readonly beyond: 'error' | 'empty' };
  readonly ignores?: readonly Narrowing[];
  /** Parameters that it answers with 400. */
  readonly refuses?: readonly Narrowing[];
}

/** Answers as a repository on the data interface: teams, channels, news and each item of them. */
export function dataUpstream(holdings: DataRecords, behaviour: DataBehaviour = {}): RequestHandler {
  return (asked, response) => {
    const [, resource, , id] = /\/(teams|news|channels)(\/(\d+))?$/.exec(asked.path) ?? [];
    if (id !== undefined) return item(holdings, Number(id), { response, behaviour });
    if (behaviour.keysRefused !== undefined && asked.query.get('scope') === 'pgp')
      return failure(response, behaviour.keysRefused);
    const refused = behaviour.refuses?.some((name) => asked.query.has(name)) === true;
    const tooFar = behaviour.window?.beyond === 'error' && offsetOf(asked) >= behaviour.window.size;
    if (resource === undefined) return failure(response, 404);
    if (refused || (resource === 'news' && tooFar)) return failure(response, 400);
    const all = behaviour.records?.(asked) ?? holdings[resource as keyof DataRecords] ?? [];
    sendPrepared(response, listAnswer(resource, all, asked, behaviour), behaviour);
  };
}

function listAnswer(
  resource: string,
  all: readonly unknown[],
  asked: UpstreamRequest,
  behaviour: DataBehaviour,
): ReturnType<typeof preparePage> {
  if (resource === 'teams')
    return preparePage(teamsOf(all, asked, behaviour), asked, behaviour, facts(asked, behaviour, {}));
  const found = resource === 'news' ? newsOf(all, asked, behaviour) : all;
  const reachable = resource === 'news' ? found.slice(0, behaviour.window?.size) : found;
  const beyond = found.length - reachable.length;
  const counted = beyond === 0 ? behaviour : { ...behaviour, total: beyond };
  return preparePage(reachable, asked, counted, facts(asked, behaviour, paging(asked, behaviour)));
}

/** The envelope beside total, date and data; FIRST's of today tells limit and offset of teams too. */
function facts(asked: UpstreamRequest, { generation, ...behaviour }: DataBehaviour, more: RawRecord): RawRecord {
  const status = { status: 'OK', 'status-code': 200 };
  if (generation === 2026) return { ...status, version: '1.0', access: 'public', ...paging(asked, behaviour), ...more };
  return { ...status, version: '1', ...more, access: 'public' };
}

function paging({ query }: UpstreamRequest, { cap = Infinity }: PagingBehaviour): RawRecord {
  return { offset: Number(query.get('offset') ?? 0), limit: Math.min(Number(query.get('limit') ?? 100), cap) };
}

function offsetOf({ query }: UpstreamRequest): number {
  return Number(query.get('offset') ?? 0);
}

/** The value of a parameter that the upstream listens to. */
function heard({ query }: UpstreamRequest, name: Narrowing, { ignores }: DataBehaviour): string | undefined {
  return ignores?.includes(name) === true ? undefined : (query.get(name) ?? undefined);
}

const KEYS = ['pgp-id', 'pgp-fingerprint', 'pgp-key'];

function teamsOf(all: readonly unknown[], asked: UpstreamRequest, behaviour: DataBehaviour): readonly unknown[] {
  if (heard(asked, 'scope', behaviour) === 'pgp') return all.map(fieldsOf).filter(hasKey).map(keysOf);
  const { keys } = behaviour;
  const hides = (at: number): boolean => keys !== 'public' && (keys !== 'some' || at % 2 === 1);
  return all.map((team, at) => (isRecord(team) && hides(at) ? without(team, KEYS) : team));
}

function hasKey(team: RawRecord): boolean {
  return KEYS.some((name) => team[name] !== undefined);
}

function keysOf(team: RawRecord): RawRecord {
  return Object.fromEntries(Object.entries(team).filter(([name]) => ['id', 'team', ...KEYS].includes(name)));
}

function newsOf(all: readonly unknown[], asked: UpstreamRequest, behaviour: DataBehaviour): readonly unknown[] {
  const channel = heard(asked, 'channel', behaviour);
  const before = time(heard(asked, 'before', behaviour)) ?? Infinity;
  const after = time(heard(asked, 'after', behaviour)) ?? -Infinity;
  const bounded = before < Infinity || after > -Infinity;
  const found = all.filter((one) => {
    const { channels, published } = fieldsOf(one);
    const at = time(published) ?? NaN;
    const inChannel = channel === undefined || (Array.isArray(channels) && channels.includes(channel));
    return inChannel && (!bounded || (at < before && at > after));
  });
  return found.map((one) => (isRecord(one) ? without(one, ['content', 'channels']) : one));
}

function time(text: unknown): number | undefined {
  return typeof text === 'string' ? Date.parse(text) : undefined;
}

function item(
  { news = [] }: DataRecords,
  id: number,
  { response, behaviour }: { response: ServerResponse; behaviour: DataBehaviour },
): void {
  const found = news.find((one) => Number(fieldsOf(one)['id']) === id);
  if (found === undefined) return failure(response, 404);
  const version = behaviour.generation === 2026 ? '1.0' : '1';
  const envelope = { status: 'OK', 'status-code': 200, version, access: 'public', ...behaviour.envelope };
  sendPrepared(response, { body: { ...envelope, data: found } }, behaviour);
}

function failure(response: ServerResponse, status: number): void {
  const body = JSON.stringify({ status: 'ERROR', 'status-code': status, version: '1' });
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(body);
}

function isRecord(value: unknown): value is RawRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function fieldsOf(value: unknown): RawRecord {
  return isRecord(value) ? value : {};
}

function without(record: RawRecord, names: readonly string[]): RawRecord {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));
}
