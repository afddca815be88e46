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

/** Without stale-while-revalidate a request waits for an expired snapshot, so that each response shows the current state. */
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

interface Repositories {
  readonly harbour: UpstreamServer;
  readonly reef: UpstreamServer;
}

/** Starts gateways, each with the next one as its source, and the last one over two repositories. */
async function startChain(...keys: readonly string[]): Promise<Repositories> {
  const harbour = await federation.upstream((request, response) => {
    const baseHandler = request.path.includes('/news')
      ? dataUpstream({ news: NEWS })
      : request.path.startsWith('/data')
        ? dataUpstream({ teams: TEAMS })
        : withEntityTags(directoryUpstream(HARBOUR));
    baseHandler(request, response);
  });
  const reef = await federation.upstream(withEntityTags(directoryUpstream(REEF)));
  const origin = new URL(harbour.address).origin;
  const site = 'https://harbour.example.org';
  const both = { directory: `${origin}/directory/v1`, data: `${origin}/data/v1`, site };
  const [last = '', ...others] = keys.toReversed();
  await federation.start(last, { defaults, sources: { harbour: both, reef: { directory: reef.address } } });
  for (const [at, key] of others.entries()) await startOver(key, [keys.toReversed()[at] ?? '']);
  return { harbour, reef };
}

/** Starts a gateway with other gateways, and further sources, as its sources. */
async function startOver(key: string, others: readonly string[], more: object = {}): Promise<void> {
  const sources = Object.fromEntries(
    others.map((other) => [
      `from-${other}`,
      { aggregate: true, directory: GatewayFederation.base(other), data: GatewayFederation.base(other, 'data') },
    ]),
  );
  await federation.start(key, { defaults, sources: { ...sources, ...more } });
}

const NEXT = TTL + 1;

