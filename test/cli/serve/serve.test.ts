import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { dataUpstream } from '../../support/upstream/data-upstream.js';
import { startUpstream } from '../../support/upstream/upstream-server.js';
import type { RequestHandler, UpstreamServer } from '../../support/upstream/upstream-server.js';
import { cleanUp, serve } from '../rollcall-process.js';
import type { Program } from '../rollcall-process.js';
import { waitFor } from '../../support/wait-for.js';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  await cleanUp();
  await Promise.all(closers.splice(0).map((close) => close()));
});

const sendTwoTeams: RequestHandler = (_, response) => {
  response.setHeader('Content-Type', 'application/json');
  response.end(JSON.stringify([{ 'short-team-name': 'CERT A' }, { 'short-team-name': 'CERT B' }]));
};

/** Starts a repository that is closed after the test. */
async function startRepository(handler: RequestHandler): Promise<UpstreamServer> {
  const upstream = await startUpstream(handler);
  closers.push(() => upstream.close());
  return upstream;
}

/**
 * A request handler that delays responses until `open` is called: all, or those for which `isDelayed`. `requested` resolves
 * at the first request whose response is delayed.
 */
function delayedResponses(isDelayed = (): boolean => true): {
  readonly handler: RequestHandler;
  readonly requested: Promise<void>;
  readonly open: () => void;
} {
  let arrived = (): void => undefined;
  const requested = new Promise<void>((resolve) => (arrived = resolve));
  let opened = (): void => undefined;
  const open = new Promise<void>((resolve) => (opened = resolve));
  const handler: RequestHandler = (request, response) => {
    const isHeld = isDelayed();
    if (isHeld) arrived();
    void (isHeld ? open : Promise.resolve()).then(() =>
      request.query.get('offset') === '0' ? sendTwoTeams(request, response) : response.end('[]'),
    );
  };
  return { handler, requested, open: () => opened() };
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

async function readMetrics(admin: string): Promise<string> {
  return (await fetch(`${admin}/metrics`)).text();
}

/** Waits until nothing listens at a URL. Opens new connections, because existing ones are still served. */
function waitUntilClosed(url: string): Promise<void> {
  return waitFor(() => expect(openConnection(url)).rejects.toMatchObject({ code: 'ECONNREFUSED' }));
}

async function openConnection(url: string): Promise<void> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  await once(socket, 'connect').finally(() => socket.destroy());
}

const anyPort = { port: 0 };

/** A source that is asked again for each request. */
const EXPIRING = { ttl: '1ms', 'stale-while-revalidate': '0s' };

