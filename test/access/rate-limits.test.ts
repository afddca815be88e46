import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Client } from '../../src/access/authenticated-client.js';
import { createRateLimits } from '../../src/access/rate-limits.js';
import type { RateLimitResult, RateLimits, RateLimitSubject } from '../../src/access/rate-limits.js';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

const MINUTE = 60_000;
const rate = { requests: 2, period: MINUTE };

function client(name: string, facts: Partial<Client> = {}): RateLimitSubject {
  return { limit: 'client', client: { name, credential: 'key', access: 'members', rate, ...facts } };
}

function address(text?: string): RateLimitSubject {
  return { limit: 'address', address: text };
}

/** The result for a subject that has a limit. */
async function consume(limits: RateLimits, subject: RateLimitSubject): Promise<RateLimitResult> {
  const result = await limits.consume(subject);
  if (result === undefined) throw new Error('the subject has no limit');
  return result;
}

/** Whether each of the requests is admitted, one after the other. */
async function admitAll(limits: RateLimits, subjects: readonly RateLimitSubject[]): Promise<readonly boolean[]> {
  const admitted: boolean[] = [];
  for (const subject of subjects) admitted.push((await consume(limits, subject)).isAdmitted);
  return admitted;
}

describe('the limit of a client', () => {
  it('admits as many requests as configured and refuses the next one', async () => {
    const limits = createRateLimits({ address: undefined });
    expect(await admitAll(limits, [client('a'), client('a'), client('a')])).toEqual([true, true, false]);
  });

  it('is counted separately from that of another client', async () => {
    const limits = createRateLimits({ address: undefined });
    await admitAll(limits, [client('a'), client('a'), client('a')]);
    expect(await admitAll(limits, [client('b')])).toEqual([true]);
  });

  it('is shared by all keys with the same name, each with the limit of its own', async () => {
    const limits = createRateLimits({ address: undefined });
    const larger = client('a', { rate: { requests: 4, period: MINUTE } });
    const subjects = [client('a'), larger, client('a'), larger, larger];
    expect(await admitAll(limits, subjects)).toEqual([true, true, false, true, false]);
  });

  it('is not shared with a token whose subject is the name of a client', async () => {
    const limits = createRateLimits({ address: undefined });
    const token = client('a', { credential: 'token' });
    expect(await admitAll(limits, [client('a'), client('a'), token, token, token])).toEqual([
      true,
      true,
      true,
      true,
      false,
    ]);
  });

  it('does not exist where none is configured, even if addresses have one', () => {
    const limits = createRateLimits({ address: { requests: 1, period: MINUTE } });
    expect(limits.consume(client('a', { rate: undefined }))).toBeUndefined();
    expect(limits.consume(client('a', { rate: undefined }))).toBeUndefined();
  });
});

describe('the limit of an address', () => {
  const limited = { address: rate };

  it('does not exist where none is configured', () => {
    expect(createRateLimits({ address: undefined }).consume(address('192.0.2.1'))).toBeUndefined();
  });

  it('is counted for each IPv4 address, also where it is mapped to IPv6', async () => {
    const limits = createRateLimits(limited);
    const subjects = ['192.0.2.1', '::ffff:192.0.2.1', '192.0.2.1', '192.0.2.2'].map(address);
    expect(await admitAll(limits, subjects)).toEqual([true, true, false, true]);
  });

  it('is counted for each /64 network of IPv6', async () => {
    const limits = createRateLimits(limited);
    const subjects = ['2001:db8::1', '2001:db8::ffff:1:2:3', '2001:DB8:0:0:5::', '2001:db8:0:1::1'].map(address);
    expect(await admitAll(limits, subjects)).toEqual([true, true, false, true]);
  });

  it('is counted for all unknown addresses together', async () => {
    expect(await admitAll(createRateLimits(limited), [address(), address(), address()])).toEqual([true, true, false]);
  });

  it('is not shared with a client whose name is the address', async () => {
    const limits = createRateLimits(limited);
    await admitAll(limits, [client('192.0.2.1'), client('192.0.2.1')]);
    expect(await admitAll(limits, [address('192.0.2.1')])).toEqual([true]);
  });
});

