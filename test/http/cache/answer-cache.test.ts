import { describe, expect, test } from 'vitest';
import type { FederatedAnswer, ListPage } from '../../../src/gateway/gateway.js';
import { MergedListCache } from '../../../src/gateway/merged-list-cache.js';
import { MemoryBudget } from '../../../src/cache/memory-budget.js';
import { ChangeCounter } from '../../../src/cache/change-counter.js';
import { AnswerCache } from '../../../src/http/cache/answer-cache.js';
import type { AnswerWithReport } from '../../../src/http/source-report/answer-source-report.js';
import type { Outcome } from '../../../src/model/outcome.js';
import type { Query } from '../../../src/model/query.js';
import { directoryTeams } from '../../../src/model/resources/directory-teams.js';
import { RecordSet } from '../../../src/records/record-set.js';
import { defaultQueryOptions } from '../../../src/source/request/source-request-context.js';
import type { Snapshot } from '../../../src/source/snapshot/snapshot.js';
import { packRecords } from '../../support/pack-records.js';

function queryOf({ offset = 0, limit = 10, canonicalKey: key = 'all' }: Partial<Query> = {}): Query {
  const order = [{ property: 'host', descending: false }];
  const form = { envelope: false, pretty: false, requestParameters: [], scope: 'public' } as const;
  return { resource: directoryTeams, predicates: [], order, offset, limit, canonicalKey: key, ...form };
}

const STALE_AT = 100_000;

/** A cache in front of a gateway with one source: how often that was asked, and what makes the cache ask again. */
function setUp(changed: Partial<ListPage & Pick<FederatedAnswer, 'waitReason'>> = {}): {
  readonly asked: () => number;
  readonly list: (query: Query) => Promise<AnswerWithReport>;
  /** What the source contributes from here on. */
  readonly contributes: (outcome: Outcome<Snapshot>) => void;
  readonly pulse: ChangeCounter;
  readonly clock: { at: number };
  readonly ids: (offset: number, limit?: number) => Promise<string>;
} {
  const given = Array.from({ length: 25 }, (_, at) => ({ id: `a.${at}` }));
  const sets = [new RecordSet(directoryTeams, 1, packRecords(directoryTeams, given))];
  const merged = new MergedListCache(new MemoryBudget(1e6).addLevel());
  const [pulse, clock] = [new ChangeCounter(), { at: 0 }];
  let asked = 0;
  const { waitReason: waited, ...list } = changed;
  let outcome: Outcome<Snapshot> = { state: 'excluded', reason: 'coverage' };
  const answer = async (query: Query): Promise<FederatedAnswer> => {
    asked += 1;
    const set = merged.getOrCreate(query, sets);
    const lease = { verifiedAt: 0, staleAt: STALE_AT, waitAt: 2 * STALE_AT, refreshing: false };
    const given = { mergedList: set, total: 25, records: await merged.readPage(query, set), leases: [lease] };
    const complete = { ...given, completeness: 'complete', newest: 0, unchangedSince: 0 } as const;
    const outcomes = [{ code: 'one', sourceName: 'One', outcome, milliseconds: 0 }];
    return { outcomes, ...(waited && { waitReason: waited }), list: { ...complete, ...list } };
  };
  const gateway = { answer, item: () => Promise.resolve(undefined) };
  const cache = new AnswerCache({ gateway, mergedLists: merged, changeCounter: pulse, clock: { now: () => clock.at } });
  const ids = async (offset: number, limit = 10): Promise<string> => {
    const { list: page } = await cache.getList(queryOf({ offset, limit }), defaultQueryOptions);
    return page?.records.map(({ id }) => id).join() ?? '';
  };
  return {
    asked: () => asked,
    list: (query) => cache.getList(query, defaultQueryOptions),
    contributes: (next) => {
      outcome = next;
    },
    pulse,
    clock,
    ids,
  };
}

describe('a cached answer', () => {
  test('gives further pages without asking the sources', async () => {
    const { ids, asked } = setUp();
    expect(await ids(0, 2)).toBe('a.0,a.1');
    expect(await ids(1, 3)).toBe('a.1,a.10,a.11');
    expect((await ids(20)).split(',')).toHaveLength(5);
    expect(await ids(30)).toBe('');
    expect(await ids(0, 0)).toBe('');
    expect(asked()).toBe(1);
  });

  test('is replaced when a snapshot has changed, after a second, and when a snapshot is stale', async () => {
    const { ids, asked, pulse, clock } = setUp();
    await ids(0);
    pulse.changes += 1;
    await ids(1);
    expect(asked()).toBe(2);
    clock.at += 999;
    await ids(2);
    expect(asked()).toBe(2);
    clock.at += 1;
    await ids(3);
    expect(asked()).toBe(3);
    clock.at = STALE_AT - 1;
    await ids(4);
    clock.at = STALE_AT;
    await ids(5);
    expect(asked()).toBe(5);
  });

  test('is replaced when a snapshot changed while the sources were asked', async () => {
    const { ids, asked, pulse } = setUp();
    const first = ids(0);
    pulse.changes += 1;
    await first;
    await ids(0);
    expect(asked()).toBe(2);
  });

  test.each<[string, Parameters<typeof setUp>[0]]>([
    ['waited', { waitReason: { reason: 'miss', collapsed: false } }],
    ['is partial', { completeness: 'partial' }],
    ['is stale', { completeness: 'stale' }],
  ])('is not reused when it %s', async (_, changed) => {
    const { ids, asked } = setUp(changed);
    await ids(0);
    await ids(1);
    expect(asked()).toBe(2);
  });
});

describe('the report about the sources', () => {
  test('is made once for equal outcomes, also for another query, and again when an outcome changes', async () => {
    const { list, contributes, pulse } = setUp();
    const { report } = await list(queryOf());
    expect((await list(queryOf({ offset: 5 }))).report).toBe(report);
    pulse.changes += 1;
    expect((await list(queryOf())).report).toBe(report);
    expect((await list(queryOf({ canonicalKey: 'other' }))).report).toBe(report);
    contributes({ state: 'failed', reason: 'timeout' });
    pulse.changes += 1;
    expect((await list(queryOf())).report.states).toBe('one,failed,timeout');
  });
});
