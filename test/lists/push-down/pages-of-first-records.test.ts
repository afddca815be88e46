import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DraftRecord } from '../../../src/model/record.js';
import type { FetchPage } from '../../../src/source/body/page.js';
import { SourceFailure } from '../../../src/source/client/source-failure.js';
import { drain } from '../../../src/lists/pages/drain.js';
import { CapabilityContradiction } from '../../../src/lists/push-down/believed-capabilities.js';
import { pagesByOffset } from '../../../src/lists/pages/pages-by-offset.js';
import type { DrainResult } from '../../../src/source/record/drain-result.js';
import { pagesOfFirstRecords } from '../../../src/lists/push-down/pages-of-first-records.js';
import type { FirstRecordsChecks } from '../../../src/lists/push-down/pages-of-first-records.js';
import { fakeList, letters, namesOf } from '../pages/page-fakes.js';
import type { FakeListBehaviour } from '../pages/page-fakes.js';

interface Options {
  readonly pageSize?: number;
  readonly concurrency?: number;
  readonly maxBytes?: number;
  readonly checks?: Partial<FirstRecordsChecks>;
}

function readFirst(
  fetchPage: FetchPage<DraftRecord>,
  first: number,
  { pageSize = 4, concurrency = 1, maxBytes = Infinity, checks = {} }: Options = {},
): Promise<DrainResult<DraftRecord>> {
  const all: FirstRecordsChecks = {
    fillsFirstPage: false,
    furtherPages: 'none',
    fetchCheckPage: fetchPage,
    countUnfiltered: () => Promise.resolve(undefined),
    ...checks,
  };
  const options = { first, pageSize, concurrency, checks: all, windowSize: Infinity };
  return drain(() => pagesOfFirstRecords((paging) => pagesByOffset(fetchPage, paging), options), {
    maxBytes,
    maxRecords: 1_000_000,
    first,
  });
}

/** What a contradiction says about the total. */
async function evidenceOf(reading: Promise<unknown>): Promise<string | undefined> {
  const failure = await reading.catch((error: unknown) => error);
  const isTotal = failure instanceof CapabilityContradiction && failure.disproof.capability === 'total';
  return isTotal ? failure.message : undefined;
}

