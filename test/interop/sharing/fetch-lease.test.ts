import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { cleanUp } from '../../cli/rollcall-process.js';
import { startRedis } from '../redis/redis-server.js';
import type { StartedProgram } from '../started-program.js';
import { configureSharing, request, startSharing, untilReachable } from './sharing-instances.js';
import type { ClientResponse, SharingInstance } from './sharing-instances.js';
import { ownsSocket } from './socket-owner.js';
import { VersionedSource, readVersions } from './versioned-source.js';

const TARGET = '/directory/v1/teams';

/** Milliseconds that a drain takes in which the instance is killed. */
const SLOW_DRAIN = 1_500;

let redis: StartedProgram;
let source: VersionedSource;
let instances: readonly SharingInstance[];

const startAll = async (perSource: object): Promise<void> => {
  const sections = { cache: { redis: `redis://127.0.0.1:${redis.port}` } };
  instances = await startSharing(3, configureSharing([source], sections, { retries: 0, timeout: '6s', ...perSource }));
  await untilReachable(instances);
};

/** Kills the instance that sends the next request to the source, while the source responds slowly. Returns the others. */
function killFetcher(): Promise<readonly SharingInstance[]> {
  source.delay = SLOW_DRAIN;
  return new Promise((resolve) => {
    source.onRequest = (port) => {
      source.onRequest = () => undefined;
      const killed = instances.find(({ program }) => ownsSocket(program.pid, port));
      killed?.program.kill('SIGKILL');
      resolve(instances.filter((instance) => instance !== killed));
    };
  });
}

const versionOf = ({ text }: ClientResponse): number | undefined => readVersions(text).get('A');

beforeEach(async () => {
  redis = await startRedis();
  source = await VersionedSource.open('A');
});

afterEach(async () => {
  await cleanUp();
  await source.close();
  await redis.close();
});

describe('an instance that is killed while it reads a list', () => {
  it('is replaced by one other, and requests without an old list wait within their deadline', async () => {
    source.delay = 0;
    await startAll({ ttl: '5s', 'stale-while-revalidate': '0s', 'stale-if-error': '1s' });
    const before = source.drains;
    // Until the list is too old to be served at all.
    await new Promise((resolve) => setTimeout(resolve, 6_500));
    source.change();
    const killing = killFetcher();
    const first = instances.map((instance) => request(instance, TARGET).catch(() => undefined));
    const remaining = await killing;
    expect(remaining).toHaveLength(2);
    const answers = (await Promise.all(first)).filter((answer) => answer !== undefined);
    expect(answers.map((answer) => [answer.status, versionOf(answer), answer.sources])).toEqual([
      [200, 1, expect.stringContaining('state=fresh')],
      [200, 1, expect.stringContaining('state=fresh')],
    ]);
    expect(source.drains - before).toBe(2);
  });

  it('is replaced by one other while the rest serve the old list, and all serve the new one', async () => {
    await startAll({ ttl: '2s', 'stale-while-revalidate': '1m' });
    const before = source.drains;
    source.change();
    const killing = killFetcher();
    const seen: ClientResponse[] = [];
    const poll = async (some: readonly SharingInstance[]): Promise<readonly ClientResponse[]> => {
      const answers = await Promise.all(some.map((instance) => request(instance, TARGET).catch(() => undefined)));
      const complete = answers.filter((answer) => answer !== undefined);
      seen.push(...complete);
      return complete;
    };
    let remaining: readonly SharingInstance[] | undefined;
    void killing.then((others) => (remaining = others));
    const others = await vi.waitUntil(
      async () => {
        await poll(instances);
        return remaining;
      },
      { timeout: 10_000, interval: 20 },
    );
    // The one that was killed, and the one that took over. Later, a refresh of the new list may begin.
    await vi.waitUntil(
      async () => (await Promise.any(others.map((one) => poll([one])))).some((one) => versionOf(one) === 1),
      {
        timeout: 60_000,
        interval: 20,
      },
    );
    expect(source.drains - before).toBe(2);
    await expect.poll(async () => (await poll(others)).map(versionOf)).toEqual([1, 1]);
    expect([...new Set(seen.map(({ status }) => status))]).toEqual([200]);
    expect(new Set((await poll(others)).map(({ etag }) => etag)).size).toBe(1);
  });
});

describe('three instances', () => {
  it('all serve a change, under one entity tag and without a date', async () => {
    await startAll({ ttl: '2s', 'stale-while-revalidate': '10s' });
    for (let version = 0; version < 3; version += 1) {
      const readStates = async (): Promise<readonly unknown[]> => {
        const answers: ClientResponse[] = [];
        for (const instance of instances) answers.push(await request(instance, TARGET));
        expect(answers.map(({ lastModified }) => lastModified)).toEqual([null, null, null]);
        return [...answers.map(versionOf), new Set(answers.map(({ etag }) => etag)).size];
      };
      await expect.poll(readStates, { timeout: 20_000, interval: 20 }).toEqual([version, version, version, 1]);
      source.change();
    }
  });
});
