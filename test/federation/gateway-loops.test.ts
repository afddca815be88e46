import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dataUpstream } from '../support/upstream/data-upstream.js';
import { directoryUpstream } from '../support/upstream/directory-upstream.js';
import { GatewayFederation, RECHECK_INTERVAL, TTL } from './gateway-federation.js';
import type { FederationResponse } from './gateway-federation.js';

let federation: GatewayFederation;

beforeEach(() => {
  federation = new GatewayFederation();
});

afterEach(async () => {
  await federation.close();
});

/** A gateway responds to another gateway within a quarter of its deadline; the timeout of the other one must be much longer (decisions 5.23). */
const TIMING = { server: { deadline: '1600ms' }, defaults: { timeout: '2s' } };

type Sources = Readonly<Record<string, object>>;

/** Starts a repository for a gateway, with one team and one news item named after the gateway. */
async function ownRepository(key: string): Promise<Sources> {
  const teams = await federation.upstream(directoryUpstream([{ 'short-team-name': key }]));
  const item = { id: 7, title: key, link: `https://${key}.example.org/7`, published: 'Tue, 02 Jun 2026 10:00:00 GMT' };
  const news = await federation.upstream(dataUpstream({ news: [item] }));
  return { [`own-${key}`]: { directory: teams.address, data: news.address } };
}

function aggregate(key: string): object {
  return { aggregate: true, directory: GatewayFederation.base(key), data: GatewayFederation.base(key, 'data') };
}

/** Starts a gateway with its own repository and other gateways as sources. */
async function startOver(key: string, over: readonly string[], setup: object = {}): Promise<void> {
  const aggregates = Object.fromEntries(over.map((other) => [`over-${other}`, aggregate(other)]));
  await federation.start(key, { ...TIMING, ...setup, sources: { ...(await ownRepository(key)), ...aggregates } });
}

/** Starts a ring of gateways: the source of each is the next one, and the source of the last is the first. */
async function startRing(size: number, start = startOver): Promise<readonly string[]> {
  const keys = ['a', 'b', 'c', 'd', 'e'].slice(0, size);
  for (const [at, key] of keys.entries()) await start(key, [keys[(at + 1) % size] ?? '']);
  return keys;
}

type RequestOrder = 'concurrently' | 'in order' | 'in reverse order';

interface RoundOptions {
  readonly order?: RequestOrder;
  /** Milliseconds by which the clock advances before the requests. */
  readonly later?: number;
  readonly target?: string;
}

/** Advances the clock, sends one request to each gateway and returns the responses by key. */
async function requestAll(
  keys: readonly string[],
  { order = 'concurrently', later = RECHECK_INTERVAL + 1, target = '/directory/v1/teams' }: RoundOptions = {},
): Promise<Readonly<Record<string, FederationResponse>>> {
  federation.clock.advance(later);
  const responses = new Map<string, FederationResponse>();
  const request = async (key: string): Promise<void> => {
    responses.set(key, await federation.request(key, target));
  };
  if (order === 'concurrently') await Promise.all(keys.map(request));
  else for (const key of order === 'in order' ? keys : keys.toReversed()) await request(key);
  await federation.waitUntilIdle();
  return Object.fromEntries(responses);
}

/** Requires that every gateway returns its own team and reports the other gateways as excluded loops. */
function expectLoops(responses: Readonly<Record<string, FederationResponse>>): void {
  for (const [key, { status, names, sources }] of Object.entries(responses)) {
    expect({ key, status, names }).toEqual({ key, status: 200, names: [key] });
    const others = Object.entries(sources).filter(([code]) => code.startsWith('over-'));
    expect(others.map(([, outcome]) => outcome)).toEqual(others.map(() => 'excluded loop'));
  }
}

