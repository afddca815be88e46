import { describe, expect, it } from 'vitest';
import { serializeRateLimit, serializeRateLimitPolicy } from '../../src/headers/rate-limit.js';
import type { RateLimitState } from '../../src/headers/rate-limit.js';
import { parseListParameter } from '../../src/headers/structured-list.js';

const state: RateLimitState = { policy: 'client', quota: 600, windowSeconds: 60, remaining: 12, resetSeconds: 31 };

/** RateLimit-Policy and RateLimit (draft-ietf-httpapi-ratelimit-headers; decisions 8.9). */
describe('the RateLimit fields', () => {
  it('name the policy as text, with the quota and the window', () => {
    expect(serializeRateLimitPolicy(state)).toBe('"client";q=600;w=60');
  });

  it('name the policy as text, with the remaining requests and the time until the window ends', () => {
    expect(serializeRateLimit({ ...state, policy: 'address' })).toBe('"address";r=12;t=31');
  });

  it.each([
    ['no remaining requests', 0, '0'],
    ['the largest integer of a structured field', Number.MAX_SAFE_INTEGER, '999999999999999'],
  ])('are structured lists with %s', (_what, requests, text) => {
    const extreme = { ...state, quota: requests, remaining: requests };
    expect(parseListParameter(serializeRateLimitPolicy(extreme), 'q')).toEqual([text]);
    expect(parseListParameter(serializeRateLimit(extreme), 'r')).toEqual([text]);
    expect(parseListParameter(serializeRateLimit(extreme), 't')).toEqual(['31']);
  });
});