describe('rollcall serve', () => {
  test('serves until SIGTERM, then completes open requests, writes the whole log and exits with code 0', async () => {
    let isReady = false;
    const { handler, requested, open } = delayedResponses(() => isReady);
    const quick = await startRepository((request, response) =>
      request.query.get('offset') === '0' ? sendTwoTeams(request, response) : response.end('[]'),
    );
    const slow = await startRepository(handler);
    const program = await serve({
      server: { ...anyPort, log: 'all', explorer: { enabled: false } },
      admin: anyPort,
      sources: {
        quick: { number: 1, directory: quick.address },
        slow: { number: 2, directory: slow.address, ...EXPIRING },
      },
    });
    const { directory, admin } = await addresses(program);
    await program.line('ready');
    isReady = true;
    expect(await status(`${admin}/healthz`)).toBe(200);
    expect(await status(`${admin}/readyz`)).toBe(200);
    expect(await (await fetch(`${directory}?source-name=quick&fields=short-team-name&pretty=0`)).text()).toBe(
      '[{"short-team-name":"CERT A"},{"short-team-name":"CERT B"}]',
    );

    const pending = fetch(`${directory}?source-name=slow&fields=short-team-name&pretty=0`);
    await requested;
    program.kill('SIGTERM');
    await program.line('stopping');
    await waitUntilClosed(directory);
    expect(await status(`${admin}/readyz`)).toBe(503);
    expect(await status(`${admin}/healthz`)).toBe(200);

    open();
    const response = await pending;
    expect(response.status).toBe(200);
    expect(response.headers.get('connection')).toBe('close');
    expect(await response.text()).toBe('[{"short-team-name":"CERT A"},{"short-team-name":"CERT B"}]');
    expect(await program.exit).toBe(0);
    await waitUntilClosed(`${admin}/healthz`);
    const messages = program.lines.map(({ msg }) => msg);
    expect(messages[0]).toBe('listening');
    const served = program.lines.slice(messages.indexOf('ready') + 1);
    expect(served.map(({ msg }) => msg)).toEqual(['request', 'stopping', 'source drained', 'request', 'stopped']);
    expect(served[1]).toMatchObject({ signal: 'SIGTERM' });
  });

  test('is not ready before the end of the warm-up, and never when SIGINT stops it during the warm-up', async () => {
    const { handler, requested } = delayedResponses();
    const silent = await startRepository(handler);
    const program = await serve({
      server: anyPort,
      admin: anyPort,
      sources: { silent: { number: 1, directory: silent.address } },
    });
    const { admin } = await addresses(program);
    await requested;
    expect(await status(`${admin}/readyz`)).toBe(503);
    expect(await readMetrics(admin)).toContain('\nrollcall_ready 0\n');
    program.kill('SIGINT');
    expect(await program.exit).toBe(0);
    expect(program.lines.map(({ msg }) => msg)).toEqual(['listening', 'stopping', 'stopped']);
  });

  test('is ready when teams and the keys of scope=pgp are cached', async () => {
    const teams = [{ id: 'a', team: 'A', 'pgp-id': '0x1234567812345678' }];
    const upstream = await startRepository(dataUpstream({ teams }, { keys: 'pgp' }));
    const program = await serve({
      server: anyPort,
      admin: anyPort,
      sources: { keyed: { number: 1, data: upstream.address } },
    });
    const { directory, admin } = await addresses(program);
    await program.line('ready');
    expect(await readMetrics(admin)).toContain('\nrollcall_ready 1\n');
    const requestsBefore = upstream.requests.length;
    expect(await (await fetch(`${directory}?fields=enckeys`)).text()).toContain('0x1234567812345678');
    expect(upstream.requests).toHaveLength(requestsBefore);
    program.kill('SIGTERM');
    expect(await program.exit).toBe(0);
  });

  test('continues after SIGHUP, and says that the configuration has not changed', async () => {
    const quick = await startRepository(sendTwoTeams);
    const sources = { quick: { number: 1, directory: quick.address } };
    const program = await serve({ server: anyPort, admin: anyPort, sources });
    const { directory } = await addresses(program);
    await program.line('ready');
    program.kill('SIGHUP');
    program.kill('SIGHUP');
    expect(await program.line('configuration unchanged')).toMatchObject({ level: 30, trigger: 'SIGHUP' });
    expect(await status(directory)).toBe(200);
    program.kill('SIGTERM');
    expect(await program.exit).toBe(0);
  });

  test('exits at once with code 1 on a second SIGTERM', async () => {
    const { handler, requested } = delayedResponses();
    const silent = await startRepository(handler);
    const sources = { silent: { number: 1, directory: silent.address } };
    const program = await serve({ server: anyPort, admin: anyPort, sources });
    const { directory } = await addresses(program);
    const pending = fetch(directory).catch(() => 'cut off');
    await requested;
    program.kill('SIGTERM');
    await program.line('stopping');
    program.kill('SIGTERM');
    expect(await program.exit).toBe(1);
    expect(await pending).toBe('cut off');
  });

  test('keeps Last-Modified across restarts, and never decreases it after it was killed', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'rollcall-disk-'));
    closers.push(() => rm(folder, { recursive: true }));
    const dated = (name: string): object => ({ 'short-team-name': name, 'last-modified': '2025-06-01T00:00:00+00:00' });
    let teams = [dated('A'), dated('B')];
    const { address } = await startRepository((_, response) => {
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify(teams));
    });
    const config = {
      server: anyPort,
      admin: anyPort,
      cache: { disk: join(folder, 'var/snapshots') },
      sources: { one: { number: 1, directory: address, ...EXPIRING } },
    };
    const dates: string[] = [];
    for (const [count, signal] of [
      [2, 'SIGTERM'],
      [2, 'SIGTERM'],
      [1, 'SIGTERM'],
      [1, 'SIGKILL'],
      [1, 'SIGTERM'],
    ] as const) {
      teams = teams.slice(0, count);
      const program = await serve(config);
      const { directory } = await addresses(program);
      await program.line('ready');
      // A date is shown when its second has passed.
      const date = await waitFor(async () => {
        const response = await fetch(directory);
        await response.text();
        return response.headers.get('last-modified') ?? expect.fail('no date');
      });
      dates.push(date);
      program.kill(signal);
      expect(await program.exit).toBe(signal === 'SIGTERM' ? 0 : null);
    }
    const [first, restarted, recordRemoved, unchanged, killed] = dates.map((date) => Date.parse(date));
    expect([first, restarted]).toEqual([Date.UTC(2025, 5, 1), Date.UTC(2025, 5, 1)]);
    expect(recordRemoved).toBeGreaterThan(first ?? Infinity);
    expect(unchanged).toBe(recordRemoved);
    expect(killed).toBeGreaterThanOrEqual(recordRemoved ?? Infinity);
    const files = await readdir(join(folder, 'var/snapshots'));
    expect(files.sort()).toEqual([expect.stringMatching(/^one-\w+\.list$/), 'sources.json']);
    // The test starts five processes in sequence.
  });

  test('logs that another process writes the folder of lists, and takes over the folder of a killed process', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'rollcall-disk-'));
    closers.push(() => rm(folder, { recursive: true }));
    const config = {
      server: anyPort,
      admin: anyPort,
      cache: { disk: folder },
      sources: { a: { number: 1, directory: 'http://127.0.0.1:9/v1' } },
    };
    const first = await serve(config);
    await first.line('listening');
    const second = await serve(config);
    const { error, level } = await second.line('snapshots cannot be saved');
    expect([level, error]).toEqual([40, `in use by process ${first.pid} on ${hostname()}`]);
    await second.line('listening');
    first.kill('SIGKILL');
    await first.exit;
    const third = await serve(config);
    await third.line('listening');
    for (const program of [second, third]) {
      program.kill('SIGTERM');
      expect(await program.exit).toBe(0);
    }
    expect(third.lines.map(({ msg }) => msg)).not.toContain('snapshots cannot be saved');
    expect(await readdir(folder)).toEqual(['sources.json']);
  });

  test.each(['server', 'admin'])('logs that the port of %s is in use, and exits with code 1', async (listener) => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    closers.push(() => new Promise((resolve) => other.close(() => resolve())));
    const address = other.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const folder = await mkdtemp(join(tmpdir(), 'rollcall-disk-'));
    closers.push(() => rm(folder, { recursive: true }));
    const program = await serve({
      server: anyPort,
      admin: anyPort,
      cache: { disk: folder },
      sources: { a: { number: 1, directory: 'http://127.0.0.1:9/v1' } },
      ...{ [listener]: { port } },
    });
    expect(await program.exit).toBe(1);
    expect(program.lines).toMatchObject([
      { msg: 'snapshots restored' },
      {
        level: 50,
        msg: 'could not start',
        error: expect.stringMatching(
          new RegExp(`^port ${port} of 127\\.0\\.0\\.1 is in use \\(${listener}\\.port\\); \\d+ is free$`),
        ) as string,
      },
    ]);
    // The next process may write there.
    expect(await readdir(folder)).toEqual(['sources.json']);
  });
});
