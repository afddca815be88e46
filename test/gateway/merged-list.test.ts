import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MergedList } from '../../src/gateway/merged-list.js';
import { MergedListCache } from '../../src/gateway/merged-list-cache.js';
import { MemoryBudget } from '../../src/cache/memory-budget.js';
import type { Predicate, Query } from '../../src/model/query.js';
import type { StoredRecord } from '../../src/model/record.js';
import type { Resource } from '../../src/model/resource.js';
import { directoryTeams } from '../../src/model/resources/directory-teams.js';
import { news } from '../../src/model/resources/news.js';
import { RecordSet } from '../../src/records/record-set.js';
import { packRecords } from '../support/unit/pack-records.js';

const HOST = directoryTeams.properties.findIndex(({ name }) => name === 'host');

const descending = { property: 'host', descending: true };

/** Selects all records. */
const everything = { predicates: [], order: [descending] } as const;

/** A record set with the given hosts. */
function recordSetOf(sourceNumber: number, hosts: readonly string[], resource: Resource = directoryTeams): RecordSet {
  const records = hosts.map((host, at) => {
    const values = directoryTeams.properties.map((_, position) => (position === HOST ? host : undefined));
    return { id: `${sourceNumber}.${at}`, values };
  });
  return new RecordSet(resource, { sourceNumber }, packRecords(directoryTeams, records));
}

function queryOf(key: string, limit: number): Query {
  const order = [descending];
  const form = { access: 'public', envelope: false, pretty: false, requestParameters: [], scope: 'public' } as const;
  return { resource: directoryTeams, predicates: [], order, offset: 0, limit, canonicalKey: `public ${key}`, ...form };
}

function hostOf(record: StoredRecord): string {
  return String(record.valueAt(HOST));
}

const host = fc.constantFrom('a', 'b', 'c', 'd', 'e');
const cut = fc.record({ offset: fc.nat(50), limit: fc.nat(20) });

/** The given number of first records of a set, in order; the rest counts as not fetched. */
function topRecordsOf(set: RecordSet, first: number): RecordSet {
  const ordered = [...set.records].sort((a, b) => Number(hostOf(a) < hostOf(b)) - Number(hostOf(a) > hostOf(b)));
  const records = ordered.slice(0, first);
  return new RecordSet(set.resource, set, records, { unfetchedCount: ordered.length - records.length });
}

describe('a merged list of top records', () => {
  it('names the sources that must be read further for a page, and returns the exact page after they were', async () => {
    const hostsBySource = fc.array(fc.array(host, { maxLength: 12 }), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(
        hostsBySource,
        fc.array(fc.nat(6), { minLength: 4, maxLength: 4 }),
        cut,
        async (hostLists, firsts, page) => {
          const whole = hostLists.map((hosts, at) => recordSetOf(at + 1, hosts));
          const all = new MergedList(everything, whole, 0);
          const right = (await all.page(page.offset, page.limit)).map(({ id }) => id);
          const reach = [...firsts];
          for (;;) {
            const fronts = whole.map((set, at) => topRecordsOf(set, reach[at] ?? 0));
            const merged = new MergedList(everything, fronts, page.limit);
            expect(await merged.total()).toBe(await all.total());
            const found = (await merged.page(page.offset, page.limit)).map(({ id }) => id);
            expect(right.slice(0, found.length)).toEqual(found);
            const missing = await merged.findMissing(page.offset, page.limit);
            if (missing === undefined) {
              expect(found).toEqual(right);
              return;
            }
            const extended = fronts.flatMap((front, at) => (missing.sets.has(front) ? [at] : []));
            expect(extended.length).toBeGreaterThan(0);
            for (const at of extended) {
              expect(fronts[at]?.unfetchedCount).toBeGreaterThan(0);
              reach[at] = (reach[at] ?? 0) + 1;
            }
          }
        },
      ),
    );
  });

  it('does not request further records of a source whose top records reach beyond the page', async () => {
    const fronts = [
      topRecordsOf(recordSetOf(1, ['e', 'd', 'c', 'b', 'a']), 3),
      topRecordsOf(recordSetOf(2, ['c', 'b', 'a', 'a']), 2),
    ];
    const merged = new MergedList(everything, fronts, 2);
    expect(await merged.findMissing(0, 2)).toBeUndefined();
    expect([...((await merged.findMissing(0, 3))?.sets ?? [])]).toEqual([fronts[0]]);
  });
});

