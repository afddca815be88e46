import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { cleanUp } from '../../cli/rollcall-process.js';
import { commandRedis, startRedis } from '../redis/redis-server.js';
import type { StartedProgram } from '../started-program.js';
import { CheckingClient, TargetHistory } from './checking-client.js';
import { FaultyProxy } from './faulty-proxy.js';
import { configureSharing, readMetric, startSharing, untilReachable } from './sharing-instances.js';
import type { SharingInstance } from './sharing-instances.js';
import { VersionedSource } from './versioned-source.js';

/** Milliseconds of `ttl` and `stale-while-revalidate`, and between two changes of a source. */
const [TTL, REVALIDATION, CHANGE_INTERVAL] = [2_000, 1_000, 700];

/**
 * Milliseconds for which a source's records may be served after it replaced them. Times count from the end of a drain, which
 * takes a while on a busy machine.
 */
const MAX_AGE = TTL + REVALIDATION + 1_000;

/** Milliseconds by which a request may wait longer because the memory fails: two commands, and a busy machine. */
const MAX_DELAY_MS = 100;

/** How long a failure lasts, in milliseconds. */
const OUTAGE_MS = 2_500;

/** In the log, of an outage that lasts. */
const REPORTS = ['shared memory failed', 'shared memory answers again'];

const TARGETS = ['/directory/v1/teams', '/directory/v1/teams?source-name=A'];

let folder: string;
let redis: StartedProgram;
let proxy: FaultyProxy;
let sources: readonly VersionedSource[];
let instances: readonly SharingInstance[];
let histories: readonly TargetHistory[];
let clients: readonly CheckingClient[];
/** Clients of an instance that shares nothing, over the same sources. */
let compared: readonly CheckingClient[];
let changes: NodeJS.Timeout;

const settings = { ttl: `${TTL}ms`, 'stale-while-revalidate': `${REVALIDATION}ms`, 'stale-if-error': '1m' };

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rollcall-redis-'));
  redis = await startRedis(['--dir', folder]);
  proxy = await FaultyProxy.open(redis.port);
  sources = await Promise.all(['A', 'B', 'C'].map((name) => VersionedSource.open(name)));
  const sections = { defaults: settings, cache: { redis: `redis://127.0.0.1:${proxy.port}` } };
  instances = await startSharing(3, configureSharing(sources, sections));
  const [alone] = await startSharing(1, configureSharing(sources, { defaults: settings }));
  const openHistories = (hasDates: boolean): typeof histories =>
    TARGETS.map(
      (target, at) =>
        new TargetHistory(target, at === 0 ? sources : sources.slice(0, 1), { maxAge: MAX_AGE, hasDates }),
    );
  histories = openHistories(false);
  const ports = instances.map(({ port }) => port);
  const groups = [...ports.map((port) => [port]), ports];
  clients = histories.flatMap((history) => groups.map((group) => new CheckingClient(group, history)));
  compared = openHistories(true).map((history) => new CheckingClient([alone?.port ?? 0], history));
  let turn = 0;
  changes = setInterval(() => sources[(turn += 1) % sources.length]?.change(), CHANGE_INTERVAL);
}, 120_000);

afterAll(async () => {
  clearInterval(changes);
  await Promise.all([...clients, ...compared].map((client) => client.stop()));
  await cleanUp();
  await proxy.close();
  await redis.close();
  await Promise.all(sources.map((source) => source.close()));
  rmSync(folder, { recursive: true });
});

function violations(): readonly string[] {
  return histories.flatMap((history) => history.violations.splice(0));
}

/** Waits until each instance serves lists again that another one has read. */
async function untilShared(): Promise<void> {
  const countAdopted = async (instance: SharingInstance): Promise<number> =>
    (await readMetric(instance, 'rollcall_shared_snapshots_total{event="adopted"}')) ?? 0;
  const before = await Promise.all(instances.map(countAdopted));
  for (const [at, instance] of instances.entries())
    await expect.poll(() => countAdopted(instance), { timeout: 20_000 }).toBeGreaterThan(before[at] ?? 0);
}

/** The time within which nine of ten requests of some clients were answered, in milliseconds. */
function ninthDecile(some: readonly CheckingClient[]): number {
  const times = some.flatMap((client) => client.takeExchanges().map(({ milliseconds }) => milliseconds));
  expect(times.length).toBeGreaterThan(50);
  return times.sort((a, b) => a - b)[Math.floor(times.length * 0.9)] ?? Infinity;
}

/** Lets the memory fail for a while. Checks that requests do not wait for it, and that all instances share lists again afterwards. */
async function survive(fail: () => unknown, heal: () => unknown, isNoticed = true): Promise<void> {
  for (const client of [...clients, ...compared]) client.takeExchanges();
  const linesBefore = instances.map(({ program }) => program.lines.length);
  await fail();
  if (isNoticed) await untilReachable(instances, false);
  await pause(OUTAGE_MS);
  const [during, alone] = [ninthDecile(clients), ninthDecile(compared)];
  expect(during).toBeLessThan(alone + MAX_DELAY_MS);
  await heal();
  await untilReachable(instances);
  await untilShared();
  if (!isNoticed) return;
  for (const [at, { program }] of instances.entries()) {
    const messages = program.lines.slice(linesBefore[at]).map(({ msg }) => String(msg));
    const reports = messages.filter((message) => REPORTS.includes(message));
    expect([...new Set(reports)]).toEqual(REPORTS);
  }
}

const restart = async (): Promise<void> => {
  redis = await startRedis(['--dir', folder], { port: redis.port });
};

const end = async (): Promise<void> => {
  redis.signal('SIGKILL');
  await redis.close();
};

describe('three instances whose Redis fails give right answers without waiting for it', () => {
  afterEach(() => {
    expect(violations()).toEqual([]);
  });

  it('while nothing fails', async () => {
    await untilReachable(instances);
    await untilShared();
    await pause(OUTAGE_MS);
  });

  it('when Redis ends, and starts again empty', () => survive(end, () => restart()));

  it('when Redis restarts with an old copy of its content', async () => {
    const file = join(folder, 'dump.rdb');
    await commandRedis(redis.port, 'save');
    await pause(3 * CHANGE_INTERVAL);
    await survive(end, () => restart());
    rmSync(file);
  });

  it('when Redis restarts empty within a moment', () =>
    survive(
      async () => {
        await end();
        await restart();
      },
      () => undefined,
      false,
    ));

  it('when Redis is paused', () =>
    survive(
      () => redis.signal('SIGSTOP'),
      () => redis.signal('SIGCONT'),
    ));

  it('when Redis is full, and evicts nothing', () =>
    survive(
      () => commandRedis(redis.port, 'config', 'set', 'maxmemory', '1mb'),
      () => commandRedis(redis.port, 'config', 'set', 'maxmemory', '0'),
    ));

  it('when packets to Redis are lost', () =>
    survive(
      () => (proxy.mode = 'swallow'),
      () => (proxy.mode = 'forward'),
    ));

  it('when connections to Redis are reset', () =>
    survive(
      () => (proxy.mode = 'reset'),
      () => (proxy.mode = 'forward'),
    ));

  it('when Redis answers after 300 ms', () =>
    survive(
      () => (proxy.mode = { delay: 300 }),
      () => (proxy.mode = 'forward'),
    ));

  it('when Redis answers after 30 ms, which is in time', () =>
    survive(
      () => (proxy.mode = { delay: 30 }),
      () => (proxy.mode = 'forward'),
      false,
    ));
});
