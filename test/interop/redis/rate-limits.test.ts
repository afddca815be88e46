import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createRateLimits } from '../../../src/access/rate-limits.js';
import type { RateLimitResult, RateLimits } from '../../../src/access/rate-limits.js';
import { parseRedisAddress } from '../../../src/lists/store/redis/redis-address.js';
import { connectRedis } from '../../../src/lists/store/redis/redis-client.js';
import type { RedisClient } from '../../../src/lists/store/redis/redis-client.js';
import type { StartedProgram } from '../started-program.js';
import { commandRedis, startRedis } from './redis-server.js';

let redis: StartedProgram;
let clients: RedisClient[];
/** Reports of all instances, in order. */
let reports: string[];

beforeEach(async () => {
  clients = [];
  reports = [];
  redis = await startRedis();
});

afterEach(async () => {
  for (const client of clients) client.disconnect();
  await redis.close();
});

/** The limits of an instance: each address has 1,000 requests in a period, by default an hour. */
async function startInstance(period = 3_600_000): Promise<RateLimits> {
  const address = parseRedisAddress(`redis://127.0.0.1:${redis.port}`);
  const client = connectRedis(address, { silenceLimit: 1_000, onError: () => undefined });
  clients.push(client);
  await vi.waitFor(() => expect(client.status).toBe('ready'), { timeout: 10_000 });
  return createRateLimits({
    address: { requests: 1_000, period },
    store: {
      client,
      keyPrefix: '{test}:rate',
      hashName: (name) => createHash('sha256').update(name).digest('base64url'),
      describeError: String,
      publish: (event) => reports.push('error' in event ? 'failure' : 'recovery'),
    },
  });
}

async function consume(limits: RateLimits): Promise<RateLimitResult> {
  const result = await limits.consume({ limit: 'address', address: '192.0.2.1' });
  if (result === undefined) throw new Error('the address has no limit');
  return result;
}

/** How many requests the limit still admits after one more. */
async function remainingAfterOne(limits: RateLimits): Promise<number> {
  const { headers } = await consume(limits);
  return Number(/r=(\d+)/.exec(headers['RateLimit'] ?? '')?.[1]);
}

/** Sends requests until the store is used again. */
async function untilRecovered(limits: RateLimits): Promise<void> {
  for (let attempt = 0; reports.at(-1) !== 'recovery'; attempt += 1) {
    if (attempt === 200) throw new Error('the store is not used again');
    await consume(limits);
    await pause(50);
  }
}

describe('rate limits that are counted in Redis', () => {
  it('are one limit for all instances', async () => {
    const [first, second] = [await startInstance(), await startInstance()];
    const parallel = Array.from({ length: 100 }, (_, at) => consume(at % 2 === 0 ? first : second));
    await Promise.all(parallel);
    expect([await remainingAfterOne(first), await remainingAfterOne(second)]).toEqual([899, 898]);
    expect(reports).toEqual([]);
  });

  it('begin a new window after a period that is no whole number of seconds', async () => {
    const limits = await startInstance(400);
    await consume(limits);
    await consume(limits);
    await vi.waitFor(async () => expect(await commandRedis(redis.port, 'dbsize')).toBe(0), { timeout: 10_000 });
    expect(await remainingAfterOne(limits)).toBe(999);
  });

  it('store a counter that ends with its window, under a key without the address', async () => {
    await consume(await startInstance(60_000));
    const keys = await commandRedis(redis.port, 'keys', '*');
    expect(keys).toEqual([expect.stringMatching(/^\{test\}:rate:[\w-]{43}$/)]);
    const remaining = Number(await commandRedis(redis.port, 'pttl', String(Array.isArray(keys) ? keys[0] : '')));
    expect(remaining > 0 && remaining <= 60_000).toBe(true);
  });

  it('give a counter without an end, which another program wrote, one', async () => {
    const limits = await startInstance();
    await consume(limits);
    const keys = await commandRedis(redis.port, 'keys', '*');
    const key = String(Array.isArray(keys) ? keys[0] : '');
    await commandRedis(redis.port, 'set', key, '41');
    expect(await remainingAfterOne(limits)).toBe(958);
    expect(Number(await commandRedis(redis.port, 'pttl', key))).toBeGreaterThan(0);
  });

  it('take a counter of another type for a failure, and count by themselves', async () => {
    const limits = await startInstance();
    await consume(limits);
    const keys = await commandRedis(redis.port, 'keys', '*');
    const key = String(Array.isArray(keys) ? keys[0] : '');
    for (const [command, value] of [
      ['set', 'a text'],
      ['lpush', 'a list'],
    ] as const) {
      await commandRedis(redis.port, 'del', key);
      await commandRedis(redis.port, command, key, value);
      expect((await consume(limits)).isAdmitted).toBe(true);
    }
    expect(reports).toEqual(['failure']);
  });

  it('go on in each instance while Redis is paused, and together afterwards', async () => {
    const [first, second] = [await startInstance(), await startInstance()];
    await consume(first);
    await consume(second);
    redis.signal('SIGSTOP');
    expect(await remainingAfterOne(first)).toBe(998);
    expect([await remainingAfterOne(first), await remainingAfterOne(second)]).toEqual([997, 997]);
    expect(reports).toEqual(['failure', 'failure']);
    redis.signal('SIGCONT');
    await untilRecovered(first);
    await consume(second);
    expect(reports.slice(0, 2)).toEqual(['failure', 'failure']);
    const key = await commandRedis(redis.port, 'keys', '*');
    expect(key).toHaveLength(1);
  });

  it('go on while Redis is restarted empty, without its scripts, and are then counted there again', async () => {
    const limits = await startInstance();
    for (let at = 0; at < 10; at += 1) await consume(limits);
    const { port } = redis;
    await redis.close();
    expect(await remainingAfterOne(limits)).toBe(989);
    redis = await startRedis([], { port });
    await untilRecovered(limits);
    const remaining = await remainingAfterOne(limits);
    expect(remaining).toBeGreaterThan(989);
    expect(await remainingAfterOne(await startInstance())).toBe(remaining - 1);
  });

  it('go on while Redis has no memory for a counter', async () => {
    const limits = await startInstance();
    await commandRedis(redis.port, 'config', 'set', 'maxmemory', '1');
    expect([await remainingAfterOne(limits), await remainingAfterOne(limits)]).toEqual([999, 998]);
    expect(reports).toEqual(['failure']);
    await commandRedis(redis.port, 'config', 'set', 'maxmemory', '0');
    await untilRecovered(limits);
    expect(reports).toEqual(['failure', 'recovery']);
  });

  it('count by themselves where Redis was never reached', async () => {
    const { port } = redis;
    const limits = await startInstance();
    await redis.close();
    await vi.waitFor(() => expect(clients[0]?.status).not.toBe('ready'), { timeout: 10_000 });
    expect([await remainingAfterOne(limits), await remainingAfterOne(limits)]).toEqual([999, 998]);
    expect(reports).toEqual(['failure']);
    redis = await startRedis([], { port });
  });
});
