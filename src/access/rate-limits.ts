import type { RateConfig } from '../config/config.js';
import { serializeRateLimit, serializeRateLimitPolicy } from '../headers/rate-limit.js';
import type { RateLimitState } from '../headers/rate-limit.js';
import type { RateLimitName } from '../events/event.js';
import { getCountedNetwork } from './client-address.js';
import type { Client } from './authenticated-client.js';
import type { RateLimitStore, RequestCounters, WindowCount } from './request-counters.js';

/**
 * An authenticated client, or the address of a request without a valid credential (decisions 8.9). Requests of unknown
 * addresses count together.
 */
export type RateLimitSubject =
  | { readonly limit: 'client'; readonly client: Client }
  | { readonly limit: 'address'; readonly address: string | undefined };

export interface RateLimitResult {
  readonly limit: RateLimitName;
  /** False: the response is a 429. */
  readonly isAdmitted: boolean;
  /** `RateLimit-Policy` and `RateLimit`, and `Retry-After` of a 429. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface RateLimits {
  /**
   * Counts one request. Undefined, at once, if the subject has no limit. Never rejects. Takes at most 50 ms where a
   * store does not answer (operation 2.5.4).
   */
  consume(subject: RateLimitSubject): Promise<RateLimitResult> | undefined;
}

interface RateLimitOptions {
  /** Of each address; undefined: none. */
  readonly address: RateConfig | undefined;
  /** Counts for all instances. Absent: this process counts by itself. */
  readonly store?: RateLimitStore | undefined;
}

/**
 * Windows are fixed: one begins with the first request that it counts and ends after the period. So up to twice the
 * number of requests is admitted in a period that overlaps two windows. A refused request counts too, but does not make
 * the window longer.
 */
export function createRateLimits({ address, store }: RateLimitOptions): RateLimits {
  let counters: Promise<RequestCounters> | undefined;
  return {
    consume: (subject) => {
      const rate = subject.limit === 'client' ? subject.client.rate : address;
      if (rate === undefined) return undefined;
      counters ??= loadCounters(store);
      return counters.then((loaded) => loaded.count(identifySubject(subject), rate)).then(toResult(subject, rate));
    },
  };
}

/** Only a configuration with limits loads what counts. */
async function loadCounters(store: RateLimitStore | undefined): Promise<RequestCounters> {
  const { createRequestCounters } = await import('./request-counters.js');
  return createRequestCounters(store);
}

/** Keys and tokens have different texts: the subject of a token may have the name of a configured client. */
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

/** Rounded up and at least 1: a client that waits for them finds a new window. */
function toSeconds(milliseconds: number): number {
  return Math.max(1, Math.ceil(milliseconds / 1_000));
}
