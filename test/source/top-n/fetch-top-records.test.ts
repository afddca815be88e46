import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DraftRecord } from '../../../src/model/record.js';
import { directoryTeams } from '../../../src/model/resources/directory-teams.js';
import { CapabilityContradiction } from '../../../src/source/top-n/believed-capabilities.js';
import { SourceFailure } from '../../../src/source/client/source-failure.js';
import { fetchTopRecords } from '../../../src/source/top-n/fetch-top-records.js';
import type { TopRecords, TopRecordsOptions } from '../../../src/source/top-n/top-records.js';
import { MISSING_PAGE } from '../../../src/source/body/page.js';
import type { FetchPage, SourcePage } from '../../../src/source/body/page.js';
import type { NewsWindow } from '../../../src/source/drain/drain-beyond-news-window.js';
import { packRecord } from '../../support/pack-records.js';

const draft = (name: string): DraftRecord => packRecord(directoryTeams, { values: [name] });

/** What was asked of a source, and what it has at the moment. */
interface Stream {
  readonly asked: (readonly [offset: number, limit: number])[];
  readonly fetchPage: FetchPage<DraftRecord>;
  names: readonly string[];
}

interface Manners {
  /** Records of a page at most, whatever is asked for. */
  readonly cap?: number;
  readonly total?: (names: readonly string[]) => number | undefined;
  readonly dated?: (stream: Stream) => number;
  /** Names that cannot be read. */
  readonly odd?: readonly string[];
}

function streamOf(
  names: readonly string[],
  { cap = Infinity, total = (all) => all.length, odd = [], dated }: Manners = {},
): Stream {
  const stream: Stream = {
    asked: [],
    names,
    fetchPage: (offset, limit) => {
      stream.asked.push([offset, limit]);
      const sent = stream.names.slice(offset, offset + Math.min(limit, cap));
      const counted = total(stream.names);
      const page: SourcePage<DraftRecord> = {
        records: sent.filter((name) => !odd.includes(name)).map(draft),
        receivedCount: sent.length,
        fingerprint: sent.join(),
        bytes: 10 * sent.length,
        findings: new Map(),
        limit: Math.min(limit, cap),
        ...(counted !== undefined && { total: counted }),
        ...(dated && { lastModified: dated(stream) }),
      };
      return Promise.resolve(page);
    },
  };
  return stream;
}

const namesOf = ({ records }: TopRecords): readonly unknown[] => records.map(({ values: [name] }) => name);

const upTo = (first: number, more: Partial<TopRecordsOptions> = {}): TopRecordsOptions => ({
  first,
  pageSize: 4,
  concurrency: 1,
  maxBytes: Infinity,
  ...more,
});

/** A window of so many records, which nothing leads past. */
const windowOf = (size: number): NewsWindow => ({ size, refusedOffsets: [], beyond: () => undefined });

const letters = Array.from({ length: 26 }, (_, at) => String.fromCodePoint(97 + at));

/** Pages of all letters, of which none come from an offset on. */
function endingAt(end: number): FetchPage<DraftRecord> {
  const { fetchPage } = streamOf(letters);
  return async (offset, limit) => {
    if (offset >= end) return MISSING_PAGE;
    return fetchPage(offset, Math.min(limit, end - offset));
  };
}

