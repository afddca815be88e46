import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { cleanUp } from '../../cli/rollcall-process.js';
import { testSharedStore } from '../../state/sharing/store-contract/store-contract.js';
import { programs } from '../programs.js';
import { RedisStores, commandRedis, startRedis } from '../redis/redis-server.js';
import type { StartedProgram } from '../started-program.js';
import { configureSharing, request, startSharing, untilAgreement } from './sharing-instances.js';
import { VersionedSource, readVersions } from './versioned-source.js';

describe('a shared memory in Valkey', () => {
  let valkey: StartedProgram;
  const stores = new RedisStores(() => `redis://127.0.0.1:${valkey.port}`);

  beforeAll(async () => {
    valkey = await startRedis([], { program: programs.valkey });
  });
  afterEach(async () => {
    await stores.clear();
    await cleanUp();
  });
  afterAll(() => valkey.close());

  testSharedStore({
    connect: () => stores.connect(),
    evictChanges: async () => {
      await commandRedis(valkey.port, 'del', `${stores.prefix}changes`);
    },
    wait: (milliseconds) => pause(milliseconds),
  });

  it('lets two instances ask a source once, and give equal validators before and after a change', async () => {
    const source = await VersionedSource.open('A');
    const sections = { cache: { redis: `redis://127.0.0.1:${valkey.port}` }, defaults: { ttl: '2s' } };
    const instances = await startSharing(2, configureSharing([source], sections));
    await untilAgreement(instances);
    const readStates = async (): Promise<readonly unknown[]> => {
      const answers = await Promise.all(instances.map((instance) => request(instance, '/directory/v1/teams')));
      const validators = new Set(answers.map(({ etag, lastModified }) => `${etag} ${lastModified}`));
      const isDated = answers.every(({ lastModified }) => lastModified !== null);
      return [...answers.map(({ text }) => readVersions(text).get('A')), validators.size, isDated];
    };
    await expect.poll(readStates, { timeout: 15_000 }).toEqual([0, 0, 1, true]);
    const before = source.drains;
    source.change();
    await expect.poll(readStates, { timeout: 15_000, interval: 20 }).toEqual([1, 1, 1, true]);
    expect(source.drains - before).toBeLessThanOrEqual(2);
    await source.close();
  });
});
