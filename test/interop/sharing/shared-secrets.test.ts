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
import { VersionedSource } from './versioned-source.js';

const TOKEN = 'token-of-this-gateway';

/** `cache.redis-key` of the instances. */
const KEY = 'the key of the entries in the shared memory';

/** Names in the records of the sources: for everybody, and for members. */
const [FOR_ALL, FOR_MEMBERS] = ['TEAM FOR ALL', 'TEAM FOR MEMBERS'];

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

describe('lists in Redis that no instance with the key wrote', () => {
  it('are refused, reported and replaced by an instance that starts, whose answers are right', async () => {
    const config = configure(3, KEY);
    const [first] = await startSharing(1, config);
    if (first === undefined) throw new Error('no instance');
    await requestAll(first);
    await client.select(3);
    const copies = await client.keys('*:copy:*');
    expect(copies.length).toBeGreaterThanOrEqual(3);
    first.program.kill('SIGKILL');
    await first.program.exit;
    const forged = '\u0001{}';
    for (const key of copies) await client.hset(key, 'head', forged);
    const [second] = await startSharing(1, config);
    if (second === undefined) throw new Error('no instance');
    await requestAll(second);
    await expect.poll(() => readMetric(second, REFUSED)).toBe(copies.length);
    expect(second.program.lines).toContainEqual(expect.objectContaining({ msg: 'entry of the shared memory refused' }));
    for (const key of copies) await expect.poll(() => client.hget(key, 'head')).not.toBe(forged);
  });
});
