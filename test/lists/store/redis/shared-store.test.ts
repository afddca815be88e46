import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { EventOf } from '../../../../src/events/event.js';
import { EntrySealer } from '../../../../src/lists/store/redis/entry-sealer.js';
import { LEASE_MS, MAX_VALUE_BYTES } from '../../../../src/lists/store/redis/shared-lists-script.js';
import { SharedStore } from '../../../../src/lists/store/redis/shared-store.js';
import type { SharedLists } from '../../../../src/lists/shared-lists.js';
import { fakeClock } from '../../../support/fake-clock.js';
import { MemoryRedis } from '../../../support/gateway/sharing/memory-redis.js';
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
import { KEY, testSharedStore } from './store-contract.js';
import type { InstanceOptions } from './store-contract.js';

describe('a memory that instances share', () => {
  let clock = fakeClock();
  let memory = new MemoryRedis(clock);
  let events: EventOf[] = [];
  const stores: SharedStore[] = [];

  function open(options: InstanceOptions = {}): SharedStore {
    const store = new SharedStore({
      ...{ url: 'redis://127.0.0.1', namespace: 'rollcall', clock },
      sealer: new EntrySealer('key' in options ? options.key : KEY),
      publish: (event) => void events.push(event),
      connect: memory.connect,
    });
    stores.push(store);
    return store;
  }

  const openLists = (options?: InstanceOptions): SharedLists => listsOf(open(options));
  const errorsOf = (type: EventOf['type']): readonly unknown[] =>
    events.flatMap((event) => (event.type === type && 'error' in event ? [event.error] : []));

  beforeEach(() => {
    clock = fakeClock();
    memory = new MemoryRedis(clock);
    events = [];
  });
  afterEach(async () => {
    vi.useRealTimers();
    for (const store of stores.splice(0)) await store.close();
  });

  testSharedStore({ open: (options) => Promise.resolve(open(options)), now: () => clock.now() });

  it('shares no members data without a key', () => {
    const store = open({ key: undefined });
    expect(() => listsOf(store, { access: 'members' })).toThrow('nothing is shared');
    expect(() => listsOf(store)).not.toThrow();
  });

  it('shares public lists without a key, and shows nothing of them with one', async () => {
    const content = (): string => memory.field(memory.key('records:'), '0').toString();
    await publishList(openLists(), teamList(clock.now()));
    expect(content()).not.toContain('Team 1');
    memory.clear();
    await publishList(openLists({ key: undefined }), teamList(clock.now()));
    expect(content()).toContain('Team 1');
    expect((await findList(openLists({ key: undefined }))).set.records).toHaveLength(3);
  });

  it('gives no copy and no rejection after its end', async () => {
    const [a, b] = [openLists(), openLists()];
    await (await claimLease(a)).publish(teamList(clock.now()), clock.now() + 10);
    clock.advance(9);
    expect((await b.claim(TEAMS, NOTHING)).state).toBe('found');
    clock.advance(1);
    (await claimLease(b)).reject({ outcome: { state: 'failed', reason: 'timeout' }, retryAt: clock.now() + 10 });
    clock.advance(9);
    expect((await a.claim(TEAMS, NOTHING)).state).toBe('rejected');
    clock.advance(1);
    expect((await a.claim(TEAMS, NOTHING)).state).toBe('granted');
  });

  it('keeps a list for its reader as long as that lives, and gives it to another one some seconds later', async () => {
    vi.useFakeTimers();
    const [a, b] = [openLists(), openLists()];
    const lease = await claimLease(a);
    for (let renewals = 0; renewals < 10; renewals += 1) {
      clock.advance(LEASE_MS / 2);
      await vi.advanceTimersByTimeAsync(LEASE_MS / 2);
    }
    expect((await b.claim(TEAMS, NOTHING)).state).toBe('busy');
    // As a reader that was suspended.
    clock.advance(LEASE_MS);
    expect((await b.claim(TEAMS, NOTHING)).state).toBe('granted');
    await lease.publish(teamList(clock.now()), clock.now() + HOUR);
    expect((await a.claim(TEAMS, NOTHING)).state).toBe('busy');
  });

  it('lets others wait for a second at most', async () => {
    vi.useFakeTimers();
    await claimLease(openLists());
    const waiting = await openLists().claim(TEAMS, NOTHING);
    if (waiting.state !== 'busy') throw new Error(waiting.state);
    await Promise.all([waiting.change, vi.advanceTimersByTimeAsync(1_000)]);
  });

  it('leaves no lease to an instance that did not learn of it', async () => {
    memory.afterCommand = (command) =>
      command === 'claim' ? Promise.reject(new Error('the reply is lost')) : Promise.resolve();
    expect((await openLists().claim(TEAMS, NOTHING)).state).toBe('unreachable');
    memory.afterCommand = () => Promise.resolve();
    expect((await openLists().claim(TEAMS, NOTHING)).state).toBe('granted');
  });

  it('gives nothing that was forgotten while its records were read', async () => {
    const [a, b] = [open(), open()];
    const reading = listsOf(b);
    await publishList(listsOf(a), teamList(clock.now()));
    await b.waitUntilReachable(0);
    memory.afterCommand = async (command) => {
      if (command !== 'readChunk') return;
      memory.afterCommand = () => Promise.resolve();
      await listsOf(a).forget();
      await b.waitUntilReachable(0);
    };
    expect((await reading.claim(TEAMS, NOTHING)).state).toBe('granted');
  });

  it('does not take the loss of everything for a command to forget', async () => {
    const [a, b] = [open(), open()];
    let forgotten = 0;
    listsOf(b).onForget(() => (forgotten += 1), FOREVER);
    await publishList(listsOf(a), teamList(clock.now()));
    await b.waitUntilReachable(0);
    memory.clear();
    await publishList(listsOf(a), teamList(clock.now()));
    await b.waitUntilReachable(0);
    expect(forgotten).toBe(0);
    expect((await findList(listsOf(b))).set.records).toHaveLength(3);
  });

  it('reads a list anew whose records are lost', async () => {
    await publishList(openLists(), teamList(clock.now()));
    memory.delete(memory.key('records:'));
    expect((await openLists().claim(TEAMS, NOTHING)).state).toBe('granted');
    expect(events).toEqual([]);
  });

  it('writes records again that were confirmed and are lost', async () => {
    const lists = openLists();
    const list = teamList(clock.now());
    await publishList(lists, list);
    memory.delete(memory.key('records:'));
    await publishList(lists, list);
    expect((await findList(openLists())).set.records).toHaveLength(3);
  });

  const flip = (content: Buffer): Buffer =>
    Buffer.concat([content.subarray(0, -1), Buffer.of((content.at(-1) ?? 0) ^ 1)]);

  it.each<[string, string, string, (content: Buffer) => Buffer | string]>([
    ['altered head', 'copy:', 'head', flip],
    ['cut off head', 'copy:', 'head', (head) => head.subarray(0, 20)],
    ['empty head', 'copy:', 'head', () => ''],
    ['far too large head', 'copy:', 'head', () => 'x'.repeat(MAX_VALUE_BYTES + 1)],
    ['head without the key', 'copy:', 'head', () => new EntrySealer(undefined).seal('head', Buffer.from('{}'))],
    ['altered chunk of records', 'records:', '0', flip],
    ['head in place of a chunk', 'records:', '0', () => memory.field(memory.key('copy:'), 'head')],
  ])(
    'refuses an entry that another program changed, says so, and reads the list: %s',
    async (_, key, field, change) => {
      await publishList(openLists(), teamList(clock.now()));
      const name = memory.key(key);
      memory.write(name, field, change(memory.field(name, field)));
      const lists = openLists();
      expect((await lists.claim(TEAMS, NOTHING)).state).toBe('granted');
      expect(errorsOf('entry of the shared memory refused')).toHaveLength(1);
    },
  );

  it('refuses records whose chunks were exchanged', async () => {
    await publishList(openLists(), teamList(clock.now(), { teams: 10_000 }));
    const key = memory.key('records:');
    const [first, second] = [memory.field(key, '0'), memory.field(key, '1')];
    expect(second.length).toBeGreaterThan(0);
    memory.write(key, '0', second);
    memory.write(key, '1', first);
    expect((await openLists().claim(TEAMS, NOTHING)).state).toBe('granted');
    expect(errorsOf('entry of the shared memory refused')).toHaveLength(1);
  });

  it('refuses the copy of another list in place of one', async () => {
    const lists = openLists();
    await publishList(lists, teamList(clock.now()));
    const [stolen, records] = [memory.field(memory.key('copy:'), 'head'), memory.key('copy:')];
    memory.delete(records);
    const query = { ...TEAMS, nativeId: 7 };
    await publishList(lists, teamList(clock.now(), { query }));
    memory.write(memory.key('copy:'), 'head', stolen);
    expect((await openLists().claim(query, NOTHING)).state).toBe('granted');
    expect(errorsOf('entry of the shared memory refused')).toHaveLength(1);
  });

  it('refuses an earlier copy that another program made look newer', async () => {
    const list = teamList(clock.now());
    await publishList(openLists(), list);
    memory.write(memory.key('copy:'), 'verifiedAt', String(list.verifiedAt + 1));
    expect((await openLists().claim(TEAMS, { ...NOTHING, after: list.verifiedAt })).state).toBe('granted');
    expect(errorsOf('entry of the shared memory refused')).toEqual(['the entry is older than it says']);
  });

  it('refuses a copy from the future, because the age of its records is unknown', async () => {
    await publishList(openLists(), teamList(clock.now() + 501));
    expect((await openLists().claim(TEAMS, NOTHING)).state).toBe('granted');
    expect(errorsOf('entry of the shared memory refused')).toEqual(['the entry has a time in the future']);
    clock.advance(1);
    expect((await openLists().claim(TEAMS, NOTHING)).state).toBe('found');
  });

  it('refuses a rejection that another program wrote', async () => {
    (await claimLease(openLists())).reject({
      outcome: { state: 'failed', reason: 'timeout' },
      retryAt: clock.now() + 99,
    });
    memory.write(memory.key('rejected:'), 'value', 'x');
    expect((await openLists().claim(TEAMS, NOTHING)).state).toBe('granted');
    expect(errorsOf('entry of the shared memory refused')).toHaveLength(1);
  });

  it.each([
    '{"outcome":{"state":"fresh"},"retryAt":9e15}',
    '{"outcome":{"state":"failed","reason":"x"},"retryAt":9e15}',
    '1',
  ])('refuses a rejection that this program does not know: %s', async (content) => {
    const key = undefined;
    const rejection = { outcome: { state: 'failed', reason: 'timeout' }, retryAt: clock.now() + 99 } as const;
    (await claimLease(openLists({ key }))).reject(rejection);
    memory.write(memory.key('rejected:'), 'value', `\u0001${content}`);
    expect((await openLists({ key }).claim(TEAMS, NOTHING)).state).toBe('granted');
    expect(errorsOf('entry of the shared memory refused')).toEqual(['the rejection is unknown']);
  });

  it('lets each instance read for itself while it does not answer, and says since when', async () => {
    const store = open();
    const lists = listsOf(store);
    await store.waitUntilReachable(0);
    const lease = await claimLease(lists);
    clock.advance(5);
    memory.isAvailable = false;
    expect((await lists.claim(TEAMS, NOTHING)).state).toBe('unreachable');
    await lease.publish(teamList(clock.now()), clock.now() + HOUR);
    lease.reject({ outcome: { state: 'failed', reason: 'timeout' }, retryAt: clock.now() + 99 });
    lease.release();
    expect(await lists.forget()).toBe(false);
    await store.waitUntilReachable(0);
    const { status } = store;
    expect(status).toEqual({ reachable: false, error: 'Redis is not connected', since: clock.now() });
    memory.isAvailable = true;
    clock.advance(5);
    await store.waitUntilReachable(0);
    expect(store.status).toEqual({ reachable: true, since: clock.now() });
  });

  it('reports an outage once, and its end', async () => {
    vi.useFakeTimers();
    memory.isAvailable = false;
    const store = open();
    const lists = listsOf(store);
    for (let seconds = 0; seconds < 5; seconds += 1) {
      await vi.advanceTimersByTimeAsync(1_000);
      await lists.claim(TEAMS, NOTHING);
    }
    memory.isAvailable = true;
    await vi.advanceTimersByTimeAsync(2_000);
    expect(events).toMatchObject([
      { type: 'shared memory checked', isReachable: false },
      { type: 'shared memory failed' },
      { type: 'shared memory checked', isReachable: true },
      { type: 'shared memory answers again' },
    ]);
  });

  it('reports failures of single lists, at most one a minute', async () => {
    const store = open();
    await store.waitUntilReachable(0);
    memory.afterCommand = () => Promise.reject(new Error('WRONGTYPE'));
    for (const step of [0, 1_000, 60_000]) {
      clock.advance(step);
      await listsOf(store).claim(TEAMS, NOTHING);
    }
    expect(errorsOf('shared memory failed')).toEqual(['WRONGTYPE', 'WRONGTYPE']);
  });
});
