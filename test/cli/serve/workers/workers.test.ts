import { createHash } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { startUpstream } from '../../../support/upstream/upstream-server.js';
import type { RequestHandler, UpstreamServer } from '../../../support/upstream/upstream-server.js';
import { cleanUp, serve } from '../../rollcall-process.js';
import type { Line, Program } from '../../rollcall-process.js';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  await cleanUp();
  await Promise.all(closers.splice(0).map((close) => close()));
});

const ANY_PORT = { port: 0 };

/** A port on which nothing listens: the instance goes on by itself. */
const CACHE = { redis: 'redis://127.0.0.1:1' };

/** A repository with one team, which answers when `wait` has resolved. It is closed after the test. */
async function startRepository(name: string): Promise<UpstreamServer & { wait: Promise<void> }> {
  const state = { wait: Promise.resolve() };
  const handler: RequestHandler = (request, response) => {
    void state.wait.then(() => {
      response.setHeader('Content-Type', 'application/json');
      const isFirst = request.query.get('offset') === '0';
      response.end(JSON.stringify(isFirst ? [{ 'short-team-name': name }] : []));
    });
  };
  const upstream = await startUpstream(handler);
  closers.push(() => upstream.close());
  return Object.assign(state, upstream);
}

function configure(sources: Readonly<Record<string, object>>, server: object = {}): object {
  return { server: { ...ANY_PORT, workers: 2, ...server }, admin: ANY_PORT, cache: CACHE, sources };
}

interface Gateway {
  readonly program: Program;
  readonly teams: string;
  readonly admin: string;
}

async function start(config: object): Promise<Gateway> {
  const program = await serve(config);
  const line = await program.line('listening');
  return { program, teams: `${String(line['public'])}/directory/v1/teams`, admin: String(line['admin']) };
}

async function startReady(config: object): Promise<Gateway> {
  const gateway = await start(config);
  await gateway.program.line('ready');
  return gateway;
}

/** Sends a request over a connection of its own. Connections are distributed in turn. */
function request(url: string): Promise<{ readonly status: number | undefined; readonly body: string }> {
  return new Promise((resolve, reject) => {
    get(url, { agent: new Agent() }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => (body += text));
      response.on('end', () => {
        resolve({ status: response.statusCode, body });
      });
    }).on('error', reject);
  });
}

async function statuses(url: string, count: number): Promise<readonly (number | undefined)[]> {
  return (await Promise.all(Array.from({ length: count }, () => request(url)))).map(({ status }) => status);
}

const ok = (count: number): readonly number[] => Array.from({ length: count }, () => 200);

/** Numbers of the workers that wrote a line with this message. */
function workersOf({ lines }: Program, message: string): readonly unknown[] {
  return [...new Set(lines.filter(({ msg }) => msg === message).map(({ worker }) => worker))].sort();
}

