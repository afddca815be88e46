import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { cleanUp, serve } from '../../rollcall-process.js';
import {
  ANY_PORT,
  childrenOf,
  isAlive,
  ok,
  readMetric,
  replaceConfig,
  request,
  requestMany,
  requestStatuses,
  startReadyWorkers,
  startRepository,
  workersOf,
} from './worker-gateway.js';
import type { HeldRepository, WorkerGateway } from './worker-gateway.js';

/** A port on which nothing listens: the instance goes on by itself. */
const CACHE = { redis: 'redis://127.0.0.1:1' };

const KEY = 'rck_operator';
const ADMIN = { ...ANY_PORT, 'key-sha256': createHash('sha256').update(KEY).digest('hex') };

const TIME = { timeout: 20_000 };

/** Time for the start of several processes on a busy machine, in milliseconds. */
const START_TIME = 60_000;
const REQUESTS = 'rollcall_requests_total{resource="directory-teams",status="200",format="json"}';
const NOT_RELOADED = 'configuration not reloaded: the one in force remains';

function configure(sources: Readonly<Record<string, object>>, server: object = {}): object {
  return { server: { ...ANY_PORT, workers: 2, ...server }, admin: ADMIN, cache: CACHE, sources };
}

async function act(url: string): Promise<unknown> {
  const response = await fetch(url, { method: 'POST', headers: { authorization: `Bearer ${KEY}` } });
  const body: unknown = await response.json();
  return { status: response.status, body };
}

async function readJson(url: string): Promise<unknown> {
  return JSON.parse((await request(url)).body);
}

/** Names of the teams as each of several connections gets them. */
async function namesFrom(teams: string): Promise<ReadonlySet<string>> {
  const responses = await requestMany(`${teams}?fields=short-team-name&pretty=0`, 4);
  return new Set(responses.map(({ body }) => body));
}

const ONLY_A = new Set(['[{"short-team-name":"CERT A"}]']);
const BOTH = new Set(['[{"short-team-name":"CERT A"},{"short-team-name":"CERT B"}]']);

