import { createServer } from 'node:http';
import type { Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as z from 'zod';
import type { Clock } from '../gateway/program.js';

const stateSchema = z.strictObject({
  /** Served with an envelope; `limit` and `offset` are honoured. Raw: any JSON that a repository may send. */
  records: z.array(z.unknown()).default([]),
  /** Names and values of further envelope properties; null omits a property. */
  envelope: z.record(z.string(), z.unknown()).default({}),
  headers: z.record(z.string(), z.string()).default({}),
  /** Maximum number of records on a page. */
  most: z.number().default(100),
  /** Parameters that it ignores. */
  ignores: z.array(z.enum(['limit', 'offset', 'before'])).default([]),
  /** Number of records that paging reaches; `total` still counts all. */
  window: z.number().default(Infinity),
  /** Number of generated news items, one per minute, going back from the start of the case. */
  made: z.number().default(0),
  /** A single record, served instead of a list. */
  item: z.unknown().optional(),
  /** Serves the list without an envelope, with the count in X-Total-Count. */
  bare: z.boolean().default(false),
  /** The response to every request. */
  answer: z.strictObject({ status: z.number().default(200), body: z.string() }).optional(),
  /** No complete response: no response at all, a connection that is closed within the body, or a refused connection. */
  fails: z.enum(['hangs', 'breaks', 'refuses']).optional(),
});

/**
 * A repository of a fleet file. `later` is its state from `after` seconds after the start of the case. `data` holds its state on the
 * data interface by path (`news`, `news/12`), or by path and one parameter (`news?channel=Letters`).
 */
export const upstreamSchema = stateSchema.extend({
  later: z.strictObject({ after: z.number(), is: stateSchema }).optional(),
  data: z.record(z.string(), stateSchema).optional(),
  /** The interfaces that it is registered with. Default: the data interface if it has `data`, else the directory interface. */
  speaks: z.array(z.enum(['directory', 'data'])).optional(),
});

type State = z.output<typeof stateSchema>;

/** The interfaces of a repository. */
export function interfacesOf({ speaks, data }: z.output<typeof upstreamSchema>): readonly ('directory' | 'data')[] {
  return speaks ?? [data === undefined ? 'directory' : 'data'];
}

/** A running repository. */
export interface RunningCaseUpstream {
  readonly port: number;
  close(): Promise<void>;
}

/** Starts a repository on a free loopback port. */
export async function startCaseUpstream(
  { later, data, ...now }: z.output<typeof upstreamSchema>,
  clock: Clock,
): Promise<RunningCaseUpstream> {
  const begun = clock.now();
  const server = createServer((request, response) => {
    const changed = later !== undefined && clock.now() - begun >= later.after * 1000;
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://upstream.example');
    const [, path] = /^\/data\/v1\/(.*)/.exec(pathname) ?? [];
    const state = path === undefined ? now : stateAt(data ?? {}, path, searchParams);
    respond(changed ? later.is : state, { begun, searchParams }, response);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  if (now.fails === 'refuses') await closed(server);
  return { port, close: () => closed(server) };
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => {
    server.close(() => {
      resolve();
    });
  });
}

/** The state for the path and one of the parameters, else for the path, else a 404. */
function stateAt(data: Readonly<Record<string, State>>, path: string, parameters: URLSearchParams): State {
  const narrowed = [...parameters].map(([name, value]) => data[`${path}?${name}=${value}`]);
  return narrowed.find((state) => state !== undefined) ?? data[path] ?? NOT_FOUND;
}

const NOT_FOUND = stateSchema.parse({ answer: { status: 404, body: '{"error":"no such secret page"}' } });

interface PageRequest {
  /** Start of the case, in milliseconds since 1970. */
  readonly begun: number;
  readonly searchParams: URLSearchParams;
}

function respond(state: State, request: PageRequest, response: ServerResponse): void {
  if (state.fails === 'hangs') return;
  if (state.fails === 'breaks') {
    response.writeHead(200, { 'Content-Length': 1000 });
    response.write('[', () => response.destroy());
    return;
  }
  const { status, body } = state.answer ?? { status: 200, body: JSON.stringify(page(state, request)) };
  const count = state.bare ? { 'X-Total-Count': state.records.length } : {};
  response.writeHead(status, { 'Content-Type': 'application/json', ...count, ...state.headers }).end(body);
}

function page({ item, envelope, most, ignores, bare, ...state }: State, { begun, searchParams }: PageRequest): unknown {
  const read = (name: 'limit' | 'offset', otherwise: number): number =>
    ignores.includes(name) ? otherwise : Number(searchParams.get(name) ?? otherwise);
  const before = ignores.includes('before') ? NaN : Date.parse(searchParams.get('before') ?? '');
  const records = [...state.records, ...news(state.made, begun)].filter((record) => !(published(record) >= before));
  const offset = read('offset', 0);
  const limit = Math.min(read('limit', Infinity), ignores.includes('limit') ? Infinity : most);
  const data = item ?? records.slice(offset, Math.min(offset + limit, state.window));
  if (bare) return data;
  const facts = { status: 'OK', status_code: 200, version: '1.0', total: records.length, limit, offset };
  const all: [string, unknown][] = Object.entries({ ...facts, ...envelope, data });
  return Object.fromEntries(all.filter(([, value]) => value !== null));
}

function news(made: number, begun: number): unknown[] {
  return Array.from({ length: made }, (_, at) => ({
    id: at + 1,
    title: `Item ${at + 1}`,
    published: new Date(begun - at * 60_000).toUTCString(),
  }));
}

function published(record: unknown): number {
  return typeof record === 'object' && record !== null && 'published' in record
    ? Date.parse(String(record.published))
    : NaN;
}