/** Process ids of the workers, by their numbers in the order of their start. */
async function childrenOf(pid: number | undefined): Promise<readonly number[]> {
  const text = await readFile(`/proc/${pid ?? 0}/task/${pid ?? 0}/children`, 'utf8');
  return text.trim().split(' ').map(Number);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function readMetric(admin: string, sample: string): Promise<number> {
  const text = await (await fetch(`${admin}/metrics`)).text();
  const line = text.split('\n').find((one) => one.startsWith(`${sample} `));
  return Number(line?.split(' ').at(-1));
}

const REQUESTS = 'rollcall_requests_total{resource="directory-teams",status="200",format="json"}';

async function replaceFile({ file }: Program, text: string): Promise<void> {
  await writeFile(`${file}.new`, text);
  await rename(`${file}.new`, file);
}

describe('rollcall serve with workers', () => {
  test('serves by all of them, with one start and one ready for the whole gateway', async () => {
    const { address } = await startRepository('CERT A');
    const { program, teams, admin } = await startReady(configure({ one: { number: 1, directory: address } }));
    expect(await statuses(teams, 10)).toEqual(ok(10));
    expect(workersOf(program, 'request')).toEqual([1, 2]);
    expect(await request(`${admin}/readyz`)).toEqual({ status: 200, body: 'ready\n' });
    expect((await request(`${admin}/healthz`)).status).toBe(200);
    expect(await readMetric(admin, REQUESTS)).toBe(10);
    expect(await readMetric(admin, 'rollcall_workers')).toBe(2);
    program.kill('SIGTERM');
    expect(await program.exit).toBe(0);
    const own = program.lines.filter(({ worker }) => worker === undefined);
    expect(own.map(({ msg }) => msg)).toEqual(['listening', 'ready', 'stopping', 'stopped']);
    expect(own[0]).toMatchObject({ workers: 2, sources: 1 });
  });

  test('starts a worker again that was killed, loses no later request, and no count', async () => {
    const { address } = await startRepository('CERT A');
    const { program, teams, admin } = await startReady(configure({ one: { number: 1, directory: address } }));
    expect(await statuses(teams, 20)).toEqual(ok(20));
    expect(await readMetric(admin, REQUESTS)).toBe(20);
    const [victim = 0] = await childrenOf(program.pid);
    process.kill(victim, 'SIGKILL');
    const line = await program.line('worker ended');
    expect(line).toMatchObject({ level: 50, pid: victim, signal: 'SIGKILL', restartIn: 0 });
    expect(await statuses(teams, 20)).toEqual(ok(20));
    await program.line('worker started');
    await vi.waitFor(async () => expect((await request(`${admin}/readyz`)).body).toBe('ready\n'), { timeout: 20_000 });
    expect(await statuses(teams, 20)).toEqual(ok(20));
    expect(await readMetric(admin, REQUESTS)).toBe(60);
    expect(await readMetric(admin, 'rollcall_failed_workers_total')).toBe(1);
    expect(await childrenOf(program.pid)).toHaveLength(2);
  });

  test('answers the requests in progress when SIGTERM stops it, and is not ready meanwhile', async () => {
    const slow = await startRepository('CERT A');
    let open = (): void => undefined;
    slow.wait = new Promise((resolve) => (open = resolve));
    const config = configure({ slow: { number: 1, directory: slow.address } }, { 'warm-up': 'false' });
    const { program, teams, admin } = await startReady(config);
    const pending = statuses(teams, 6);
    await vi.waitFor(() => expect(slow.requests.length).toBeGreaterThan(1), { timeout: 20_000 });
    program.kill('SIGTERM');
    await program.line('stopping');
    expect(await request(`${admin}/readyz`)).toEqual({ status: 503, body: 'not ready\n' });
    open();
    expect(await pending).toEqual(ok(6));
    expect(await program.exit).toBe(0);
  });

  test('ends at once with code 1 on a second SIGTERM, with all workers', async () => {
    const slow = await startRepository('CERT A');
    slow.wait = new Promise(() => undefined);
    const config = configure({ slow: { number: 1, directory: slow.address } }, { 'warm-up': 'false' });
    const { program, teams } = await startReady(config);
    const workers = await childrenOf(program.pid);
    const pending = statuses(teams, 2).catch(() => 'cut off');
    await vi.waitFor(() => expect(slow.requests.length).toBeGreaterThan(0), { timeout: 20_000 });
    program.kill('SIGTERM');
    await program.line('stopping');
    program.kill('SIGTERM');
    expect(await program.exit).toBe(1);
    expect(await pending).toBe('cut off');
    await vi.waitFor(() => expect(workers.filter(isAlive)).toEqual([]), { timeout: 20_000 });
  });

  test('ends its workers in order when the primary process is killed', async () => {
    const slow = await startRepository('CERT A');
    let open = (): void => undefined;
    slow.wait = new Promise((resolve) => (open = resolve));
    const config = configure({ slow: { number: 1, directory: slow.address } }, { 'warm-up': 'false' });
    const { program, teams } = await startReady(config);
    const workers = await childrenOf(program.pid);
    const pending = statuses(teams, 4);
    await vi.waitFor(() => expect(slow.requests.length).toBeGreaterThan(1), { timeout: 20_000 });
    program.kill('SIGKILL');
    await program.line('stopping: the primary process has ended', 1);
    open();
    expect(await pending).toEqual(ok(4));
    await vi.waitFor(() => expect(workers.filter(isAlive)).toEqual([]), { timeout: 20_000 });
  });

  test('ends with code 1 where the public port is in use', async () => {
    const { address } = await startRepository('CERT A');
    const port = Number(new URL(address).port);
    const program = await serve(configure({ one: { number: 1, directory: address } }, { port }));
    expect(await program.exit).toBe(1);
    const own = program.lines.filter(({ worker }) => worker === undefined);
    expect(own).toEqual([expect.objectContaining({ msg: 'could not start' })]);
    expect(String(own[0]?.['error'])).toContain('EADDRINUSE');
  });
});

describe('the admin port with workers', () => {
  const key = 'rck_operator';
  const admin = { ...ANY_PORT, 'key-sha256': createHash('sha256').update(key).digest('hex') };

  const act = async (url: string): Promise<unknown> => {
    const response = await fetch(url, { method: 'POST', headers: { authorization: `Bearer ${key}` } });
    const body: unknown = await response.json();
    return { status: response.status, body };
  };

  test('shows the state of all workers, and acts in all of them', async () => {
    const { address } = await startRepository('CERT A');
    const sources = { one: { number: 1, directory: address } };
    const { program, teams, admin: url } = await startReady({ ...configure(sources), admin });
    const read = async (): Promise<unknown> => (await fetch(`${url}/sources`)).json();
    const list = { resource: 'directory-teams', state: 'fresh', records: 1 };
    const requests = { sent: 4, failures: {} };
    expect(await read()).toMatchObject({
      missingWorkers: [],
      sources: [{ code: 'one', condition: 'ok', levels: [{ requests, resources: [list] }] }],
    });
    expect(await act(`${url}/sources/one/refresh`)).toMatchObject({
      status: 200,
      body: { lists: [{ list: 'directory-teams', state: 'fresh', records: 1 }] },
    });
    expect(workersOf(program, 'source action')).toEqual([1, 2]);
    expect(await act(`${url}/sources/one/confirm-shrink`)).toMatchObject({ status: 409 });
    expect(await act(`${url}/sources/two/forget`)).toMatchObject({ status: 404 });
    expect(await act(`${url}/sources/one/forget`)).toEqual({ status: 200, body: { forgotten: true } });
    expect(await read()).toMatchObject({ sources: [{ levels: [{ resources: [{ state: 'none' }] }] }] });
    expect((await request(teams)).status).toBe(200);
    const text = JSON.stringify(await read());
    for (const state of ['none', 'fresh']) expect(text).toMatch(new RegExp(`"worker":[12],"state":"${state}"`));
    const explained = await fetch(`${url}/explain?target=${encodeURIComponent('/directory/v1/teams?limit=1')}`);
    const report: unknown = await explained.json();
    expect(report).toMatchObject({ resource: 'directory-teams', sources: [{ source: 'one' }] });
    expect((await fetch(`${url}/explain?target=/none`)).status).toBe(400);
  });

  test('says which worker does not answer, and does not wait for it', async () => {
    const { address } = await startRepository('CERT A');
    const sources = { one: { number: 1, directory: address } };
    const { program, teams, admin: url } = await startReady({ ...configure(sources), admin });
    expect(await statuses(teams, 4)).toEqual(ok(4));
    expect(await readMetric(url, REQUESTS)).toBe(4);
    const [first = 0] = await childrenOf(program.pid);
    process.kill(first, 'SIGSTOP');
    try {
      const missing = { worker: 1, reason: 'no answer within 1000 ms' };
      expect(await (await fetch(`${url}/sources`)).json()).toMatchObject({
        missingWorkers: [missing],
        sources: [{ code: 'one' }],
      });
      expect(await (await fetch(`${url}/sources?format=html`)).text()).toContain('Worker 1 is not part of this state');
      expect(await request(`${url}/readyz`)).toEqual({
        status: 503,
        body: `not ready\nworker 1: ${missing.reason}\n`,
      });
      expect(await readMetric(url, REQUESTS)).toBe(4);
      expect(await readMetric(url, 'rollcall_ready')).toBe(0);
    } finally {
      process.kill(first, 'SIGCONT');
    }
    await vi.waitFor(async () => expect((await request(`${url}/readyz`)).status).toBe(200), { timeout: 20_000 });
  });
});

describe('reload with workers', () => {
  const names = async (teams: string): Promise<readonly string[]> =>
    (await Promise.all(Array.from({ length: 4 }, () => request(`${teams}?fields=short-team-name&pretty=0`)))).map(
      ({ body }) => body,
    );

  test('takes effect in all workers, and changes their number', async () => {
    const [one, two] = await Promise.all([startRepository('CERT A'), startRepository('CERT B')]);
    const sources = { one: { number: 1, directory: one.address } };
    const { program, teams, admin } = await startReady(configure(sources));
    const both = { ...sources, two: { number: 2, directory: two.address } };
    await replaceFile(program, JSON.stringify(configure(both, { workers: 3 })));
    program.kill('SIGHUP');
    expect(await program.line('configuration reloaded')).toMatchObject({ added: ['two'] });
    const expected = '[{"short-team-name":"CERT A"},{"short-team-name":"CERT B"}]';
    expect(await names(teams)).toEqual(Array.from({ length: 4 }, () => expected));
    await program.line('worker started');
    await vi.waitFor(async () => expect(await readMetric(admin, 'rollcall_workers')).toBe(3), { timeout: 20_000 });
    await replaceFile(program, JSON.stringify(configure(both, { workers: 1 })));
    await program.line('configuration reloaded', 1);
    await vi.waitFor(async () => expect(await childrenOf(program.pid)).toHaveLength(1), { timeout: 20_000 });
    expect(await names(teams)).toEqual(Array.from({ length: 4 }, () => expected));
    expect((await request(`${admin}/readyz`)).status).toBe(200);
    expect(await (await fetch(`${admin}/config`)).json()).toMatchObject({
      generation: 3,
      config: { server: { workers: 1 } },
    });
    expect(await readMetric(admin, 'rollcall_failed_workers_total')).toBe(0);
  });

  test('of an invalid file, or an address that is in use, changes nothing in any worker', async () => {
    const { address } = await startRepository('CERT A');
    const sources = { one: { number: 1, directory: address } };
    const { program, teams, admin } = await startReady(configure(sources));
    const before = await childrenOf(program.pid);
    await replaceFile(program, JSON.stringify(configure({ two: { number: 'x' } })));
    program.kill('SIGHUP');
    await program.line('configuration not reloaded: the one in force remains');
    await replaceFile(program, JSON.stringify(configure(sources, { port: Number(new URL(address).port) })));
    const line: Line = await program.line('configuration not reloaded: the one in force remains', 1);
    expect(String(line['errors'])).toContain('EADDRINUSE');
    expect(await names(teams)).toEqual(Array.from({ length: 4 }, () => '[{"short-team-name":"CERT A"}]'));
    expect(await childrenOf(program.pid)).toEqual(before);
    expect((await request(`${admin}/readyz`)).status).toBe(200);
    expect(await readMetric(admin, 'rollcall_config_last_reload_successful')).toBe(0);
  });

  test('gives the configuration in force to a worker that starts later, whatever the file contains', async () => {
    const { address } = await startRepository('CERT A');
    const { program, teams } = await startReady(configure({ one: { number: 1, directory: address } }));
    await replaceFile(program, 'sources: wrong');
    await program.line('configuration not reloaded: the one in force remains');
    const [victim = 0] = await childrenOf(program.pid);
    process.kill(victim, 'SIGKILL');
    await program.line('worker started');
    expect(await names(teams)).toEqual(Array.from({ length: 4 }, () => '[{"short-team-name":"CERT A"}]'));
  });

  test('is refused where a process with one worker would need several', async () => {
    const { address } = await startRepository('CERT A');
    const sources = { one: { number: 1, directory: address } };
    const { program } = await startReady(configure(sources, { workers: 1 }));
    expect(await childrenOf(program.pid)).not.toHaveLength(2);
    await replaceFile(program, JSON.stringify(configure(sources)));
    const line = await program.line('configuration not reloaded: the one in force remains');
    expect(String(line['errors'])).toContain('server.workers');
  });
});
