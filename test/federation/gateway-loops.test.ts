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

/** A gateway answers another one in a quarter of its deadline, which must be well before that one's timeout. */
const HURRIED = { server: { deadline: '1600ms' }, defaults: { timeout: '2s' } };

type Sources = Readonly<Record<string, object>>;

/** A repository of its own for a gateway: one team and one news item, named after it. */
async function own(key: string): Promise<Sources> {
  const teams = await federation.upstream(directoryUpstream([{ 'short-team-name': key }]));
  const item = { id: 7, title: key, link: `https://${key}.example.org/7`, published: 'Tue, 02 Jun 2026 10:00:00 GMT' };
  const news = await federation.upstream(dataUpstream({ news: [item] }));
  return { [`own-${key}`]: { directory: teams.address, data: news.address } };
}

function aggregate(key: string): object {
  return { aggregate: true, directory: GatewayFederation.base(key), data: GatewayFederation.base(key, 'data') };
}

/** The gateway over its own repository, and over others. */
async function open(key: string, over: readonly string[], setup: object = {}): Promise<void> {
  const aggregates = Object.fromEntries(over.map((other) => [`over-${other}`, aggregate(other)]));
  await federation.start(key, { ...HURRIED, ...setup, sources: { ...(await own(key)), ...aggregates } });
}

/** Gateways each of which asks the next one, and the last one the first. */
async function ring(size: number, start = open): Promise<readonly string[]> {
  const keys = ['a', 'b', 'c', 'd', 'e'].slice(0, size);
  for (const [at, key] of keys.entries()) await start(key, [keys[(at + 1) % size] ?? '']);
  return keys;
}

type Manner = 'all at once' | 'one after the other' | 'the last one first';

interface Look {
  readonly manner?: Manner;
  /** Milliseconds after the one before. */
  readonly later?: number;
  readonly target?: string;
}

/** What each answers, asked in some order, a while later than before. */
async function round(
  keys: readonly string[],
  { manner = 'all at once', later = RECHECK_INTERVAL + 1, target = '/directory/v1/teams' }: Look = {},
): Promise<Readonly<Record<string, FederationResponse>>> {
  federation.clock.advance(later);
  const answers = new Map<string, FederationResponse>();
  const ask = async (key: string): Promise<void> => {
    answers.set(key, await federation.ask(key, target));
  };
  if (manner === 'all at once') await Promise.all(keys.map(ask));
  else for (const key of manner === 'one after the other' ? keys : keys.toReversed()) await ask(key);
  await federation.quiet();
  return Object.fromEntries(answers);
}

/** That every gateway has its own team, and tells that the others lead back. */
function expectLoops(seen: Readonly<Record<string, FederationResponse>>): void {
  for (const [key, { status, names, sources }] of Object.entries(seen)) {
    expect({ key, status, names }).toEqual({ key, status: 200, names: [key] });
    const others = Object.entries(sources).filter(([code]) => code.startsWith('over-'));
    expect(others.map(([, told]) => told)).toEqual(others.map(() => 'excluded loop'));
  }
}

