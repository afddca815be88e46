import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { testSharedStore } from '../../state/sharing/store-contract/store-contract.js';
import {
  LONG,
  NOTICE,
  claim,
  claimGranted,
  publish,
  publishEntry,
} from '../../state/sharing/store-contract/store-fixture.js';
import { RedisStore } from '../../../src/state/redis/redis-store.js';
import { LEASE_MARGIN_MS } from '../../../src/state/sharing/shared-store.js';
import type { StartedProgram } from '../started-program.js';
import { RedisStores, commandRedis, startRedis, untilConnected } from './redis-server.js';

/**
 * A burst of so many reads takes longer than the timeout of a command, in milliseconds, even on a fast machine. A report
 * takes a fraction of it: both are larger than in operation, so that the load of a machine makes no difference.
 */
const BURST_READS = 20_000;
const BURST_TIMEOUT_MS = 400;

describe('a shared memory in Redis', () => {
  let redis: StartedProgram;
  const stores = new RedisStores(() => `redis://127.0.0.1:${redis.port}/3`);
  const inDatabase = (command: string, ...args: readonly string[]): Promise<unknown> =>
    commandRedis(redis.port, 'eval', `redis.call('select', 3) return redis.call(unpack(ARGV))`, '0', command, ...args);

  beforeAll(async () => {
    redis = await startRedis();
  });
  afterEach(() => stores.clear());
  afterAll(() => redis.close());

  testSharedStore({
    connect: () => stores.connect(),
    evictChanges: async () => {
      await inDatabase('del', `${stores.prefix}changes`);
    },
    wait: (milliseconds) => pause(milliseconds),
  });

  it('gives each key a time after which it is deleted', async () => {
    const store = await stores.connect();
    await store.synchronize({ instance: 'a', configuration: 'one', known: undefined, notice: NOTICE });
    await claimGranted(store, 'held');
    const lease = await claimGranted(store, 'teams');
    await store.publishRejected(lease, { result: Buffer.from('failed'), until: lease.time + LONG });
    await publishEntry(store, 'news', { waitAt: Infinity, duration: Infinity });
    const keys = await inDatabase('keys', '*');
    expect(Array.isArray(keys) && keys.length >= 8).toBe(true);
    for (const key of Array.isArray(keys) ? keys : []) {
      expect([key, Number(await inDatabase('pttl', String(key))) > 0]).toEqual([key, true]);
    }
  });

  it('keeps a lease until some minutes after its end, and none that was given up', async () => {
    const store = await stores.connect();
    const lifetime = async (name: string): Promise<number> =>
      Number(await inDatabase('pttl', `${stores.prefix}lease:${name}`));
    const held = await claimGranted(store, 'held', { duration: LONG });
    expect(await lifetime('held')).toBeGreaterThan(LEASE_MARGIN_MS);
    expect(await lifetime('held')).toBeLessThanOrEqual(LEASE_MARGIN_MS + LONG);
    await store.release(held);
    await publishEntry(store, 'published', { isFollowed: false });
    const rejected = await claimGranted(store, 'rejected');
    await store.publishRejected(rejected, { result: Buffer.from('failed'), until: rejected.time + LONG });
    // The key does not exist.
    for (const name of ['held', 'published', 'rejected']) expect([name, await lifetime(name)]).toEqual([name, -2]);
    // As a holder that was suspended for longer.
    const expired = await claimGranted(store, 'expired');
    await inDatabase('del', `${stores.prefix}lease:expired`);
    expect(await store.renew(expired, LONG)).toBe(false);
    expect(await publish(store, expired)).toEqual({ state: 'lost' });
  });

  it('deletes records a minute after the entry was replaced or removed, and keeps those of an entry', async () => {
    const store = await stores.connect();
    const lifetime = async (id: string): Promise<number> =>
      Math.ceil(Number(await inDatabase('pttl', `${stores.prefix}records:${id}`)) / 60_000);
    const publishRecords = async (id: string, version: number): Promise<number> => {
      await store.writeRecords(id, [Buffer.from(id)]);
      expect(await lifetime(id)).toBe(1);
      const options = { records: { id, duration: 10 * LONG }, isUnchanged: true };
      const result = await publish(store, await claimGranted(store, 'teams', { version }), options);
      return result.state === 'published' ? result.version : -1;
    };
    const version = await publishRecords('first', 0);
    expect(await lifetime('first')).toBe(10);
    await publishRecords('second', version);
    expect([await lifetime('first'), await lifetime('second')]).toEqual([1, 10]);
  });

  it.each(['members', 'epoch', 'sequence', 'changes', 'entry:teams', 'lease:teams', 'rejected:teams', 'records:1'])(
    'rejects where another program wrote a value of another type: %s',
    async (key) => {
      const store = await stores.connect();
      const write = key === 'sequence' ? ['rpush', 'x'] : ['set', 'x'];
      await inDatabase(write[0] ?? '', `${stores.prefix}${key}`, 'x');
      const results = await Promise.allSettled([
        store.synchronize({ instance: 'a', configuration: 'one', known: undefined, notice: NOTICE }),
        claim(store, 'teams'),
        store.read('teams'),
        store.remove('teams'),
        store.readRecords('1')[Symbol.asyncIterator]().next(),
      ]);
      const reasons = results.flatMap((result) => (result.status === 'rejected' ? [String(result.reason)] : []));
      expect(reasons.join('\n')).toContain('WRONGTYPE');
    },
  );

  it.each([
    ['entry:teams', ['version', 'x', 'activeAt', '0', 'waitAt', '0', 'head', 'x']],
    ['entry:teams', ['version', '1', 'activeAt', 'x', 'waitAt', '0', 'head', 'x']],
    ['entry:teams', ['version', '1', 'activeAt', '0', 'waitAt', '0']],
    ['rejected:teams', ['until', 'x', 'result', 'x']],
    ['lease:teams', ['until', 'x', 'token', '1']],
  ])('rejects a claim where another program wrote other values: %s %j', async (key, fields) => {
    const store = await stores.connect();
    await inDatabase('hset', `${stores.prefix}${key}`, ...fields);
    await expect(claim(store, 'teams')).rejects.toThrow(/^Redis/);
  });

  it('rejects values that are too large, and does not read them', async () => {
    const store = await stores.connect();
    const script = `redis.call('select', 3) redis.call('hset', KEYS[1], 'version', 1, 'activeAt', 0, 'head', string.rep('x', 17000000))`;
    await commandRedis(redis.port, 'eval', script, '1', `${stores.prefix}entry:teams`);
    await expect(store.read('teams')).rejects.toThrow('too large');
  });

  it('goes on after the server forgot its scripts', async () => {
    const store = await stores.connect();
    await publishEntry(store, 'teams');
    await commandRedis(redis.port, 'script', 'flush');
    expect((await store.read('teams'))?.head.toString()).toBe('head');
  });

  it('needs no right to administer the server, and to no keys and channels but its own', async () => {
    const rights = ['resetchannels', `~${stores.prefix}*`, `&${stores.prefix}*`, '+@all', '-@admin', '-@dangerous'];
    await commandRedis(redis.port, 'acl', 'setuser', 'rollcall', 'on', 'nopass', ...rights);
    const openRestricted = (): RedisStore =>
      new RedisStore({
        url: `redis://rollcall:any@127.0.0.1:${redis.port}/3`,
        namespace: stores.namespace,
        onError: () => undefined,
        commandTimeout: 10_000,
      });
    const [restricted, other] = [openRestricted(), openRestricted()];
    let hints = 0;
    restricted.onChange(() => (hints += 1));
    await untilConnected(restricted);
    await untilConnected(other);
    await expect.poll(() => hints).toBe(1);
    const report = { instance: 'a', configuration: 'one', notice: NOTICE };
    const known = await restricted.synchronize({ ...report, known: undefined });
    await publishEntry(other, 'teams');
    await expect.poll(() => hints).toBe(2);
    await publishEntry(restricted, 'news');
    const { epoch, changed } = await restricted.synchronize({ ...report, known });
    expect([epoch.id, [...changed].sort()]).toEqual([known.epoch.id, ['news', 'teams']]);
    await restricted.close();
    await other.close();
  });

  it('reports while many thousand heads, and records, are read', async () => {
    const store = await stores.connect();
    const version = await publishEntry(store, 'teams', { head: Buffer.alloc(4_096) });
    const ids = Array.from({ length: 40 }, (_, list) => `records-${list}`);
    for (const id of ids) await store.writeRecords(id, [Buffer.alloc(2 ** 20)]);
    const instance = await stores.connect(BURST_TIMEOUT_MS);
    const readRecords = async (id: string): Promise<void> => {
      for await (const chunk of instance.readRecords(id)) expect(chunk.length).toBeGreaterThan(0);
    };
    const end = new AbortController();
    const heads = Array.from({ length: BURST_READS }, () => instance.read('teams'));
    const burst = Promise.allSettled([...heads, ...ids.map(readRecords)]).finally(() => {
      end.abort();
    });
    let reports = 0;
    while (!end.signal.aborted) {
      await instance.synchronize({ instance: 'a', configuration: 'one', known: undefined, notice: NOTICE });
      reports += 1;
    }
    await burst;
    expect(reports).toBeGreaterThan(0);
    expect((await store.read('teams'))?.version).toBe(version);
  });

  it('shares nothing between two namespaces', async () => {
    const first = await stores.connect();
    await publishEntry(first, 'teams');
    await stores.clear();
    expect(await (await stores.connect()).read('teams')).toBe(undefined);
  });
});
