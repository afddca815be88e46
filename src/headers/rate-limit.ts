/**
 * A rate limit and what is left of it, as the RateLimit fields describe them (draft-ietf-httpapi-ratelimit-headers). All
 * numbers are whole and not negative.
 */
export interface RateLimitState {
  /** Name of the policy. */
  readonly policy: 'client' | 'address';
  /** Maximum number of requests in a window. */
  readonly quota: number;
  /** Length of a window in seconds. */
  readonly windowSeconds: number;
  /** Number of requests that the window still admits. */
  readonly remaining: number;
  /** Time until the window ends, in seconds. */
  readonly resetSeconds: number;
}

/** Largest integer of a structured field (RFC 9651, section 3.3.1). */
const MAX_INTEGER = 999_999_999_999_999;

/** Serializes a RateLimit-Policy field, a structured list whose one item is the name of the policy (decisions 8.9). */
export function serializeRateLimitPolicy({ policy, quota, windowSeconds }: RateLimitState): string {
  return `"${policy}";q=${Math.min(quota, MAX_INTEGER)};w=${windowSeconds}`;
}

/** Serializes a RateLimit field, a structured list whose one item is the name of the policy. */
export function serializeRateLimit({ policy, remaining, resetSeconds }: RateLimitState): string {
  return `"${policy}";r=${Math.min(remaining, MAX_INTEGER)};t=${resetSeconds}`;
}
