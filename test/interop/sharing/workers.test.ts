import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { cleanUp } from '../../cli/rollcall-process.js';
import {
  ANY_PORT,
  childrenOf,
  ok,
  readMetric,
  replaceConfig,
  request,
  requestMany,
  requestStatuses,
  startReadyWorkers,
  startRepository,
  workersOf,
} from '../../cli/serve/workers/worker-gateway.js';
import type { HeldRepository, ReadResponse, WorkerGateway } from '../../cli/serve/workers/worker-gateway.js';
import { startRedis } from '../redis/redis-server.js';
import type { StartedProgram } from '../started-program.js';
import { findConnectionOwner } from './connection-owner.js';

const KEY = 'rck_operator';
const ADMIN = { ...ANY_PORT, 'key-sha256': createHash('sha256').update(KEY).digest('hex') };
const TIME = { timeout: 30_000 };
const NAMES = ['CERT A', 'CERT B', 'CERT C'];

let redis: StartedProgram;
let repositories: readonly HeldRepository[];
let gateway: WorkerGateway;

beforeAll(async () => {
  repositories = await Promise.all(NAMES.map(startRepository));
});
afterAll(() => Promise.all(repositories.map((one) => one.close())));

beforeEach(async () => {
  redis = await startRedis();
  for (const [at, repository] of repositories.entries())
    Object.assign(repository, { team: NAMES[at], wait: Promise.resolve() });
});
afterEach(async () => {
  await cleanUp();
  await redis.close();
}, 60_000);

function configure(count = repositories.length, defaults: object = {}): object {
  const sources = repositories
    .slice(0, count)
    .map(({ address }, at) => [`source-${at}`, { number: at + 1, directory: address }] as const);
  return {
    server: { ...ANY_PORT, workers: 3 },
    admin: ADMIN,
    cache: { redis: `redis://127.0.0.1:${redis.port}` },
    defaults: { retries: 0, ...defaults },
    sources: Object.fromEntries(sources),
  };
}

function repository(at: number): HeldRepository {
  const found = repositories[at];
  if (found === undefined) throw new Error('there is no such repository');
  return found;
}

/** Requests of the first page of its list that a repository has received since it last forgot them: one for each drain. */
const drainsOf = ({ requests }: HeldRepository): number =>
  requests.filter(({ query }) => query.get('offset') === '0').length;

const forgetAll = (): void => {
  for (const one of repositories) one.forget();
};

/** Lets a repository wait with its answer until the returned function is called. */
function hold(one: HeldRepository): () => void {
  let answer = (): void => undefined;
  one.wait = new Promise((resolve) => (answer = resolve));
  return answer;
}

/** The different validators of responses, and whether all have the status 200. */
function validatorsOf(responses: readonly ReadResponse[]): ReadonlySet<string> {
  return new Set(
    responses.map(({ status, headers }) => JSON.stringify([status, headers.etag, headers['last-modified']])),
  );
}

const dateOf = ({ headers }: ReadResponse): number => Date.parse(headers['last-modified'] ?? '');

/** Waits until all workers give the same Last-Modified, and returns one of their responses. */
async function untilAgreed(): Promise<ReadResponse> {
  const agreed = await vi.waitFor(async () => {
    const responses = await requestMany(gateway.teams, 9);
    const [validators] = validatorsOf(responses);
    expect([...validatorsOf(responses)]).toEqual([validators]);
    expect(responses[0] && dateOf(responses[0])).toBeGreaterThan(0);
    return responses[0];
  }, TIME);
  if (agreed === undefined) throw new Error('there is no response');
  return agreed;
}

async function act(action: string): Promise<unknown> {
  const headers = { authorization: `Bearer ${KEY}` };
  const response = await fetch(`${gateway.admin}/sources/${action}`, { method: 'POST', headers });
  const body: unknown = await response.json();
  return { status: response.status, body };
}

