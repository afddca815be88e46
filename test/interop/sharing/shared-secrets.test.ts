import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cleanUp } from '../../cli/rollcall-process.js';
import { ACCESS, AS_MEMBER } from '../../support/gateway/members-gateway.js';
import { membersUpstream } from '../../support/upstream/members-upstream.js';
import { startUpstream } from '../../support/upstream/upstream-server.js';
import type { UpstreamServer } from '../../support/upstream/upstream-server.js';
import { startRedis } from '../redis/redis-server.js';
import type { StartedProgram } from '../started-program.js';
import { configureSharing, readMetric, request, startSharing } from './sharing-instances.js';
import type { SharingInstance } from './sharing-instances.js';
import { VersionedSource, readVersions } from './versioned-source.js';

const TOKEN = 'token-of-this-gateway';

/** `cache.redis-key` of the instances. */
const KEY = 'the key of the entries in the shared memory';

/** Names in the records of the sources: for everybody, and for members. */
const [FOR_ALL, FOR_MEMBERS] = ['TEAM FOR ALL', 'TEAM FOR MEMBERS'];

const TARGET = '/directory/v1/teams?source-name=A';

const REFUSED = 'rollcall_shared_snapshots_total{event="refused"}';

let redis: StartedProgram;
let client: Redis;
let source: VersionedSource;
let members: UpstreamServer;

/** The configuration of instances; without a key their entries are neither authenticated nor encrypted. */
function configure(database: number, key?: string): object {
  const { sources, ...rest } = configureSharing([source], {
    access: ACCESS,
    cache: { redis: `redis://127.0.0.1:${redis.port}/${database}`, ...(key !== undefined && { 'redis-key': key }) },
  }) as { readonly sources: object };
  const registration = { data: members.address, resources: ['teams'], credentials: { members: { bearer: TOKEN } } };
  return {
    ...rest,
    defaults: { ttl: '2s', 'stale-while-revalidate': '0s' },
    sources: { ...sources, members: { number: 9, 'source-name': 'Members', ...registration } },
  };
}

/** Everything that a database of Redis contains. */
async function dumpRedis(database: number): Promise<string> {
  await client.select(database);
  const parts: Buffer[] = [];
  for (const key of await client.keys('*')) {
    const type = await client.type(key);
    parts.push(Buffer.from(key));
    if (type === 'hash') parts.push(...Object.values(await client.hgetallBuffer(key)));
    else if (type === 'zset') parts.push(...(await client.zrangeBuffer(key, '0', '-1')));
    else parts.push((await client.getBuffer(key)) ?? Buffer.alloc(0));
  }
  return Buffer.concat(parts).toString('latin1');
}

async function requestAll(instance: SharingInstance): Promise<void> {
  expect((await request(instance, '/directory/v1/teams')).text).toContain('A-0');
  expect((await request(instance, '/data/v1/teams?source-name=Members')).text).toContain(FOR_ALL);
  const target = '/data/v1/teams?scope=members&source-name=Members';
  expect((await request(instance, target, AS_MEMBER)).text).toContain(FOR_MEMBERS);
}

beforeAll(async () => {
  redis = await startRedis();
  client = new Redis(redis.port, '127.0.0.1');
  source = await VersionedSource.open('A');
  const area = { authorization: `Bearer ${TOKEN}`, teams: [{ id: 'b', team: FOR_MEMBERS }] };
  members = await startUpstream(membersUpstream({ teams: [{ id: 'a', team: FOR_ALL }] }, area));
});

afterAll(async () => {
  await cleanUp();
  client.disconnect();
  await redis.close();
  await Promise.all([source.close(), members.close()]);
});

describe('what instances store in Redis', () => {
  it('contains public records, and no members data, without a key', async () => {
    const [instance] = await startSharing(1, configure(1));
    if (instance === undefined) throw new Error('no instance');
    await requestAll(instance);
    await expect.poll(() => dumpRedis(1)).toContain(FOR_ALL);
    const dump = await dumpRedis(1);
    expect(['A-0', FOR_MEMBERS, TOKEN].map((text) => dump.includes(text))).toEqual([true, false, false]);
    instance.program.kill('SIGTERM');
  });

  it('is not readable with a key, and all of it is shared', async () => {
    const [first, second] = await startSharing(2, configure(2, KEY));
    if (first === undefined || second === undefined) throw new Error('no instances');
    await requestAll(first);
    const requests = members.requests.length;
    await requestAll(second);
    expect(members.requests.length - requests).toBeLessThanOrEqual(2);
    const dump = await dumpRedis(2);
    expect(dump.length).toBeGreaterThan(1_000);
    for (const text of ['A-0', 'v0.example.org', FOR_ALL, FOR_MEMBERS, TOKEN, 'short-team-name'])
      expect([text, dump.includes(text)]).toEqual([text, false]);
    for (const { program } of [first, second]) program.kill('SIGTERM');
  });
});

