import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { freshnessLifetime, snapshotTimeToLive } from '../../../src/lists/reading/freshness-lifetime.js';

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
    ['quoted directives in capitals', { 'cache-control': 'S-MaxAge="10", MAX-AGE=30' }, 10],
    ['the last max-age of several', { 'cache-control': 'max-age=10, max-age=30' }, 30],
    ['the last s-maxage of several', { 'cache-control': 'max-age=30, s-maxage=20, s-maxage=5' }, 5],
    ['max-age with blanks', { 'cache-control': 'max-age = 30' }, 30],
    ['max-age without a value', { 'cache-control': 'max-age' }, 0],
    ['a negative max-age', { 'cache-control': 'max-age=-5' }, 0],
    ['max-age with a unit', { 'cache-control': 'max-age=30s' }, 30],
    ['no-cache in capitals', { 'cache-control': 'NO-CACHE' }, 0],
    ['no-cache for a field', { 'cache-control': 'no-cache="set-cookie", max-age=30' }, 0],
    ['no-cache with an empty value, which counts as absent', { 'cache-control': 'no-cache="", max-age=30' }, 30],
    ['private for several fields', { 'cache-control': 'private="a, b", max-age=30' }, 0],
    ['proxy-revalidate', { 'cache-control': 'proxy-revalidate, max-age=30' }, 0],
    ['Cache-Control, regardless of Pragma', { 'cache-control': 'max-age=30', pragma: 'no-cache' }, 30],
    ['Pragma with other directives, in capitals', { pragma: 'x, No-Cache' }, 0],
    ['Expires 0', { expires: '0' }, 0],
    ['Expires that is no date', { expires: 'soon' }, 0],
    ['Expires as asctime writes it', { expires: 'Mon Jun  1 12:00:30 2026' }, 30],
    ['Expires with a two-digit year', { expires: 'Monday, 01-Jun-26 12:00:30 GMT' }, 30],
    ['Expires in ISO 8601', { expires: '2026-06-01T12:00:30Z' }, 30],
    ['Expires minus Age', { expires: at(30), age: '12' }, 18],
    ['Expires, regardless of immutable', { 'cache-control': 'immutable', expires: at(30) }, 30],
    ['max-age with a negative Age', { 'cache-control': 'max-age=30', age: '-3' }, 30],
    ['max-age with an Age in blanks', { 'cache-control': 'max-age=30', age: ' 12 ' }, 18],
    ['max-age with an Age of too many digits', { 'cache-control': 'max-age=30', age: '9999999999' }, 30],
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
