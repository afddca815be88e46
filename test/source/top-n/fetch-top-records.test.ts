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
import { packRecord } from '../../support/unit/pack-records.js';

const draft = (name: string): DraftRecord => packRecord(directoryTeams, { values: [name] });

/** A source with its current records, and the requests that it received. */
interface Stream {
  readonly requests: (readonly [offset: number, limit: number])[];
  readonly fetchPage: FetchPage<DraftRecord>;
  names: readonly string[];
}

interface StreamBehaviour {
  /** Maximum number of records of a page, whatever the requested limit. */
  readonly cap?: number;
  readonly total?: (names: readonly string[]) => number | undefined;
  readonly lastModified?: (stream: Stream) => number;
  /** Names that cannot be read. */
  readonly unreadable?: readonly string[];
}

function streamOf(
  names: readonly string[],
  { cap = Infinity, total = (all) => all.length, unreadable = [], lastModified }: StreamBehaviour = {},
): Stream {
  const stream: Stream = {
    requests: [],
    names,
    fetchPage: (offset, limit) => {
      stream.requests.push([offset, limit]);
      const sent = stream.names.slice(offset, offset + Math.min(limit, cap));
      const counted = total(stream.names);
      const page: SourcePage<DraftRecord> = {
        records: sent.filter((name) => !unreadable.includes(name)).map(draft),
        receivedCount: sent.length,
        fingerprint: sent.join(),
        bytes: 10 * sent.length,
        findings: new Map(),
        limit: Math.min(limit, cap),
        ...(counted !== undefined && { total: counted }),
        ...(lastModified && { lastModified: lastModified(stream) }),
      };
      return Promise.resolve(page);
    },
  };
  return stream;
}

const namesOf = ({ records }: TopRecords): readonly unknown[] => records.map(({ values: [name] }) => name);

const firstRecords = (first: number, more: Partial<TopRecordsOptions> = {}): TopRecordsOptions => ({
  first,
  pageSize: 4,
  concurrency: 1,
  maxBytes: Infinity,
  ...more,
});

/** A news window of the given size, with no way to read past it. */
const windowOf = (size: number): NewsWindow => ({ size, refusedOffsets: [], beyond: () => undefined });

const letters = Array.from({ length: 26 }, (_, at) => String.fromCodePoint(97 + at));

/** Pages of the letters, without records from the given offset on. */
function endingAt(end: number): FetchPage<DraftRecord> {
  const { fetchPage } = streamOf(letters);
  return async (offset, limit) => {
    if (offset >= end) return MISSING_PAGE;
    return fetchPage(offset, Math.min(limit, end - offset));
  };
}