describe('rollcall serve with workers', () => {
  let one: HeldRepository;
  let two: HeldRepository;
  let sources: Readonly<Record<string, object>>;
  let gateway: WorkerGateway;

  beforeAll(async () => {
    [one, two] = await Promise.all([startRepository('CERT A'), startRepository('CERT B')]);
    sources = { one: { number: 1, directory: one.address } };
    gateway = await startReadyWorkers(configure(sources));
  }, START_TIME);
  afterAll(async () => {
    await cleanUp();
    await Promise.all([one.close(), two.close()]);
  }, START_TIME);

  /** Waits until all workers are ready again. */
  const untilReady = (): Promise<unknown> =>
    vi.waitFor(async () => expect((await request(`${gateway.admin}/readyz`)).body).toBe('ready\n'), TIME);

  test('serves by all of them, with one start and one ready for the whole gateway', async () => {
    const { program, teams, admin } = gateway;
    const before = program.lines.length;
    const counted = await readMetric(admin, REQUESTS);
    expect(await requestStatuses(teams, 10)).toEqual(ok(10));
    await vi.waitFor(() => expect(workersOf(program, 'request', before)).toEqual([1, 2]), TIME);
    expect(await request(`${admin}/readyz`)).toMatchObject({ status: 200, body: 'ready\n' });
    expect((await request(`${admin}/healthz`)).status).toBe(200);
    expect((await readMetric(admin, REQUESTS)) - (counted || 0)).toBe(10);
    expect(await readMetric(admin, 'rollcall_workers')).toBe(2);
    const own = program.lines.filter(({ worker }) => worker === undefined);
    expect(own.map(({ msg }) => msg)).toEqual(['listening', 'ready']);
    expect(own[0]).toMatchObject({ workers: 2, sources: 1 });
  });

  test('shows the state of all workers at the admin port, and acts in all of them', async () => {
    const { program, teams, admin } = gateway;
    const list = { resource: 'directory-teams', state: 'fresh', records: 1 };
    expect(await readJson(`${admin}/sources`)).toMatchObject({
      missingWorkers: [],
      sources: [{ code: 'one', condition: 'ok', levels: [{ requests: { sent: 4, failures: {} }, resources: [list] }] }],
    });
    expect(await act(`${admin}/sources/one/refresh`)).toMatchObject({
      status: 200,
      body: { lists: [{ list: 'directory-teams', state: 'fresh', records: 1 }] },
    });
    await vi.waitFor(() => expect(workersOf(program, 'source action')).toEqual([1, 2]), TIME);
    // A refresh in progress would begin again after `forget`, and the list would be fresh.
    const refreshed = { sources: [{ levels: [{ requests: { sent: 8 }, resources: [{ isRefreshing: false }] }] }] };
    await vi.waitFor(async () => expect(await readJson(`${admin}/sources`)).toMatchObject(refreshed), TIME);
    expect(await act(`${admin}/sources/one/confirm-shrink`)).toMatchObject({ status: 409 });
    expect(await act(`${admin}/sources/two/forget`)).toMatchObject({ status: 404 });
    expect(await act(`${admin}/sources/one/forget`)).toMatchObject({ status: 200, body: { forgotten: true } });
    const forgotten = { sources: [{ levels: [{ resources: [{ state: 'none' }] }] }] };
    expect(await readJson(`${admin}/sources`)).toMatchObject(forgotten);
    expect((await request(teams)).status).toBe(200);
    const { body } = await request(`${admin}/sources`);
    for (const state of ['none', 'fresh']) expect(body).toMatch(new RegExp(`"worker": ?[12],\\s*"state": ?"${state}"`));
    const target = encodeURIComponent('/directory/v1/teams?limit=1');
    const explained = { resource: 'directory-teams', sources: [{ source: 'one' }] };
    expect(await readJson(`${admin}/explain?target=${target}`)).toMatchObject(explained);
    expect((await request(`${admin}/explain?target=/none`)).status).toBe(400);
  });

  test('says at the admin port which worker does not answer, and does not wait for it', async () => {
    const { program, teams, admin } = gateway;
    expect(await requestStatuses(teams, 4)).toEqual(ok(4));
    const counted = await readMetric(admin, REQUESTS);
    const [first = 0] = await childrenOf(program.pid);
    process.kill(first, 'SIGSTOP');
    try {
      const missing = { worker: 1, reason: 'no answer within 1000 ms' };
      expect(await readJson(`${admin}/sources`)).toMatchObject({
        missingWorkers: [missing],
        sources: [{ code: 'one' }],
      });
      const page = await request(`${admin}/sources?format=html`);
      expect(page.body).toContain('Worker 1 is not part of this state');
      const body = `not ready\nworker 1: ${missing.reason}\n`;
      expect(await request(`${admin}/readyz`)).toMatchObject({ status: 503, body });
      expect(await readMetric(admin, REQUESTS)).toBe(counted);
      expect(await readMetric(admin, 'rollcall_ready')).toBe(0);
    } finally {
      process.kill(first, 'SIGCONT');
    }
    await untilReady();
  });

  test('keeps its configuration in all workers where a new one is invalid, or its address in use', async () => {
    const { program, teams, admin } = gateway;
    const before = await childrenOf(program.pid);
    const text = JSON.stringify(configure(sources));
    await replaceConfig(program, JSON.stringify(configure({ two: { number: 'x' } })));
    await program.line(NOT_RELOADED);
    await replaceConfig(program, JSON.stringify(configure(sources, { port: Number(new URL(one.address).port) })));
    expect(String((await program.line(NOT_RELOADED, 1))['errors'])).toContain('EADDRINUSE');
    expect(await namesFrom(teams)).toEqual(ONLY_A);
    expect(await childrenOf(program.pid)).toEqual(before);
    expect((await request(`${admin}/readyz`)).status).toBe(200);
    expect(await readMetric(admin, 'rollcall_config_last_reload_successful')).toBe(0);
    const failedReload = { errors: [expect.stringContaining('EADDRINUSE')] };
    for (const path of ['config', 'sources'])
      expect(await readJson(`${admin}/${path}`)).toMatchObject({ failedReload });
    await replaceConfig(program, text);
    await program.line('configuration unchanged');
  });

  test('starts a killed worker again with the configuration in force, and loses no later request and no count', async () => {
    const { program, teams, admin } = gateway;
    const text = JSON.stringify(configure(sources));
    const rejections = program.lines.filter(({ msg }) => msg === NOT_RELOADED).length;
    await replaceConfig(program, 'sources: wrong');
    await program.line(NOT_RELOADED, rejections);
    expect(await requestStatuses(teams, 20)).toEqual(ok(20));
    const counted = await readMetric(admin, REQUESTS);
    const [victim = 0] = await childrenOf(program.pid);
    process.kill(victim, 'SIGKILL');
    const line = await program.line('worker ended');
    expect(line).toMatchObject({ level: 50, pid: victim, signal: 'SIGKILL', restartIn: 0 });
    expect(await requestStatuses(teams, 20)).toEqual(ok(20));
    await program.line('worker started');
    await untilReady();
    expect(await namesFrom(teams)).toEqual(ONLY_A);
    expect(await readMetric(admin, REQUESTS)).toBe(counted + 24);
    expect(await readMetric(admin, 'rollcall_failed_workers_total')).toBe(1);
    expect(await childrenOf(program.pid)).toHaveLength(2);
    await replaceConfig(program, text);
    await program.line('configuration unchanged', 1);
  });

  test('puts a new configuration in force in all workers, and changes their number', async () => {
    const { program, teams, admin } = gateway;
    const failed = await readMetric(admin, 'rollcall_failed_workers_total');
    const started = program.lines.filter(({ msg }) => msg === 'worker started').length;
    const both = { ...sources, two: { number: 2, directory: two.address } };
    await replaceConfig(program, JSON.stringify(configure(both, { workers: 3 })));
    expect(await program.line('configuration reloaded')).toMatchObject({ added: ['two'] });
    expect(await namesFrom(teams)).toEqual(BOTH);
    await program.line('worker started', started);
    await vi.waitFor(async () => expect(await readMetric(admin, 'rollcall_workers')).toBe(3), TIME);
    await replaceConfig(program, JSON.stringify(configure(both, { workers: 1 })));
    await program.line('configuration reloaded', 1);
    await vi.waitFor(async () => expect(await childrenOf(program.pid)).toHaveLength(1), TIME);
    expect(await namesFrom(teams)).toEqual(BOTH);
    await untilReady();
    const report = { generation: 3, config: { server: { workers: 1 } } };
    expect(await readJson(`${admin}/config`)).toMatchObject(report);
    expect(await readMetric(admin, 'rollcall_failed_workers_total')).toBe(failed);
  });
});

