import { RateLimiterMemory } from 'rate-limiter-flexible';
import { MemoryBudget } from '../cache/memory-budget.js';
import type { RateConfig } from '../config/config.js';
import { serializeRateLimit, serializeRateLimitPolicy } from '../headers/rate-limit.js';
import type { RateLimitState } from '../headers/rate-limit.js';
import type { RateLimitName } from '../model/meter.js';
import { getCountedNetwork } from './client-address.js';
import type { Client } from './authenticated-client.js';

/**
 * Whose limit a request counts against (decisions 8.9): an authenticated client, or the address of a request without a
 * valid credential. Requests of unknown addresses count together.
 */
export type RateLimitSubject =
  | { readonly limit: 'client'; readonly client: Client }
  | { readonly limit: 'address'; readonly address: string | undefined };

/** What a rate limit says about one request. */
export interface RateLimitResult {
  readonly limit: RateLimitName;
  /** False: the response is a 429. */
  readonly isAdmitted: boolean;
  /** Fields of the response: `RateLimit-Policy` and `RateLimit`, and `Retry-After` of a 429. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The rate limits of one process. */
export interface RateLimits {
  /**
   * Counts one request of the subject. Returns undefined, at once, if the subject has no limit. The promise never
   * rejects. It is a promise because a store that several processes share would answer later.
   */
  consume(subject: RateLimitSubject): Promise<RateLimitResult> | undefined;
}

/** Maximum number of counters at once. The one that was not used for the longest time is dropped for a new one. */
const MAX_COUNTERS = 100_000;

/**
 * Creates the rate limits of clients, whose limits come with them, and of addresses (decisions 8.9). `address` is the
 * limit of each address; undefined: none.
 *
 * Windows are fixed: one begins with the first request that it counts and ends after the period. So up to twice the
 * number of requests is admitted in a period that overlaps two windows. A refused request counts too, but does not make
 * the window longer.
 *
 * The library measures windows with the system clock and with timers; it accepts no other clock. A timer ends each
 * window after its period, to within a millisecond, so that a clock that is set back does not make it longer. It may
 * end earlier if the clock is set forward.
 */
export function createRateLimits({ address }: { readonly address: RateConfig | undefined }): RateLimits {
  const counters = new RequestCounters();
  return {
    consume: (subject) => {
      const rate = subject.limit === 'client' ? subject.client.rate : address;
      return rate === undefined
        ? undefined
        : counters.count(getCounterKey(subject), rate).then(toResult(subject, rate));
    },
  };
}

/** Keys and tokens are counted separately, because a subject may have the name of a configured client. */
function getCounterKey(subject: RateLimitSubject): string {
  if (subject.limit === 'client') return `${subject.client.credential} ${subject.client.name}`;
  return `address ${subject.address === undefined ? 'unknown' : getCountedNetwork(subject.address)}`;
}

/** The counter of one window after a request. */
interface WindowCount {
  /** Number of requests in the window, the latest one included. */
  readonly requests: number;
  /** Milliseconds until the window ends. */
  readonly remainingTime: number;
}

/** Counts requests in fixed windows, with a counter for each key. */
class RequestCounters {
  /**
   * Only counts: the number of requests that are admitted, and the period, differ between keys. `points` is not used,
   * and each window has its own duration.
   */
  private readonly limiter = new RateLimiterMemory({ points: Number.MAX_SAFE_INTEGER, duration: 1, keyPrefix: '' });

  /**
   * Keys of the counters, in least-recently-used order. Each takes one unit of the capacity. No access level separates
   * counters, so all keys are of the level `public`.
   */
  private readonly keys = new MemoryBudget(MAX_COUNTERS).addLevel<CounterKey>(({ key }) => {
    void this.limiter.delete(key);
  });

  async count(key: string, { period }: RateConfig): Promise<WindowCount> {
    if (this.keys.get(`public ${key}`) === undefined) this.keys.put(`public ${key}`, { key }, 1);
    const { consumedPoints, msBeforeNext } = await this.limiter.penalty(key, 1, { customDuration: period / 1_000 });
    // If the clock was set back, the library returns more than the period.
    return { requests: consumedPoints, remainingTime: Math.min(msBeforeNext, period) };
  }
}

interface CounterKey {
  readonly key: string;
}

function toResult({ limit }: RateLimitSubject, rate: RateConfig): (count: WindowCount) => RateLimitResult {
  return ({ requests, remainingTime }) => {
    const isAdmitted = requests <= rate.requests;
    const state: RateLimitState = {
      policy: limit,
      quota: rate.requests,
      windowSeconds: toSeconds(rate.period),
      remaining: Math.max(0, rate.requests - requests),
      resetSeconds: toSeconds(remainingTime),
    };
    const headers = { 'RateLimit-Policy': serializeRateLimitPolicy(state), RateLimit: serializeRateLimit(state) };
    if (isAdmitted) return { limit, isAdmitted, headers };
    return { limit, isAdmitted, headers: { ...headers, 'Retry-After': String(state.resetSeconds) } };
  };
}

/** Whole seconds, rounded up and at least 1: a client that waits for them finds a new window. */
function toSeconds(milliseconds: number): number {
  return Math.max(1, Math.ceil(milliseconds / 1_000));
}
