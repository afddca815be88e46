import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dataUpstream } from '../support/upstream/data-upstream.js';
import { directoryUpstream } from '../support/upstream/directory-upstream.js';
import * as faulty from '../support/upstream/faulty-responses.js';
import { neverResponds } from '../support/upstream/upstream-server.js';
import type { UpstreamServer } from '../support/upstream/upstream-server.js';
import { withEntityTags } from '../support/upstream/conditional-responses.js';
import { GatewayFederation, RECHECK_INTERVAL, TTL } from './gateway-federation.js';

let federation: GatewayFederation;

beforeEach(() => {
  federation = new GatewayFederation();
});

afterEach(async () => {
  await federation.close();
});

/** What is past its time to live is waited for, so that each look shows what is so. */
const defaults = { timeout: '5s', 'stale-while-revalidate': '0s', retries: 0 };

const DATE = '2026-01-01T00:00:00+00:00';

const HARBOUR = [
  { 'short-team-name': 'Alpha', '-harbour-member-type': 'Full Member', 'last-modified': '2025-06-01T00:00:00+00:00' },
  { 'short-team-name': 'Bravo', '-harbour-member-type': 'Liaison', 'last-modified': '2025-06-02T00:00:00+00:00' },
];
const REEF = [{ 'short-team-name': 'Coral', 'last-modified': '2025-05-01T00:00:00+00:00' }];
const NEWS = [7, 8].map((id) => ({
  id,
  title: `Item ${id}`,
  link: `/items/${id}`,
  published: `Tue, 0${id} Jul 2025 10:00:00 GMT`,
  content: `<p>All of item ${id}</p>`,
}));
const TEAMS = [{ id: 'delta', team: 'Delta', 'team-full': 'Delta Team' }];

interface Bottom {
  readonly harbour: UpstreamServer;
  readonly reef: UpstreamServer;
}

/** Gateway over gateway, the last one over two repositories. */
async function chain(...keys: readonly string[]): Promise<Bottom> {
  const harbour = await federation.upstream((asked, response) => {
    const baseHandler = asked.path.includes('/news')
      ? dataUpstream({ news: NEWS })
      : asked.path.startsWith('/data')
        ? dataUpstream({ teams: TEAMS })
        : withEntityTags(directoryUpstream(HARBOUR));
    baseHandler(asked, response);
  });
  const reef = await federation.upstream(withEntityTags(directoryUpstream(REEF)));
  const origin = new URL(harbour.address).origin;
  const site = 'https://harbour.example.org';
  const both = { directory: `${origin}/directory/v1`, data: `${origin}/data/v1`, site };
  const [bottom = '', ...others] = keys.toReversed();
  await federation.start(bottom, { defaults, sources: { harbour: both, reef: { directory: reef.address } } });
  for (const [at, key] of others.entries()) await over(key, [keys.toReversed()[at] ?? '']);
  return { harbour, reef };
}

async function over(key: string, others: readonly string[], more: object = {}): Promise<void> {
  const sources = Object.fromEntries(
    others.map((other) => [
      `from-${other}`,
      { aggregate: true, directory: GatewayFederation.base(other), data: GatewayFederation.base(other, 'data') },
    ]),
  );
  await federation.start(key, { defaults, sources: { ...sources, ...more } });
}

const NEXT = TTL + 1;