describe('a chain of three gateways', () => {
  it('returns the records of the repositories with their source-names and repository properties', async () => {
    await startChain('a', 'b', 'c');
    const { names, data, sources, via, total } = await federation.request('a');
    expect({ names, total, sources }).toEqual({
      names: ['Alpha', 'Bravo', 'Coral'],
      total: 3,
      sources: { 'from-b': 'fresh' },
    });
    expect(data.map((record) => record['source-name'])).toEqual(['harbour', 'harbour', 'reef']);
    expect(data.map((record) => record['-harbour-member-type'])).toEqual(['Full Member', 'Liaison', undefined]);
    expect(via).toBe('1.1 c, 1.1 b, 1.1 a');
  });

  it('returns ids that contain the path to the source and resolve to the same record', async () => {
    await startChain('a', 'b', 'c');
    const teams = await federation.request('a', '/data/v1/teams?team=delta&fields=id,source-name');
    expect(teams.data).toEqual([{ id: 'from-b.from-c.harbour.delta', 'source-name': 'harbour' }]);
    const news = await federation.request('a', '/data/v1/news?sort=id&fields=id,link,source-name');
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

  it('filters by source-names and repository properties that only the last gateway registers', async () => {
    await startChain('a', 'b', 'c');
    const names = async (query: string): Promise<unknown> =>
      (await federation.request('a', `/directory/v1/teams?${query}`)).names;
    expect(await names('source-name=Reef')).toEqual(['Coral']);
    expect(await names('source-name=harbour&-harbour-member-type=liaison')).toEqual(['Bravo']);
    expect(await names('source-name=nobody')).toEqual([]);
  });

  it('reports at the first gateway that a source of the last gateway failed', async () => {
    const { reef } = await startChain('a', 'b', 'c');
    reef.handler = faulty.status(500);
    const { status, names, sources, headers } = await federation.request('a');
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
    expect((await federation.request('b')).sources).toEqual({ 'from-c': 'partial upstream' });
    expect((await federation.request('c')).sources).toEqual({ harbour: 'fresh', reef: 'failed status' });
    const strict = await federation.request('a', '/directory/v1/teams', { prefer: 'handling=strict' });
    expect(strict.status).toBe(502);
    reef.handler = directoryUpstream(REEF);
    federation.clock.advance(RECHECK_INTERVAL + 1);
    expect(await federation.request('a')).toMatchObject({
      names: ['Alpha', 'Bravo', 'Coral'],
      sources: { 'from-b': 'fresh' },
    });
  });

  it('returns stale records of the last gateway and reports its aggregate as partial', async () => {
    const { reef } = await startChain('a', 'b', 'c');
    await federation.request('a');
    reef.handler = faulty.status(500);
    federation.clock.advance(NEXT);
    const { names, sources } = await federation.request('a');
    expect({ names, sources }).toEqual({
      names: ['Alpha', 'Bravo', 'Coral'],
      sources: { 'from-b': 'partial upstream' },
    });
  });

  it('revalidates each source with one conditional request and responds with 304 to conditional requests', async () => {
    const { harbour } = await startChain('a', 'b', 'c');
    const first = await federation.request('a');
    const etag = first.headers.get('etag') ?? '';
    const date = first.headers.get('last-modified') ?? '';
    expect(new Date(date).toISOString()).toBe('2025-06-02T00:00:00.000Z');
    federation.takeRequests();
    harbour.forget();
    federation.clock.advance(NEXT);
    for (const headers of [{ 'if-none-match': etag }, { 'if-modified-since': date }])
      expect((await federation.gateway('a').get(TARGET, headers)).status).toBe(304);
    const requests = federation.takeRequests();
    expect(requests.map(({ from, to }) => from + to)).toEqual(['ab', 'bc']);
    expect(requests.every(({ headers }) => headers['if-none-match'] !== undefined)).toBe(true);
    expect(harbour.requests).toHaveLength(1);
    const { headers } = await federation.request('a');
    expect(headers.get('source-status')).toBe('from-b;state=fresh;records=3;age=0');
  });

  it('changes ETag and Last-Modified at every gateway when a repository deletes a record', async () => {
    const { harbour } = await startChain('a', 'b', 'c');
    const first = await federation.request('a');
    harbour.handler = withEntityTags(directoryUpstream(HARBOUR.slice(0, 1)), 'v2');
    federation.clock.advance(NEXT);
    const second = await federation.request('a');
    expect(second.names).toEqual(['Alpha', 'Coral']);
    for (const name of ['etag', 'last-modified']) expect(second.headers.get(name)).not.toBe(first.headers.get(name));
    federation.clock.advance(1_000);
    for (const key of ['a', 'b', 'c']) {
      const date = Date.parse((await federation.request(key)).headers.get('last-modified') ?? '');
      expect(date).toBeGreaterThanOrEqual(Date.parse(DATE));
      expect(date).toBeLessThanOrEqual(federation.clock.now());
    }
    const since = { 'if-modified-since': first.headers.get('last-modified') ?? '' };
    expect((await federation.gateway('a').get(TARGET, since)).status).toBe(200);
    expect(
      (await federation.gateway('a').get(TARGET, { 'if-none-match': first.headers.get('etag') ?? '' })).status,
    ).toBe(200);
  });

  it('removes a gateway from Via after it is no longer a source, although the records are unchanged', async () => {
    await startChain('a', 'b', 'c');
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
    await startOver('c', ['d']);
    federation.clock.advance(NEXT);
    expect((await federation.request('a')).via).toBe('1.1 e, 1.1 d, 1.1 c, 1.1 b, 1.1 a');
    await federation.start('d', { defaults, sources: { reef: { directory: reef.address } } });
    for (let round = 0; round < 3; round += 1) {
      federation.clock.advance(NEXT);
      await federation.request('a');
    }
    expect((await federation.request('a')).via).toBe('1.1 d, 1.1 c, 1.1 b, 1.1 a');
  });

  it('returns the available records if a source of a source does not respond in time', async () => {
    const { reef } = await startChain('b', 'c');
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
    const { names, sources: reported } = await federation.request('a');
    expect({ names, reported }).toEqual({ names: ['Coral'], reported: { 'from-b': 'partial upstream' } });
  });
});

/** One failure suspends a source. */
const IMPATIENT = { suspension: { failures: 1, cooldown: 3_600_000 } };

const NOBODY = '/directory/v1/teams?q=nobody';

describe.each([
  ['two', ['a', 'b']],
  ['three', ['a', 'b', 'c']],
] as const)('a chain of %s gateways, with no match and a failing source', (_title, keys) => {
  const second = `from-${keys[1]}`;

  async function startFailing(...failing: readonly ('harbour' | 'reef')[]): Promise<Repositories> {
    const repositories = await startChain(...keys);
    for (const code of failing) repositories[code].handler = faulty.status(500);
    for (const [at, key] of keys.slice(0, -1).entries()) {
      const below = keys[at + 1] ?? '';
      const sources = { [`from-${below}`]: { aggregate: true, directory: GatewayFederation.base(below) } };
      await federation.start(key, { defaults: { ...defaults, retries: 1 }, sources }, IMPATIENT);
    }
    federation.takeRequests();
    return repositories;
  }

  it('responds with an error at every gateway, and with an empty list under handling=lenient', async () => {
    await startFailing('reef');
    for (const key of keys) {
      expect((await federation.request(key, NOBODY)).status).toBe(502);
      const lenient = await federation.request(key, NOBODY, { prefer: 'handling=lenient' });
      expect([lenient.status, lenient.total]).toEqual([200, 0]);
    }
    expect((await federation.request('a', NOBODY)).sources).toEqual({ [second]: 'partial upstream' });
    expect((await federation.request('a')).names).toEqual(['Alpha', 'Bravo']);
  });

  it('requests each gateway once with Prefer: handling=lenient and suspends none', async () => {
    const { reef } = await startFailing('reef');
    for (let round = 0; round < 3; round += 1) {
      await federation.request('a', NOBODY);
      const sent = federation.takeRequests();
      expect(sent.map(({ from, to }) => from + to)).toEqual(['ab', 'bc'].slice(0, keys.length - 1));
      for (const { headers } of sent) expect(headers['prefer']).toBe('handling=lenient');
      federation.clock.advance(NEXT);
    }
    reef.handler = directoryUpstream(REEF);
    expect(await federation.request('a', NOBODY)).toMatchObject({ status: 200, sources: { [second]: 'fresh' } });
  });

  it('neither retries nor suspends a gateway whose own sources all failed', async () => {
    const { harbour, reef } = await startFailing('harbour', 'reef');
    for (let round = 0; round < 3; round += 1) {
      expect(await federation.request('a', NOBODY)).toMatchObject({
        status: 502,
        sources: { [second]: 'failed status' },
      });
      expect(federation.takeRequests().map(({ from, to }) => from + to)).toEqual(
        ['ab', 'bc'].slice(0, keys.length - 1),
      );
      federation.clock.advance(NEXT);
    }
    harbour.handler = directoryUpstream(HARBOUR);
    reef.handler = directoryUpstream(REEF);
    expect(await federation.request('a')).toMatchObject({ total: 3, sources: { [second]: 'fresh' } });
  });
});

const TARGET = '/directory/v1/teams?envelope=1&limit=10000';

describe('a gateway with two paths to the same gateway', () => {
  it('returns its records from both paths, names each gateway once in Via, and detects no loop', async () => {
    await startChain('b', 'd');
    await startOver('c', ['d']);
    await startOver('a', ['b', 'c']);
    for (let round = 0; round < 3; round += 1) {
      const { names, total, sources, via } = await federation.request('a');
      expect({ names, total }).toEqual({ names: ['Alpha', 'Alpha', 'Bravo', 'Bravo', 'Coral', 'Coral'], total: 6 });
      expect(sources).toEqual({ 'from-b': 'fresh', 'from-c': 'fresh' });
      expect(via).toBe('1.1 d, 1.1 b, 1.1 c, 1.1 a');
      federation.clock.advance(NEXT);
    }
    const { data } = await federation.request('a', '/data/v1/teams?team=delta');
    expect(data.map(({ id }) => id)).toEqual(['from-b.from-d.harbour.delta', 'from-c.from-d.harbour.delta']);
  });

  it('returns the records of a source that it registers itself only from that source', async () => {
    const { harbour } = await startChain('b', 'd');
    await startOver('c', ['d']);
    const origin = new URL(harbour.address).origin;
    await startOver('a', ['b', 'c'], { harbour: { directory: `${origin}/directory/v1` } });
    expect((await federation.request('a')).names).toEqual(['Alpha', 'Bravo', 'Coral', 'Coral']);
  });
});
