import { describe, expect, test } from 'vitest';
import { serializeCacheStatus } from '../../src/headers/cache-status.js';

describe('writeCacheStatus', () => {
  test.each([
    ['a hit with the time to live that is left', { hit: true, ttl: 42 }, 'rollcall;hit;ttl=42'],
    ['a hit at the end of its time', { hit: true, ttl: 0 }, 'rollcall;hit;ttl=0'],
    ['a hit past its time', { hit: true, ttl: -17 }, 'rollcall;hit;ttl=-17'],
    ['a hit that has no time to live', { hit: true }, 'rollcall;hit'],
    ['what was not held', { fwd: 'uri-miss', collapsed: false }, 'rollcall;fwd=uri-miss'],
    ['what was past its time', { fwd: 'stale', collapsed: false }, 'rollcall;fwd=stale'],
    ['a fetch that others had begun', { fwd: 'uri-miss', collapsed: true }, 'rollcall;fwd=uri-miss;collapsed'],
    ['a refresh that others had begun', { fwd: 'stale', collapsed: true }, 'rollcall;fwd=stale;collapsed'],
  ] as const)('writes %s as RFC 9211 has it', (_what, use, field) => {
    expect(serializeCacheStatus(use)).toBe(field);
  });
});