describe('a gateway over a gateway over a gateway', () => {
  it('gives the records of those at the bottom, with their source-names and whose properties they have', async () => {
    await chain('a', 'b', 'c');
    const { names, data, sources, via, total } = await federation.ask('a');
    expect({ names, total, sources }).toEqual({
      names: ['Alpha', 'Bravo', 'Coral'],
      total: 3,
      sources: { 'from-b': 'fresh' },
    });
    expect(data.map((record) => record['source-name'])).toEqual(['harbour', 'harbour', 'reef']);
    expect(data.map((record) => record['-harbour-member-type'])).toEqual(['Full Member', 'Liaison', undefined]);
    expect(via).toBe('1.1 c, 1.1 b, 1.1 a');
  });

  it('gives ids that lead down again', async () => {
    await chain('a', 'b', 'c');
    const teams = await federation.ask('a', '/data/v1/teams?team=delta&fields=id,source-name');
    expect(teams.data).toEqual([{ id: 'from-b.from-c.harbour.delta', 'source-name': 'harbour' }]);
    const news = await federation.ask('a', '/data/v1/news?sort=id&fields=id,link,source-name');
    expect(news.data).toEqual(
      [7, 8].map((id) => ({
        id: id * 1e9 + 1_001_001,
        link: `https://harbour.example.org/items/${id}`,
        'source-name': 'harbour',
      })),
    );
    const { json } = await federation.gateway('a').get('/data/v1/news/8001001001');
    expect(json).toMatchObject({ data: { id: 8_001_001_001, title: 'Item 8', content: '<p>All of item 8</p>' } });
    const none = await federation.gateway('a').get('/data/v1/news/9001001001');
    expect([none.status, none.headers.get('via')]).toEqual([404, '1.1 c, 1.1 b, 1.1 a']);
  });

  it('filters by source-names and properties that only the bottom knows', async () => {
    await chain('a', 'b', 'c');
    const names = async (query: string): Promise<unknown> =>
      (await federation.ask('a', `/directory/v1/teams?${query}`)).names;
    expect(await names('source-name=Reef')).toEqual(['Coral']);
    expect(await names('source-name=harbour&-harbour-member-type=liaison')).toEqual(['Bravo']);
    expect(await names('source-name=nobody')).toEqual([]);
  });

  it('tells at the top that a source at the bottom failed', async () => {
    const { reef } = await chain('a', 'b', 'c');
    reef.handler = faulty.status(500);
    const { status, names, sources, headers } = await federation.ask('a');
    expect({ status, names, sources }).toEqual({
      status: 200,
      names: ['Alpha', 'Bravo'],
      sources: { 'from-b': 'partial upstream' },
    });
    expect([headers.get('cache-control'), headers.get('etag'), headers.get('via')]).toEqual([
      'no-store',
      null,
      '1.1 c, 1.1 b, 1.1 a',
    ]);
    expect((await federation.ask('b')).sources).toEqual({ 'from-c': 'partial upstream' });
    expect((await federation.ask('c')).sources).toEqual({ harbour: 'fresh', reef: 'failed status' });
    const strict = await federation.ask('a', '/directory/v1/teams', { prefer: 'handling=strict' });
    expect(strict.status).toBe(502);
    reef.handler = directoryUpstream(REEF);
    federation.clock.advance(RECHECK_INTERVAL + 1);
    expect(await federation.ask('a')).toMatchObject({
      names: ['Alpha', 'Bravo', 'Coral'],
      sources: { 'from-b': 'fresh' },
    });
  });

  it('tells at the top that the bottom rests on a last good copy, and has its records', async () => {
    const { reef } = await chain('a', 'b', 'c');
    await federation.ask('a');
    reef.handler = faulty.status(500);
    federation.clock.advance(NEXT);
    const { names, sources } = await federation.ask('a');
    expect({ names, sources }).toEqual({
      names: ['Alpha', 'Bravo', 'Coral'],
      sources: { 'from-b': 'partial upstream' },
    });
  });

  it('asks each other only whether anything has changed, and tells clients the same', async () => {
    const { harbour } = await chain('a', 'b', 'c');
    const first = await federation.ask('a');
    const etag = first.headers.get('etag') ?? '';
    const date = first.headers.get('last-modified') ?? '';
    expect(new Date(date).toISOString()).toBe('2025-06-02T00:00:00.000Z');
    federation.took();
    harbour.forget();
    federation.clock.advance(NEXT);
    for (const headers of [{ 'if-none-match': etag }, { 'if-modified-since': date }])
      expect((await federation.gateway('a').get(TARGET, headers)).status).toBe(304);
    const asked = federation.took();
    expect(asked.map(({ from, to }) => from + to)).toEqual(['ab', 'bc']);
    expect(asked.every(({ headers }) => headers['if-none-match'] !== undefined)).toBe(true);
    expect(harbour.requests).toHaveLength(1);
    const { headers } = await federation.ask('a');
    expect(headers.get('source-status')).toBe('from-b;state=fresh;records=3;age=0');
  });

  it('tells of a record that is gone at the bottom: another tag, and a later date, at every level', async () => {
    const { harbour } = await chain('a', 'b', 'c');
    const first = await federation.ask('a');
    harbour.handler = withEntityTags(directoryUpstream(HARBOUR.slice(0, 1)), 'v2');
    federation.clock.advance(NEXT);
    const second = await federation.ask('a');
    expect(second.names).toEqual(['Alpha', 'Coral']);
    for (const name of ['etag', 'last-modified']) expect(second.headers.get(name)).not.toBe(first.headers.get(name));
    for (const key of ['a', 'b', 'c']) {
      const date = Date.parse((await federation.ask(key)).headers.get('last-modified') ?? '');
      expect(date).toBeGreaterThanOrEqual(Date.parse(DATE));
      expect(date).toBeLessThanOrEqual(federation.clock.now());
    }
    const since = { 'if-modified-since': first.headers.get('last-modified') ?? '' };
    expect((await federation.gateway('a').get(TARGET, since)).status).toBe(200);
    expect(
      (await federation.gateway('a').get(TARGET, { 'if-none-match': first.headers.get('etag') ?? '' })).status,
    ).toBe(200);
  });

  it('forgets a gateway that is no longer below, though all else there is unchanged', async () => {
    await chain('a', 'b', 'c');
    await federation.start('e', {
      defaults,
      sources: { none: { directory: (await federation.upstream(withEntityTags(directoryUpstream([])))).address } },
    });
    const reef = await federation.upstream(withEntityTags(directoryUpstream(REEF)));
    const both = {
      reef: { directory: reef.address },
      from: { aggregate: true, directory: GatewayFederation.base('e') },
    };
    await federation.start('d', { defaults, sources: both });
    await over('c', ['d']);
    federation.clock.advance(NEXT);
    expect((await federation.ask('a')).via).toBe('1.1 e, 1.1 d, 1.1 c, 1.1 b, 1.1 a');
    await federation.start('d', { defaults, sources: { reef: { directory: reef.address } } });
    for (let look = 0; look < 3; look += 1) {
      federation.clock.advance(NEXT);
      await federation.ask('a');
    }
    expect((await federation.ask('a')).via).toBe('1.1 d, 1.1 c, 1.1 b, 1.1 a');
  });

  it('has what it got when one below waits too long for the next, rather than nothing', async () => {
    const { reef } = await chain('b', 'c');
    const below = { aggregate: true, directory: GatewayFederation.base('c') };
    await federation.start('b', {
      server: { deadline: '6s' },
      defaults,
      sources: { 'from-c': below, reef: { directory: reef.address } },
    });
    const sources = { 'from-b': { aggregate: true, directory: GatewayFederation.base('b') } };
    await federation.start('a', { server: { deadline: '4s' }, defaults, sources });
    const silent = await federation.upstream(neverResponds);
    await federation.start('c', {
      server: { deadline: '30s' },
      defaults,
      sources: { silent: { directory: silent.address } },
    });
    const { names, sources: told } = await federation.ask('a');
    expect({ names, told }).toEqual({ names: ['Coral'], told: { 'from-b': 'partial upstream' } });
  });
});