describe('a merged list', () => {
  it('returns every page of one sorted list, whichever pages are read before or concurrently', async () => {
    const hostsBySource = fc.array(fc.array(host, { maxLength: 20 }), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(
        hostsBySource,
        fc.array(cut, { minLength: 1 }),
        fc.nat(30),
        host,
        async (hostLists, cuts, first, not) => {
          const where: Predicate[] = [{ kind: 'equals', properties: ['host'], value: not }];
          const all = hostLists.flat().sort().reverse();
          const sets = hostLists.map((hosts, at) => recordSetOf(at + 1, hosts));
          const merged = new MergedList(everything, sets, first);
          const some = new MergedList({ ...everything, predicates: where }, sets, first);
          expect(await merged.total()).toBe(all.length);
          expect(await some.total()).toBe(all.filter((one) => one === not).length);
          const pages = await Promise.all(cuts.map(({ offset, limit }) => merged.page(offset, limit)));
          expect(pages.map((page) => page.map(hostOf))).toEqual(
            cuts.map(({ offset, limit }) => all.slice(offset, offset + limit)),
          );
          for (const { offset, limit } of cuts) {
            expect((await some.page(offset, limit)).map(hostOf)).toEqual(
              all.filter((one) => one === not).slice(offset, offset + limit),
            );
          }
        },
      ),
    );
  });

  it('queries each record set once for concurrent reads of the first page, and once more for later pages', async () => {
    const sets = [recordSetOf(1, ['c', 'a', 'e']), recordSetOf(2, ['b', 'd'])];
    let queries = 0;
    // Each query of a set reads the predicates once.
    const counting = {
      ...everything,
      get predicates(): Predicate[] {
        queries += 1;
        return [];
      },
    };
    const merged = new MergedList(counting, sets, 2);
    await Promise.all(Array.from({ length: 20 }, () => merged.page(0, 2)));
    await merged.page(1, 1);
    expect(queries).toBe(2);
    await Promise.all(Array.from({ length: 20 }, (_, at) => merged.page(2, 1 + (at % 3))));
    expect((await merged.page(0, 5)).map(hostOf)).toEqual(['e', 'd', 'c', 'b', 'a']);
    expect(queries).toBe(4);
  });
});

describe('cache of merged lists', () => {
  it('returns one merged list for the same query over the same record sets, and another one for other sets or queries', () => {
    const sets = new MergedListCache(new MemoryBudget(1e6).addLevel());
    const [a, b] = [recordSetOf(1, ['x']), recordSetOf(2, ['y'])];
    const made = sets.getOrCreate(queryOf('all', 10), [a, b]);
    expect(sets.getOrCreate(queryOf('all', 20), [a, b])).toBe(made);
    expect(sets.getOrCreate(queryOf('other', 10), [a, b])).not.toBe(made);
    expect(sets.getOrCreate(queryOf('all', 10), [a, recordSetOf(2, ['y'])])).not.toBe(made);
    expect(sets.getOrCreate(queryOf('all', 10), [a])).not.toBe(made);
  });

  it('drops only the merged lists that include a changed resource of a source', () => {
    const sets = new MergedListCache(new MemoryBudget(1e6).addLevel());
    const [a, b, items] = [recordSetOf(1, ['x']), recordSetOf(2, ['y']), recordSetOf(1, [], news)];
    const kept = [
      { query: queryOf('b', 10), over: [b] },
      { query: queryOf('news', 10), over: [items] },
    ].map(({ query, over }) => ({ query, over, made: sets.getOrCreate(query, over) }));
    const both = sets.getOrCreate(queryOf('both', 10), [a, b]);
    sets.dropSource(1, 'teams');
    for (const { query, over, made } of kept) expect(sets.getOrCreate(query, over)).toBe(made);
    expect(sets.getOrCreate(queryOf('both', 10), [a, b])).not.toBe(both);
  });

  it('counts the bytes of the pages read and of the state needed to read on', async () => {
    const level = new MemoryBudget(1e6).addLevel<MergedList>();
    const sets = new MergedListCache(level);
    const query = queryOf('all', 2);
    const hosts = Array.from({ length: 1_000 }, () => 'x');
    const merged = sets.getOrCreate(query, [recordSetOf(1, hosts)]);
    const bytesAtStart = level.bytes;
    await sets.readPage(query, merged);
    const first = level.bytes;
    expect(first).toBeLessThan(bytesAtStart);
    await sets.readPage({ ...query, offset: 200, limit: 300 }, merged);
    const bytesWhileReading = level.bytes;
    expect(bytesWhileReading).toBeGreaterThan(first + 500 * 8 + 1_000 * 48);
    await sets.readPage({ ...query, offset: 500, limit: 500 }, merged);
    expect(level.bytes).toBeGreaterThanOrEqual(first + 998 * 8);
    expect(level.bytes).toBeLessThan(first + 1_000 * 9);
  });
});
