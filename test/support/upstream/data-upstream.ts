import type { ServerResponse } from 'node:http';
import { preparePage, sendPrepared } from './paged-responses.js';
import type { PagingBehaviour, RawRecord } from './paged-responses.js';
import type { RequestHandler, UpstreamRequest } from './upstream-server.js';

/** The records of a repository with the data interface; any JSON values. */
export interface DataRecords {
  /** Including all PGP properties; `DataBehaviour.keys` decides where they appear. */
  readonly teams?: readonly unknown[];
  /** In detail form and in list order; lists omit `content` and `channels`. */
  readonly news?: readonly unknown[];
  readonly channels?: readonly unknown[];
}

/** A parameter that narrows a list. */
export type Narrowing = 'scope' | 'channel' | 'before' | 'after';

/** How an upstream deviates from the data interface, besides its paging. An absent member means correct behaviour. */
export interface DataBehaviour extends PagingBehaviour {
  /** Form of the envelope: that of the documentation of 2016, or that of the responses recorded in 2026. */
  readonly generation?: 2016 | 2026;
  /**
   * Where PGP properties appear: `public`, in every list, as FIRST does today; `some`, in every list for every other team; `pgp`,
   * only under `scope=pgp`.
   */
  readonly keys?: 'public' | 'some' | 'pgp';
  /** Status with which `scope=pgp` is rejected; absent: it is accepted. */
  readonly keysRefused?: number;
  /** Number of news items that paging reaches, and the response to an offset beyond them. `total` counts all items. */
  readonly window?: { readonly size: number; readonly beyond: 'error' | 'empty' };
  readonly ignores?: readonly Narrowing[];
  /** Parameters that are rejected with 400. */
  readonly refuses?: readonly Narrowing[];
}

/** Handles requests as a repository with the data interface: teams, channels, news and single news items. */
export function dataUpstream(records: DataRecords, behaviour: DataBehaviour = {}): RequestHandler {
  return (request, response) => {
    const [, resource, , id] = /\/(teams|news|channels)(\/(\d+))?$/.exec(request.path) ?? [];
    if (id !== undefined) return item(records, Number(id), { response, behaviour });
    if (behaviour.keysRefused !== undefined && request.query.get('scope') === 'pgp')
      return failure(response, behaviour.keysRefused);
    const refused = behaviour.refuses?.some((name) => request.query.has(name)) === true;
    const tooFar = behaviour.window?.beyond === 'error' && offsetOf(request) >= behaviour.window.size;
    if (resource === undefined) return failure(response, 404);
    if (refused || (resource === 'news' && tooFar)) return failure(response, 400);
    const all = behaviour.records?.(request) ?? records[resource as keyof DataRecords] ?? [];
    sendPrepared(response, prepareList(resource, all, request, behaviour), behaviour);
  };
}

function prepareList(
  resource: string,
  all: readonly unknown[],
  request: UpstreamRequest,
  behaviour: DataBehaviour,
): ReturnType<typeof preparePage> {
  if (resource === 'teams')
    return preparePage(teamsOf(all, request, behaviour), request, behaviour, facts(request, behaviour, {}));
  const found = resource === 'news' ? newsOf(all, request, behaviour) : all;
  const reachable = resource === 'news' ? found.slice(0, behaviour.window?.size) : found;
  const beyond = found.length - reachable.length;
  const counted = beyond === 0 ? behaviour : { ...behaviour, total: beyond };
  return preparePage(reachable, request, counted, facts(request, behaviour, paging(request, behaviour)));
}

/** The envelope properties besides total, date and data. The envelope of FIRST in 2026 contains limit and offset for teams as well. */
function facts(request: UpstreamRequest, { generation, ...behaviour }: DataBehaviour, more: RawRecord): RawRecord {
  const status = { status: 'OK', 'status-code': 200 };
  if (generation === 2026)
    return { ...status, version: '1.0', access: 'public', ...paging(request, behaviour), ...more };
  return { ...status, version: '1', ...more, access: 'public' };
}

function paging({ query }: UpstreamRequest, { cap = Infinity }: PagingBehaviour): RawRecord {
  return { offset: Number(query.get('offset') ?? 0), limit: Math.min(Number(query.get('limit') ?? 100), cap) };
}

function offsetOf({ query }: UpstreamRequest): number {
  return Number(query.get('offset') ?? 0);
}

/** The value of a parameter, unless the upstream ignores it. */
function honoured({ query }: UpstreamRequest, name: Narrowing, { ignores }: DataBehaviour): string | undefined {
  return ignores?.includes(name) === true ? undefined : (query.get(name) ?? undefined);
}

const KEYS = ['pgp-id', 'pgp-fingerprint', 'pgp-key'];

function teamsOf(all: readonly unknown[], request: UpstreamRequest, behaviour: DataBehaviour): readonly unknown[] {
  if (honoured(request, 'scope', behaviour) === 'pgp') return all.map(fieldsOf).filter(hasKey).map(keysOf);
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

function newsOf(all: readonly unknown[], request: UpstreamRequest, behaviour: DataBehaviour): readonly unknown[] {
  const channel = honoured(request, 'channel', behaviour);
  const before = time(honoured(request, 'before', behaviour)) ?? Infinity;
  const after = time(honoured(request, 'after', behaviour)) ?? -Infinity;
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
