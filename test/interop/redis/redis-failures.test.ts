import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RedisStore } from '../../../src/state/redis/redis-store.js';
import type { SharedState } from '../../../src/state/sharing/shared-store.js';
import {
  LONG,
  NOTICE,
  claim,
  claimGranted,
  publish,
  publishEntry,
} from '../../state/sharing/store-contract/store-fixture.js';
import type { StartedProgram } from '../started-program.js';
import { RedisStores, commandRedis, startRedis, untilConnected } from './redis-server.js';

const lease = { name: 'teams', token: 1, epoch: 'one', replacedWaitAt: 0 };

function synchronize(store: RedisStore, known?: SharedState): Promise<SharedState> {
  return store.synchronize({ instance: 'a', configuration: 'one', known, notice: NOTICE });
}

/** Executes every command, and returns the error of each, or 'none'. A command that does not settle lets the test time out. */
async function executeAll(store: RedisStore): Promise<readonly string[]> {
  const publication = {
    head: Buffer.of(1),
    activeAt: 0,
    waitAt: 0,
    duration: LONG,
    isUnchanged: false,
    isFollowed: true,
    notice: NOTICE,
  };
  const results = await Promise.allSettled([
    synchronize(store),
    claim(store, 'news', { epoch: 'one' }),
    store.renew(lease, LONG),
    store.release(lease),
    store.publish(lease, { ...publication, records: { id: '1', duration: LONG } }),
    store.publishRejected(lease, { result: Buffer.of(1), until: LONG }),
    store.read('teams'),
    store.remove('channels'),
    store.writeRecords('records', [Buffer.alloc(2 ** 20)]),
    store.readRecords('1')[Symbol.asyncIterator]().next(),
  ]);
  return results.map((result) => (result.status === 'rejected' ? String(result.reason) : 'none'));
}

