import { expect, it } from 'vitest';
import type { SharedSource } from '../../../../src/lists/store/redis/list-claim.js';
import type { SharedStore } from '../../../../src/lists/store/redis/shared-store.js';
import type { SharedLists } from '../../../../src/lists/shared-lists.js';
import type { StoredList } from '../../../../src/lists/stored-list.js';
import { news } from '../../../../src/model/resources/news.js';
import { directoryTeams } from '../../../../src/model/resources/directory-teams.js';
import { completeListQuery, largeCompleteListQuery } from '../../../../src/source/request/source-query.js';
import type { SourceQuery } from '../../../../src/source/request/source-query.js';
import { RecordSet } from '../../../../src/records/record-set.js';
import {
  FOREVER,
  HOUR,
  NOTHING,
  TEAMS,
  claimLease,
  findList,
  listsOf,
  publishList,
  teamList,
} from './shared-team-list.js';

/** What differs from the instance that a test opens by default. */
export interface InstanceOptions {
  readonly key?: string | undefined;
}

export interface StoreFixture {
  /** An instance that is connected to a memory that is empty at the beginning of each test. */
  readonly open: (options?: InstanceOptions) => Promise<SharedStore>;
  readonly now: () => number;
}

export const KEY = 'a secret of more than thirty-two characters';

function describeRecords({ set }: StoredList): unknown {
  return set.records.map(({ id, values, extraProperties }) => [id, values, extraProperties]);
}