describe('an entry in Redis that no instance with the key wrote', () => {
  let instance: SharingInstance;
  const config = (): object => configure(3, KEY);

  beforeAll(async () => {
    const [started] = await startSharing(1, config());
    if (started === undefined) throw new Error('no instance');
    instance = started;
    await client.select(3);
  }, 60_000);

  /** Name of the entry of the list of source A, whose entries are the only ones of the directory interface. */
  const findEntries = async (): Promise<readonly string[]> => {
    const keys = await client.keys('*:entry:*');
    expect(keys.length).toBeGreaterThanOrEqual(2);
    return keys.sort();
  };

  /** Writes to the entry of a list as an instance would, and makes all instances read it. */
  const plant = async (key: string, fields: Readonly<Record<string, string | Buffer>>): Promise<void> => {
    const prefix = key.slice(0, key.indexOf('entry:'));
    const version = String(Date.now() * 1_000);
    await client.hset(key, { ...fields, version, activeAt: String(Date.now()) });
    await client.zadd(`${prefix}changes`, version, key.slice(prefix.length + 'entry:'.length));
    await client.set(`${prefix}sequence`, version);
    await client.publish(`${prefix}hints`, 'somebody');
  };

  /** Requires that entries are refused more often than before, reported, and never served. */
  const expectRefusal = async (some: SharingInstance, forge: () => Promise<void>): Promise<void> => {
    const before = (await readMetric(some, REFUSED)) ?? 0;
    await forge();
    const isRefused = async (): Promise<boolean> => {
      const { status, text } = await request(some, TARGET);
      expect([status, readVersions(text).get('A')]).toEqual([200, source.version]);
      await requestAll(some);
      return ((await readMetric(some, REFUSED)) ?? 0) > before;
    };
    await expect.poll(isRefused, { timeout: 15_000 }).toBe(true);
    expect(some.program.lines).toContainEqual(expect.objectContaining({ msg: 'entry of the shared memory refused' }));
    // Afterwards an instance replaces it.
    await expect.poll(async () => (await request(some, TARGET)).lastModified, { timeout: 15_000 }).not.toBe(null);
  };

  it('is refused: a head that is not authentic', async () => {
    for (const head of [Buffer.from('\u0001{}'), Buffer.from('\u0002 anything that is long enough to be sealed')])
      await expectRefusal(instance, async () => {
        for (const key of await findEntries()) await plant(key, { head });
      });
  });

  it('is refused: the authentic entry of another list', () =>
    expectRefusal(instance, async () => {
      const keys = await findEntries();
      const entries = await Promise.all(keys.map((key) => client.hgetallBuffer(key)));
      for (const [at, key] of keys.entries()) await plant(key, entries[(at + 1) % keys.length] ?? {});
    }));

  it('is refused: records that were altered, by an instance that starts', async () => {
    for (const key of await client.keys('*:records:*')) {
      const chunk = await client.hgetBuffer(key, '0');
      if (chunk === null) continue;
      chunk[chunk.length - 1] = (chunk.at(-1) ?? 0) ^ 1;
      await client.hset(key, '0', chunk);
    }
    // It keeps the entry of the altered records.
    instance.program.kill('SIGKILL');
    const [started] = await startSharing(1, config());
    if (started === undefined) throw new Error('no instance');
    await expectRefusal(started, () => Promise.resolve());
    instance = started;
  });

  it('is refused: a failure in place of a list', () =>
    expectRefusal(instance, async () => {
      const until = String(Date.now() + 3_600_000);
      for (const key of await findEntries())
        await client.hset(key.replace(':entry:', ':rejected:'), {
          until,
          result: Buffer.from('\u0001{"state":"failed"}'),
        });
    }));
});