describe('fetchTopRecords', () => {
  it('fetches one page with one record more than requested where they fit', async () => {
    const { fetchPage, requests } = streamOf(letters);
    const front = await fetchTopRecords(fetchPage, firstRecords(3));
    expect(namesOf(front)).toEqual(['a', 'b', 'c', 'd']);
    expect(front).toMatchObject({ receivedCount: 4, total: 26, bytes: 40 });
    expect(requests).toEqual([[0, 4]]);
  });

  it('fetches one page without a further record where the requested records fill the page', async () => {
    const { fetchPage, requests } = streamOf(letters);
    expect(namesOf(await fetchTopRecords(fetchPage, firstRecords(4)))).toEqual(['a', 'b', 'c', 'd']);
    expect(requests).toEqual([[0, 4]]);
  });

  it('fetches page by page, each starting at the last record of the previous page', async () => {
    const { fetchPage, requests } = streamOf(letters);
    expect(namesOf(await fetchTopRecords(fetchPage, firstRecords(8)))).toEqual(letters.slice(0, 9));
    expect(requests).toEqual([
      [0, 4],
      [3, 4],
      [6, 3],
    ]);
  });

  it('fetches one page of an empty source', async () => {
    const { fetchPage, requests } = streamOf([]);
    expect(await fetchTopRecords(fetchPage, firstRecords(3))).toMatchObject({
      records: [],
      receivedCount: 0,
      total: 0,
    });
    expect(requests).toEqual([[0, 4]]);
  });

  it('continues known records behind their end', async () => {
    const { fetchPage, requests } = streamOf(letters);
    const short = await fetchTopRecords(fetchPage, firstRecords(3));
    const long = await fetchTopRecords(fetchPage, firstRecords(5), short);
    expect(namesOf(long)).toEqual(letters.slice(0, 6));
    expect(requests).toEqual([
      [0, 4],
      // The page overlaps the known records as far as it has room.
      [2, 4],
    ]);
    expect(namesOf(short)).toEqual(letters.slice(0, 4));
  });

  it('continues behind an unreadable record without losing a record', async () => {
    const { fetchPage } = streamOf(letters, { unreadable: ['a'] });
    const short = await fetchTopRecords(fetchPage, firstRecords(0));
    expect(short).toMatchObject({ records: [], receivedCount: 1 });
    expect(namesOf(await fetchTopRecords(fetchPage, firstRecords(1), short))).toEqual(['b', 'c']);
  });

  it('has no known total after an unreadable record until the end is reached', async () => {
    const { fetchPage } = streamOf(letters, { unreadable: ['b'] });
    expect(await fetchTopRecords(fetchPage, firstRecords(2))).toMatchObject({
      receivedCount: 3,
      partialReason: 'total',
    });
    expect((await fetchTopRecords(fetchPage, firstRecords(1))).partialReason).toBe('total');
    const whole = await fetchTopRecords(fetchPage, firstRecords(25));
    expect(whole).toMatchObject({ receivedCount: 26, total: 26 });
    expect(whole.partialReason).toBeUndefined();
  });

  it('returns the same records for any page limit, concurrency and point of continuation', async () => {
    const sizes = fc.record({
      length: fc.nat(26),
      first: fc.nat(30),
      then: fc.nat(30),
      cap: fc.integer({ min: 1, max: 9 }),
      pageSize: fc.integer({ min: 1, max: 9 }),
      concurrency: fc.integer({ min: 1, max: 4 }),
      unreadable: fc.subarray(letters, { maxLength: 5 }),
    });
    await fc.assert(
      fc.asyncProperty(sizes, async ({ length, first, then, cap, pageSize, concurrency, unreadable }) => {
        const names = letters.slice(0, length);
        const { fetchPage } = streamOf(names, { cap, unreadable });
        const short = await fetchTopRecords(fetchPage, firstRecords(first, { pageSize, concurrency }));
        const front = await fetchTopRecords(fetchPage, firstRecords(first + then, { pageSize, concurrency }), short);
        const read = namesOf(front);
        const readable = names.filter((name) => !unreadable.includes(name));
        expect(read).toEqual(readable.slice(0, read.length));
        expect(read.length).toBeGreaterThanOrEqual(Math.min(first + then, readable.length));
        expect(front.total).toBe(length);
      }),
    );
  });

  it('restarts where a record was added before the known records', async () => {
    const stream = streamOf(letters);
    const known = await fetchTopRecords(stream.fetchPage, firstRecords(3));
    stream.names = ['A', ...letters.slice(0, 25)];
    const front = await fetchTopRecords(stream.fetchPage, firstRecords(6), known);
    expect(namesOf(front)).toEqual(['A', ...letters.slice(0, 6)]);
    expect(front.partialReason).toBeUndefined();
  });

  it('restarts where Last-Modified differs, though the overlap is the same', async () => {
    const stream = streamOf(letters, { lastModified: ({ names }) => (names === letters ? 1 : 2) });
    const known = await fetchTopRecords(stream.fetchPage, firstRecords(3));
    stream.names = ['a', 'B', ...letters.slice(2)];
    const front = await fetchTopRecords(stream.fetchPage, firstRecords(6), known);
    expect(namesOf(front)).toEqual(['a', 'B', ...letters.slice(2, 7)]);
    expect(front).toMatchObject({ lastModified: 2 });
    expect(front.partialReason).toBeUndefined();
  });

  it('is complete where every page has another Last-Modified, and ignores Last-Modified afterwards', async () => {
    const { fetchPage, requests } = streamOf(letters, { lastModified: ({ requests: { length } }) => length });
    const front = await fetchTopRecords(fetchPage, firstRecords(6));
    expect(namesOf(front)).toEqual(letters.slice(0, 7));
    expect(front.partialReason).toBeUndefined();
    expect(requests.splice(0)).toHaveLength(4);
    const longer = await fetchTopRecords(fetchPage, firstRecords(9), front);
    const longest = await fetchTopRecords(fetchPage, firstRecords(12), longer);
    expect(namesOf(longest)).toEqual(letters.slice(0, 13));
    expect(requests).toEqual([
      [6, 4],
      [9, 4],
    ]);
  });

  it('ignores Last-Modified of a cached stream after it differed three times in a row', async () => {
    let now = 1;
    const { fetchPage, requests } = streamOf(letters, { lastModified: () => now });
    let front = await fetchTopRecords(fetchPage, firstRecords(3));
    for (now = 2; now < 6; now += 1) front = await fetchTopRecords(fetchPage, firstRecords(3 * now), front);
    expect(namesOf(front)).toEqual(letters.slice(0, 16));
    expect(front.partialReason).toBeUndefined();
    // It is read again from the start three times, then Last-Modified is ignored.
    expect(requests.map(([offset]) => offset)).toEqual([0, 3, 0, 3, 6, 0, 3, 6, 9, 0, 3, 6, 9, 12]);
    requests.length = 0;
    now = 7;
    await fetchTopRecords(fetchPage, firstRecords(18), front);
    expect(requests).toEqual([[15, 4]]);
  });

  it('detects a change by Last-Modified alone after an earlier change further behind', async () => {
    let now = 1;
    const stream = streamOf(letters, { lastModified: () => now });
    const short = await fetchTopRecords(stream.fetchPage, firstRecords(3));
    [stream.names, now] = [[...letters.slice(0, 25), 'Z'], 2];
    const longer = await fetchTopRecords(stream.fetchPage, firstRecords(6), short);
    [stream.names, now] = [['a', 'B', ...letters.slice(2, 25), 'Z'], 3];
    const longest = await fetchTopRecords(stream.fetchPage, firstRecords(12), longer);
    expect(namesOf(longest)).toEqual(['a', 'B', ...letters.slice(2, 13)]);
  });

  it('reports drift where Last-Modified and the records differ on every page', async () => {
    let turn = 0;
    const stream = streamOf(letters, { lastModified: () => turn });
    const turning: FetchPage<DraftRecord> = (offset, limit) => {
      turn += 1;
      stream.names = letters.map((name, at) => (at === 1 ? `${name}${turn}` : name));
      return stream.fetchPage(offset, limit);
    };
    expect((await fetchTopRecords(turning, firstRecords(8))).partialReason).toBe('drift');
  });

  it('restarts where new records replaced all known records', async () => {
    const stream = streamOf(letters);
    const known = await fetchTopRecords(stream.fetchPage, firstRecords(1));
    stream.names = ['A', ...letters.slice(0, 25)];
    const front = await fetchTopRecords(stream.fetchPage, firstRecords(6), known);
    expect(namesOf(front)).toEqual(['A', ...letters.slice(0, 6)]);
    expect(front.partialReason).toBeUndefined();
  });

  it('restarts where no record is left behind the known records and no total shows it', async () => {
    const stream = streamOf(letters);
    const known = await fetchTopRecords(stream.fetchPage, firstRecords(8));
    stream.names = letters.slice(0, 5);
    const silent: FetchPage<DraftRecord> = async (offset, limit) => {
      const page = await stream.fetchPage(offset, limit);
      return page.receivedCount > 0 ? page : MISSING_PAGE;
    };
    expect(await fetchTopRecords(silent, firstRecords(12), known)).toMatchObject({ receivedCount: 5, total: 5 });
  });

  it('restarts where a record was added between the last page and the request behind it', async () => {
    const stream = streamOf(letters.slice(0, 7));
    const growing: FetchPage<DraftRecord> = (offset, limit) => {
      if (offset === 7) stream.names = letters.slice(0, 8);
      return stream.fetchPage(offset, limit);
    };
    const front = await fetchTopRecords(growing, firstRecords(7));
    expect(front).toMatchObject({ receivedCount: 7, total: 8 });
    expect(front.partialReason).toBeUndefined();
  });

  it('reports drift where the source changes with every page', async () => {
    let turn = 0;
    const stream = streamOf(letters);
    const turning: FetchPage<DraftRecord> = (offset, limit) => {
      turn += 1;
      stream.names = [...letters.slice(turn), ...letters.slice(0, turn)];
      return stream.fetchPage(offset, limit);
    };
    expect((await fetchTopRecords(turning, firstRecords(8))).partialReason).toBe('drift');
    expect(turn).toBe(6);
  });

  it('disproves the total where the source ignores offset', async () => {
    const stream = streamOf(letters);
    const still: FetchPage<DraftRecord> = (_, limit) => stream.fetchPage(0, limit);
    const failure: unknown = await fetchTopRecords(still, firstRecords(8)).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      disproof: { capability: 'total', evidence: 'total is 26, but the first page repeats at offset 4' },
    });
  });

  it('reads beyond the news window where the source returns more', async () => {
    const { fetchPage } = streamOf(letters);
    const front = await fetchTopRecords(fetchPage, firstRecords(9, { window: windowOf(6) }));
    expect(namesOf(front)).toEqual(letters.slice(0, 10));
    expect(front.partialReason).toBeUndefined();
  });

  it('ends at the news window of the source with reason window where more is requested', async () => {
    const front = await fetchTopRecords(endingAt(6), firstRecords(9, { window: windowOf(6) }));
    expect(namesOf(front)).toEqual(letters.slice(0, 6));
    expect(front).toMatchObject({ total: 26, partialReason: 'window' });
  });

  it('ends at a smaller window where the source refuses larger offsets', async () => {
    const window = { ...windowOf(20), refusedOffsets: [6] };
    expect(await fetchTopRecords(endingAt(6), firstRecords(9, { window }))).toMatchObject({
      receivedCount: 6,
      partialReason: 'window',
    });
  });

  it('continues past the window from the known records', async () => {
    const { fetchPage } = streamOf(letters.slice(4));
    const window: NewsWindow = { ...windowOf(6), beyond: () => ({ fetchPage, overlap: 2 }) };
    const front = await fetchTopRecords(endingAt(6), firstRecords(12, { window }));
    expect(namesOf(front)).toEqual(letters.slice(0, 12));
    expect(front).toMatchObject({ receivedCount: 12, total: 26 });
    expect(front.partialReason).toBeUndefined();
  });

  it.each<[string, readonly string[]]>([
    ['starts with other records', letters.slice(3)],
    ['has another total', letters.slice(4, 20)],
  ])('ends at the window where the list beyond it %s', async (_, names) => {
    const { fetchPage } = streamOf(names);
    const window: NewsWindow = { ...windowOf(6), beyond: () => ({ fetchPage, overlap: 2 }) };
    expect(await fetchTopRecords(endingAt(6), firstRecords(12, { window }))).toMatchObject({
      receivedCount: 6,
      partialReason: 'window',
    });
  });

  it('disproves the total where the list beyond the end has no new record', async () => {
    const names = letters.slice(0, 5);
    const total = (all: readonly string[]): number => all.length + 7;
    const beyond = (): ReturnType<NewsWindow['beyond']> => ({
      fetchPage: streamOf(letters.slice(4, 5), { total }).fetchPage,
      overlap: 1,
    });
    const window = { ...windowOf(20), beyond };
    const failure: unknown = await fetchTopRecords(
      streamOf(names, { total }).fetchPage,
      firstRecords(9, { window }),
    ).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      disproof: { capability: 'total', evidence: 'total is 12, but there is no record at offset 5' },
    });
  });

  it('has no known total where the total equals the window, because the source may count no further', async () => {
    const front = await fetchTopRecords(
      streamOf(letters.slice(0, 8)).fetchPage,
      firstRecords(3, { window: windowOf(8) }),
    );
    expect(namesOf(front)).toEqual(['a', 'b', 'c', 'd']);
    expect(front.partialReason).toBe('total');
  });

  it.each<[string, StreamBehaviour, TopRecordsOptions, number]>([
    ['bytes', {}, firstRecords(20, { maxBytes: 100 }), 3],
    ['records', { total: () => 3_000_000 }, firstRecords(2_999_995), 1],
    ['pages', { cap: 1 }, firstRecords(30_000, { pageSize: 1 }), 20_000],
  ])('is too large with too many %s, and requests no more', async (_, paging, reach, requestCount) => {
    const { fetchPage, requests } = streamOf(
      requestCount < 100 ? letters : Array.from({ length: 30_000 }, String),
      paging,
    );
    expect(await fetchTopRecords(fetchPage, reach)).toMatchObject({ records: [], partialReason: 'too-large' });
    expect(requests).toHaveLength(requestCount);
  });

  it('has reached the end where the source refuses an offset behind it', async () => {
    const { fetchPage } = streamOf(letters.slice(0, 8));
    const refusing: FetchPage<DraftRecord> = (offset, limit) =>
      offset < 8 ? fetchPage(offset, limit) : Promise.reject(new SourceFailure('status', 'gone', { status: 404 }));
    expect(await fetchTopRecords(refusing, firstRecords(8))).toMatchObject({ receivedCount: 8, total: 8 });
  });

  it.each<[string, StreamBehaviour, number]>([
    ['reports no total', { total: () => undefined }, 3],
    ['counts more records than it returns', { total: ({ length }) => length + 5 }, 40],
    ['counts fewer records than it returns', { total: () => 3 }, 3],
    ['counts the page', { total: () => 4 }, 3],
    ['counts fewer records than it has, as a record behind the last one shows', { total: () => 8 }, 8],
  ])('disproves the total where the source %s', async (_, paging, first) => {
    const { fetchPage } = streamOf(letters, paging);
    const failure: unknown = await fetchTopRecords(fetchPage, firstRecords(first)).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(CapabilityContradiction);
    expect(failure).toMatchObject({ disproof: { capability: 'total' } });
  });
});