describe('the first records', () => {
  it('are read page by page from the start, with the total of the list', async () => {
    const { fetchPage, requests } = fakeList(letters);
    const read = await readFirst(fetchPage, 8);
    expect(namesOf(read)).toEqual(letters.slice(0, 8));
    expect(read).toMatchObject({ receivedCount: 8, total: 26, bytes: 80 });
    expect(requests).toEqual([
      [0, 4],
      [4, 4],
    ]);
  });

  it('are one page of one record where only the total is wanted', async () => {
    const { fetchPage, requests } = fakeList(letters);
    expect(await readFirst(fetchPage, 0)).toMatchObject({ total: 26 });
    expect(requests).toEqual([[0, 1]]);
  });

  it('are the same for any page limit and concurrency, and reach as far as requested', async () => {
    const sizes = fc.record({
      length: fc.nat(26),
      first: fc.nat(30),
      cap: fc.integer({ min: 1, max: 9 }),
      pageSize: fc.integer({ min: 1, max: 9 }),
      concurrency: fc.integer({ min: 1, max: 4 }),
      unreadable: fc.subarray(letters, { maxLength: 5 }),
    });
    await fc.assert(
      fc.asyncProperty(sizes, async ({ length, first, cap, pageSize, concurrency, unreadable }) => {
        const names = letters.slice(0, length);
        const { fetchPage } = fakeList(names, { cap, unreadable });
        const read = await readFirst(fetchPage, first, { pageSize, concurrency });
        const readable = names.filter((name) => !unreadable.includes(name));
        expect(namesOf(read)).toEqual(readable.slice(0, read.records.length));
        expect(read.records.length).toBeGreaterThanOrEqual(Math.min(first, readable.length));
        expect(read.total).toBe(length);
      }),
    );
  });

  it('have no known total behind an unreadable record, until the end is reached', async () => {
    const { fetchPage } = fakeList(letters, { unreadable: ['b'] });
    expect(await readFirst(fetchPage, 2)).toMatchObject({ receivedCount: 4, partialReason: 'total' });
    const whole = await readFirst(fetchPage, 26);
    expect(whole).toMatchObject({ receivedCount: 26, total: 26 });
    expect(whole.partialReason).toBeUndefined();
  });

  it('are read again where a record was added while the end was read', async () => {
    const list = fakeList(letters.slice(0, 8), {
      change: (growing, offset) => {
        if (offset === 8) growing.names = letters.slice(0, 9);
      },
    });
    const read = await readFirst(list.fetchPage, 8);
    expect(read).toMatchObject({ receivedCount: 8, total: 9 });
    expect(read.partialReason).toBeUndefined();
  });

  it('are in drift where the total changes with every page', async () => {
    const { fetchPage } = fakeList(letters, {
      change: (list) => {
        list.names = ['A', ...list.names];
      },
    });
    expect((await readFirst(fetchPage, 8)).partialReason).toBe('drift');
  });

  it('reach the end where the source refuses an offset behind it', async () => {
    const { fetchPage } = fakeList(letters.slice(0, 8));
    const refusing: FetchPage<DraftRecord> = (offset, limit) =>
      offset < 8 ? fetchPage(offset, limit) : Promise.reject(new SourceFailure('status', 'gone', { status: 404 }));
    expect(await readFirst(refusing, 8)).toMatchObject({ receivedCount: 8, total: 8 });
  });

  it.each<[string, FakeListBehaviour, Options & { readonly first: number }, number]>([
    ['bytes', {}, { first: 20, maxBytes: 100 }, 3],
    ['records', { total: () => 3_000_000 }, { first: 2_999_995 }, 1],
    ['pages', { cap: 1, total: () => 30_000 }, { first: 30_000, pageSize: 1 }, 1],
  ])('are too large with too many %s, and no more is requested', async (_, behaviour, options, requestCount) => {
    const { fetchPage, requests } = fakeList(letters, behaviour);
    expect(await readFirst(fetchPage, options.first, options)).toMatchObject({
      records: [],
      partialReason: 'too-large',
    });
    expect(requests).toHaveLength(requestCount);
  });

  it('are all read where a filter leaves as many records as without it', async () => {
    const { fetchPage } = fakeList(letters);
    const checks = { unfilteredTotal: 27, countUnfiltered: () => Promise.resolve(26) };
    expect((await readFirst(fetchPage, 2, { checks })).receivedCount).toBe(26);
    const others = { ...checks, countUnfiltered: () => Promise.resolve(27) };
    expect((await readFirst(fetchPage, 2, { checks: others })).receivedCount).toBe(2);
  });

  it('come with the last record by the total, for checks', async () => {
    const read = await readFirst(fakeList(letters).fetchPage, 4, { checks: { furtherPages: 'end' } });
    expect(read.checkedRecords?.map(({ values: [name] }) => name)).toEqual(['z']);
  });

  it.each<[string, FakeListBehaviour, number, RegExp]>([
    ['reports no total', { total: () => undefined }, 4, /^the response has no total$/],
    ['counts more than it returns', { total: () => 31 }, 40, /^total is 31, but there is no record at offset 26$/],
    ['counts fewer than it returns', { total: () => 3 }, 4, /^total is 3, but 4 records were returned$/],
    ['counts the page', { total: () => 4 }, 4, /^total is 4, but more records follow$/],
    ['counts fewer than it has', { total: () => 8 }, 8, /^total is 8, but more records follow$/],
  ])('disprove the total where the source %s', async (_, behaviour, first, evidence) => {
    const { fetchPage } = fakeList(letters, behaviour);
    expect(await evidenceOf(readFirst(fetchPage, first))).toMatch(evidence);
  });

  it.each<[string, (offset: number) => number]>([
    ['ignores the offset', () => 0],
    ['returns its start within a later page', (offset) => (offset < 8 ? offset : 25)],
  ])('disprove the total where the source %s', async (_, moved) => {
    const { fetchPage } = fakeList([...letters, ...letters], { total: () => 26 });
    const reading = readFirst((offset, limit) => fetchPage(moved(offset), limit), 26);
    expect(await evidenceOf(reading)).toMatch(/the first page repeats at offset [48]$/);
  });
});
