import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lastModifiedOf } from '../../src/gateway/last-modified.js';
import type { Part } from '../../src/gateway/last-modified.js';

describe('the date of a set', () => {
  it.each<[title: string, parts: readonly Part[], date: number | undefined]>([
    ['of no source is unknown', [], undefined],
    ['of undated records is unknown', [{ since: 50 }], undefined],
    ['is the newest of all sources', [{ newest: 10, since: 50 }, { newest: 20, since: 60 }, { since: 70 }], 20],
    ['is a newer date that tells of the change', [{ newest: 30, since: 50, floor: 20 }], 30],
    ['is when the change was seen, where no date advanced', [{ newest: 20, since: 50, floor: 20 }], 50],
    ['is that too where records without dates changed', [{ since: 50, floor: 20 }], 50],
    [
      'is that too where another source has a newer date',
      [
        { newest: 30, since: 50, floor: 20 },
        { newest: 30, since: 1 },
      ],
      50,
    ],
    [
      'is that too where another source was seen to change later than the date',
      [
        { newest: 30, since: 50, floor: 20 },
        { newest: 5, since: 40, floor: 5 },
      ],
      50,
    ],
  ])('%s', (_title, parts, date) => {
    expect(lastModifiedOf(parts)).toBe(date);
  });

  it('never goes back, and is another one for every other state of the set', () => {
    const change = fc.record({ source: fc.nat(2), date: fc.option(fc.nat(40), { nil: undefined }) });
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 12 }), (changes) => {
        const parts: Part[] = [{ since: 0 }, { since: 0 }, { since: 0 }];
        let last = -1;
        changes.forEach(({ source, date }, at) => {
          const now = 10 * (at + 1);
          const { newest = -Infinity, since, floor } = parts[source] ?? { since: 0 };
          const shown = floor === undefined ? newest : Math.max(newest, since);
          // A date in the future is cut by whoever shows it.
          const dated = date === undefined || date > now ? {} : { newest: date };
          parts[source] = { ...dated, since: now, floor: shown };
          const found = lastModifiedOf(parts) ?? -Infinity;
          expect(found).toBeGreaterThan(last);
          last = found;
        });
      }),
      { numRuns: 1_000 },
    );
  });
});
