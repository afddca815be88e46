import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { freshnessLifetime, snapshotTimeToLive } from '../../../src/source/snapshot/freshness-lifetime.js';

const NOW = Date.UTC(2026, 5, 1, 12);
const at = (seconds: number): string => new Date(NOW + seconds * 1_000).toUTCString();

function allowed(headers: Readonly<Record<string, string>>): number | undefined {
  return freshnessLifetime({ header: (name) => headers[name] }, NOW);
}

describe('freshness lifetime of a response in a shared cache', () => {
  test.each<[string, Record<string, string>, number]>([
    ['max-age', { 'cache-control': 'max-age=30' }, 30],
    ['max-age in upper case, among other directives', { 'cache-control': 'public, Max-Age=30, must-revalidate' }, 30],
    ['max-age in quotes', { 'cache-control': 'max-age="30"' }, 30],
    ['s-maxage before max-age', { 'cache-control': 'max-age=30, s-maxage=10' }, 10],
    ['max-age before Expires', { 'cache-control': 'max-age=30', expires: at(600) }, 30],
    ['max-age minus Age', { 'cache-control': 'max-age=30', age: '12' }, 18],
    ['max-age smaller than Age', { 'cache-control': 'max-age=30', age: '40' }, 0],
    ['max-age, regardless of Date', { 'cache-control': 'max-age=30', date: at(-7_200) }, 30],
    ['max-age with an invalid Age', { 'cache-control': 'max-age=30', age: 'old' }, 30],
    ['Expires relative to Date', { expires: at(7_230), date: at(7_200) }, 30],
    ['Expires without Date, relative to the local clock', { expires: at(30) }, 30],
    ['Expires with an invalid Date, relative to the local clock', { expires: at(30), date: 'today' }, 30],
    ['Expires in the past', { expires: at(-30) }, 0],
    ['invalid Expires', { expires: '-1' }, 0],
    ['invalid max-age', { 'cache-control': 'max-age=soon' }, 0],
    ['no-cache', { 'cache-control': 'no-cache' }, 0],
    ['no-store', { 'cache-control': 'no-store, max-age=600' }, 0],
    ['private', { 'cache-control': 'private, max-age=600' }, 0],
    ['Pragma: no-cache', { pragma: 'no-cache' }, 0],
    ['Vary: *', { vary: '*' }, 0],
    ['max-age, regardless of stale-if-error', { 'cache-control': 'max-age=30, stale-if-error=86400' }, 30],
    [
      'max-age, regardless of stale-while-revalidate',
      { 'cache-control': 'max-age=30, stale-while-revalidate=600' },
      30,
    ],
  ])('is determined by %s', (_title, headers, seconds) => {
    expect(allowed(headers)).toBe(seconds * 1_000);
  });

  test.each<[string, Record<string, string>]>([
    ['directives without a time', { 'cache-control': 'public, must-revalidate' }],
    ['a Vary that Rollcall always fulfils, because its requests are alike', { vary: 'Accept, Accept-Encoding' }],
  ])('is longer than any ttl with %s', (_title, headers) => {
    expect(allowed(headers)).toBeGreaterThan(24 * 24 * 3_600_000);
  });

  test.each<[string, Record<string, string>]>([
    ['no header fields', {}],
    ['a date', { date: at(0), 'last-modified': at(-10), age: '5' }],
  ])('is not determined by %s', (_title, headers) => {
    expect(allowed(headers)).toBeUndefined();
  });
});

describe('time to live of a snapshot', () => {
  test.each([
    ['the configured ttl where the source limits nothing', 60_000, Infinity, 0, 60_000],
    ['shorter where the source allows less', 60_000, 20_000, 0, 20_000],
    ['never longer than the configured ttl', 60_000, 600_000, 0, 60_000],
    ['five seconds where the source allows nothing', 60_000, 0, 0, 5_000],
    ['five seconds then, regardless of the random part', 60_000, 0, 0.9, 5_000],
    ['less than five seconds where configured so', 1_000, 0, 0, 1_000],
    ['reduced by the random part', 60_000, Infinity, 0.5, 57_000],
    ['reduced by the random part also where the source allows less', 60_000, 20_000, 0.5, 19_000],
    ['reduced by the random part also where the configured ttl is short', 1_000, Infinity, 0.5, 950],
  ])('is %s', (_title, ...row) => {
    const [ttl, allowed, random, expected] = row;
    expect(snapshotTimeToLive(ttl, allowed, random)).toBe(expected);
  });

  test('is at most the ttl, and at least nine tenths of the allowed time', () => {
    const milliseconds = fc.integer({ min: 1, max: 10_000_000 });
    fc.assert(
      fc.property(
        milliseconds,
        milliseconds,
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (ttl, allowed, random) => {
          const time = snapshotTimeToLive(ttl, allowed, random);
          expect(time).toBeLessThanOrEqual(ttl);
          expect(time).toBeGreaterThanOrEqual(Math.min(ttl, allowed) * 0.9);
          expect(time).toBeLessThanOrEqual(Math.max(allowed, 5_000));
        },
      ),
    );
  });
});