describe('the end of a gateway with workers', () => {
  let slow: HeldRepository;
  let answer: () => void;

  beforeAll(async () => {
    slow = await startRepository('CERT A');
  });
  afterEach(cleanUp, START_TIME);
  afterAll(() => slow.close());

  /** Starts a gateway whose source does not answer before `answer` is called. */
  async function startHeld(): Promise<WorkerGateway> {
    slow.forget();
    slow.wait = new Promise((resolve) => (answer = resolve));
    return startReadyWorkers(configure({ slow: { number: 1, directory: slow.address } }, { 'warm-up': 'false' }));
  }

  const untilBothAsk = (): Promise<unknown> => vi.waitFor(() => expect(slow.requests.length).toBeGreaterThan(1), TIME);

  test('answers the requests in progress at SIGTERM, and is not ready meanwhile', async () => {
    const { program, teams, admin } = await startHeld();
    const pending = requestStatuses(teams, 6);
    await untilBothAsk();
    program.kill('SIGTERM');
    await program.line('stopping');
    expect(await request(`${admin}/readyz`)).toMatchObject({ status: 503, body: 'not ready\n' });
    answer();
    expect(await pending).toEqual(ok(6));
    expect(await program.exit).toBe(0);
    const own = program.lines.filter(({ worker }) => worker === undefined);
    expect(own.map(({ msg }) => msg)).toEqual(['listening', 'ready', 'stopping', 'stopped']);
  });

  test('comes at once with code 1 at a second SIGTERM, for all workers', async () => {
    const { program, teams } = await startHeld();
    const workers = await childrenOf(program.pid);
    const pending = requestStatuses(teams, 2).catch(() => 'cut off');
    await untilBothAsk();
    program.kill('SIGTERM');
    await program.line('stopping');
    program.kill('SIGTERM');
    expect(await program.exit).toBe(1);
    expect(await pending).toBe('cut off');
    await vi.waitFor(() => expect(workers.filter(isAlive)).toEqual([]), TIME);
  });

  test('is orderly for the workers where the primary process is killed', async () => {
    const { program, teams } = await startHeld();
    const workers = await childrenOf(program.pid);
    const pending = requestStatuses(teams, 4);
    await untilBothAsk();
    program.kill('SIGKILL');
    await program.line('stopping: the primary process has ended', 1);
    answer();
    expect(await pending).toEqual(ok(4));
    await vi.waitFor(() => expect(workers.filter(isAlive)).toEqual([]), TIME);
  });

  test('comes with code 1 at the start where the public port is in use', async () => {
    const port = Number(new URL(slow.address).port);
    const program = await serve(configure({ slow: { number: 1, directory: slow.address } }, { port }));
    expect(await program.exit).toBe(1);
    const own = program.lines.filter(({ worker }) => worker === undefined);
    expect(own).toEqual([expect.objectContaining({ msg: 'could not start' })]);
    expect(String(own[0]?.['error'])).toContain('EADDRINUSE');
  });

  test('is needed for more than one worker where the process was started with one', async () => {
    slow.wait = Promise.resolve();
    const sources = { slow: { number: 1, directory: slow.address } };
    const { program } = await startReadyWorkers(configure(sources, { workers: 1 }));
    await replaceConfig(program, JSON.stringify(configure(sources)));
    expect(String((await program.line(NOT_RELOADED))['errors'])).toContain('server.workers');
  });
});
