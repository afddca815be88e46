import { describe, expect, test } from 'vitest';
import type { Answer, List } from '../../src/gateway/gateway.js';
import { MergedSets } from '../../src/gateway/merged.js';
import { StandingAnswers } from '../../src/gateway/standing.js';
import { Budget } from '../../src/hold/budget.js';
import { Pulse } from '../../src/hold/pulse.js';
import type { Query } from '../../src/model/query.js';
import { directoryTeams } from '../../src/model/resources/directory-teams.js';
import { RecordSet } from '../../src/records/record-set.js';
import { openly } from '../../src/source/asking.js';
import { recordsOf } from '../support/records.js';

function queryOf(offset: number, limit = 10): Query {
  const order = [{ property: 'host', descending: false }];
  const form = { envelope: false, pretty: false, asked: [], scope: 'public' } as const;
  return { resource: directoryTeams, where: [], order, offset, limit, key: 'all', ...form };
}

const STALE_AT = 100_000;

/** Sources that were asked so often, and what makes them asked again. */
function house(told: Partial<List & Pick<Answer, 'waited'>> = {}): {
  readonly asked: () => number;
  readonly pulse: Pulse;
  readonly clock: { at: number };
  readonly ids: (offset: number, limit?: number) => Promise<string>;
} {
  const given = Array.from({ length: 25 }, (_, at) => ({ id: `a.${at}` }));
  const sets = [new RecordSet(directoryTeams, 1, recordsOf(directoryTeams, given))];
  const merged = new MergedSets(new Budget(1e6).level());
  const [pulse, clock] = [new Pulse(), { at: 0 }];
  let asked = 0;
  const { waited, ...list } = told;
  const answer = async (query: Query): Promise<Answer> => {
    asked += 1;
    const set = merged.of(query, sets);
    const lease = { verifiedAt: 0, staleAt: STALE_AT, waitAt: 2 * STALE_AT, refreshing: false };
    const given = { merged: set, total: 25, records: await merged.page(query, set), leases: [lease] };
    const complete = { ...given, completeness: 'complete', newest: 0, unchangedSince: 0 } as const;
    return { outcomes: [], ...(waited && { waited }), list: { ...complete, ...list } };
  };
  const standing = new StandingAnswers({ answer, merged, pulse, clock: { now: () => clock.at } });
  const ids = async (offset: number, limit?: number): Promise<string> => {
    const { list: page } = await standing.answer(queryOf(offset, limit), openly);
    return page?.records.map(({ id }) => id).join() ?? '';
  };
  return { asked: () => asked, pulse, clock, ids };
}

describe('an answer that stands', () => {
  test('gives further pages without asking, each as it would be asked for', async () => {
    const { ids, asked } = house();
    expect(await ids(0, 2)).toBe('a.0,a.1');
    expect(await ids(1, 3)).toBe('a.1,a.10,a.11');
    expect((await ids(20)).split(',')).toHaveLength(5);
    expect(await ids(30)).toBe('');
    expect(await ids(0, 0)).toBe('');
    expect(asked()).toBe(1);
  });

  test('is asked for again once anything that is held has changed, after a second, and when a copy is past its time', async () => {
    const { ids, asked, pulse, clock } = house();
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

  test('is asked for again where a change came while it was asked for', async () => {
    const { ids, asked, pulse } = house();
    const first = ids(0);
    pulse.changes += 1;
    await first;
    await ids(0);
    expect(asked()).toBe(2);
  });

  test.each<[string, Parameters<typeof house>[0]]>([
    ['waited', { waited: { why: 'miss', collapsed: false } }],
    ['lacks something', { completeness: 'partial' }],
    ['rests on a last good copy', { completeness: 'stale' }],
  ])('is asked for again where it %s', async (_, told) => {
    const { ids, asked } = house(told);
    await ids(0);
    await ids(1);
    expect(asked()).toBe(2);
  });
});
