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
import type { Snapshot } from '../../../src/lists/snapshot.js';
import { firstSource } from '../../support/gateway/first-source.js';
import { packRecords } from '../../support/unit/pack-records.js';

function queryOf({
  offset = 0,
  limit = 10,
  key = 'all',
}: { readonly offset?: number; readonly limit?: number; readonly key?: string } = {}): Query {
  const order = [{ property: 'host', descending: false }];
  const form = { access: 'public', envelope: false, pretty: false, requestParameters: [], scope: 'public' } as const;
  return { resource: directoryTeams, predicates: [], order, offset, limit, canonicalKey: `public ${key}`, ...form };
}

const STALE_AT = 100_000;

/** An answer cache in front of a gateway with one source, with the means to invalidate it. */
function setUp(changed: Partial<ListPage & Pick<FederatedAnswer, 'waitReason'>> = {}): {
  /** Number of answers that the gateway has computed. */
  readonly answerCount: () => number;
  readonly list: (query: Query) => Promise<AnswerWithReport>;
  /** Sets the outcome of the source. */
  readonly setOutcome: (outcome: Outcome<Snapshot>) => void;
  readonly changeCounter: ChangeCounter;
  readonly clock: { at: number };
  readonly ids: (offset: number, limit?: number) => Promise<string>;
} {
  const sample = Array.from({ length: 25 }, (_, at) => ({ id: `a.${at}` }));
  const sets = [new RecordSet(directoryTeams, firstSource, packRecords(directoryTeams, sample))];
  const merged = new MergedListCache(new MemoryBudget(1e6).addLevel());
  const [changeCounter, clock] = [new ChangeCounter(), { at: 0 }];
  let answerCount = 0;
  const { waitReason: waited, ...list } = changed;
  let outcome: Outcome<Snapshot> = { state: 'excluded', reason: 'coverage' };
  const answer = async (query: Query): Promise<FederatedAnswer> => {
    answerCount += 1;
    const set = merged.getOrCreate(query, sets);
    const times = { verifiedAt: 0, staleAt: STALE_AT, waitAt: 2 * STALE_AT, isRefreshing: false };
    const page = { mergedList: set, total: 25, records: await merged.readPage(query, set), lists: [{ times }] };
    const complete = { ...page, completeness: 'complete', date: { lastModified: 0, isPending: false } } as const;
    const outcomes = [{ code: 'one', sourceName: 'One', outcome, milliseconds: 0 }];
    return { outcomes, ...(waited && { waitReason: waited }), list: { ...complete, ...list } };
  };
  const gateway = {
    answer,
    item: () => Promise.resolve(undefined),
    sameTeam: () => Promise.resolve(undefined),
    search: async (query: Query) => ({ ...(await answer(query)), hits: [] }),
  };
  const cache = new AnswerCache({ gateway, mergedLists: merged, changeCounter, clock: { now: () => clock.at } });
  const ids = async (offset: number, limit = 10): Promise<string> => {
    const { list: page } = await cache.getList(queryOf({ offset, limit }), defaultQueryOptions);
    return page?.records.map(({ id }) => id).join() ?? '';
  };
  return {
    answerCount: () => answerCount,
    list: (query) => cache.getList(query, defaultQueryOptions),
    setOutcome: (next) => {
      outcome = next;
    },
    changeCounter,
    clock,
    ids,
  };
}

describe('a cached answer', () => {
  test('provides further pages without querying the sources', async () => {
    const { ids, answerCount } = setUp();
    expect(await ids(0, 2)).toBe('a.0,a.1');
    expect(await ids(1, 3)).toBe('a.1,a.10,a.11');
    expect((await ids(20)).split(',')).toHaveLength(5);
    expect(await ids(30)).toBe('');
    expect(await ids(0, 0)).toBe('');
    expect(answerCount()).toBe(1);
  });

  test('is replaced after a change of a snapshot, after a second, and when a snapshot is stale', async () => {
    const { ids, answerCount, changeCounter, clock } = setUp();
    await ids(0);
    changeCounter.changes += 1;
    await ids(1);
    expect(answerCount()).toBe(2);
    clock.at += 999;
    await ids(2);
    expect(answerCount()).toBe(2);
    clock.at += 1;
    await ids(3);
    expect(answerCount()).toBe(3);
    clock.at = STALE_AT - 1;
    await ids(4);
    clock.at = STALE_AT;
    await ids(5);
    expect(answerCount()).toBe(5);
  });

  test('is replaced when a snapshot changed while the sources were queried', async () => {
    const { ids, answerCount, changeCounter } = setUp();
    const first = ids(0);
    changeCounter.changes += 1;
    await first;
    await ids(0);
    expect(answerCount()).toBe(2);
  });

  test.each<[string, Parameters<typeof setUp>[0]]>([
    ['waited for a source', { waitReason: { reason: 'miss', collapsed: false } }],
    ['is partial', { completeness: 'partial' }],
    ['is stale', { completeness: 'stale' }],
    ['has a date that has not passed', { date: { lastModified: 1_000, isPending: true } }],
  ])('is not reused when it %s', async (_, changed) => {
    const { ids, answerCount } = setUp(changed);
    await ids(0);
    await ids(1);
    expect(answerCount()).toBe(2);
  });
});

describe('the report about the sources', () => {
  test('is created once for equal outcomes, even of different queries, and again when an outcome changes', async () => {
    const { list, setOutcome, changeCounter } = setUp();
    const { report } = await list(queryOf());
    expect((await list(queryOf({ offset: 5 }))).report).toBe(report);
    changeCounter.changes += 1;
    expect((await list(queryOf())).report).toBe(report);
    expect((await list(queryOf({ key: 'other' }))).report).toBe(report);
    setOutcome({ state: 'failed', reason: 'timeout' });
    changeCounter.changes += 1;
    expect((await list(queryOf())).report.states).toBe('one,failed,timeout');
  });
});
