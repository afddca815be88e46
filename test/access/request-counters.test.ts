import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createRequestCounters } from '../../src/access/request-counters.js';
import type { RequestCounters, WindowCount } from '../../src/access/request-counters.js';
import { MemoryRateLimitClient } from '../support/gateway/sharing/memory-rate-limit-client.js';

const SECOND = 1_000;
const RATE = { requests: 100, period: 60 * SECOND };

let client: MemoryRateLimitClient;
/** Reports of all instances, in order. */
let reports: string[];

beforeEach(() => {
  vi.useFakeTimers();
  client = new MemoryRateLimitClient();
  reports = [];
});

afterEach(() => {
  vi.useRealTimers();
});

/** The counters of one instance. */
function startInstance(): RequestCounters {
  return createRequestCounters({
    client,
    keyPrefix: 'test',
    hashName: (name) => Buffer.from(name).toString('hex'),
    describeError: (error) => (error instanceof Error ? error.message : 'unknown'),
    publish: (event) => reports.push('error' in event ? `failure: ${event.error}` : 'recovery'),
  });
}

/** Numbers of requests after each of several. */
async function countTimes(counters: RequestCounters, times: number, key = 'a'): Promise<readonly number[]> {
  const counts: number[] = [];
  for (let at = 0; at < times; at += 1) counts.push((await counters.count(key, RATE)).requests);
  return counts;
}

/** Waits until a request is no longer waiting for the store: 50 ms, and one turn of the event loop. */
async function passTimeout(): Promise<void> {
  await vi.advanceTimersByTimeAsync(50);
  await vi.advanceTimersByTimeAsync(1);
}

/** The count of a request that waits for a store which does not answer. */
async function countAfterTimeout(counters: RequestCounters): Promise<WindowCount> {
  const [count] = await Promise.all([counters.count('a', RATE), passTimeout()]);
  return count;
}

describe('counters that instances share', () => {
  it('count the requests of all instances', async () => {
    const [first, second] = [startInstance(), startInstance()];
    expect(await countTimes(first, 2)).toEqual([1, 2]);
    vi.advanceTimersByTime(20 * SECOND);
    expect(await second.count('a', RATE)).toEqual({ requests: 3, remainingTime: 40 * SECOND });
    expect(await countTimes(first, 1)).toEqual([4]);
    expect(await countTimes(second, 1, 'b')).toEqual([1]);
  });

  it.each([1, 250, 1_500, 24 * 24 * 3_600_000])('have windows of their own period, such as %d ms', async (period) => {
    const counters = startInstance();
    await counters.count('a', { requests: 1, period });
    vi.advanceTimersByTime(period - 1);
    expect(await counters.count('a', { requests: 1, period })).toEqual({
      requests: 2,
      remainingTime: 1,
    });
    vi.advanceTimersByTime(1);
    expect(await counters.count('a', { requests: 1, period })).toEqual({ requests: 1, remainingTime: period });
  });

  it('store no key in clear text', async () => {
    await startInstance().count('address 192.0.2.1', RATE);
    expect([...client.counters.keys()]).toEqual([`test:${Buffer.from('address 192.0.2.1').toString('hex')}`]);
  });

  it('state no more time than the period, where a window ends later', async () => {
    const counters = startInstance();
    client.reply = [7, 3_600 * SECOND];
    expect(await counters.count('a', RATE)).toEqual({ requests: 7, remainingTime: 60 * SECOND });
    client.reply = [8, 0];
    expect(await counters.count('a', RATE)).toEqual({ requests: 8, remainingTime: 1 });
  });
});

describe('counters whose store fails', () => {
  it('wait at most 50 ms for it, and continue the last count', async () => {
    const counters = startInstance();
    expect(await countTimes(counters, 2)).toEqual([1, 2]);
    vi.advanceTimersByTime(20 * SECOND);
    client.behaviour = 'hangs';
    expect(await countAfterTimeout(counters)).toEqual({ requests: 3, remainingTime: 40 * SECOND - 51 });
    expect(reports).toEqual(['failure: no reply within 50 ms']);
  });

  it('end the window when it would have ended there', async () => {
    const counters = startInstance();
    await countTimes(counters, 2);
    vi.advanceTimersByTime(59 * SECOND);
    client.behaviour = 'fails';
    expect(await countTimes(counters, 1)).toEqual([3]);
    vi.advanceTimersByTime(SECOND);
    expect(await countTimes(counters, 1)).toEqual([1]);
  });

  it('count each instance by itself, and no request that waited twice', async () => {
    const [first, second] = [startInstance(), startInstance()];
    client.behaviour = 'hangs';
    const waiting = [first, first, first, second].map((counters) => counters.count('a', RATE));
    await passTimeout();
    expect((await Promise.all(waiting)).map(({ requests }) => requests)).toEqual([1, 2, 3, 1]);
    expect(reports).toHaveLength(2);
  });

  it('do not wait for a second after a failure, and send nothing to the store', async () => {
    const counters = startInstance();
    client.behaviour = 'hangs';
    await countAfterTimeout(counters);
    expect(await countTimes(counters, 5)).toEqual([2, 3, 4, 5, 6]);
    vi.advanceTimersByTime(SECOND - 2);
    expect(await countTimes(counters, 1)).toEqual([7]);
    expect(client.sent).toBe(1);
  });

  it('try the store with one request a second, which does not wait for it either', async () => {
    const counters = startInstance();
    client.behaviour = 'hangs';
    await countAfterTimeout(counters);
    await vi.advanceTimersByTimeAsync(SECOND);
    expect(await countTimes(counters, 3)).toEqual([2, 3, 4]);
    expect(client.sent).toBe(2);
    await passTimeout();
    await vi.advanceTimersByTimeAsync(SECOND);
    expect(await countTimes(counters, 3)).toEqual([5, 6, 7]);
    expect(client.sent).toBe(3);
    expect(reports).toEqual(['failure: no reply within 50 ms']);
  });

  it('are shared again when the store answers', async () => {
    const [first, second] = [startInstance(), startInstance()];
    await countTimes(second, 5);
    client.behaviour = 'fails';
    expect(await countTimes(first, 2)).toEqual([1, 2]);
    client.behaviour = 'works';
    await vi.advanceTimersByTimeAsync(SECOND);
    await countTimes(first, 1);
    await vi.advanceTimersByTimeAsync(0);
    expect(reports).toEqual(['failure: not connected', 'recovery']);
    expect(await countTimes(first, 1)).toEqual([7]);
    expect(await countTimes(second, 1)).toEqual([8]);
  });

  it('report each failure', async () => {
    const counters = startInstance();
    for (const behaviour of ['fails', 'works', 'fails', 'works'] as const) {
      client.behaviour = behaviour;
      await vi.advanceTimersByTimeAsync(SECOND);
      await countTimes(counters, 1);
    }
    await vi.advanceTimersByTimeAsync(0);
    const cycle = ['failure: not connected', 'recovery'];
    expect(reports).toEqual([...cycle, ...cycle]);
  });

  it.each([
    ['no list', 'OK'],
    ['empty', []],
    ['of texts', ['x', 'y']],
    ['a count below one', [0, 1_000]],
    ['a count that is no whole number', [Number.NaN, 1_000]],
    ['without a time', [1, null]],
    ['a time that is no number', [1, {}]],
  ])('take a reply that is %s for a failure', async (_, reply) => {
    const counters = startInstance();
    client.reply = reply;
    expect(await counters.count('a', RATE)).toEqual({ requests: 1, remainingTime: 60 * SECOND });
    expect(reports).toHaveLength(1);
  });
});
