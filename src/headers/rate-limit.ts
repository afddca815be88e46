/** Of the RateLimit fields (draft-ietf-httpapi-ratelimit-headers). All numbers are whole and not negative. */
export interface RateLimitState {
  readonly policy: 'client' | 'address';
  /** Requests in a window. */
  readonly quota: number;
  readonly windowSeconds: number;
  /** Requests that the window still admits. */
  readonly remaining: number;
  readonly resetSeconds: number;
}

/** Of a structured field (RFC 9651, section 3.3.1). */
const MAX_INTEGER = 999_999_999_999_999;

/** A structured list whose one item is the name of the policy (decisions 8.9). */
export function serializeRateLimitPolicy({ policy, quota, windowSeconds }: RateLimitState): string {
  return `"${policy}";q=${Math.min(quota, MAX_INTEGER)};w=${windowSeconds}`;
}

export function serializeRateLimit({ policy, remaining, resetSeconds }: RateLimitState): string {
  return `"${policy}";r=${Math.min(remaining, MAX_INTEGER)};t=${resetSeconds}`;
}
