import { afterEach, describe, expect, it } from 'vitest';
import { fakeClock } from '../../support/fake-clock.js';
import { startGateway } from '../../support/gateway/test-gateway.js';
import type { GatewayResponse, TestGateway } from '../../support/gateway/test-gateway.js';
import { MemoryStore } from '../../support/sharing/memory-store.js';
import { joinMemory } from '../../support/sharing/shared-instances.js';
import type { SharedInstance } from '../../support/sharing/shared-instances.js';
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

describe('a snapshot that another instance has published, and that is not active yet', () => {
  it('shows no date at an instance that fetched the same records by itself', async () => {
    const clock = fakeClock();
    const memory = new MemoryStore(clock);
    upstream = await startUpstream(directoryUpstream([{ 'short-team-name': 'BEFORE' }]));
    const start = async (): Promise<Instance> => {
      const shared = await joinMemory(memory, { clock });
      const sources = { one: { number: 1, directory: upstream.address } };
      const setup = { defaults: { ttl: '10s', 'stale-while-revalidate': '30s' }, sources };
      return { gateway: await startGateway(setup, { clock, log: silentLog, sharedMemory: shared.view }), shared };
    };
    const [first, second, third] = [await start(), await start(), await start()];
    instances = [first, second, third];
    const get = async ({ gateway }: Instance): Promise<readonly unknown[]> => describeAnswer(await gateway.get(TEAMS));
    const synchronize = async (): Promise<void> => {
      for (const { shared } of instances) await shared.memory.synchronize();
    };
    clock.advance(2_000);
    for (const instance of instances) await get(instance);
    clock.advance(1_000);
    await synchronize();
    for (const instance of instances) await expect.poll(() => get(instance)).toEqual(['BEFORE', true]);

    clock.advance(11_000);
    await synchronize();
    serve('AFTER');
    second.shared.connection.isAvailable = false;
    await get(first);
    await expect.poll(() => upstream.requests.length).toBe(2);
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
});
