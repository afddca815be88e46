import { once } from 'node:events';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { dataUpstream } from '../support/upstream/data-upstream.js';
import { startUpstream } from '../support/upstream/upstream-server.js';
import type { RequestHandler, UpstreamServer } from '../support/upstream/upstream-server.js';
import { build, cleanUp, serve } from './rollcall-process.js';
import type { Program } from './rollcall-process.js';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  await cleanUp();
  await Promise.all(closers.splice(0).map((close) => close()));
});

const answers: RequestHandler = (_, response) => {
  response.setHeader('Content-Type', 'application/json');
  response.end(JSON.stringify([{ 'short-team-name': 'CERT A' }, { 'short-team-name': 'CERT B' }]));
};

/** A repository that answers at once with two teams, or only when it is told to. */
async function repository(handler: RequestHandler): Promise<UpstreamServer> {
  const upstream = await startUpstream(handler);
  closers.push(() => upstream.close());
  return upstream;
}

/** Requests that wait for their answer; the first page of a source is asked for until nothing more comes. */
function gate(): { readonly handler: RequestHandler; readonly asked: Promise<void>; readonly open: () => void } {
  let arrived = (): void => undefined;
  const asked = new Promise<void>((resolve) => (arrived = resolve));
  let opened = (): void => undefined;
  const open = new Promise<void>((resolve) => (opened = resolve));
  const handler: RequestHandler = (request, response) => {
    arrived();
    void open.then(() => (request.query.get('offset') === '0' ? answers(request, response) : response.end('[]')));
  };
  return { handler, asked, open: () => opened() };
}

interface Addresses {
  readonly directory: string;
  readonly admin: string;
}

async function addresses(program: Program): Promise<Addresses> {
  const line = await program.line('listening');
  return { directory: `${String(line['public'])}/directory/v1/teams`, admin: String(line['admin']) };
}

async function status(url: string): Promise<number> {
  const response = await fetch(url);
  await response.text();
  return response.status;
}

/** Until nobody listens any more where the URL points; on a connection of its own, for open ones are still answered. */
function refused(url: string): Promise<void> {
  return vi.waitFor(() => expect(connected(url)).rejects.toMatchObject({ code: 'ECONNREFUSED' }), { timeout: 10_000 });
}

async function connected(url: string): Promise<void> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  await once(socket, 'connect').finally(() => socket.destroy());
}

const anyPort = { port: 0 };