describe('a shared memory in Redis that fails', () => {
  let redis: StartedProgram;
  const stores = new RedisStores(() => `redis://127.0.0.1:${redis.port}`);

  beforeEach(async () => {
    redis = await startRedis();
  });
  afterEach(async () => {
    await stores.clear();
    await redis.close();
  });

  it('rejects each command while Redis is paused, and executes further ones when it continues', async () => {
    const store = await stores.connect(50);
    redis.signal('SIGSTOP');
    for (const error of await executeAll(store)) expect(error).toMatch(/no reply within|the connection was lost/);
    expect(await Promise.allSettled([store.read('teams'), stores.open().read('teams')])).toMatchObject([
      { status: 'rejected' },
      { status: 'rejected' },
    ]);
    redis.signal('SIGCONT');
    await untilConnected(store);
    await publishEntry(await stores.connect(), 'untouched');
  });

  it('never takes the late reply to one command as that of another one', async () => {
    const store = await stores.connect(500);
    await publishEntry(store, 'teams', { head: Buffer.from('head of teams') });
    await publishEntry(store, 'news', { head: Buffer.from('head of news') });
    redis.signal('SIGSTOP');
    await expect(store.read('teams')).rejects.toThrow('no reply within 500 ms');
    redis.signal('SIGCONT');
    expect((await store.read('news'))?.head.toString()).toBe('head of news');
    expect(await store.read('unknown')).toBe(undefined);
  });

  it('rejects while Redis is down, goes on with an empty one in another epoch, and refuses earlier leases', async () => {
    const store = await stores.connect();
    const first = await synchronize(store);
    const held = await claimGranted(store, 'teams');
    redis.signal('SIGKILL');
    await redis.close();
    await expect.poll(() => stores.errors.join('\n')).toContain('ECONNREFUSED');
    for (const error of await executeAll(store)) expect(error).toMatch(/ECONNREFUSED|closed by the server/);
    redis = await startRedis([], { port: redis.port });
    await untilConnected(store);
    const second = await synchronize(store, first);
    expect(second.epoch.id).not.toBe(first.epoch.id);
    expect(await publish(store, held)).toEqual({ state: 'lost' });
    expect((await claimGranted(store, 'teams')).token).toBeGreaterThan(held.token);
  });

  it('receives hints again after Redis was down', async () => {
    const [a, b] = [await stores.connect(), await stores.connect()];
    let hints = 0;
    b.onChange(() => (hints += 1));
    await redis.close();
    redis = await startRedis([], { port: redis.port });
    await expect.poll(() => hints, { timeout: 10_000 }).toBe(1);
    await untilConnected(a);
    await publishEntry(a, 'teams');
    await expect.poll(() => hints).toBe(2);
  });

  it('begins another epoch when Redis has lost its last writes, even where more were made since then', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'rollcall-redis-'));
    await redis.close();
    redis = await startRedis(['--dir', folder]);
    const store = await stores.connect();
    const version = await publishEntry(store, 'teams');
    const first = await synchronize(store);
    const held = await claimGranted(store, 'held');
    await commandRedis(redis.port, 'save');
    const lost = await publishEntry(store, 'news');
    redis.signal('SIGKILL');
    await redis.close();
    redis = await startRedis(['--dir', folder], { port: redis.port });
    await untilConnected(store);
    // No instance has reported yet.
    expect(await claim(store, 'news', { epoch: first.epoch.id })).toEqual({ state: 'new-epoch' });
    expect(await publish(store, held)).toEqual({ state: 'lost' });
    await expect(store.read('teams', first.epoch.id)).rejects.toThrow('epoch');
    expect(await publishEntry(store, 'teams', { version, isUnchanged: true })).toBeGreaterThan(lost);
    const second = await synchronize(store, first);
    expect(second.epoch.id).not.toBe(first.epoch.id);
    expect(second.changed).toEqual(['teams']);
    rmSync(folder, { recursive: true });
  });

  it('rejects what it would have to write while Redis is full, and changes nothing', async () => {
    const store = await stores.connect();
    const version = await publishEntry(store, 'teams');
    const held = await claimGranted(store, 'teams', { version });
    await store.writeRecords('records-2', [Buffer.alloc(8)]);
    await commandRedis(redis.port, 'config', 'set', 'maxmemory', '1mb');
    const isUnchanged = { isUnchanged: true, records: { id: 'records-2', duration: LONG } };
    const refused = [
      synchronize(store),
      claim(store, 'news', { epoch: held.epoch }),
      store.remove('teams'),
      store.writeRecords('records-3', [Buffer.alloc(2 ** 20)]),
      store.publish(held, {
        head: Buffer.of(1),
        activeAt: 0,
        waitAt: 0,
        duration: LONG,
        notice: NOTICE,
        isFollowed: true,
        ...isUnchanged,
      }),
    ];
    for (const result of await Promise.allSettled(refused)) {
      expect(result.status === 'rejected' && String(result.reason)).toContain('OOM');
    }
    expect(await store.read('teams')).toEqual({ version, activeAt: 0, head: Buffer.from('head') });
    await commandRedis(redis.port, 'config', 'set', 'maxmemory', '0');
    expect((await publish(store, held, isUnchanged)).state).toBe('published');
  });

  it('rejects while Redis is a replica that may not be written, and goes on when it is a primary', async () => {
    const store = await stores.connect();
    const primary = await startRedis();
    await commandRedis(redis.port, 'replicaof', '127.0.0.1', String(primary.port));
    await expect(synchronize(store)).rejects.toThrow('READONLY');
    await commandRedis(redis.port, 'replicaof', 'no', 'one');
    await untilConnected(store);
    await publishEntry(store, 'teams');
    await primary.close();
  });

  it('rejects with a wrong password, which it never reports, and works with the right one', async () => {
    const secret = 'wrong:p@ss word';
    await commandRedis(redis.port, 'acl', 'setuser', 'rollcall', 'on', '>right:p@ss word', '~*', '&*', '+@all');
    const url = (password: string): string =>
      `redis://rollcall:${encodeURIComponent(password)}@127.0.0.1:${redis.port}`;
    const wrong = new RedisStores(() => url(secret));
    const store = wrong.open();
    await expect.poll(() => wrong.errors.join('\n')).toContain('WRONGPASS');
    const errors = [...(await executeAll(store)), ...wrong.errors].join('\n');
    expect(errors).toContain('Redis is not connected: WRONGPASS');
    expect(errors).not.toContain(secret);
    expect(wrong.errors).toHaveLength(1);
    const right = new RedisStores(() => url('right:p@ss word'));
    await publishEntry(await right.connect(), 'teams');
    await wrong.clear();
    await right.clear();
  });
});