describe('a ring of gateways', () => {
  const paging: readonly Manner[] = ['all at once', 'one after the other', 'the last one first'];
  const small = [1, 2, 3].flatMap((size) => paging.map((manner) => [size, manner] as const));
  const cases = [...small, [5, 'all at once'] as const];

  it.each(cases)('of %i, cold and asked %s, is found in as many looks, and stays found', async (size, manner) => {
    const keys = await ring(size);
    for (let look = 0; look < size; look += 1) {
      const seen = await round(keys, { manner });
      // Until then nobody pretends to be complete.
      for (const { sources, headers } of Object.values(seen))
        if (JSON.stringify(sources).includes('upstream')) expect(headers.get('cache-control')).toBe('no-store');
      expect(federation.took().length).toBeLessThanOrEqual(size);
    }
    for (const later of [RECHECK_INTERVAL + 1, TTL + 1, 1, TTL + 1, 2 * TTL, 100 * TTL, RECHECK_INTERVAL + 1]) {
      expectLoops(await round(keys, { manner, later }));
      // However many ask, each link is looked at once.
      expect(federation.took().length).toBeLessThanOrEqual(size);
    }
  });

  it('without a name is found all the same', async () => {
    const keys = await ring(3, (key, over) => open(key, over, { server: { ...HURRIED.server, name: undefined } }));
    for (let look = 0; look < 3; look += 1) await round(keys);
    const seen = await round(keys);
    expectLoops(seen);
    const names = (seen['a']?.via ?? '').match(/rollcall-[0-9a-f]{8}/g);
    expect(new Set(names).size).toBe(3);
  });

  it.each([1, 2, 3])('of %i that have nothing of their own says so: 502, and why', async (size) => {
    const keys = await ring(size, async (key, over) => {
      const sources = { over: { ...aggregate(over[0] ?? ''), retries: 0 } };
      await federation.start(key, { ...HURRIED, sources });
    });
    for (let look = 0; look < size; look += 1) await round(keys);
    // Errors in a row suspend nobody who leads back.
    for (let time = 0; time < 8; time += 1)
      for (const { status, sources } of Object.values(await round(keys)))
        expect({ status, sources }).toEqual({ status: 502, sources: { over: 'excluded loop' } });
  });

  it('whose gateways register the same repository, so that they have nothing new for each other, is found too', async () => {
    const teams = await federation.upstream(directoryUpstream([{ 'short-team-name': 'x' }]));
    const same = { same: { directory: teams.address } };
    for (const [key, other] of [
      ['a', 'b'],
      ['b', 'a'],
    ] as const)
      await federation.start(key, { ...HURRIED, sources: { ...same, 'over-next': aggregate(other) } });
    for (let look = 0; look < 2; look += 1) await round(['a', 'b']);
    for (const { names, sources } of Object.values(await round(['a', 'b'])))
      expect({ names, sources }).toEqual({ names: ['x'], sources: { same: 'fresh', 'over-next': 'excluded loop' } });
  });

  it('is found by the first request where nothing has to be waited for, for its first page', async () => {
    await open('a', ['b']);
    await open('b', []);
    await round(['a', 'b']);
    federation.took();
    await open('b', ['a']);
    expectLoops({ b: await federation.ask('b') });
    expect(federation.took()).toHaveLength(1);
  });

  it('on one resource leaves the others as they are', async () => {
    await federation.start('a', { ...HURRIED, sources: { ...(await own('a')), 'over-b': aggregate('b') } });
    const onlyTeams = { ...aggregate('a'), resources: ['teams'] };
    await federation.start('b', { ...HURRIED, sources: { ...(await own('b')), 'over-a': onlyTeams } });
    for (let look = 0; look < 3; look += 1) await round(['a', 'b']);
    expectLoops(await round(['a', 'b']));
    const { a, b } = await round(['a', 'b'], { target: '/data/v1/news' });
    expect(a).toMatchObject({ names: ['a', 'b'], sources: { 'over-b': 'fresh' }, via: '1.1 b, 1.1 a' });
    expect(b).toMatchObject({ names: ['b'], sources: { 'over-a': 'excluded resource' }, via: '1.1 b' });
  });

  it('that is closed while all hold each other is found while that is refreshed in the background', async () => {
    await open('a', ['b']);
    await open('b', ['c']);
    await open('c', []);
    const keys = ['a', 'b', 'c'];
    expect((await round(keys, { manner: 'the last one first' }))['a']?.names).toEqual(['a', 'b', 'c']);
    await open('c', ['a']);
    for (let look = 0; look < 3; look += 1) {
      await round(keys, { later: TTL + 1 });
      expect(federation.took().length).toBeLessThanOrEqual(3 * keys.length);
    }
    expectLoops(await round(keys));
  });

  it.each(['/data/v1/news/2002002002002', '/data/v1/news/7001002', '/data/v1/news?channel=x'])(
    'asks for what only a source knows no further than there is an id: %s',
    async (target) => {
      await open('a', ['b']);
      await open('b', ['a']);
      const { status } = await federation.gateway('a').get(target);
      expect([200, 404, 502, 504]).toContain(status);
      await federation.quiet();
      expect(federation.took().length).toBeLessThanOrEqual(6);
    },
  );
});

