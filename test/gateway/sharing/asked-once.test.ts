import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startGateway } from '../../support/gateway/test-gateway.js';
import type { GatewayResponse, GatewaySetup, TestGateway } from '../../support/gateway/test-gateway.js';
import { fakeClock } from '../../support/fake-clock.js';
import type { FakeClock } from '../../support/fake-clock.js';
import { MemoryRedis } from '../../support/gateway/sharing/memory-redis.js';
import { joinMemory } from '../../support/gateway/sharing/shared-instances.js';
import type { SharedInstance } from '../../support/gateway/sharing/shared-instances.js';
import { dataUpstream } from '../../support/upstream/data-upstream.js';
import { directoryUpstream } from '../../support/upstream/directory-upstream.js';
import * as faulty from '../../support/upstream/faulty-responses.js';
import { startUpstream } from '../../support/upstream/upstream-server.js';
import type { RequestHandler, UpstreamServer } from '../../support/upstream/upstream-server.js';

const TEAMS = Array.from({ length: 30 }, (_, at) => ({
  'short-team-name': `T${String(at).padStart(2, '0')}`,
  'country-code': at % 2 === 0 ? 'NO' : 'SE',
}));
const DATA = {
  teams: TEAMS.map(({ 'short-team-name': team }, at) => ({ id: `t${at}`, team, country: 'NO' })),
  news: TEAMS.map((_, at) => ({ id: at + 1, title: `N${at}`, channels: ['alerts'], published: '2025-06-01' })),
  channels: [{ id: 1, title: 'alerts' }],
};

let clock: FakeClock;
let memory: MemoryRedis;
let upstream: UpstreamServer;
let gateways: TestGateway[] = [];
let instances: SharedInstance[] = [];

beforeEach(async () => {
  clock = fakeClock();
  memory = new MemoryRedis(clock);
  [gateways, instances] = [[], []];
  upstream = await startUpstream(faulty.status(500));
});
afterEach(async () => {
  await Promise.all(gateways.map((gateway) => gateway.close()));
  await Promise.all(instances.map((instance) => instance.close()));
  await upstream.close();
});

/** Starts instances that share the memory; without `isShared`, one that shares nothing. */
async function start(count: number, source: object, isShared = true): Promise<void> {
  const setup: GatewaySetup = {
    server: { name: 'rollcall-shared' },
    defaults: { ttl: '10s', retries: 0 },
    sources: { own: source },
  };
  for (let at = 0; at < count; at += 1) {
    const instance = isShared ? await joinMemory(memory, { clock }) : undefined;
    if (instance !== undefined) instances.push(instance);
    gateways.push(await startGateway(setup, { clock, ...(instance && { sharedStore: instance.store }) }));
  }
}

/** Requests a target of all instances at the same time, twice. */
async function requestEverywhere(target: string): Promise<readonly GatewayResponse[]> {
  const responses: GatewayResponse[] = [];
  for (let times = 0; times < 2; times += 1)
    responses.push(...(await Promise.all(gateways.map((gateway) => gateway.get(target)))));
  return responses;
}

/** Number of requests to the source that a target takes. */
async function countRequests(count: number, source: object, target: string, isShared = true): Promise<number> {
  await start(count, source, isShared);
  const responses = await requestEverywhere(target);
  expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
  expect(responses.map(({ status }) => status)).not.toContain(502);
  return upstream.requests.length;
}

const directory: RequestHandler = directoryUpstream(TEAMS);
const data: RequestHandler = dataUpstream(DATA, { keys: 'pgp' });
/** Evaluates the filter that `large` declares. */
const filtering: RequestHandler = (request, response) => {
  const country = request.query.get('country');
  const matches = TEAMS.filter((team) => country === null || team['country-code'] === country);
  directoryUpstream(matches)(request, response);
};
const large = {
  'drain-threshold': 5,
  'page-size': 5,
  supports: { teams: { filters: ['country'], sort: ['short-team-name'], total: true } },
};

const CASES = [
  { title: 'a list', target: '/directory/v1/teams', kind: 'directory', handler: directory, settings: {} },
  { title: 'keys', target: '/data/v1/teams?scope=pgp', kind: 'data', handler: data, settings: {} },
  { title: 'a channel', target: '/data/v1/news?channel=alerts', kind: 'data', handler: data, settings: {} },
  { title: 'a news item', target: '/data/v1/news/1001', kind: 'data', handler: data, settings: {} },
  {
    title: 'a query that the source evaluates',
    target: '/directory/v1/teams?country=NO&limit=3',
    kind: 'directory',
    handler: filtering,
    settings: large,
  },
];

describe('one of three instances', () => {
  it.each(CASES)('requests $title of the source', async ({ target, kind, handler, settings }) => {
    upstream.handler = handler;
    const source = { [kind]: upstream.address, ...settings };
    const alone = await countRequests(1, source, target, false);
    await Promise.all(gateways.map((gateway) => gateway.close()));
    gateways = [];
    upstream.forget();
    expect(await countRequests(3, source, target)).toBe(alone);
  });
});

describe('a source that fails', () => {
  it('is asked by one of three instances, and the others show the same failure', async () => {
    await start(3, { directory: upstream.address });
    const responses = await requestEverywhere('/directory/v1/teams');
    expect(responses.map(({ headers }) => headers.get('source-status'))).toEqual(
      responses.map(() => 'own;state=failed;reason=status;status=500'),
    );
    expect(upstream.requests.length).toBe(1);
  });
});

describe('an instance that does not reach the memory', () => {
  it('asks the source itself, and gives the same answer', async () => {
    upstream.handler = directory;
    await start(2, { directory: upstream.address });
    const [first, second] = gateways;
    const shared = await first?.get('/directory/v1/teams');
    const requests = upstream.requests.length;
    for (const instance of instances.slice(1)) instance.isCutOff = true;
    const alone = await second?.get('/directory/v1/teams');
    expect([alone?.status, alone?.text, alone?.headers.get('etag')]).toEqual([
      200,
      shared?.text,
      shared?.headers.get('etag'),
    ]);
    expect(upstream.requests.length).toBe(2 * requests);
  });
});