describe('rollcall serve', () => {
  test('reads a body of megabytes, built as it is shipped', async () => {
    const records = Array.from({ length: 3_000 }, (_, at) => ({
      'short-team-name': `T${at}`,
      host: 'x'.repeat(1_000),
    }));
    const upstream = await repository((request, response) => {
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify(request.query.get('offset') === '0' ? records : []));
    });
    const sources = { large: { number: 1, directory: upstream.address, 'page-size': 3_000 } };
    const program = await serve({ server: anyPort, admin: anyPort, sources }, await build());
    const { directory } = await addresses(program);
    await program.line('ready');
    const { headers } = await fetch(`${directory}?limit=1`);
    expect([headers.get('source-status'), headers.get('x-total-count')]).toEqual([
      expect.stringMatching(/state=fresh/),
      '3000',
    ]);
  }, 180_000);

  test('serves until SIGTERM, and ends with every request answered and every line written', async () => {
    const { handler, asked, open } = gate();
    const quick = await repository((request, response) =>
      request.query.get('offset') === '0' ? answers(request, response) : response.end('[]'),
    );
    const slow = await repository(handler);
    const program = await serve({
      server: { ...anyPort, 'warm-up': 'false', log: 'all' },
      admin: anyPort,
      sources: { quick: { number: 1, directory: quick.address }, slow: { number: 2, directory: slow.address } },
    });
    const { directory, admin } = await addresses(program);
    await program.line('ready');
    expect(await status(`${admin}/healthz`)).toBe(200);
    expect(await status(`${admin}/readyz`)).toBe(200);
    expect(await (await fetch(`${directory}?source-name=quick&fields=short-team-name&pretty=0`)).text()).toBe(
      '[{"short-team-name":"CERT A"},{"short-team-name":"CERT B"}]',
    );

    const under = fetch(`${directory}?source-name=slow&fields=short-team-name&pretty=0`);
    await asked;
    program.kill('SIGTERM');
    await program.line('stopping');
    await refused(directory);
    expect(await status(`${admin}/readyz`)).toBe(503);
    expect(await status(`${admin}/healthz`)).toBe(200);

    open();
    const response = await under;
    expect(response.status).toBe(200);
    expect(response.headers.get('connection')).toBe('close');
    expect(await response.text()).toBe('[{"short-team-name":"CERT A"},{"short-team-name":"CERT B"}]');
    expect(await program.exit).toBe(0);
    await refused(`${admin}/healthz`);
    expect(program.lines.map(({ msg }) => msg)).toEqual([
      'listening',
      'ready',
      'source drained',
      'request',
      'stopping',
      'source drained',
      'request',
      'stopped',
    ]);
    expect(program.lines[4]).toMatchObject({ signal: 'SIGTERM' });
  });

  test('is not ready before its warm-up is over, and never when SIGINT stops it meanwhile', async () => {
    const { handler, asked } = gate();
    const silent = await repository(handler);
    const program = await serve({
      server: anyPort,
      admin: anyPort,
      sources: { silent: { number: 1, directory: silent.address } },
    });
    const { admin } = await addresses(program);
    await asked;
    expect(await status(`${admin}/readyz`)).toBe(503);
    program.kill('SIGINT');
    expect(await program.exit).toBe(0);
    expect(program.lines.map(({ msg }) => msg)).toEqual(['listening', 'stopping', 'stopped']);
  });

  test('is ready when it holds what either interface shows: teams, and the keys that come only to who asks for them', async () => {
    const teams = [{ id: 'a', team: 'A', 'pgp-id': '0x1234567812345678' }];
    const upstream = await repository(dataUpstream({ teams }, { keys: 'pgp' }));
    const program = await serve({
      server: anyPort,
      admin: anyPort,
      sources: { keyed: { number: 1, data: upstream.address } },
    });
    const { directory } = await addresses(program);
    await program.line('ready');
    const asked = upstream.requests.length;
    expect(await (await fetch(`${directory}?fields=enckeys`)).text()).toContain('0x1234567812345678');
    expect(upstream.requests).toHaveLength(asked);
    program.kill('SIGTERM');
    expect(await program.exit).toBe(0);
  });

  test('goes on at SIGHUP, and tells that it reloads nothing yet', async () => {
    const quick = await repository(answers);
    const sources = { quick: { number: 1, directory: quick.address } };
    const program = await serve({ server: anyPort, admin: anyPort, sources });
    const { directory } = await addresses(program);
    await program.line('ready');
    program.kill('SIGHUP');
    program.kill('SIGHUP');
    expect(await program.line('not reloaded: there is no reload yet')).toMatchObject({ level: 40, signal: 'SIGHUP' });
    expect(await status(directory)).toBe(200);
    program.kill('SIGTERM');
    expect(await program.exit).toBe(0);
  });

  test('ends at once with exit code 1 when it is told to stop a second time', async () => {
    const { handler, asked } = gate();
    const silent = await repository(handler);
    const sources = { silent: { number: 1, directory: silent.address } };
    const program = await serve({ server: { ...anyPort, 'warm-up': 'false' }, admin: anyPort, sources });
    const { directory } = await addresses(program);
    const under = fetch(directory).catch(() => 'cut off');
    await asked;
    program.kill('SIGTERM');
    await program.line('stopping');
    program.kill('SIGTERM');
    expect(await program.exit).toBe(1);
    expect(await under).toBe('cut off');
  });

  test('goes on after a restart with what was known, also after it was killed', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'rollcall-state-'));
    closers.push(() => rm(folder, { recursive: true }));
    const dated = (name: string): object => ({ 'short-team-name': name, 'last-modified': '2025-06-01T00:00:00+00:00' });
    let teams = [dated('A'), dated('B')];
    const { address } = await repository((_, response) => {
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify(teams));
    });
    const config = {
      server: anyPort,
      admin: anyPort,
      cache: { state: join(folder, 'var/state.json') },
      sources: { one: { number: 1, directory: address } },
    };
    const dates: string[] = [];
    for (const [left, signal] of [
      [2, 'SIGTERM'],
      [2, 'SIGTERM'],
      [1, 'SIGTERM'],
      [1, 'SIGKILL'],
      [1, 'SIGTERM'],
    ] as const) {
      teams = teams.slice(0, left);
      const program = await serve(config);
      const { directory } = await addresses(program);
      await program.line('ready');
      const response = await fetch(directory);
      await response.text();
      dates.push(response.headers.get('last-modified') ?? '');
      program.kill(signal);
      expect(await program.exit).toBe(signal === 'SIGTERM' ? 0 : null);
    }
    const [first, again, less, unchanged, killed] = dates.map((date) => Date.parse(date));
    expect([first, again]).toEqual([Date.UTC(2025, 5, 1), Date.UTC(2025, 5, 1)]);
    expect(less).toBeGreaterThan(first ?? Infinity);
    expect(unchanged).toBe(less);
    expect(killed).toBeGreaterThanOrEqual(less ?? Infinity);
    expect(await readdir(join(folder, 'var'))).toEqual(['state.json']);
    // Five processes are started, one after the other.
  }, 60_000);

  test('reports that another process keeps the same state, and takes over the state of one that was killed', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'rollcall-state-'));
    closers.push(() => rm(folder, { recursive: true }));
    const config = {
      server: anyPort,
      admin: anyPort,
      cache: { state: join(folder, 'state.json') },
      sources: { a: { number: 1, directory: 'http://127.0.0.1:9/v1' } },
    };
    const first = await serve(config);
    await first.line('listening');
    const second = await serve(config);
    const { process: holder, level } = await second.line('state not written: another process owns the file');
    expect([level, holder]).toEqual([50, `process ${first.pid} on ${hostname()}`]);
    await second.line('listening');
    first.kill('SIGKILL');
    await first.exit;
    const third = await serve(config);
    await third.line('listening');
    for (const program of [second, third]) {
      program.kill('SIGTERM');
      expect(await program.exit).toBe(0);
    }
    expect(await readdir(folder)).toEqual(['state.json']);
  }, 60_000);

  test.each(['server', 'admin'])('tells that the port of %s is in use, and ends with exit code 1', async (listener) => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    closers.push(() => new Promise((resolve) => other.close(() => resolve())));
    const address = other.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const folder = await mkdtemp(join(tmpdir(), 'rollcall-state-'));
    closers.push(() => rm(folder, { recursive: true }));
    const state = join(folder, 'state.json');
    const program = await serve({
      server: anyPort,
      admin: anyPort,
      cache: { state },
      sources: { a: { number: 1, directory: 'http://127.0.0.1:9/v1' } },
      ...{ [listener]: { port } },
    });
    expect(await program.exit).toBe(1);
    expect(program.lines).toMatchObject([
      { level: 50, msg: 'could not start', error: `listen EADDRINUSE: address already in use 127.0.0.1:${port}` },
    ]);
    // It showed nothing, and leaves what it found.
    expect(await readFile(state, 'utf8')).toContain('"settled":true,"forgotten":false');
  });
});
