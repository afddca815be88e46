import type { ServerResponse } from 'node:http';
import { pageAnswer, write } from './paging.js';
import type { Manners, Raw } from './paging.js';
import type { Answering, Asked } from './upstream.js';

/** What a repository has on the data interface; whatever JSON can say. */
export interface Holdings {
  /** With the PGP properties that they have, whoever is shown them. */
  readonly teams?: readonly unknown[];
  /** In detail form and in the order of its lists; a list leaves content and channels out. */
  readonly news?: readonly unknown[];
  readonly channels?: readonly unknown[];
}

/** A parameter that narrows a list. */
export type Narrowing = 'scope' | 'channel' | 'before' | 'after';

/** How an upstream keeps to the data interface, beside its paging. What is not named is exemplary. */
export interface DataManners extends Manners {
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
export function dataUpstream(holdings: Holdings, manners: DataManners = {}): Answering {
  return (asked, response) => {
    const [, resource, , id] = /\/(teams|news|channels)(\/(\d+))?$/.exec(asked.path) ?? [];
    if (id !== undefined) return item(holdings, Number(id), { response, manners });
    if (manners.keysRefused !== undefined && asked.query.get('scope') === 'pgp')
      return failure(response, manners.keysRefused);
    const refused = manners.refuses?.some((name) => asked.query.has(name)) === true;
    const tooFar = manners.window?.beyond === 'error' && offsetOf(asked) >= manners.window.size;
    if (resource === undefined) return failure(response, 404);
    if (refused || (resource === 'news' && tooFar)) return failure(response, 400);
    const all = manners.records?.(asked) ?? holdings[resource as keyof Holdings] ?? [];
    write(response, listAnswer(resource, all, asked, manners), manners);
  };
}

function listAnswer(
  resource: string,
  all: readonly unknown[],
  asked: Asked,
  manners: DataManners,
): ReturnType<typeof pageAnswer> {
  if (resource === 'teams') return pageAnswer(teamsOf(all, asked, manners), asked, manners, facts(asked, manners, {}));
  const found = resource === 'news' ? newsOf(all, asked, manners) : all;
  const reachable = resource === 'news' ? found.slice(0, manners.window?.size) : found;
  const beyond = found.length - reachable.length;
  const counted = beyond === 0 ? manners : { ...manners, total: beyond };
  return pageAnswer(reachable, asked, counted, facts(asked, manners, paging(asked, manners)));
}

/** The envelope beside total, date and data; FIRST's of today tells limit and offset of teams too. */
function facts(asked: Asked, { generation, ...manners }: DataManners, more: Raw): Raw {
  const status = { status: 'OK', 'status-code': 200 };
  if (generation === 2026) return { ...status, version: '1.0', access: 'public', ...paging(asked, manners), ...more };
  return { ...status, version: '1', ...more, access: 'public' };
}

function paging({ query }: Asked, { cap = Infinity }: Manners): Raw {
  return { offset: Number(query.get('offset') ?? 0), limit: Math.min(Number(query.get('limit') ?? 100), cap) };
}

function offsetOf({ query }: Asked): number {
  return Number(query.get('offset') ?? 0);
}

/** The value of a parameter that the upstream listens to. */
function heard({ query }: Asked, name: Narrowing, { ignores }: DataManners): string | undefined {
  return ignores?.includes(name) === true ? undefined : (query.get(name) ?? undefined);
}

const KEYS = ['pgp-id', 'pgp-fingerprint', 'pgp-key'];

function teamsOf(all: readonly unknown[], asked: Asked, manners: DataManners): readonly unknown[] {
  if (heard(asked, 'scope', manners) === 'pgp') return all.map(fieldsOf).filter(hasKey).map(keysOf);
  const { keys } = manners;
  const hides = (at: number): boolean => keys !== 'public' && (keys !== 'some' || at % 2 === 1);
  return all.map((team, at) => (isRecord(team) && hides(at) ? without(team, KEYS) : team));
}

function hasKey(team: Raw): boolean {
  return KEYS.some((name) => team[name] !== undefined);
}

function keysOf(team: Raw): Raw {
  return Object.fromEntries(Object.entries(team).filter(([name]) => ['id', 'team', ...KEYS].includes(name)));
}

function newsOf(all: readonly unknown[], asked: Asked, manners: DataManners): readonly unknown[] {
  const channel = heard(asked, 'channel', manners);
  const before = time(heard(asked, 'before', manners)) ?? Infinity;
  const after = time(heard(asked, 'after', manners)) ?? -Infinity;
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
  { news = [] }: Holdings,
  id: number,
  { response, manners }: { response: ServerResponse; manners: DataManners },
): void {
  const found = news.find((one) => Number(fieldsOf(one)['id']) === id);
  if (found === undefined) return failure(response, 404);
  const version = manners.generation === 2026 ? '1.0' : '1';
  const envelope = { status: 'OK', 'status-code': 200, version, access: 'public', ...manners.envelope };
  write(response, { body: { ...envelope, data: found } }, manners);
}

function failure(response: ServerResponse, status: number): void {
  const body = JSON.stringify({ status: 'ERROR', 'status-code': status, version: '1' });
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(body);
}

function isRecord(value: unknown): value is Raw {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function fieldsOf(value: unknown): Raw {
  return isRecord(value) ? value : {};
}

function without(record: Raw, names: readonly string[]): Raw {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));
}
