import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { computeAnswerDates } from '../../src/gateway/last-modified.js';
import type { SourceChangeDates } from '../../src/gateway/last-modified.js';

/** Converts the seconds of the table of cases to milliseconds. */
const inSeconds = ({ newest, since, floor }: SourceChangeDates): SourceChangeDates => ({
  ...(newest !== undefined && { newest: newest * 1_000 }),
  since: since * 1_000,
  ...(floor !== undefined && { floor: floor * 1_000 }),
});

describe('Last-Modified of a merged list', () => {
  it.each<[title: string, parts: readonly SourceChangeDates[], date: number | undefined]>([
    ['is unknown without sources', [], undefined],
    ['is unknown for undated records', [{ since: 50 }], undefined],
    ['is the newest date of all sources', [{ newest: 10, since: 50 }, { newest: 20, since: 60 }, { since: 70 }], 20],
    ['is the new newest date where a change advanced it', [{ newest: 30, since: 50, floor: 20 }], 30],
    ['is the time at which the change was detected where no date advanced', [{ newest: 20, since: 50, floor: 20 }], 50],
    ['is the time of detection where records without dates changed', [{ since: 50, floor: 20 }], 50],
    [
      'is the time of detection where another source has a newer date',
      [
        { newest: 30, since: 50, floor: 20 },
        { newest: 30, since: 1 },
      ],
      50,
    ],
    [
      'is the latest time of detection where another source changed earlier',
      [
        { newest: 30, since: 50, floor: 20 },
        { newest: 5, since: 40, floor: 5 },
      ],
      50,
    ],
    ['is rounded down to the second', [{ newest: 20, since: 50.9, floor: 20 }], 50],
    ['is the next second where an earlier response had the current one', [{ newest: 50, since: 50.9, floor: 50 }], 51],
    [
      'is the next second where another source changed within the same second',
      [
        { since: 50.2, floor: 20 },
        { since: 50.9, floor: 20 },
      ],
      51,
    ],
    [
      'is the next second where the date of earlier responses is unknown',
      [{ newest: 20, since: 50.9, floor: Infinity }],
      51,
    ],
  ])('%s', (_title, parts, date) => {
    expect(computeAnswerDates(parts.map(inSeconds), Infinity).newest).toBe(
      date === undefined ? undefined : date * 1_000,
    );
  });

  it('is absent until its second has passed, and a response started before a change is not known to be unchanged', () => {
    const parts = [{ newest: 20, since: 50, floor: 20 }].map(inSeconds);
    expect(computeAnswerDates(parts, 49_999)).toEqual({ pendingDate: 50_000 });
    expect(computeAnswerDates(parts, 50_000)).toEqual({ newest: 50_000, unchangedSince: 50_001 });
    expect(computeAnswerDates([{ newest: 20, since: 50 }].map(inSeconds), 50_000)).toEqual({
      newest: 20_000,
      unchangedSince: 50_000,
    });
    expect(computeAnswerDates([{ since: 50 }], 50_000)).toEqual({});
  });

  const moment = fc.record({
    wait: fc.constantFrom(0, 0, 1, 300, 700, 1_000, 5_000),
    source: fc.option(fc.nat(2), { nil: undefined }),
    date: fc.option(fc.nat(40), { nil: undefined }),
  });

  it('never goes back, and never names two states of the list', () => {
    const property = fc.property(fc.array(moment, { minLength: 1, maxLength: 30 }), (moments) => {
      const parts: SourceChangeDates[] = [{ since: 0 }, { since: 0 }, { since: 0 }];
      const responses: { readonly state: number; readonly newest: number }[] = [];
      let now = 1_000;
      let state = 0;
      for (const { wait, source, date } of moments) {
        now += wait;
        if (source !== undefined) {
          const { newest = -Infinity, since, floor } = parts[source] ?? { since: 0 };
          const before = floor === undefined ? newest : Math.max(newest, since);
          parts[source] = { ...(date !== undefined && { newest: date * 1_000 }), since: now, floor: before };
          state += 1;
        }
        const { newest } = computeAnswerDates(parts, now);
        if (newest === undefined) continue;
        const second = Math.floor(newest / 1_000);
        expect(second).toBeGreaterThanOrEqual(responses.at(-1)?.newest ?? -Infinity);
        expect(newest).toBeLessThanOrEqual(now);
        for (const earlier of responses) if (earlier.newest === second) expect(earlier.state).toBe(state);
        responses.push({ state, newest: second });
      }
    });
    fc.assert(property, { numRuns: 3_000 });
  });
});
