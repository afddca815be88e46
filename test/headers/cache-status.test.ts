import { describe, expect, test } from 'vitest';
import { serializeCacheStatus } from '../../src/headers/cache-status.js';

/** Cache-Status (RFC 9211; decisions 7.15). */
describe('serializeCacheStatus', () => {
  test.each([
    ['a hit with the remaining time to live', { hit: true, ttl: 42 }, 'rollcall;hit;ttl=42'],
    ['a hit at the end of its time', { hit: true, ttl: 0 }, 'rollcall;hit;ttl=0'],
    ['a hit past its time', { hit: true, ttl: -17 }, 'rollcall;hit;ttl=-17'],
    ['a hit without a time to live', { hit: true }, 'rollcall;hit'],
    ['a miss', { fwd: 'uri-miss', collapsed: false }, 'rollcall;fwd=uri-miss'],
    ['a snapshot past its time', { fwd: 'stale', collapsed: false }, 'rollcall;fwd=stale'],
    ['a fetch in progress', { fwd: 'uri-miss', collapsed: true }, 'rollcall;fwd=uri-miss;collapsed'],
    ['a refresh in progress', { fwd: 'stale', collapsed: true }, 'rollcall;fwd=stale;collapsed'],
  ] as const)('writes %s as in RFC 9211', (_what, use, field) => {
    expect(serializeCacheStatus(use)).toBe(field);
  });
});
