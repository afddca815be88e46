import { describe, expect, it } from 'vitest';
import type { DraftRecord } from '../../../src/model/record.js';
import { findPropertyPosition } from '../../../src/model/resource.js';
import { news } from '../../../src/model/resources/news.js';
import { MISSING_PAGE } from '../../../src/source/body/page.js';
import { SourceFailure } from '../../../src/source/client/source-failure.js';
import { drain } from '../../../src/lists/pages/drain.js';
import { pagesByNewsWindow } from '../../../src/lists/pages/pages-by-news-window.js';
import type { NewsPageFetcher, NewsPagesOptions } from '../../../src/lists/pages/pages-by-news-window.js';
import type { DrainResult } from '../../../src/source/record/drain-result.js';
import { packRecord } from '../../support/unit/pack-records.js';

const MINUTE = 60_000;
const START = Date.UTC(2026, 0, 1);

interface FakeNews {
  /** In minutes before the start, newest first; the id is the position. */
  readonly ages: readonly number[];
  /** Offsets from it on are refused. */
  readonly window: number;
  readonly ignoresBefore?: boolean;
  readonly total?: (left: number) => number;
}

function item(id: number, age: number): DraftRecord {
  const values: unknown[] = [];
  values[findPropertyPosition(news, 'id')] = id;
  values[findPropertyPosition(news, 'published')] = new Date(START - age * MINUTE).toUTCString();
  return packRecord(news, { values: Array.from(values, (value) => value as number | string | undefined) });
}

/** Counts the requests for each `before`, `-` without one. */
function fakeNews({ ages, window, ignoresBefore = false, total = (left) => left }: FakeNews): {
  readonly fetcher: NewsPageFetcher;
  readonly requests: Map<string, number>;
} {
  const all = ages.map((age, id) => ({ record: item(id, age), at: START - age * MINUTE }));
  const requests = new Map<string, number>();
  const fetcher: NewsPageFetcher =
    ({ before }) =>
    (offset, limit) => {
      requests.set(before ?? '-', (requests.get(before ?? '-') ?? 0) + 1);
      if (offset >= window) return Promise.reject(new SourceFailure('status', 'too far', { status: 400 }));
      const end = before === undefined || ignoresBefore ? Infinity : Date.parse(before);
      const left = all.filter(({ at }) => at < end);
      const sent = left.slice(offset, Math.min(window, offset + limit)).map(({ record }) => record);
      return Promise.resolve({
        ...MISSING_PAGE,
        records: sent,
        receivedCount: sent.length,
        fingerprint: sent.map(({ values }) => String(values)).join(),
        total: total(left.length),
      });
    };
  return { fetcher, requests };
}

function readNews(
  fetcher: NewsPageFetcher,
  order: NewsPagesOptions['order'] = 'unknown',
): Promise<DrainResult<DraftRecord>> {
  return drain(() => pagesByNewsWindow(fetcher, { pageSize: 4, concurrency: 1, order }), {
    maxBytes: Infinity,
    maxRecords: 1_000,
  });
}

const idsOf = ({ records }: DrainResult<DraftRecord>): readonly unknown[] =>
  records.map((record) => record.valueAt(findPropertyPosition(news, 'id')));

const AGES = Array.from({ length: 20 }, (_, at) => at - (at % 2));

describe('news of a source with a window', () => {
  it.each<NewsPagesOptions['order']>(['unknown', 'newest-first'])(
    'are read to their end by time, each item once (order: %s)',
    async (order) => {
      const { fetcher, requests } = fakeNews({ ages: AGES, window: 8 });
      const read = await readNews(fetcher, order);
      expect(idsOf(read)).toEqual(AGES.map((_, id) => id));
      expect(read).toMatchObject({ receivedCount: 20, total: 20, findings: new Map() });
      expect(read.partialReason).toBeUndefined();
      expect(requests.size).toBe(3);
    },
  );

  it.each<[string, Partial<FakeNews>, NewsPagesOptions['order'], number]>([
    ['the source ignores before', { ignoresBefore: true }, 'unknown', 8],
    ['more items have one time than it has', { ages: AGES.map((age) => Math.min(age, 4)) }, 'unknown', 12],
    ['the list has another order', {}, 'other', 8],
    ['an ordered list counts something else', { total: (left) => (left === 20 ? 20 : 30) }, 'newest-first', 8],
  ])('end at the window where %s', async (_, more, order, receivedCount) => {
    const read = await readNews(fakeNews({ ages: AGES, window: 8, ...more }).fetcher, order);
    expect(read).toMatchObject({ receivedCount, total: 20, partialReason: 'window' });
  });

  it('are requested by offset alone where the pages reach the total', async () => {
    const { fetcher, requests } = fakeNews({ ages: AGES, window: Infinity });
    expect((await readNews(fetcher)).receivedCount).toBe(20);
    expect([...requests.keys()]).toEqual(['-']);
  });
});
