import type { RateConfig } from '../config/config.js';
import { serializeRateLimit, serializeRateLimitPolicy } from '../headers/rate-limit.js';
import type { RateLimitState } from '../headers/rate-limit.js';
import type { RateLimitName } from '../model/meter.js';
import { getCountedNetwork } from './client-address.js';
import type { Client } from './authenticated-client.js';
import { createRequestCounters } from './request-counters.js';
import type { RateLimitStore, WindowCount } from './request-counters.js';

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

/** The rate limits of one process, or of all instances that share a store. */
export interface RateLimits {
  /**
   * Counts one request of the subject. Returns undefined, at once, if the subject has no limit. The promise never
   * rejects. Where a store does not answer, it takes at most 50 ms (operation 2.5.4).
   */
  consume(subject: RateLimitSubject): Promise<RateLimitResult> | undefined;
}

/** Options of {@link createRateLimits}. */
export interface RateLimitOptions {
  /** Limit of each address; undefined: none. */
  readonly address: RateConfig | undefined;
  /** Counts the requests of all instances. Absent: this process counts by itself. */
  readonly store?: RateLimitStore | undefined;
}

/**
 * Creates the rate limits of clients, whose limits come with them, and of addresses.
 *
 * Windows are fixed: one begins with the first request that it counts and ends after the period. So up to twice the
 * number of requests is admitted in a period that overlaps two windows. A refused request counts too, but does not make
 * the window longer.
 */
export function createRateLimits({ address, store }: RateLimitOptions): RateLimits {
  const counters = createRequestCounters(store);
  return {
    consume: (subject) => {
      const rate = subject.limit === 'client' ? subject.client.rate : address;
      return rate === undefined
        ? undefined
        : counters.count(identifySubject(subject), rate).then(toResult(subject, rate));
    },
  };
}

/**
 * Returns the same text for all requests of a subject. Keys and tokens have different ones, because the subject of a token may
 * have the name of a configured client.
 */
export function identifySubject(subject: RateLimitSubject): string {
  if (subject.limit === 'client') return `${subject.client.credential} ${subject.client.name}`;
  return `address ${subject.address === undefined ? 'unknown' : getCountedNetwork(subject.address)}`;
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