describe('the window of a limit', () => {
  it('begins with the first request and ends after the period', async () => {
    const limits = createRateLimits({ address: undefined });
    await admitAll(limits, [client('a')]);
    vi.advanceTimersByTime(MINUTE - 1);
    expect(await admitAll(limits, [client('a'), client('a')])).toEqual([true, false]);
    vi.advanceTimersByTime(1);
    expect(await admitAll(limits, [client('a'), client('a'), client('a')])).toEqual([true, true, false]);
  });

  it('is not made longer by refused requests', async () => {
    const limits = createRateLimits({ address: undefined });
    for (let second = 0; second < 60; second += 1) {
      await consume(limits, client('a'));
      vi.advanceTimersByTime(1_000);
    }
    expect(await admitAll(limits, [client('a')])).toEqual([true]);
  });

  it.each([1, 250, 1_500, 24 * 24 * 3_600_000])('may be %d ms', async (period) => {
    const limits = createRateLimits({ address: { requests: 1, period } });
    expect(await admitAll(limits, [address('192.0.2.1'), address('192.0.2.1')])).toEqual([true, false]);
    vi.advanceTimersByTime(period - 1);
    if (period > 1) expect(await admitAll(limits, [address('192.0.2.1')])).toEqual([false]);
    vi.advanceTimersByTime(1);
    expect(await admitAll(limits, [address('192.0.2.1'), address('192.0.2.1')])).toEqual([true, false]);
  });

  it('is not made longer by a clock that is set back', async () => {
    const limits = createRateLimits({ address: { requests: 1, period: MINUTE } });
    await consume(limits, address('192.0.2.1'));
    vi.setSystemTime(Date.now() - 3_600_000);
    const { headers } = await consume(limits, address('192.0.2.1'));
    expect(headers['Retry-After']).toBe('60');
    vi.advanceTimersByTime(MINUTE);
    expect(await admitAll(limits, [address('192.0.2.1')])).toEqual([true]);
  });
});

describe('the header fields of a limit', () => {
  it('state the limit of a client and what is left of it', async () => {
    const limits = createRateLimits({ address: undefined });
    const subject = client('a', { rate: { requests: 600, period: MINUTE } });
    await consume(limits, subject);
    vi.advanceTimersByTime(29_500);
    expect(await consume(limits, subject)).toEqual({
      limit: 'client',
      isAdmitted: true,
      headers: { 'RateLimit-Policy': '"client";q=600;w=60', RateLimit: '"client";r=598;t=31' },
    });
  });

  it('state when to repeat a refused request, in whole seconds that are rounded up', async () => {
    const limits = createRateLimits({ address: { requests: 1, period: 10_000 } });
    await consume(limits, address('192.0.2.1'));
    vi.advanceTimersByTime(7_001);
    expect(await consume(limits, address('192.0.2.1'))).toEqual({
      limit: 'address',
      isAdmitted: false,
      headers: { 'RateLimit-Policy': '"address";q=1;w=10', RateLimit: '"address";r=0;t=3', 'Retry-After': '3' },
    });
  });

  it('never state less than one second', async () => {
    const limits = createRateLimits({ address: { requests: 1, period: 250 } });
    await consume(limits, address('192.0.2.1'));
    vi.advanceTimersByTime(249);
    const { headers } = await consume(limits, address('192.0.2.1'));
    expect(headers).toEqual({
      'RateLimit-Policy': '"address";q=1;w=1',
      RateLimit: '"address";r=0;t=1',
      'Retry-After': '1',
    });
  });
});

describe('the counters', () => {
  it('are 100,000 at most: the one that was not used for the longest time is dropped', async () => {
    const limits = createRateLimits({ address: { requests: 1, period: MINUTE } });
    const subjects = Array.from({ length: 100_000 }, (_, n) => address(`10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`));
    await admitAll(limits, subjects);
    expect(vi.getTimerCount()).toBe(100_000);
    const [first = address(), second = address()] = subjects;
    expect(await admitAll(limits, [first, address('192.0.2.1')])).toEqual([false, true]);
    expect(vi.getTimerCount()).toBe(100_000);
    expect(await admitAll(limits, [first, address('192.0.2.1'), second])).toEqual([false, false, true]);
  });
});