describe('a ring that is opened', () => {
  it.each([2, 3, 5])('of %i is whole again in two looks for each of its gateways', async (size) => {
    const keys = await ring(size);
    const last = keys.at(-1) ?? '';
    for (let look = 0; look < size; look += 1) await round(keys);
    expectLoops(await round(keys));
    await open(last, []);
    for (let look = 0; look < 2 * size; look += 1) await round(keys, { later: TTL + 1 });
    // Also when nobody has asked for so long that what is held has to be waited for.
    for (const later of [RECHECK_INTERVAL + 1, 10 * TTL]) {
      const seen = await round(keys, { later });
      keys.forEach((key, at) => {
        expect(seen[key]).toMatchObject({ status: 200, names: keys.slice(at) });
        const via = keys.slice(at).toReversed();
        expect(seen[key]?.via).toBe(via.map((name) => `1.1 ${name}`).join(', '));
      });
    }
  });

  it('beside another one, that stays, forgets who has gone', async () => {
    await open('a', ['b']);
    await open('b', ['c']);
    await open('c', ['b', 'a']);
    const keys = ['a', 'b', 'c'];
    for (let look = 0; look < 3; look += 1) await round(keys);
    expectLoops(await round(keys));
    await open('c', ['b']);
    for (let look = 0; look < 6; look += 1) await round(keys, { later: TTL + 1 });
    const { a, b, c } = await round(keys);
    expect(a).toMatchObject({ names: ['a', 'b'], sources: { 'own-a': 'fresh', 'over-b': 'fresh' } });
    expectLoops({ b, c } as Readonly<Record<string, FederationResponse>>);
    expect(`${b?.via} ${c?.via}`).not.toContain(' a');
  });

  it('by one that is switched off is whole again, without that one, as soon as it is not remembered', async () => {
    const keys = await ring(3);
    for (let look = 0; look < 3; look += 1) await round(keys);
    await federation.stop('c');
    const left = ['a', 'b'];
    for (let look = 0; look < 4; look += 1) await round(left, { later: TTL + 1 });
    const { a, b } = await round(left);
    expect(a).toMatchObject({ names: ['a', 'b'], sources: { 'over-b': 'partial upstream' } });
    expect(b).toMatchObject({ names: ['b'], sources: { 'over-c': expect.stringMatching(/connect/) as string } });
  });
});

describe('gateways that all ask each other', () => {
  it('send no more requests than there are links between them, however many clients ask', async () => {
    const keys = ['a', 'b', 'c', 'd'];
    for (const key of keys)
      await open(
        key,
        keys.filter((other) => other !== key),
      );
    const links = keys.length * (keys.length - 1);
    for (let look = 0; look < 4; look += 1) {
      federation.clock.advance(RECHECK_INTERVAL + 1);
      const clients = keys.flatMap((key) => Array.from({ length: 10 }, () => key));
      await Promise.all(clients.map((key) => federation.ask(key)));
      await federation.quiet();
      expect(federation.took().length).toBeLessThanOrEqual(links);
    }
    expectLoops(await round(keys));
    federation.took();
    await Promise.all(keys.map((key) => federation.ask(key)));
    expect(federation.took()).toEqual([]);
  });

  it('name themselves alone in requests, whatever a client says that its own came through', async () => {
    await open('a', ['b']);
    await open('b', []);
    await federation.ask('a', '/directory/v1/teams', { via: '1.1 b, 1.1 elsewhere' });
    expect(federation.took().map(({ from, to, headers }) => [from, to, headers['via']])).toEqual([['a', 'b', '1.1 a']]);
    expect((await federation.ask('a')).names).toEqual(['a', 'b']);
  });
});

describe('two gateways of one name', () => {
  it('take each other for themselves: 508, and excluded as a loop', async () => {
    const named = { server: { ...HURRIED.server, name: 'rollcall' } };
    await open('a', ['b'], named);
    await open('b', [], named);
    expectLoops(await round(['a', 'b']));
    const refused = await federation.ask('b', '/directory/v1/teams', { via: '1.1 rollcall' });
    expect(refused).toMatchObject({ status: 508, via: '1.1 rollcall' });
  });

  it('are found below others too', async () => {
    await open('a', ['b'], { server: { ...HURRIED.server, name: 'twin' } });
    await open('b', ['c']);
    await open('c', [], { server: { ...HURRIED.server, name: 'twin' } });
    const { a, b } = await round(['a', 'b', 'c'], { manner: 'the last one first' });
    expectLoops({ a } as Readonly<Record<string, FederationResponse>>);
    expect(b?.names).toEqual(['b', 'c']);
  });
});