/** What each memory does, whatever it is made of. */
export function testSharedStore({ open, now }: StoreFixture): void {
  const openLists = async (options?: InstanceOptions): Promise<SharedLists> => listsOf(await open(options));

  it('gives a list to another instance with all of its parts', async () => {
    const [a, b] = [await openLists(), await openLists()];
    const plain = teamList(now(), { teams: 5_000 });
    const { records } = plain.set;
    const facts = { readAt: 5, contestedIds: new Map([['x', ['y', 'z']]]), unfetchedCount: 7, isTruncated: true };
    const list: StoredList = {
      ...plain,
      set: new RecordSet(directoryTeams, { sourceNumber: 1 }, records, facts),
      ...{ changedAt: 1_000, lastModified: 2_000, via: ['1.1 gateway'], unreadProperties: ['host'] },
      expressions: { entryCount: 9, recordCount: 8, valueCounts: new Map([['id', 8]]), failures: new Map() },
      validators: [
        {
          ...{ url: new URL('http://alpha.example.org/'), condition: { 'if-none-match': '"a"' } },
          ...{ freshnessLifetime: Infinity, headerTotal: 9 },
        },
      ],
    };
    await publishList(a, list);
    const found = await findList(b);
    const { set, ...rest } = found;
    expect(rest).toEqual(Object.fromEntries(Object.entries(list).filter(([name]) => name !== 'set')));
    expect(set).toMatchObject(facts);
    expect(describeRecords(found)).toEqual(describeRecords(list));
  });

  it('gives an empty list as such', async () => {
    const [a, b] = [await openLists(), await openLists()];
    await publishList(a, teamList(now(), { teams: 0 }));
    expect((await findList(b)).set.records).toEqual([]);
  });

  it('lets one instance read a list, and tells the others when it was published', async () => {
    const [a, b] = [await openLists(), await openLists()];
    const lease = await claimLease(a);
    const waiting = await b.claim(TEAMS, NOTHING);
    if (waiting.state !== 'busy') throw new Error(waiting.state);
    await lease.publish(teamList(now()), now() + HOUR);
    await waiting.change;
    expect((await findList(b)).set.records).toHaveLength(3);
  });

  it('lets another instance read a list when the first one gave up', async () => {
    const [a, b] = [await openLists(), await openLists()];
    (await claimLease(a)).release();
    await expect.poll(async () => (await b.claim(TEAMS, NOTHING)).state).toBe('granted');
  });

  it('gives a copy only to an instance whose own list is older', async () => {
    const [a, b] = [await openLists(), await openLists()];
    const list = teamList(now());
    await publishList(a, list);
    const { verifiedAt } = list;
    expect((await b.claim(TEAMS, { ...NOTHING, after: verifiedAt - 1 })).state).toBe('found');
    expect((await b.claim(TEAMS, { ...NOTHING, after: verifiedAt })).state).toBe('granted');
  });

  it('gives a stale copy only to an instance without a list, or in place of a rejection', async () => {
    const [a, b] = [await openLists(), await openLists()];
    const list = teamList(now(), { staleAt: now() - 1 });
    await publishList(a, list);
    expect((await findList(b)).staleAt).toBe(list.staleAt);
    const older = { ...NOTHING, after: list.verifiedAt - 1 };
    const claim = await b.claim(TEAMS, older);
    if (claim.state !== 'granted') throw new Error(claim.state);
    claim.lease.reject({ outcome: { state: 'failed', reason: 'timeout' }, retryAt: now() + HOUR });
    await expect.poll(async () => (await a.claim(TEAMS, older)).state).toBe('found');
    expect((await a.claim(TEAMS, { ...NOTHING, after: list.verifiedAt })).state).toBe('rejected');
  });

  it('gives a rejection to the others, but not to an operator, and not after a list was published', async () => {
    const [a, b] = [await openLists(), await openLists()];
    const rejection = {
      outcome: { state: 'failed', reason: 'status', detail: { status: 500 }, via: ['1.1 a'] } as const,
      retryAt: now() + HOUR,
      doubt: { records: 50, trustedAt: 1_000, doubt: { since: 2_000, records: 3 } },
    };
    (await claimLease(a)).reject(rejection);
    await expect.poll(() => b.claim(TEAMS, NOTHING)).toEqual({ state: 'rejected', rejection });
    const list = teamList(now());
    await publishList(b, list);
    expect((await a.claim(TEAMS, { ...NOTHING, after: list.verifiedAt })).state).toBe('granted');
  });

  it('does not transfer records again that were only confirmed', async () => {
    const [a, b] = [await openLists(), await openLists()];
    const list = teamList(now() - 1_000);
    await publishList(a, list);
    const first = await findList(b);
    await publishList(a, { ...list, verifiedAt: list.verifiedAt + 1 });
    const second = await b.claim(TEAMS, { ...NOTHING, after: first.verifiedAt });
    expect(second.state === 'found' && second.list.verifiedAt).toBe(list.verifiedAt + 1);
    expect(second.state === 'found' && second.list.set).toBe(first.set);
    await publishList(b, { ...first, verifiedAt: list.verifiedAt + 2 });
    expect((await findList(a)).set).toBe(list.set);
  });

  it('forgets a source at all access levels, and tells the other instances once', async () => {
    const [a, b] = [await open(), await open()];
    const [ofA, ofB] = [listsOf(a), listsOf(b)];
    const members = listsOf(b, { access: 'members' });
    let forgotten = { a: 0, b: 0, members: 0, closed: 0, other: 0 };
    const closed = new AbortController();
    ofA.onForget(() => (forgotten = { ...forgotten, a: forgotten.a + 1 }), FOREVER);
    ofB.onForget(() => (forgotten = { ...forgotten, b: forgotten.b + 1 }), FOREVER);
    ofB.onForget(() => (forgotten = { ...forgotten, closed: forgotten.closed + 1 }), closed.signal);
    members.onForget(() => (forgotten = { ...forgotten, members: forgotten.members + 1 }), FOREVER);
    listsOf(b, { code: 'beta' }).onForget(() => (forgotten = { ...forgotten, other: forgotten.other + 1 }), FOREVER);
    closed.abort();
    await publishList(ofA, teamList(now()));
    await publishList(members, teamList(now()));
    for (const store of [a, b]) await store.waitUntilReachable(0);
    expect(await ofA.forget()).toBe(true);
    await expect.poll(() => forgotten).toEqual({ a: 0, b: 1, members: 1, closed: 0, other: 0 });
    for (const store of [a, b]) await store.waitUntilReachable(0);
    expect(forgotten).toEqual({ a: 0, b: 1, members: 1, closed: 0, other: 0 });
    for (const lists of [ofB, members]) expect((await lists.claim(TEAMS, NOTHING)).state).toBe('granted');
  });

  it('tells an instance that has only just read a list', async () => {
    const [a, b] = [await openLists(), await open()];
    let forgotten = 0;
    listsOf(b).onForget(() => (forgotten += 1), FOREVER);
    await publishList(listsOf(b), teamList(now()));
    await a.forget();
    await b.waitUntilReachable(0);
    await expect.poll(() => forgotten).toBe(1);
  });

  it('does not share what was being read when the source was forgotten', async () => {
    const [a, b] = [await openLists(), await openLists()];
    const lease = await claimLease(b);
    await a.forget();
    await lease.publish(teamList(now()), now() + HOUR);
    const claim = await a.claim(TEAMS, NOTHING);
    expect(claim.state).toBe('granted');
  });

  it.each<[string, InstanceOptions, Partial<SharedSource>]>([
    ['two configurations', {}, { configuration: 'other' }],
    ['two keys', { key: `${KEY}.` }, {}],
    ['instances with and without a key', { key: undefined }, {}],
    ['two sources', {}, { code: 'beta' }],
    ['two definitions of a source', {}, { fingerprints: { definition: 'other', context: 'c' } }],
    ['two contexts of a source', {}, { fingerprints: { definition: 'd', context: 'other' } }],
    ['two access levels', {}, { access: 'members' }],
  ])('shares nothing between %s', async (_, options, source) => {
    await publishList(await openLists(), teamList(now()));
    expect((await listsOf(await open(options), source).claim(TEAMS, NOTHING)).state).toBe('granted');
  });

  it('shares members data only under the same credentials', async () => {
    const lists = async (credentials: string): Promise<SharedLists> =>
      listsOf(await open(), { access: 'members', credentials });
    await publishList(await lists('one'), teamList(now()));
    expect((await (await lists('one')).claim(TEAMS, NOTHING)).state).toBe('found');
    expect((await (await lists('two')).claim(TEAMS, NOTHING)).state).toBe('granted');
  });

  const topRecords = (first: number): SourceQuery => ({
    ...{ resource: directoryTeams, parameters: { sort: 'country' } },
    pushDown: { exact: [], hasExactTotal: true, topRecords: { order: [], first } },
  });

  it.each<[string, SourceQuery]>([
    ['the large list', largeCompleteListQuery(directoryTeams)],
    ['another resource', completeListQuery(news)],
    ['a pushed-down query', topRecords(100)],
    ['more top records', topRecords(200)],
    ['one item', { resource: directoryTeams, parameters: {}, nativeId: 7 }],
  ])('keeps each list apart from the others, and shares it: %s', async (_, query) => {
    const [a, b] = [await openLists(), await openLists()];
    for (const other of [TEAMS, topRecords(300)]) await publishList(a, teamList(now(), { query: other }));
    expect((await b.claim(query, NOTHING)).state).toBe('granted');
    const third = await openLists();
    expect((await third.claim(query, NOTHING)).state).toBe('busy');
  });
}