describe('a ring of gateways', () => {
  const orders: readonly RequestOrder[] = ['concurrently', 'in order', 'in reverse order'];
  const small = [1, 2, 3].flatMap((size) => orders.map((order) => [size, order] as const));
  const cases = [...small, [5, 'concurrently'] as const];

  it.each(cases)(
    'of %i, with a cold cache and requests %s, is detected in as many rounds and remains detected',
    async (size, order) => {
      const keys = await startRing(size);
      for (let round = 0; round < size; round += 1) {
        const responses = await requestAll(keys, { order });
        // Until then incomplete responses are not cacheable.
        for (const { sources, headers } of Object.values(responses))
          if (JSON.stringify(sources).includes('upstream')) expect(headers.get('cache-control')).toBe('no-store');
        expect(federation.takeRequests().length).toBeLessThanOrEqual(size);
      }
      for (const later of [RECHECK_INTERVAL + 1, TTL + 1, 1, TTL + 1, 2 * TTL, 100 * TTL, RECHECK_INTERVAL + 1]) {
        expectLoops(await requestAll(keys, { order, later }));
        // Each link is checked once, for any number of clients.
        expect(federation.takeRequests().length).toBeLessThanOrEqual(size);
      }
    },
  );

  it('is detected if the gateways have default names', async () => {
    const keys = await startRing(3, (key, over) =>
      startOver(key, over, { server: { ...TIMING.server, name: undefined } }),
    );
    for (let round = 0; round < 3; round += 1) await requestAll(keys);
    const responses = await requestAll(keys);
    expectLoops(responses);
    const names = (responses['a']?.via ?? '').match(/rollcall-[0-9a-f]{8}/g);
    expect(new Set(names).size).toBe(3);
  });

  it.each([1, 2, 3])('of %i gateways without other sources responds with 502 and reports the loop', async (size) => {
    const keys = await startRing(size, async (key, over) => {
      const sources = { over: { ...aggregate(over[0] ?? ''), retries: 0 } };
      await federation.start(key, { ...TIMING, sources });
    });
    for (let round = 0; round < size; round += 1) await requestAll(keys);
    // Successive error responses do not suspend a source that is excluded as a loop.
    for (let time = 0; time < 8; time += 1)
      for (const { status, sources } of Object.values(await requestAll(keys)))
        expect({ status, sources }).toEqual({ status: 502, sources: { over: 'excluded loop' } });
  });

  it('is detected if the gateways register the same repository and so have no new records for each other', async () => {
    const teams = await federation.upstream(directoryUpstream([{ 'short-team-name': 'x' }]));
    const same = { same: { directory: teams.address } };
    for (const [key, other] of [
      ['a', 'b'],
      ['b', 'a'],
    ] as const)
      await federation.start(key, { ...TIMING, sources: { ...same, 'over-next': aggregate(other) } });
    for (let round = 0; round < 2; round += 1) await requestAll(['a', 'b']);
    for (const { names, sources } of Object.values(await requestAll(['a', 'b'])))
      expect({ names, sources }).toEqual({ names: ['x'], sources: { same: 'fresh', 'over-next': 'excluded loop' } });
  });

  it('is detected by one request if the other gateway has a cached snapshot', async () => {
    await startOver('a', ['b']);
    await startOver('b', []);
    await requestAll(['a', 'b']);
    federation.takeRequests();
    await startOver('b', ['a']);
    expectLoops({ b: await federation.request('b') });
    expect(federation.takeRequests()).toHaveLength(1);
  });

  it('for one resource does not affect other resources', async () => {
    await federation.start('a', { ...TIMING, sources: { ...(await ownRepository('a')), 'over-b': aggregate('b') } });
    const onlyTeams = { ...aggregate('a'), resources: ['teams'] };
    await federation.start('b', { ...TIMING, sources: { ...(await ownRepository('b')), 'over-a': onlyTeams } });
    for (let round = 0; round < 3; round += 1) await requestAll(['a', 'b']);
    expectLoops(await requestAll(['a', 'b']));
    const { a, b } = await requestAll(['a', 'b'], { target: '/data/v1/news' });
    expect(a).toMatchObject({ names: ['a', 'b'], sources: { 'over-b': 'fresh' }, via: '1.1 b, 1.1 a' });
    expect(b).toMatchObject({ names: ['b'], sources: { 'over-a': 'excluded resource' }, via: '1.1 b' });
  });

  it('that a configuration change closes is detected when the snapshots are refreshed in the background', async () => {
    await startOver('a', ['b']);
    await startOver('b', ['c']);
    await startOver('c', []);
    const keys = ['a', 'b', 'c'];
    expect((await requestAll(keys, { order: 'in reverse order' }))['a']?.names).toEqual(['a', 'b', 'c']);
    await startOver('c', ['a']);
    for (let round = 0; round < 3; round += 1) {
      await requestAll(keys, { later: TTL + 1 });
      expect(federation.takeRequests().length).toBeLessThanOrEqual(3 * keys.length);
    }
    expectLoops(await requestAll(keys));
  });

  it.each(['/data/v1/news/2002002002002', '/data/v1/news/7001002', '/data/v1/news?channel=x'])(
    'sends at most 6 requests for a target that only a source can resolve: %s',
    async (target) => {
      await startOver('a', ['b']);
      await startOver('b', ['a']);
      const { status } = await federation.gateway('a').get(target);
      expect([200, 404, 502, 504]).toContain(status);
      await federation.waitUntilIdle();
      expect(federation.takeRequests().length).toBeLessThanOrEqual(6);
    },
  );
});

