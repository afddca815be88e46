import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';
import type { Publish } from '../events/event.js';
import { MemoryBudget } from '../cache/memory-budget.js';
import type { RateConfig } from '../config/config.js';
import { SHARED_MEMORY_TIMEOUT_MS, withDeadline } from '../event-loop/deadline.js';

/** After a request. */
export interface WindowCount {
  /** The latest request included. */
  readonly requests: number;
  /** Milliseconds; at least 1. */
  readonly remainingTime: number;
}

/** A counter for each key, in fixed windows (decisions 8.9). */
export interface RequestCounters {
  /** Never rejects. */
  count(key: string, rate: RateConfig): Promise<WindowCount>;
}

/** Counts for all instances (operation 2.5.4). */
export interface RateLimitStore {
  /** A client of ioredis. While it is not connected, its commands reject at once. */
  readonly client: {
    defineCommand(name: string, definition: { readonly lua: string; readonly numberOfKeys: number }): void;
  };
  /** Instances with the same prefix count together. */
  readonly keyPrefix: string;
  /** Names and addresses of clients are not stored in clear text. */
  readonly hashName: (name: string) => string;
  /** Without the password. */
  readonly describeError: (error: unknown) => string;
  /** Counting there begins to fail, and this instance counts by itself; or works again. */
  readonly publish: Publish;
}

export function createRequestCounters(store?: RateLimitStore): RequestCounters {
  return store === undefined ? new LocalCounters() : new SharedCounters(store);
}

/** Beyond this number, the counter that was not used for the longest time is dropped. */
const MAX_COUNTERS = 100_000;

/** Numbers of admitted requests and periods differ between keys, so the library only counts. */
const ONLY_COUNT = { points: Number.MAX_SAFE_INTEGER, duration: 1 };

/**
 * The library measures windows with the system clock and with timers. A timer ends each window after its period, to
 * within a millisecond, so that a clock that is set back does not make it longer. It may end earlier if the clock is
 * set forward.
 */
class LocalCounters implements RequestCounters {
  private readonly limiter = new RateLimiterMemory({ ...ONLY_COUNT, keyPrefix: '' });

  /**
   * In least-recently-used order. Each key takes one unit of the capacity. No access level separates counters, so all
   * keys are of the level `public`.
   */
  private readonly keys = new MemoryBudget(MAX_COUNTERS).addLevel<{ readonly key: string }>(({ key }) => {
    void this.limiter.delete(key);
  });

  async count(key: string, { period }: RateConfig): Promise<WindowCount> {
    this.use(key);
    const { consumedPoints, msBeforeNext } = await this.limiter.penalty(key, 1, { customDuration: period / 1_000 });
    // If the clock was set back, the library returns more than the period.
    return { requests: consumedPoints, remainingTime: Math.min(msBeforeNext, period) };
  }

  replace(key: string, { requests, remainingTime }: WindowCount): void {
    this.use(key);
    void this.limiter.set(key, requests, remainingTime / 1_000);
  }

  private use(key: string): void {
    if (this.keys.get(`public ${key}`) === undefined) this.keys.put(`public ${key}`, { key }, 1);
  }
}

const RETRY_DELAY_MS = 1_000;

/**
 * Returns the number of requests and the milliseconds until the window ends. The library's script counts seconds, of
 * which a period need not be a multiple. Only a counter that was written by another program has no end.
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
 * Counts in Redis. While the store fails, this instance counts by itself, from the last counts that it knows: waiting
 * requests after at most 50 ms, later ones at once. After a second the next request is also sent to the store, which is
 * used again if it answers.
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
      this.store.publish({ type: 'requests are counted for all instances' });
    } catch {
      this.waitBeforeRetry();
    }
  }

  /** Several requests may have waited for the store when it failed. */
  private fail(error: unknown): void {
    if (this.state !== 'working') return;
    this.state = 'failed';
    const { publish, describeError } = this.store;
    publish({ type: 'this instance counts requests by itself', error: describeError(error) });
    this.waitBeforeRetry();
  }

  private waitBeforeRetry(): void {
    setTimeout(() => (this.state = 'retry-due'), RETRY_DELAY_MS).unref();
  }
}
