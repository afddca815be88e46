import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { EntrySealer } from '../../../src/lists/store/redis/entry-sealer.js';
import { MAX_VALUE_BYTES } from '../../../src/lists/store/redis/shared-lists-script.js';
import { SharedStore } from '../../../src/lists/store/redis/shared-store.js';
import type { SharedLists } from '../../../src/lists/shared-lists.js';
import { systemClock } from '../../../src/model/clock.js';
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
} from '../../lists/store/redis/shared-team-list.js';
import { KEY, testSharedStore } from '../../lists/store/redis/store-contract.js';
import type { InstanceOptions } from '../../lists/store/redis/store-contract.js';
import { programs } from '../programs.js';
import type { StartedProgram } from '../started-program.js';
import { commandRedis, startRedis } from './redis-server.js';

describe.each(['redis', 'valkey'] as const)('lists that instances share in %s', (name) => {
  let server: StartedProgram;
  let namespace: string = randomUUID();
  const stores: SharedStore[] = [];
  const events: string[] = [];

  function open(options: InstanceOptions = {}, user = ''): SharedStore {
    const store = new SharedStore({
      ...{ url: `redis://${user}127.0.0.1:${server.port}`, namespace, clock: systemClock },
      sealer: new EntrySealer('key' in options ? options.key : KEY),
      publish: (event) => void events.push('error' in event ? `${event.type}: ${event.error}` : event.type),
    });
    stores.push(store);
    return store;
  }

  /** Without a list of its own. */
  async function connectQuietly(options?: InstanceOptions, user?: string): Promise<SharedStore> {
    const store = open(options, user);
    await expect.poll(() => store.waitUntilReachable(0).then(() => store.status.reachable)).toBe(true);
    return store;
  }

  async function connect(options?: InstanceOptions, user?: string): Promise<SharedStore> {
    const store = await connectQuietly(options, user);
    // Uses each connection. A loaded machine may take longer than an instance waits.
    const probe = listsOf(store, { code: randomUUID() });
    await expect.poll(() => publishList(probe, teamList(Date.now())).then(() => isFound(probe))).toBe(true);
    return store;
  }

  const isFound = async (lists: SharedLists): Promise<boolean> => {
    const claim = await lists.claim(TEAMS, NOTHING);
    if (claim.state === 'granted') claim.lease.release();
    return claim.state === 'found';
  };
  const command = (...args: readonly [string, ...string[]]): Promise<unknown> =>
    commandRedis(server.port, args[0], ...args.slice(1));
  const keys = async (pattern: string): Promise<readonly string[]> => {
    const found = await command('keys', `{${namespace}}:${pattern}`);
    return Array.isArray(found) ? found.map(String) : [];
  };

  beforeAll(async () => {
    server = await startRedis([], { program: programs[name] });
  });
  afterEach(async () => {
    for (const store of stores.splice(0)) await store.close();
    namespace = randomUUID();
    events.length = 0;
  });
  afterAll(() => server.close());

  testSharedStore({ open: connect, now: () => Date.now() });

  it('gives each key a time after which it is deleted', async () => {
    const lists = listsOf(await connect());
    await publishList(lists, teamList(Date.now()));
    await claimLease(lists, { ...TEAMS, nativeId: 1 });
    const rejected = { ...TEAMS, nativeId: 2 };
    (await claimLease(lists, rejected)).reject({
      outcome: { state: 'failed', reason: 'timeout' },
      retryAt: Date.now() + HOUR,
    });
    await lists.forget();
    await expect.poll(async () => (await keys('rejected:*')).length).toBe(1);
    for (const key of await keys('*')) expect([key, Number(await command('pttl', key)) > 0]).toEqual([key, true]);
  });

  it('deletes copies and rejections at their end', async () => {
    const lists = listsOf(await connect());
    await (await claimLease(lists)).publish(teamList(Date.now()), Date.now() + 300);
    const query = { ...TEAMS, nativeId: 2 };
    (await claimLease(lists, query)).reject({
      outcome: { state: 'failed', reason: 'timeout' },
      retryAt: Date.now() + 300,
    });
    await expect.poll(async () => (await lists.claim(TEAMS, NOTHING)).state).toBe('granted');
    await expect.poll(async () => (await lists.claim(query, NOTHING)).state).toBe('granted');
  });

  it('keeps the records of a copy as long as the copy, and those that it replaced for a minute', async () => {
    const lists = listsOf(await connect());
    const known = new Set(await keys('records:*'));
    const readMinutes = async (): Promise<readonly number[]> => {
      const added = (await keys('records:*')).filter((key) => !known.has(key));
      const minutes = added.map(async (key) => Math.ceil(Number(await command('pttl', key)) / 60_000));
      return (await Promise.all(minutes)).toSorted((a, b) => a - b);
    };
    await publishList(lists, teamList(Date.now()));
    expect(await readMinutes()).toEqual([120]);
    await publishList(lists, teamList(Date.now()));
    expect(await readMinutes()).toEqual([1, 120]);
  });

  it('reads no value that is too large', async () => {
    await publishList(listsOf(await connect()), teamList(Date.now()));
    const script = `redis.call('hset', KEYS[1], 'head', string.rep('x', ${MAX_VALUE_BYTES + 1}))`;
    for (const key of await keys('copy:*')) await command('eval', script, '1', key);
    expect((await listsOf(await connectQuietly()).claim(TEAMS, NOTHING)).state).toBe('granted');
    expect(events).toEqual(expect.arrayContaining([expect.stringMatching('^entry of the shared memory refused')]));
  });

  it('needs no right to administer the server, and to no keys but its own', async () => {
    const rights = ['resetchannels', `~{${namespace}}:*`, '+@all', '-@admin', '-@dangerous'];
    await command('acl', 'setuser', 'rollcall', 'on', 'nopass', ...rights);
    const [a, b] = [await connect({}, 'rollcall:any@'), await connect({}, 'rollcall:any@')];
    await publishList(listsOf(a), teamList(Date.now()));
    expect((await findList(listsOf(b))).set.records).toHaveLength(3);
    expect(await listsOf(a).forget()).toBe(true);
  });

  it.each(['copy', 'rejected', 'records'])(
    'lets an instance read for itself where another program wrote a value of another type: %s',
    async (kind) => {
      await publishList(listsOf(await connect()), teamList(Date.now()));
      const name = (key: string): string => (kind === 'rejected' ? key.replace('copy:', 'rejected:') : key);
      for (const key of (await keys(kind === 'records' ? 'records:*' : 'copy:*')).map(name)) {
        await command('del', key);
        await command('sadd', key, 'x');
      }
      const claim = await listsOf(await connectQuietly()).claim(TEAMS, NOTHING);
      expect(claim).toEqual({ state: 'unreachable' });
      expect(events.join('\n')).toContain('shared memory failed: Redis: ');
    },
  );

  it('goes on after the server forgot its scripts', async () => {
    const lists = listsOf(await connect());
    await command('script', 'flush');
    await publishList(lists, teamList(Date.now()));
    expect(await isFound(lists)).toBe(true);
  });

  it('goes on after the server was paused, took no writes, was full, or was restarted empty', async () => {
    const store = await connect();
    const lists = listsOf(store);
    let forgotten = 0;
    lists.onForget(() => (forgotten += 1), FOREVER);
    await publishList(lists, teamList(Date.now()));
    const outages: readonly (readonly [string, () => unknown, () => unknown])[] = [
      ['no reply within|connection was lost', () => server.signal('SIGSTOP'), () => server.signal('SIGCONT')],
      ['READONLY', () => command('replicaof', '127.0.0.1', '1'), () => command('replicaof', 'no', 'one')],
      ['OOM', () => command('config', 'set', 'maxmemory', '1'), () => command('config', 'set', 'maxmemory', '0')],
      [
        'ECONNREFUSED|closed by the server',
        () => server.close(),
        async () => (server = await startRedis([], { port: server.port, program: programs[name] })),
      ],
    ];
    for (const [reason, begin, end] of outages) {
      await begin();
      await expect.poll(() => store.status.error).toMatch(new RegExp(reason));
      expect((await lists.claim({ ...TEAMS, nativeId: 3 }, NOTHING)).state).toBe('unreachable');
      expect(await lists.forget()).toBe(false);
      await end();
      await expect.poll(() => store.status.reachable).toBe(true);
      await expect.poll(() => publishList(lists, teamList(Date.now())).then(() => isFound(lists))).toBe(true);
    }
    expect(forgotten).toBe(0);
  });

  it('shares nothing with a wrong password, which it never reports', async () => {
    const secret = 'wrong:p@ss word';
    await command('acl', 'setuser', 'guarded', 'on', '>right:p@ss word', '~*', '+@all');
    const store = open({}, `guarded:${encodeURIComponent(secret)}@`);
    await expect.poll(() => store.status.error).toContain('Redis is not connected: WRONGPASS');
    expect((await listsOf(store).claim(TEAMS, NOTHING)).state).toBe('unreachable');
    await expect.poll(() => events.join('\n')).toContain('WRONGPASS');
    expect(events.join('\n')).not.toContain(secret);
    await connect({}, `guarded:${encodeURIComponent('right:p@ss word')}@`);
  });
});