describe('a ring that is broken up', () => {
  it.each([2, 3, 5])('of %i gateways returns all records again after two rounds per gateway', async (size) => {
    const keys = await startRing(size);
    const last = keys.at(-1) ?? '';
    for (let round = 0; round < size; round += 1) await requestAll(keys);
    expectLoops(await requestAll(keys));
    await startOver(last, []);
    for (let round = 0; round < 2 * size; round += 1) await requestAll(keys, { later: TTL + 1 });
    // The second interval is so long that requests wait for the expired snapshots.
    for (const later of [RECHECK_INTERVAL + 1, 10 * TTL]) {
      const responses = await requestAll(keys, { later });
      keys.forEach((key, at) => {
        expect(responses[key]).toMatchObject({ status: 200, names: keys.slice(at) });
        const via = keys.slice(at).toReversed();
        expect(responses[key]?.via).toBe(via.map((name) => `1.1 ${name}`).join(', '));
      });
    }
  });

  it('beside another ring that remains is no longer reported, and Via omits the gateways outside the remaining ring', async () => {
    await startOver('a', ['b']);
    await startOver('b', ['c']);
    await startOver('c', ['b', 'a']);
    const keys = ['a', 'b', 'c'];
    for (let round = 0; round < 3; round += 1) await requestAll(keys);
    expectLoops(await requestAll(keys));
    await startOver('c', ['b']);
    for (let round = 0; round < 6; round += 1) await requestAll(keys, { later: TTL + 1 });
    const { a, b, c } = await requestAll(keys);
    expect(a).toMatchObject({ names: ['a', 'b'], sources: { 'own-a': 'fresh', 'over-b': 'fresh' } });
    expectLoops({ b, c } as Readonly<Record<string, FederationResponse>>);
    expect(`${b?.via} ${c?.via}`).not.toContain(' a');
  });

  it('by stopping a gateway returns the records of the others and reports the stopped gateway', async () => {
    const keys = await startRing(3);
    for (let round = 0; round < 3; round += 1) await requestAll(keys);
    await federation.stop('c');
    const left = ['a', 'b'];
    for (let round = 0; round < 4; round += 1) await requestAll(left, { later: TTL + 1 });
    const { a, b } = await requestAll(left);
    expect(a).toMatchObject({ names: ['a', 'b'], sources: { 'over-b': 'partial upstream' } });
    expect(b).toMatchObject({ names: ['b'], sources: { 'over-c': expect.stringMatching(/connect/) as string } });
  });
});

describe('gateways that are all sources of each other', () => {
  it('send at most one request per link for any number of clients', async () => {
    const keys = ['a', 'b', 'c', 'd'];
    for (const key of keys)
      await startOver(
        key,
        keys.filter((other) => other !== key),
      );
    const links = keys.length * (keys.length - 1);
    for (let round = 0; round < 4; round += 1) {
      federation.clock.advance(RECHECK_INTERVAL + 1);
      const clients = keys.flatMap((key) => Array.from({ length: 10 }, () => key));
      await Promise.all(clients.map((key) => federation.request(key)));
      await federation.waitUntilIdle();
      expect(federation.takeRequests().length).toBeLessThanOrEqual(links);
    }
    expectLoops(await requestAll(keys));
    federation.takeRequests();
    await Promise.all(keys.map((key) => federation.request(key)));
    expect(federation.takeRequests()).toEqual([]);
  });

  it('name only themselves in Via of their requests and ignore Via of the client', async () => {
    await startOver('a', ['b']);
    await startOver('b', []);
    await federation.request('a', '/directory/v1/teams', { via: '1.1 b, 1.1 elsewhere' });
    expect(federation.takeRequests().map(({ from, to, headers }) => [from, to, headers['via']])).toEqual([
      ['a', 'b', '1.1 a'],
    ]);
    expect((await federation.request('a')).names).toEqual(['a', 'b']);
  });
});

describe('two gateways with the same name', () => {
  it('exclude each other as a loop and reject requests with their own name in Via with 508', async () => {
    const named = { server: { ...TIMING.server, name: 'rollcall' } };
    await startOver('a', ['b'], named);
    await startOver('b', [], named);
    expectLoops(await requestAll(['a', 'b']));
    const rejected = await federation.request('b', '/directory/v1/teams', { via: '1.1 rollcall' });
    expect(rejected).toMatchObject({ status: 508, via: '1.1 rollcall' });
  });

  it('are detected with another gateway between them', async () => {
    await startOver('a', ['b'], { server: { ...TIMING.server, name: 'twin' } });
    await startOver('b', ['c']);
    await startOver('c', [], { server: { ...TIMING.server, name: 'twin' } });
    const { a, b } = await requestAll(['a', 'b', 'c'], { order: 'in reverse order' });
    expectLoops({ a } as Readonly<Record<string, FederationResponse>>);
    expect(b?.names).toEqual(['b', 'c']);
  });
});
