import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';
import { MemoryBudget } from '../cache/memory-budget.js';
import type { RateConfig } from '../config/config.js';
import { SHARED_MEMORY_TIMEOUT_MS, withDeadline } from '../event-loop/deadline.js';

/** The counter of one window after a request. */
export interface WindowCount {
  /** Number of requests in the window, the latest one included. */
  readonly requests: number;
  /** Milliseconds until the window ends; at least 1. */
  readonly remainingTime: number;
}

/** Counts requests in fixed windows, with a counter for each key (decisions 8.9). */
export interface RequestCounters {
  /** Counts one request. Never rejects. */
  count(key: string, rate: RateConfig): Promise<WindowCount>;
}

/** Connection to Redis through which requests are counted for all instances (operation 2.5.4). */
export interface RateLimitStore {
  /** A client of ioredis. While it is not connected, its commands reject at once. */
  readonly client: {
    defineCommand(name: string, definition: { readonly lua: string; readonly numberOfKeys: number }): void;
  };
  /** Beginning of all keys. Instances with the same one count together. */
  readonly keyPrefix: string;
  /** Replaces the name or address of a client, which is not stored in clear text. */
  readonly hashName: (name: string) => string;
  /** Called when counting there begins to fail: this instance then counts by itself. */
  readonly onFailure: (error: unknown) => void;
  /** Called when counting there works again. */
  readonly onRecovery: () => void;
}

/** Creates the counters of one process, or of all instances that use the same store. */
export function createRequestCounters(store?: RateLimitStore): RequestCounters {
  return store === undefined ? new LocalCounters() : new SharedCounters(store);
}

/** Maximum number of counters at once. The one that was not used for the longest time is dropped for a new one. */
const MAX_COUNTERS = 100_000;

/** Only counts are wanted: the number of requests that are admitted differs between keys, and so does the period. */
const ONLY_COUNT = { points: Number.MAX_SAFE_INTEGER, duration: 1 };

/**
 * Counters in the memory of the process.
 *
 * The library measures windows with the system clock and with timers; it accepts no other clock. A timer ends each
 * window after its period, to within a millisecond, so that a clock that is set back does not make it longer. It may
 * end earlier if the clock is set forward.
 */
class LocalCounters implements RequestCounters {
  private readonly limiter = new RateLimiterMemory({ ...ONLY_COUNT, keyPrefix: '' });

  /**
   * Keys of the counters, in least-recently-used order. Each takes one unit of the capacity. No access level separates
   * counters, so all keys are of the level `public`.
   */
  private readonly keys = new MemoryBudget(MAX_COUNTERS).addLevel<CounterKey>(({ key }) => {
    void this.limiter.delete(key);
  });

  async count(key: string, { period }: RateConfig): Promise<WindowCount> {
    this.use(key);
    const { consumedPoints, msBeforeNext } = await this.limiter.penalty(key, 1, { customDuration: period / 1_000 });
    // If the clock was set back, the library returns more than the period.
    return { requests: consumedPoints, remainingTime: Math.min(msBeforeNext, period) };
  }

  /** Replaces a counter, so that its window is continued here. */
  replace(key: string, { requests, remainingTime }: WindowCount): void {
    this.use(key);
    void this.limiter.set(key, requests, remainingTime / 1_000);
  }

  private use(key: string): void {
    if (this.keys.get(`public ${key}`) === undefined) this.keys.put(`public ${key}`, { key }, 1);
  }
}

interface CounterKey {
  readonly key: string;
}

/** Time after a failure in which nothing is sent to the store, in milliseconds. */
const RETRY_DELAY_MS = 1_000;

/**
 * Counts a request and returns the number of requests and the milliseconds until the window ends. It is the library's
 * script with milliseconds in place of seconds, of which a period need not be a multiple. Only a counter that was written
 * by another program has no end.
 */
const COUNT_SCRIPT = `
local requests = redis.call('incrby', KEYS[1], ARGV[1])
local remaining = redis.call('pttl', KEYS[1])
if remaining < 0 then
  redis.call('pexpire', KEYS[1], ARGV[2])
  remaining = tonumber(ARGV[2])
end
return { requests, remaining }`;

/**
 * Counters in Redis, which several instances share. While the store fails, this instance counts by itself, from the last
 * counts that it knows.
 *
 * 1. The store does not answer: the requests that wait for it are counted here after at most 50 ms.
 * 2. For a second nothing is sent to the store.
 * 3. The next request is counted here and does not wait. It is also sent to the store, which is used again if it answers.
 */
class SharedCounters implements RequestCounters {
  private readonly limiter: RateLimiterRedis;
  private readonly local = new LocalCounters();
  private state: 'working' | 'failed' | 'retry-due' = 'working';

  constructor(private readonly store: RateLimitStore) {
    const { client, keyPrefix } = store;
    const options = { storeClient: client, keyPrefix, customIncrTtlLuaScript: COUNT_SCRIPT };
    this.limiter = new RateLimiterRedis({ ...ONLY_COUNT, ...options });
  }

  async count(key: string, rate: RateConfig): Promise<WindowCount> {
    if (this.state === 'working') {
      try {
        return await this.countInStore(key, rate);
      } catch (error) {
        this.fail(error);
      }
    } else if (this.state === 'retry-due') {
      this.state = 'failed';
      void this.retry(key, rate);
    }
    return this.local.count(key, rate);
  }

  private async countInStore(key: string, { period }: RateConfig): Promise<WindowCount> {
    const { hashName } = this.store;
    const reply = this.limiter.penalty(hashName(key), 1, { customDuration: period });
    const { consumedPoints: requests, msBeforeNext } = await withDeadline(reply, SHARED_MEMORY_TIMEOUT_MS);
    if (!Number.isSafeInteger(requests) || requests < 1 || !Number.isSafeInteger(msBeforeNext))
      throw new Error('the reply of Redis is not a count');
    const count = { requests, remainingTime: Math.max(1, Math.min(msBeforeNext, period)) };
    this.local.replace(key, count);
    return count;
  }

  private async retry(key: string, rate: RateConfig): Promise<void> {
    try {
      await this.countInStore(key, rate);
      this.state = 'working';
      this.store.onRecovery();
    } catch {
      this.waitBeforeRetry();
    }
  }

  /** Several requests may have waited for the store when it failed. */
  private fail(error: unknown): void {
    if (this.state !== 'working') return;
    this.state = 'failed';
    this.store.onFailure(error);
    this.waitBeforeRetry();
  }

  private waitBeforeRetry(): void {
    setTimeout(() => (this.state = 'retry-due'), RETRY_DELAY_MS).unref();
  }
}
