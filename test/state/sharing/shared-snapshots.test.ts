import { afterEach, describe, expect, it } from 'vitest';
import { fakeClock } from '../../support/fake-clock.js';
import type { FakeClock } from '../../support/fake-clock.js';
import { startGateway } from '../../support/gateway/test-gateway.js';
import type { GatewayResponse, TestGateway } from '../../support/gateway/test-gateway.js';
import { MemoryStore } from '../../support/gateway/sharing/memory-store.js';
import { joinMemory } from '../../support/gateway/sharing/shared-instances.js';
import type { SharedInstance } from '../../support/gateway/sharing/shared-instances.js';
import { silentLog } from '../../support/silent-log.js';
import { directoryUpstream } from '../../support/upstream/directory-upstream.js';
import { startUpstream } from '../../support/upstream/upstream-server.js';
import type { UpstreamServer } from '../../support/upstream/upstream-server.js';

const TEAMS = '/directory/v1/teams';

interface Instance {
  readonly gateway: TestGateway;
  readonly shared: SharedInstance;
}

let upstream: UpstreamServer;
let instances: readonly Instance[] = [];

const serve = (name: string): void => {
  upstream.handler = directoryUpstream([{ 'short-team-name': name }]);
};

afterEach(async () => {
  for (const { gateway, shared } of instances) {
    await gateway.close();
    await shared.close();
  }
  await upstream.close();
});

const describeAnswer = ({ text, headers }: GatewayResponse): readonly unknown[] => [
  /[A-Z]{3,}/.exec(text)?.[0],
  headers.has('last-modified'),
];

/** Starts three instances over the upstream. */
async function startInstances(clock: FakeClock, defaults: object): Promise<readonly [Instance, Instance, Instance]> {
  const memory = new MemoryStore(clock);
  const start = async (): Promise<Instance> => {
    const shared = await joinMemory(memory, { clock });
    const setup = { defaults, sources: { one: { number: 1, directory: upstream.address } } };
    return { gateway: await startGateway(setup, { clock, log: silentLog, sharedMemory: shared.view }), shared };
  };
  const started = [await start(), await start(), await start()] as const;
  instances = started;
  clock.advance(2_000);
  return started;
}

const get = async ({ gateway }: Instance): Promise<readonly unknown[]> => describeAnswer(await gateway.get(TEAMS));

/** Drains of the source so far. Each ends with a request that proves that there is no further page. */
const countDrains = (): number => upstream.requests.filter(({ query }) => query.get('offset') === '0').length;

async function synchronize(): Promise<void> {
  for (const { shared } of instances) await shared.memory.synchronize();
}

describe('a snapshot that another instance has published', () => {
  it('shows no date before it is active at an instance that fetched the same records by itself', async () => {
    const clock = fakeClock();
    upstream = await startUpstream(directoryUpstream([{ 'short-team-name': 'BEFORE' }]));
    const [first, second, third] = await startInstances(clock, { ttl: '10s', 'stale-while-revalidate': '30s' });
    for (const instance of instances) await get(instance);
    clock.advance(1_000);
    await synchronize();
    for (const instance of instances) await expect.poll(() => get(instance)).toEqual(['BEFORE', true]);

    clock.advance(11_000);
    await synchronize();
    serve('AFTER');
    second.shared.connection.isAvailable = false;
    const before = countDrains();
    await get(first);
    await expect.poll(countDrains).toBe(before + 1);
    clock.advance(100);
    await second.shared.memory.synchronize();
    await get(second);
    await expect.poll(() => get(second)).toEqual(['AFTER', false]);
    second.shared.connection.isAvailable = true;
    await synchronize();
    for (let times = 0; times < 5; times += 1) {
      expect([await get(third), await get(second)]).toEqual([
        ['BEFORE', expect.any(Boolean)],
        ['AFTER', false],
      ]);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    clock.advance(1_500);
    for (const instance of instances) await expect.poll(async () => (await get(instance))[0]).toBe('AFTER');
    clock.advance(1_000);
    await synchronize();
    for (const instance of instances) await expect.poll(() => get(instance)).toEqual(['AFTER', true]);
  });

  it('is fetched by one instance when it is too old to be served', async () => {
    const clock = fakeClock();
    upstream = await startUpstream(directoryUpstream([{ 'short-team-name': 'BEFORE' }]));
    await startInstances(clock, { ttl: '10s', 'stale-while-revalidate': '0s', 'stale-if-error': '1s' });
    for (const instance of instances) await get(instance);
    clock.advance(1_000);
    await synchronize();
    for (const instance of instances) await expect.poll(() => get(instance)).toEqual(['BEFORE', true]);

    clock.advance(12_000);
    await synchronize();
    serve('AFTER');
    const before = countDrains();
    for (const [name] of await Promise.all(instances.map(get))) expect(name).toBe('AFTER');
    expect(countDrains() - before).toBe(1);
  });

  it.each([
    ['there is none yet', false],
    ['it is stale', true],
  ])('is fetched by another instance when the one that was fetching it stops, where %s', async (_, isStale) => {
    const clock = fakeClock();
    upstream = await startUpstream(directoryUpstream([{ 'short-team-name': 'BEFORE' }]));
    const [first, second] = await startInstances(clock, { ttl: '10s', 'stale-while-revalidate': '0s' });
    if (isStale) {
      for (const instance of instances) await get(instance);
      clock.advance(60_000);
      await synchronize();
    }
    const before = upstream.requests.length;
    upstream.handler = () => undefined;
    void get(first).catch(() => undefined);
    await expect.poll(() => upstream.requests.length).toBe(before + 1);
    serve('AFTER');
    first.gateway.app.stopBackgroundWork();
    const { status, headers, text } = await second.gateway.get(TEAMS);
    expect([status, headers.get('source-status')]).toEqual([200, expect.stringMatching(/^one;state=fresh/)]);
    expect(text).toContain('AFTER');
  });

  it('holds no request that begins to wait before it is active', async () => {
    const clock = fakeClock();
    upstream = await startUpstream(directoryUpstream([{ 'short-team-name': 'BEFORE' }]));
    const [first] = await startInstances(clock, { ttl: '5s', 'stale-while-revalidate': '1s' });
    for (const instance of instances) await get(instance);
    clock.advance(1_000);
    await synchronize();
    for (const instance of instances) await expect.poll(() => get(instance)).toEqual(['BEFORE', true]);

    clock.advance(4_900);
    await synchronize();
    serve('AFTER');
    const before = countDrains();
    expect((await get(first))[0]).toBe('BEFORE');
    await expect.poll(countDrains).toBe(before + 1);
    clock.advance(150);
    // The clock stands still: the snapshot does not become active.
    expect(await get(first)).toEqual(['AFTER', false]);
  });
});
