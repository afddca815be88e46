import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { freshnessLifetime, snapshotTimeToLive } from '../../../src/source/drain/freshness-lifetime.js';

const NOW = Date.UTC(2026, 5, 1, 12);
const at = (seconds: number): string => new Date(NOW + seconds * 1_000).toUTCString();

function allowed(headers: Readonly<Record<string, string>>): number | undefined {
  return freshnessLifetime({ header: (name) => headers[name] }, NOW);
}

describe('what a reply lets a shared cache do with it', () => {
  test.each<[string, Record<string, string>, number]>([
    ['max-age', { 'cache-control': 'max-age=30' }, 30],
    ['max-age in capitals, among others', { 'cache-control': 'public, Max-Age=30, must-revalidate' }, 30],
    ['max-age in quotes', { 'cache-control': 'max-age="30"' }, 30],
    ['s-maxage before max-age', { 'cache-control': 'max-age=30, s-maxage=10' }, 10],
    ['max-age before Expires', { 'cache-control': 'max-age=30', expires: at(600) }, 30],
    ['max-age, of which Age is over', { 'cache-control': 'max-age=30', age: '12' }, 18],
    ['max-age, over which Age is', { 'cache-control': 'max-age=30', age: '40' }, 0],
    ['max-age, whatever its Date', { 'cache-control': 'max-age=30', date: at(-7_200) }, 30],
    ['max-age, with an Age that is none', { 'cache-control': 'max-age=30', age: 'old' }, 30],
    ['Expires by its own Date', { expires: at(7_230), date: at(7_200) }, 30],
    ['Expires without a Date, by our clock', { expires: at(30) }, 30],
    ['Expires with a Date that is none, by our clock', { expires: at(30), date: 'today' }, 30],
    ['Expires in the past', { expires: at(-30) }, 0],
    ['Expires that is no date', { expires: '-1' }, 0],
    ['max-age that is no number', { 'cache-control': 'max-age=soon' }, 0],
    ['no-cache', { 'cache-control': 'no-cache' }, 0],
    ['no-store', { 'cache-control': 'no-store, max-age=600' }, 0],
    ['private', { 'cache-control': 'private, max-age=600' }, 0],
    ['Pragma of old', { pragma: 'no-cache' }, 0],
    ['Vary on everything', { vary: '*' }, 0],
    ['stale-if-error, which is no time to live', { 'cache-control': 'max-age=30, stale-if-error=86400' }, 30],
    ['stale-while-revalidate, which is none', { 'cache-control': 'max-age=30, stale-while-revalidate=600' }, 30],
  ])('by %s', (_title, headers, seconds) => {
    expect(allowed(headers)).toBe(seconds * 1_000);
  });

  test.each<[string, Record<string, string>]>([
    ['directives that tell no time', { 'cache-control': 'public, must-revalidate' }],
    ['a Vary that a cache with one kind of request fulfils', { vary: 'Accept, Accept-Encoding' }],
  ])('for longer than any ttl, by %s', (_title, headers) => {
    expect(allowed(headers)).toBeGreaterThan(24 * 24 * 3_600_000);
  });

  test.each<[string, Record<string, string>]>([
    ['nothing', {}],
    ['a date', { date: at(0), 'last-modified': at(-10), age: '5' }],
  ])('is not said by %s', (_title, headers) => {
    expect(allowed(headers)).toBeUndefined();
  });
});

describe('the time to live of a copy', () => {
  test.each([
    ['as registered where the source says nothing', 60_000, Infinity, 0, 60_000],
    ['less where the source allows less', 60_000, 20_000, 0, 20_000],
    ['never more than registered', 60_000, 600_000, 0, 60_000],
    ['five seconds where the source allows nothing', 60_000, 0, 0, 5_000],
    ['five seconds then, whatever chance says', 60_000, 0, 0.9, 5_000],
    ['less than five seconds where it is registered so', 1_000, 0, 0, 1_000],
    ['shorter by chance', 60_000, Infinity, 0.5, 57_000],
    ['shorter by chance where the source allows less, too', 60_000, 20_000, 0.5, 19_000],
    ['shorter by chance where it is registered short, too', 1_000, Infinity, 0.5, 950],
  ])('is %s', (_title, ...row) => {
    const [ttl, allowed, random, expected] = row;
    expect(snapshotTimeToLive(ttl, allowed, random)).toBe(expected);
  });

  test('is never over ttl, nor under nine tenths of what is allowed', () => {
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
