import { createServer } from 'node:http';
import type { Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as z from 'zod';
import type { Clock } from '../../src/model/clock.js';

const stateSchema = z.strictObject({
  /** Served with an envelope, `limit` and `offset` obeyed. Raw: whatever a repository may send. */
  records: z.array(z.unknown()).default([]),
  /** Names of other properties of its envelope, and their values; null leaves one out. */
  envelope: z.record(z.string(), z.unknown()).default({}),
  headers: z.record(z.string(), z.string()).default({}),
  /** Most records that it gives in a page. */
  most: z.number().default(100),
  /** Parameters that it does not listen to. */
  ignores: z.array(z.enum(['limit', 'offset'])).default([]),
  /** The bare list, with the count in a header. */
  bare: z.boolean().default(false),
  /** One answer to everything. */
  answer: z.strictObject({ status: z.number().default(200), body: z.string() }).optional(),
  /** No answer: none in time, a connection that breaks, or nobody who listens. */
  fails: z.enum(['hangs', 'breaks', 'refuses']).optional(),
});

/** A repository as a fleet describes it; `later` says what it is from so many seconds after the case's beginning on. */
export const upstreamSchema = stateSchema.extend({
  later: z.strictObject({ after: z.number(), is: stateSchema }).optional(),
});

type State = z.output<typeof stateSchema>;

/** A running repository. */
export interface RunningUpstream {
  readonly port: number;
  close(): Promise<void>;
}

/** Starts a repository on a free loopback port. */
export async function startUpstream(
  { later, ...now }: z.output<typeof upstreamSchema>,
  clock: Clock,
): Promise<RunningUpstream> {
  const begun = clock.now();
  const server = createServer((request, response) => {
    const changed = later !== undefined && clock.now() - begun >= later.after * 1000;
    const { searchParams } = new URL(request.url ?? '/', 'http://upstream.example');
    answer(changed ? later.is : now, searchParams, response);
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

function answer(state: State, asked: URLSearchParams, response: ServerResponse): void {
  if (state.fails === 'hangs') return;
  if (state.fails === 'breaks') {
    response.writeHead(200, { 'Content-Length': 1000 });
    response.write('[', () => response.destroy());
    return;
  }
  const { status, body } = state.answer ?? { status: 200, body: JSON.stringify(page(state, asked)) };
  const count = state.bare ? { 'X-Total-Count': state.records.length } : {};
  response.writeHead(status, { 'Content-Type': 'application/json', ...count, ...state.headers }).end(body);
}

function page({ records, envelope, most, ignores, bare }: State, asked: URLSearchParams): unknown {
  const read = (name: 'limit' | 'offset', otherwise: number): number =>
    ignores.includes(name) ? otherwise : Number(asked.get(name) ?? otherwise);
  const offset = read('offset', 0);
  const limit = Math.min(read('limit', Infinity), ignores.includes('limit') ? Infinity : most);
  const data = records.slice(offset, offset + limit);
  if (bare) return data;
  const facts = { status: 'OK', status_code: 200, version: '1.0', total: records.length, limit, offset };
  const all: [string, unknown][] = Object.entries({ ...facts, ...envelope, data });
  return Object.fromEntries(all.filter(([, value]) => value !== null));
}
