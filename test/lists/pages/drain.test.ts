import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FetchPage } from '../../../src/source/body/page.js';
import type { DraftRecord } from '../../../src/model/record.js';
import { SourceFailure } from '../../../src/source/client/source-failure.js';
import { drain } from '../../../src/lists/pages/drain.js';
import { pagesByOffset } from '../../../src/lists/pages/pages-by-offset.js';
import type { DrainResult } from '../../../src/source/record/drain-result.js';
import { fakeList, letters, namesOf } from './page-fakes.js';

const LIMITS = { maxBytes: Infinity, maxRecords: 1_000 };

const drainList = (
  fetchPage: FetchPage<DraftRecord>,
  { pageSize = 4, concurrency = 1, ...limits }: Partial<Parameters<typeof pagesByOffset>[1] & typeof LIMITS> = {},
): Promise<DrainResult<DraftRecord>> =>
  drain(() => pagesByOffset(fetchPage, { pageSize, concurrency }), { ...LIMITS, ...limits });

describe('drain by offset', () => {
  it('joins all records in order, whatever the size of pages, the concurrency and what cannot be read', async () => {
    const sizes = fc.record({
      length: fc.nat(26),
      cap: fc.integer({ min: 1, max: 9 }),
      pageSize: fc.integer({ min: 1, max: 9 }),
      concurrency: fc.integer({ min: 1, max: 4 }),
      unreadable: fc.subarray(letters, { maxLength: 5 }),
      isCounted: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(sizes, async ({ length, cap, pageSize, concurrency, unreadable, isCounted }) => {
        const names = letters.slice(0, length);
        const { fetchPage } = fakeList(names, { cap, unreadable, ...(!isCounted && { total: () => undefined }) });
        const drained = await drainList(fetchPage, { pageSize, concurrency });
        expect(namesOf(drained)).toEqual(names.filter((name) => !unreadable.includes(name)));
        expect(drained).toMatchObject({ receivedCount: length, bytes: 10 * length });
        expect(drained.partialReason).toBeUndefined();
      }),
    );
  });

  it('reads on in sequence behind a page that is shorter than the first one and its total let expect', async () => {
    const { fetchPage, requests } = fakeList(letters.slice(0, 10));
    const drained = await drainList((offset, limit) => fetchPage(offset, offset === 4 ? 1 : limit));
    expect(namesOf(drained)).toEqual(letters.slice(0, 10));
    expect(requests.map(([offset]) => offset)).toEqual([0, 4, 5, 9, 10]);
  });

  it('believes a page equal to the one before, and no second one', async () => {
    const twice = ['a', 'b', 'a', 'b', 'c', 'd'];
    const uncounted = { total: () => undefined };
    expect(namesOf(await drainList(fakeList(twice, uncounted).fetchPage, { pageSize: 2 }))).toEqual(twice);
    const thrice = ['x', 'y', 'a', 'b', 'a', 'b', 'a', 'b', 'c', 'd'];
    const drained = await drainList(fakeList(thrice, uncounted).fetchPage, { pageSize: 2 });
    expect(drained).toMatchObject({ receivedCount: 4, partialReason: 'offset' });
  });

  it('rejects with the failure of a page, and requests no page behind it', async () => {
    const { fetchPage, requests } = fakeList(letters);
    const failing: FetchPage<DraftRecord> = async (offset, limit) => {
      const page = await fetchPage(offset, limit);
      if (offset === 8) throw new SourceFailure('status', 'broken', { status: 500 });
      return page;
    };
    await expect(drainList(failing, { concurrency: 2 })).rejects.toThrow('broken');
    expect(Math.max(...requests.map(([offset]) => offset))).toBeLessThanOrEqual(12);
  });

  it.each<[string, object, number]>([
    ['bytes', { maxBytes: 100 }, 3],
    ['records that are counted', { maxRecords: 25 }, 1],
  ])('is too large with too many %s, and has no records then', async (_, limits, requestCount) => {
    const { fetchPage, requests } = fakeList(letters);
    expect(await drainList(fetchPage, limits)).toMatchObject({ records: [], partialReason: 'too-large', total: 26 });
    expect(requests).toHaveLength(requestCount);
  });

  it('is read again where its total changes between two pages', async () => {
    const list = fakeList(letters.slice(0, 8), {
      change: (changing, offset) => {
        if (offset === 4) changing.names = letters.slice(0, 9);
      },
    });
    expect(await drainList(list.fetchPage)).toMatchObject({ receivedCount: 9, total: 9 });
  });

  it('is complete where only Last-Modified differs, as a second reading shows', async () => {
    const { fetchPage, requests } = fakeList(letters, { lastModified: ({ requests: { length } }) => length });
    const drained = await drainList(fetchPage, { pageSize: 20 });
    expect(drained.partialReason).toBeUndefined();
    expect(requests).toHaveLength(4);
  });

  it('reports drift, with its records, where each of three readings differs from the one before', async () => {
    let turn = 0;
    const { fetchPage, requests } = fakeList(letters, {
      lastModified: () => turn,
      change: (list) => {
        turn += 1;
        list.names = letters.map((name, at) => (at === 1 ? `${name}${turn}` : name));
      },
    });
    const drained = await drainList(fetchPage, { pageSize: 20 });
    expect(drained).toMatchObject({ receivedCount: 26, partialReason: 'drift' });
    expect(requests).toHaveLength(6);
  });
});