/** Sources that are suspended after one failure, and retried once. */
const impatient = { ...defaults, retries: 1, breaker: { failures: 1, cooldown: '1h' } };

const NOBODY = '/directory/v1/teams?q=nobody';

describe.each([
  ['two', ['a', 'b']],
  ['three', ['a', 'b', 'c']],
] as const)('a chain of %s gateways without a match, over a source that fails', (_title, keys) => {
  const second = `from-${keys[1]}`;

  async function failing(...troubled: readonly ('harbour' | 'reef')[]): Promise<Bottom> {
    const repositories = await chain(...keys);
    for (const one of troubled) repositories[one].handler = faulty.status(500);
    for (const [at, key] of keys.slice(0, -1).entries()) {
      const below = keys[at + 1] ?? '';
      const sources = { [`from-${below}`]: { aggregate: true, directory: GatewayFederation.base(below) } };
      await federation.start(key, { defaults: impatient, sources });
    }
    federation.took();
    return repositories;
  }

  it('is an error at every level, and an empty list for who prefers that', async () => {
    await failing('reef');
    for (const key of keys) {
      expect((await federation.ask(key, NOBODY)).status).toBe(502);
      const lenient = await federation.ask(key, NOBODY, { prefer: 'handling=lenient' });
      expect([lenient.status, lenient.total]).toEqual([200, 0]);
    }
    expect((await federation.ask('a', NOBODY)).sources).toEqual({ [second]: 'partial upstream' });
    expect((await federation.ask('a')).names).toEqual(['Alpha', 'Bravo']);
  });

  it('asks each gateway with Prefer: handling=lenient, once, and suspends none', async () => {
    const { reef } = await failing('reef');
    for (let look = 0; look < 3; look += 1) {
      await federation.ask('a', NOBODY);
      const sent = federation.took();
      expect(sent.map(({ from, to }) => from + to)).toEqual(['ab', 'bc'].slice(0, keys.length - 1));
      for (const { headers } of sent) expect(headers['prefer']).toBe('handling=lenient');
      federation.clock.advance(NEXT);
    }
    reef.handler = directoryUpstream(REEF);
    expect(await federation.ask('a', NOBODY)).toMatchObject({ status: 200, sources: { [second]: 'fresh' } });
  });

  it('neither retries nor suspends a gateway whose own sources all failed', async () => {
    const { harbour, reef } = await failing('harbour', 'reef');
    for (let look = 0; look < 3; look += 1) {
      expect(await federation.ask('a', NOBODY)).toMatchObject({ status: 502, sources: { [second]: 'failed status' } });
      expect(federation.took().map(({ from, to }) => from + to)).toEqual(['ab', 'bc'].slice(0, keys.length - 1));
      federation.clock.advance(NEXT);
    }
    harbour.handler = directoryUpstream(HARBOUR);
    reef.handler = directoryUpstream(REEF);
    expect(await federation.ask('a')).toMatchObject({ total: 3, sources: { [second]: 'fresh' } });
  });
});