describe('the front of a stream', () => {
  it('is asked for in one page where it fits, with one record more that tells what the last one has behind it', async () => {
    const { fetchPage, asked } = streamOf(letters);
    const front = await fetchTopRecords(fetchPage, upTo(3));
    expect(namesOf(front)).toEqual(['a', 'b', 'c', 'd']);
    expect(front).toMatchObject({ receivedCount: 4, total: 26, bytes: 40 });
    expect(asked).toEqual([[0, 4]]);
  });

  it('is asked for in one page where it fills that: the one record more is not worth another page', async () => {
    const { fetchPage, asked } = streamOf(letters);
    expect(namesOf(await fetchTopRecords(fetchPage, upTo(4)))).toEqual(['a', 'b', 'c', 'd']);
    expect(asked).toEqual([[0, 4]]);
  });

  it('is read page by page, each beginning with the last record of the one before', async () => {
    const { fetchPage, asked } = streamOf(letters);
    expect(namesOf(await fetchTopRecords(fetchPage, upTo(8)))).toEqual(letters.slice(0, 9));
    expect(asked).toEqual([
      [0, 4],
      [3, 4],
      [6, 3],
    ]);
  });

  it('takes one page to be seen empty', async () => {
    const { fetchPage, asked } = streamOf([]);
    expect(await fetchTopRecords(fetchPage, upTo(3))).toMatchObject({ records: [], receivedCount: 0, total: 0 });
    expect(asked).toEqual([[0, 4]]);
  });

  it('reaches further from where it ended', async () => {
    const { fetchPage, asked } = streamOf(letters);
    const short = await fetchTopRecords(fetchPage, upTo(3));
    const long = await fetchTopRecords(fetchPage, upTo(5), short);
    expect(namesOf(long)).toEqual(letters.slice(0, 6));
    expect(asked).toEqual([
      [0, 4],
      // As many of the known ones as the page has room for are compared.
      [2, 4],
    ]);
    expect(namesOf(short)).toEqual(letters.slice(0, 4));
  });

  it('reaches further from where it ended without anything that could be read, and loses nothing', async () => {
    const { fetchPage } = streamOf(letters, { odd: ['a'] });
    const short = await fetchTopRecords(fetchPage, upTo(0));
    expect(short).toMatchObject({ records: [], receivedCount: 1 });
    expect(namesOf(await fetchTopRecords(fetchPage, upTo(1), short))).toEqual(['b', 'c']);
  });

  it('does not know how many there are once something was no record, until it has come to the end', async () => {
    const { fetchPage } = streamOf(letters, { odd: ['b'] });
    expect(await fetchTopRecords(fetchPage, upTo(2))).toMatchObject({ receivedCount: 3, partialReason: 'total' });
    expect((await fetchTopRecords(fetchPage, upTo(1))).partialReason).toBe('total');
    const whole = await fetchTopRecords(fetchPage, upTo(25));
    expect(whole).toMatchObject({ receivedCount: 26, total: 26 });
    expect(whole.partialReason).toBeUndefined();
  });

  it('is whatever a source caps, however many pages are asked for at a time, and wherever it is taken up again', async () => {
    const sizes = fc.record({
      length: fc.nat(26),
      first: fc.nat(30),
      then: fc.nat(30),
      cap: fc.integer({ min: 1, max: 9 }),
      pageSize: fc.integer({ min: 1, max: 9 }),
      concurrency: fc.integer({ min: 1, max: 4 }),
      odd: fc.subarray(letters, { maxLength: 5 }),
    });
    await fc.assert(
      fc.asyncProperty(sizes, async ({ length, first, then, cap, pageSize, concurrency, odd }) => {
        const names = letters.slice(0, length);
        const { fetchPage } = streamOf(names, { cap, odd });
        const short = await fetchTopRecords(fetchPage, upTo(first, { pageSize, concurrency }));
        const front = await fetchTopRecords(fetchPage, upTo(first + then, { pageSize, concurrency }), short);
        const read = namesOf(front);
        const readable = names.filter((name) => !odd.includes(name));
        expect(read).toEqual(readable.slice(0, read.length));
        expect(read.length).toBeGreaterThanOrEqual(Math.min(first + then, readable.length));
        expect(front.total).toBe(length);
      }),
    );
  });

  it('begins again where a record has come or gone between two pages', async () => {
    const stream = streamOf(letters);
    const known = await fetchTopRecords(stream.fetchPage, upTo(3));
    stream.names = ['A', ...letters.slice(0, 25)];
    const front = await fetchTopRecords(stream.fetchPage, upTo(6), known);
    expect(namesOf(front)).toEqual(['A', ...letters.slice(0, 6)]);
    expect(front.partialReason).toBeUndefined();
  });

  it('begins again where Last-Modified is another one, though nothing that has changed is seen', async () => {
    const stream = streamOf(letters, { dated: ({ names }) => (names === letters ? 1 : 2) });
    const known = await fetchTopRecords(stream.fetchPage, upTo(3));
    stream.names = ['a', 'B', ...letters.slice(2)];
    const front = await fetchTopRecords(stream.fetchPage, upTo(6), known);
    expect(namesOf(front)).toEqual(['a', 'B', ...letters.slice(2, 7)]);
    expect(front).toMatchObject({ lastModified: 2 });
    expect(front.partialReason).toBeUndefined();
  });

  it('is whole where each page is dated by the moment, once that was seen', async () => {
    const { fetchPage, asked } = streamOf(letters, { dated: ({ asked: { length } }) => length });
    const front = await fetchTopRecords(fetchPage, upTo(6));
    expect(namesOf(front)).toEqual(letters.slice(0, 7));
    expect(front.partialReason).toBeUndefined();
    expect(asked.splice(0)).toHaveLength(4);
    const longer = await fetchTopRecords(fetchPage, upTo(9), front);
    const longest = await fetchTopRecords(fetchPage, upTo(12), longer);
    expect(namesOf(longest)).toEqual(letters.slice(0, 13));
    expect(asked).toEqual([
      [6, 4],
      [9, 4],
    ]);
  });

  it('is whole where each answer is dated by the moment, which one page does not show', async () => {
    let now = 1;
    const { fetchPage, asked } = streamOf(letters, { dated: () => now });
    let front = await fetchTopRecords(fetchPage, upTo(3));
    for (now = 2; now < 6; now += 1) front = await fetchTopRecords(fetchPage, upTo(3 * now), front);
    expect(namesOf(front)).toEqual(letters.slice(0, 16));
    expect(front.partialReason).toBeUndefined();
    // Three times it is read again from the start, then its date is not listened to any more.
    expect(asked.map(([offset]) => offset)).toEqual([0, 3, 0, 3, 6, 0, 3, 6, 9, 0, 3, 6, 9, 12]);
    asked.length = 0;
    now = 7;
    await fetchTopRecords(fetchPage, upTo(18), front);
    expect(asked).toEqual([[15, 4]]);
  });

  it('notices a change by Last-Modified alone, though that told of another one further behind before', async () => {
    let now = 1;
    const stream = streamOf(letters, { dated: () => now });
    const short = await fetchTopRecords(stream.fetchPage, upTo(3));
    [stream.names, now] = [[...letters.slice(0, 25), 'Z'], 2];
    const longer = await fetchTopRecords(stream.fetchPage, upTo(6), short);
    [stream.names, now] = [['a', 'B', ...letters.slice(2, 25), 'Z'], 3];
    const longest = await fetchTopRecords(stream.fetchPage, upTo(12), longer);
    expect(namesOf(longest)).toEqual(['a', 'B', ...letters.slice(2, 13)]);
  });

  it('is in doubt where Last-Modified and what is read are other ones each time', async () => {
    let turn = 0;
    const stream = streamOf(letters, { dated: () => turn });
    const turning: FetchPage<DraftRecord> = (offset, limit) => {
      turn += 1;
      stream.names = letters.map((name, at) => (at === 1 ? `${name}${turn}` : name));
      return stream.fetchPage(offset, limit);
    };
    expect((await fetchTopRecords(turning, upTo(8))).partialReason).toBe('drift');
  });

  it('begins again where a feed that keeps its newest has moved on by all that was read', async () => {
    const stream = streamOf(letters);
    const known = await fetchTopRecords(stream.fetchPage, upTo(1));
    stream.names = ['A', ...letters.slice(0, 25)];
    const front = await fetchTopRecords(stream.fetchPage, upTo(6), known);
    expect(namesOf(front)).toEqual(['A', ...letters.slice(0, 6)]);
    expect(front.partialReason).toBeUndefined();
  });

  it('begins again where there is nothing left behind what was read before, though no total says so', async () => {
    const stream = streamOf(letters);
    const known = await fetchTopRecords(stream.fetchPage, upTo(8));
    stream.names = letters.slice(0, 5);
    const silent: FetchPage<DraftRecord> = async (offset, limit) => {
      const page = await stream.fetchPage(offset, limit);
      return page.receivedCount > 0 ? page : MISSING_PAGE;
    };
    expect(await fetchTopRecords(silent, upTo(12), known)).toMatchObject({ receivedCount: 5, total: 5 });
  });

  it('begins again where a record has come between the last page and the look behind it', async () => {
    const stream = streamOf(letters.slice(0, 7));
    const growing: FetchPage<DraftRecord> = (offset, limit) => {
      if (offset === 7) stream.names = letters.slice(0, 8);
      return stream.fetchPage(offset, limit);
    };
    const front = await fetchTopRecords(growing, upTo(7));
    expect(front).toMatchObject({ receivedCount: 7, total: 8 });
    expect(front.partialReason).toBeUndefined();
  });

  it('is in doubt when the source changes with every page', async () => {
    let turn = 0;
    const stream = streamOf(letters);
    const turning: FetchPage<DraftRecord> = (offset, limit) => {
      turn += 1;
      stream.names = [...letters.slice(turn), ...letters.slice(0, turn)];
      return stream.fetchPage(offset, limit);
    };
    expect((await fetchTopRecords(turning, upTo(8))).partialReason).toBe('drift');
    expect(turn).toBe(6);
  });

  it('contradicts what is claimed of totals where the source passes over offset', async () => {
    const stream = streamOf(letters);
    const still: FetchPage<DraftRecord> = (_, limit) => stream.fetchPage(0, limit);
    const failure: unknown = await fetchTopRecords(still, upTo(8)).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      disproof: { capability: 'total', evidence: 'total is 26, but the first page repeats at offset 4' },
    });
  });

  it('reads on where the source gives more than a window holds', async () => {
    const { fetchPage } = streamOf(letters);
    const front = await fetchTopRecords(fetchPage, upTo(9, { window: windowOf(6) }));
    expect(namesOf(front)).toEqual(letters.slice(0, 10));
    expect(front.partialReason).toBeUndefined();
  });

  it('ends with the window of its source, and tells so where more is wanted', async () => {
    const front = await fetchTopRecords(endingAt(6), upTo(9, { window: windowOf(6) }));
    expect(namesOf(front)).toEqual(letters.slice(0, 6));
    expect(front).toMatchObject({ total: 26, partialReason: 'window' });
  });

  it('ends with a smaller window where the source refuses what is behind it', async () => {
    const window = { ...windowOf(20), refusedOffsets: [6] };
    expect(await fetchTopRecords(endingAt(6), upTo(9, { window }))).toMatchObject({
      receivedCount: 6,
      partialReason: 'window',
    });
  });

  it('goes on past the window from the records that it knows', async () => {
    const { fetchPage } = streamOf(letters.slice(4));
    const window: NewsWindow = { ...windowOf(6), beyond: () => ({ fetchPage, overlap: 2 }) };
    const front = await fetchTopRecords(endingAt(6), upTo(12, { window }));
    expect(namesOf(front)).toEqual(letters.slice(0, 12));
    expect(front).toMatchObject({ receivedCount: 12, total: 26 });
    expect(front.partialReason).toBeUndefined();
  });

  it.each<[string, readonly string[]]>([
    ['begins with other records', letters.slice(3)],
    ['counts other ones', letters.slice(4, 20)],
  ])('ends with the window where what leads past it %s', async (_, names) => {
    const { fetchPage } = streamOf(names);
    const window: NewsWindow = { ...windowOf(6), beyond: () => ({ fetchPage, overlap: 2 }) };
    expect(await fetchTopRecords(endingAt(6), upTo(12, { window }))).toMatchObject({
      receivedCount: 6,
      partialReason: 'window',
    });
  });

  it('contradicts what is claimed of totals where what leads past the end gives nothing new', async () => {
    const names = letters.slice(0, 5);
    const total = (all: readonly string[]): number => all.length + 7;
    const beyond = (): ReturnType<NewsWindow['beyond']> => ({
      fetchPage: streamOf(letters.slice(4, 5), { total }).fetchPage,
      overlap: 1,
    });
    const window = { ...windowOf(20), beyond };
    const failure: unknown = await fetchTopRecords(streamOf(names, { total }).fetchPage, upTo(9, { window })).catch(
      (error: unknown) => error,
    );
    expect(failure).toMatchObject({
      disproof: { capability: 'total', evidence: 'total is 12, but there is no record at offset 5' },
    });
  });

  it('is not believed to be all where its source counts as many as its window holds: it may count no further', async () => {
    const front = await fetchTopRecords(streamOf(letters.slice(0, 8)).fetchPage, upTo(3, { window: windowOf(8) }));
    expect(namesOf(front)).toEqual(['a', 'b', 'c', 'd']);
    expect(front.partialReason).toBe('total');
  });

  it.each<[string, Manners, TopRecordsOptions, number]>([
    ['bytes', {}, upTo(20, { maxBytes: 100 }), 3],
    ['records', { total: () => 3_000_000 }, upTo(2_999_995), 1],
    ['pages', { cap: 1 }, upTo(30_000, { pageSize: 1 }), 20_000],
  ])('is too large with too many %s, and no more is asked for', async (_, paging, reach, requests) => {
    const { fetchPage, asked } = streamOf(requests < 100 ? letters : Array.from({ length: 30_000 }, String), paging);
    expect(await fetchTopRecords(fetchPage, reach)).toMatchObject({ records: [], partialReason: 'too-large' });
    expect(asked).toHaveLength(requests);
  });

  it('is at its end where the source refuses to be asked behind it', async () => {
    const { fetchPage } = streamOf(letters.slice(0, 8));
    const refusing: FetchPage<DraftRecord> = (offset, limit) =>
      offset < 8 ? fetchPage(offset, limit) : Promise.reject(new SourceFailure('status', 'gone', { status: 404 }));
    expect(await fetchTopRecords(refusing, upTo(8))).toMatchObject({ receivedCount: 8, total: 8 });
  });

  it.each<[string, Manners, number]>([
    ['counts nothing', { total: () => undefined }, 3],
    ['counts more than it gives', { total: ({ length }) => length + 5 }, 40],
    ['counts less than it gives', { total: () => 3 }, 3],
    ['counts the page', { total: () => 4 }, 3],
    ['counts less than it has, which shows behind the last', { total: () => 8 }, 8],
  ])('contradicts what is claimed of totals where the source %s', async (_, paging, first) => {
    const { fetchPage } = streamOf(letters, paging);
    const failure: unknown = await fetchTopRecords(fetchPage, upTo(first)).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(CapabilityContradiction);
    expect(failure).toMatchObject({ disproof: { capability: 'total' } });
  });
});