describe('workers that share a Redis', () => {
  it('ask each source once, and give the same validators', async () => {
    forgetAll();
    gateway = await startReadyWorkers(configure());
    await untilAgreed();
    expect(repositories.map(drainsOf)).toEqual([1, 1, 1]);
    expect(workersOf(gateway.program, 'request')).toEqual([1, 2, 3]);
    const sources: unknown = JSON.parse((await request(`${gateway.admin}/sources`)).body);
    const level = { condition: 'ok', requests: { sent: 2, failures: {} } };
    expect(sources).toMatchObject({ missingWorkers: [], sources: NAMES.map(() => ({ levels: [level] })) });
    expect(JSON.stringify(sources)).not.toContain('"workers"');
    expect(await readMetric(gateway.admin, 'rollcall_shared_snapshots_total{event="adopted"}')).toBe(6);
  });

  it('change their answers together when an operator has one of them refresh or forget a list', async () => {
    gateway = await startReadyWorkers(configure());
    const countActions = (): number => gateway.program.lines.filter(({ msg }) => msg === 'source action').length;
    const before = await untilAgreed();
    forgetAll();
    repository(0).team = 'CERT D';
    expect(await act('source-0/refresh')).toMatchObject({ status: 200, body: { lists: [{ state: 'fresh' }] } });
    const after = await untilAgreed();
    expect(after.body).toContain('CERT D');
    expect(dateOf(after)).toBeGreaterThanOrEqual(dateOf(before));
    expect(drainsOf(repository(0))).toBe(1);
    repository(0).team = 'CERT E';
    expect(await act('source-0/forget')).toMatchObject({ status: 200, body: { forgotten: true } });
    const last = await untilAgreed();
    expect(last.body).toContain('CERT E');
    expect(dateOf(last)).toBeGreaterThanOrEqual(dateOf(after));
    expect(drainsOf(repository(0))).toBe(2);
    expect(countActions()).toBe(2);
  });

  it('all refresh and forget a list where Redis does not answer', async () => {
    gateway = await startReadyWorkers(configure());
    await untilAgreed();
    forgetAll();
    redis.signal('SIGSTOP');
    repository(0).team = 'CERT D';
    const lists = [expect.objectContaining({ list: 'directory-teams', state: 'fresh' })];
    expect(await act('source-0/refresh')).toEqual({ status: 200, body: { lists, onlyThisInstance: true } });
    expect(drainsOf(repository(0))).toBe(3);
    const responses = await requestMany(gateway.teams, 9);
    expect(responses.filter(({ body }) => body.includes('CERT D'))).toHaveLength(9);
    expect(await act('source-0/forget')).toEqual({ status: 200, body: { forgotten: true, onlyThisInstance: true } });
    expect(workersOf(gateway.program, 'source action')).toEqual([1, 2, 3]);
    redis.signal('SIGCONT');
  });

  it('go on with the old list where the one that fetches it is killed, and another one fetches it', async () => {
    gateway = await startReadyWorkers(configure());
    const before = await untilAgreed();
    const [first] = repositories;
    if (first === undefined) throw new Error('there is no repository');
    forgetAll();
    const answer = hold(first);
    first.team = 'CERT D';
    let port = 0;
    const { handler } = first;
    first.handler = (received, response) => {
      port = response.socket?.remotePort ?? 0;
      handler(received, response);
    };
    const action = act('source-0/refresh');
    await vi.waitFor(() => expect(port).toBeGreaterThan(0), TIME);
    const holder = await findConnectionOwner(await childrenOf(gateway.program.pid), port);
    if (holder === undefined) throw new Error('no worker has the connection');
    process.kill(holder, 'SIGKILL');
    await gateway.program.line('worker ended');
    const during = await requestMany(gateway.teams, 9);
    expect(validatorsOf(during).size).toBe(1);
    expect(during[0]?.headers.etag).toBe(before.headers.etag);
    await vi.waitFor(() => expect(drainsOf(first)).toBe(2), TIME);
    answer();
    expect(await action).toMatchObject({
      status: 200,
      body: { lists: [{ state: 'fresh' }], missingWorkers: [{ reason: 'the process has ended' }] },
    });
    await gateway.program.line('worker started');
    await vi.waitFor(async () => expect((await request(`${gateway.admin}/readyz`)).status).toBe(200), TIME);
    const after = await untilAgreed();
    expect(after.body).toContain('CERT D');
    expect(dateOf(after)).toBeGreaterThanOrEqual(dateOf(before));
    expect(drainsOf(first)).toBe(2);
    first.handler = handler;
  });

  it('serve on without Last-Modified while Redis is paused or gone, and agree again when it is back', async () => {
    gateway = await startReadyWorkers(configure());
    const before = await untilAgreed();
    const untilUndated = (): Promise<unknown> =>
      vi.waitFor(async () => {
        const responses = await requestMany(gateway.teams, 9);
        expect(responses.map(({ status }) => status)).toEqual(ok(9));
        expect(new Set(responses.map(({ headers }) => headers['last-modified']))).toEqual(new Set([undefined]));
        expect(new Set(responses.map(({ body }) => body))).toEqual(new Set([before.body]));
      }, TIME);
    redis.signal('SIGSTOP');
    await untilUndated();
    await vi.waitFor(async () => expect(await readMetric(gateway.admin, 'rollcall_shared_memory_up')).toBe(0), TIME);
    expect((await request(`${gateway.admin}/readyz`)).status).toBe(200);
    redis.signal('SIGCONT');
    const resumed = await untilAgreed();
    expect(dateOf(resumed)).toBeGreaterThanOrEqual(dateOf(before));
    await vi.waitFor(async () => expect(await readMetric(gateway.admin, 'rollcall_shared_memory_up')).toBe(1), TIME);
    const { port } = redis;
    await redis.close();
    await untilUndated();
    redis = await startRedis([], { port });
    expect(dateOf(await untilAgreed())).toBeGreaterThanOrEqual(dateOf(resumed));
  });

  it('answer every request while the configuration changes, and then all the new list', async () => {
    gateway = await startReadyWorkers(configure(2));
    await untilAgreed();
    const text = JSON.stringify(configure(3));
    let isDone = false;
    const load = Promise.all(
      Array.from({ length: 8 }, async () => {
        const found = new Set<number | undefined>();
        while (!isDone) found.add((await request(gateway.teams)).status);
        return [...found];
      }),
    );
    await replaceConfig(gateway.program, text);
    await gateway.program.line('configuration reloaded');
    const after = await untilAgreed();
    isDone = true;
    expect(await load).toEqual(Array.from({ length: 8 }, () => [200]));
    expect(after.body).toContain('CERT C');
  });

  it('start without Redis, and answer at SIGTERM every request that has arrived', async () => {
    redis.signal('SIGSTOP');
    gateway = await startReadyWorkers(configure(1, { ttl: '1s', 'stale-while-revalidate': '0s' }));
    const one = repository(0);
    expect(await requestStatuses(gateway.teams, 9)).toEqual(ok(9));
    const answer = hold(one);
    one.forget();
    const pending = vi.waitFor(async () => {
      const requests = requestStatuses(gateway.teams, 9);
      await vi.waitFor(() => expect(drainsOf(one)).toBe(3), { timeout: 3_000 });
      return requests;
    }, TIME);
    await vi.waitFor(() => expect(drainsOf(one)).toBe(3), TIME);
    gateway.program.kill('SIGTERM');
    await gateway.program.line('stopping');
    answer();
    expect(await pending).toEqual(ok(9));
    expect(await gateway.program.exit).toBe(0);
  });
});