const TARGET = '/directory/v1/teams?envelope=1&limit=10000';

describe('a gateway over two that are over the same one', () => {
  it('has its records from both, and names each gateway once: that is no loop', async () => {
    await chain('b', 'd');
    await over('c', ['d']);
    await over('a', ['b', 'c']);
    for (let look = 0; look < 3; look += 1) {
      const { names, total, sources, via } = await federation.ask('a');
      expect({ names, total }).toEqual({ names: ['Alpha', 'Alpha', 'Bravo', 'Bravo', 'Coral', 'Coral'], total: 6 });
      expect(sources).toEqual({ 'from-b': 'fresh', 'from-c': 'fresh' });
      expect(via).toBe('1.1 d, 1.1 b, 1.1 c, 1.1 a');
      federation.clock.advance(NEXT);
    }
    const { data } = await federation.ask('a', '/data/v1/teams?team=delta');
    expect(data.map(({ id }) => id)).toEqual(['from-b.from-d.harbour.delta', 'from-c.from-d.harbour.delta']);
  });

  it('has those of a source that it registers itself once, from that source', async () => {
    const { harbour } = await chain('b', 'd');
    await over('c', ['d']);
    const origin = new URL(harbour.address).origin;
    await over('a', ['b', 'c'], { harbour: { directory: `${origin}/directory/v1` } });
    expect((await federation.ask('a')).names).toEqual(['Alpha', 'Bravo', 'Coral', 'Coral']);
  });
});
