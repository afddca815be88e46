import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { fakeClock } from '../support/fake-clock.js';
import type { FakeClock } from '../support/fake-clock.js';
import { startGateway } from '../support/gateway/test-gateway.js';
import type { GatewayResponse, TestGateway } from '../support/gateway/test-gateway.js';
import { dataUpstream } from '../support/upstream/data-upstream.js';
import { directoryUpstream } from '../support/upstream/directory-upstream.js';
import { documentUpstream } from '../support/upstream/document-upstream.js';
import { writeRss } from '../support/upstream/feed-upstream.js';
import type { UpstreamServer } from '../support/upstream/upstream-server.js';
import { startUpstream } from '../support/upstream/upstream-server.js';

const open: (UpstreamServer | TestGateway)[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

interface Scene {
  readonly gateway: TestGateway;
  readonly upstream: UpstreamServer;
  readonly clock: FakeClock;
}

type SourceKind = 'directory' | 'data' | 'document';

/** Starts a gateway with the source `one`. Its teams have names of the directory interface. */
async function startTeams(
  kind: SourceKind,
  teams: readonly Readonly<Record<string, unknown>>[],
  settings: object = {},
): Promise<Scene> {
  const named = teams.map((team, at) => ({ 'short-team-name': `Team ${at}`, ...team }));
  if (kind === 'directory')
    return startScene(directoryUpstream(named), (address) => ({ directory: address, ...settings }));
  if (kind === 'data') {
    const upstream = dataUpstream({ teams: named.map(toDataTeam), news: [], channels: [] });
    return startScene(upstream, (address) => ({ data: address, ...settings }));
  }
  const names = [...new Set(named.flatMap(Object.keys))];
  const map = Object.fromEntries(names.map((name) => [name, `"${name}"`]));
  const registered = (address: string): object => ({
    document: { url: `${address}/list.json`, records: 'entries', map },
    ...settings,
  });
  return startScene(documentUpstream({}, named), registered);
}

const DATA_NAMES: Readonly<Record<string, string>> = {
  'short-team-name': 'team',
  'country-code': 'country',
  'additional-country-code': 'country-other',
};

function toDataTeam(team: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(team).map(([name, value]) => [DATA_NAMES[name] ?? name, value]));
}

async function startScene(
  handler: UpstreamServer['handler'],
  register: (address: string) => object,
  setup: object = {},
): Promise<Scene> {
  const upstream = await startUpstream(handler);
  const clock = fakeClock();
  const gateway = await startGateway({ sources: { one: register(upstream.address) }, ...setup }, { clock });
  open.push(gateway, upstream);
  return { gateway, upstream, clock };
}

const FRESH = /^one;state=fresh/;
const UNREADABLE = /^one;state=partial;reason=unreadable/;

function statusOf({ headers }: GatewayResponse): string {
  return headers.get('source-status') ?? '';
}

const KINDS: readonly SourceKind[] = ['directory', 'data', 'document'];

/** The lists of both interfaces; a source that does not serve one of them is translated. */
const LISTS = ['/directory/v1/teams', '/data/v1/teams'];

describe.each(KINDS)('a %s source', (kind) => {
  it('that writes countries by name is found by their codes', async () => {
    const { gateway } = await startTeams(kind, [
      { 'country-code': 'USA', 'additional-country-code': ['Germany', 'the Netherlands'] },
      { 'country-code': 'Côte d’Ivoire', 'additional-country-code': 'Korea, Republic of' },
      { 'country-code': 840, 'additional-country-code': 'France, esp' },
    ]);
    for (const list of LISTS) {
      const totals: [string, string | null][] = [];
      for (const code of ['US', 'DE', 'NL', 'CI', 'KR', 'FR', 'ES']) {
        const response = await gateway.get(`${list}?country=${code}`);
        expect(statusOf(response)).toMatch(FRESH);
        totals.push([code, response.headers.get('x-total-count')]);
      }
      expect(totals).toEqual([['US', '2'], ...['DE', 'NL', 'CI', 'KR', 'FR', 'ES'].map((code) => [code, '1'])]);
    }
  });

  it('with a country that cannot be read is partial for queries that filter on it, and for no others', async () => {
    const { gateway } = await startTeams(kind, [{ 'country-code': 'Congo', email: 'a@example.org' }, {}]);
    for (const list of LISTS) {
      const country = list.startsWith('/data') ? 'country' : 'country-code';
      for (const filter of ['country=CG', 'region=Africa', `${country}=CD`]) {
        const refused = await gateway.get(`${list}?${filter}`);
        expect([filter, refused.status]).toEqual([filter, 502]);
        const lenient = await gateway.get(`${list}?${filter}`, { prefer: 'handling=lenient' });
        expect([lenient.status, lenient.headers.get('x-total-count')]).toEqual([200, '0']);
        expect(statusOf(lenient)).toMatch(UNREADABLE);
      }
      for (const filter of ['', 'email=a@example.org', 'q=congo', `sort=${country}`])
        expect(statusOf(await gateway.get(`${list}?${filter}`))).toMatch(FRESH);
    }
  });
});

describe('a source with a country that cannot be read', () => {
  const TEAMS = [{ 'country-code': 'DE' }, { 'additional-country-code': ['Virgin Islands', 'FR'] }];

  it('is partial in every format, and an error under strict handling', async () => {
    const { gateway } = await startTeams('directory', TEAMS);
    const teams = '/directory/v1/teams';
    const envelope = await gateway.get(`${teams}?country=DE&envelope=true`);
    expect(envelope.json).toMatchObject({ total: 1, sources: [{ state: 'partial', reason: 'unreadable' }] });
    for (const format of ['csv', 'xlsx', 'ndjson', 'vcf', 'geojson', 'yaml', 'xml']) {
      const response = await gateway.get(`${teams}.${format}?country=DE`);
      expect(statusOf(response)).toMatch(UNREADABLE);
      expect(response.headers.get('last-modified')).toBeNull();
      expect(response.headers.get('cache-control')).toBe('no-store');
      if (format !== 'yaml' && format !== 'xml')
        expect(response.headers.get('content-disposition')).toContain(`.partial.${format}`);
    }
    expect((await gateway.get(`${teams}?country=DE`, { prefer: 'handling=strict' })).status).toBe(502);
    expect((await gateway.get(teams, { prefer: 'handling=strict' })).status).toBe(200);
  });

  it('is partial for a search by relevance that is narrowed to a country', async () => {
    const { gateway } = await startTeams('directory', TEAMS);
    const found = await gateway.get('/directory/v1/search?q=team&country=DE');
    expect([found.status, found.headers.get('x-total-count')]).toEqual([200, '1']);
    expect(statusOf(found)).toMatch(UNREADABLE);
    expect(statusOf(await gateway.get('/directory/v1/search?q=team'))).toMatch(FRESH);
  });

  it('is no answer to such a query where it is required', async () => {
    const { gateway } = await startTeams('directory', TEAMS, { required: true });
    expect((await gateway.get('/directory/v1/teams?country=DE')).status).toBe(502);
    expect((await gateway.get('/directory/v1/teams')).status).toBe(200);
  });

  it('is partial rather than stale', async () => {
    const { gateway, upstream, clock } = await startTeams('directory', TEAMS);
    await gateway.get('/directory/v1/teams');
    upstream.handler = (_, response) => response.writeHead(500).end();
    clock.advance(3_600_000);
    expect(statusOf(await gateway.get('/directory/v1/teams'))).toMatch(/state=stale;reason=status/);
    expect(statusOf(await gateway.get('/directory/v1/teams?country=DE'))).toMatch(UNREADABLE);
  });

  it('stays fresh where the query excludes it', async () => {
    const { gateway } = await startTeams('directory', TEAMS, { coverage: { countries: ['DE', 'VG', 'VI'] } });
    const response = await gateway.get('/directory/v1/teams?country=SE');
    expect([response.status, statusOf(response)]).toEqual([200, 'one;state=excluded;reason=coverage']);
  });

  it('is fresh again when its list has changed', async () => {
    const { gateway, upstream, clock } = await startTeams('directory', TEAMS);
    expect((await gateway.get('/directory/v1/teams?country=VG')).status).toBe(502);
    upstream.handler = directoryUpstream([{ 'short-team-name': 'A', 'country-code': 'British Virgin Islands' }]);
    clock.advance(3_600_000);
    await gateway.get('/directory/v1/teams');
    const response = await gateway.get('/directory/v1/teams?country=VG');
    expect([response.headers.get('x-total-count'), statusOf(response)]).toEqual(['1', expect.stringMatching(FRESH)]);
  });
});

describe('a value', () => {
  it.each([
    ['a date in words', { establishment: 'long ago' }, 'establishment=1993'],
    ['an object', { host: { name: 'Example Org' } }, 'host=Example%20Org'],
    ['an integer with uncertain digits', { 'constituency-code': 2 ** 60 }, 'constituency-code=1'],
    ['a list of countries as one', { 'country-code': ['DE', 'FR'] }, 'country=DE'],
    ['n/a as a country', { 'country-code': 'n/a' }, 'country=DE'],
  ])('that cannot be read, %s, leaves no filter on its property complete', async (_, team, filter) => {
    const { gateway } = await startTeams('directory', [team, {}]);
    expect((await gateway.get(`/directory/v1/teams?${filter}`)).status).toBe(502);
    expect(statusOf(await gateway.get('/directory/v1/teams?email=a@example.org'))).toMatch(FRESH);
  });

  it.each([
    ['nothing', { 'country-code': null, 'additional-country-code': [' ', ''], host: {} }],
    ['the European Union', { 'country-code': 'EU', 'additional-country-code': ['European Union'] }],
    ['of the source-name', { 'source-name': { name: 'A' } }],
  ])('that is no unread value, %s, changes nothing', async (_, team) => {
    const { gateway } = await startTeams('directory', [team]);
    for (const filter of ['country=DE', 'host=a', 'source-name=one']) {
      const response = await gateway.get(`/directory/v1/teams?${filter}`);
      expect([response.status, statusOf(response)]).toEqual([200, expect.stringMatching(FRESH)]);
    }
  });
});

it('a document loses values where an expression fails, and none where it has nothing to work on', async () => {
  const entries = [
    { name: 'A', land: 'de', seat: 'Germany', since: '24.11.2020' },
    { name: 'B', seat: null },
    { name: 'C', land: 'se', seat: 'Atlantis', since: 'long ago' },
  ];
  const map = {
    'short-team-name': 'name',
    'country-code': 'upper(land)',
    'additional-country-code': '[country(seat)]',
    establishment: "date(since, 'DD.MM.YYYY')",
  };
  const register = (only: string) => (address: string) => ({
    document: { url: address, records: 'entries', map, only },
  });
  const { gateway } = await startScene(documentUpstream({}, entries), register("name != 'C'"));
  for (const filter of ['country=DE', 'country=FR', 'establishment=2020']) {
    const response = await gateway.get(`/directory/v1/teams?${filter}`);
    expect([filter, response.status, statusOf(response)]).toEqual([filter, 200, expect.stringMatching(FRESH)]);
  }
  const all = await startScene(documentUpstream({}, entries), register('name'));
  const germany = await all.gateway.get('/directory/v1/teams?country=DE');
  expect([germany.headers.get('x-total-count'), statusOf(germany)]).toEqual(['1', expect.stringMatching(UNREADABLE)]);
  expect((await all.gateway.get('/directory/v1/teams?establishment=1999')).status).toBe(502);
});

describe('news with a date that cannot be read', () => {
  const ITEMS = [
    { id: 1, title: 'One', published: 'Thu, 02 Apr 2026 21:28:40 GMT' },
    { id: 2, title: 'Two', published: 'some day' },
  ];

  it('of an interface is partial for before and after', async () => {
    const { gateway } = await startScene(dataUpstream({ news: ITEMS, teams: [], channels: [] }), (address) => ({
      data: address,
    }));
    const later = await gateway.get('/data/v1/news?after=2026-01-01');
    expect([later.status, statusOf(later)]).toEqual([200, expect.stringMatching(UNREADABLE)]);
    expect((await gateway.get('/data/v1/news?before=2020')).status).toBe(502);
    expect(statusOf(await gateway.get('/data/v1/news?q=one'))).toMatch(FRESH);
  });

  it('of a feed is partial for before and after', async () => {
    const items = ITEMS.map(({ id, title, published }) => ({ guid: String(id), title, pubDate: published }));
    const { gateway } = await startScene(
      (_, response) => response.writeHead(200, { 'Content-Type': 'application/rss+xml' }).end(writeRss(items)),
      (address) => ({ feed: `${address}/feed.xml` }),
    );
    expect((await gateway.get('/data/v1/news?before=2020')).status).toBe(502);
    const later = await gateway.get('/data/v1/news?after=2026-01-01&envelope=true');
    expect([later.json, statusOf(later)]).toMatchObject([{ total: 1 }, expect.stringMatching(UNREADABLE)]);
    expect(statusOf(await gateway.get('/data/v1/news'))).toMatch(FRESH);
  });
});

it('what could not be read is known after a restart', async () => {
  const disk = await mkdtemp(join(tmpdir(), 'unread-'));
  const upstream = await startUpstream(directoryUpstream([{ 'short-team-name': 'A', 'country-code': 'Congo' }]));
  const setup = { sources: { one: { directory: upstream.address } }, cache: { disk } };
  const first = await startGateway(setup);
  await first.get('/directory/v1/teams');
  await first.close();
  const second = await startGateway(setup);
  open.push(second, upstream);
  const before = upstream.requests.length;
  expect((await second.get('/directory/v1/teams?country=CG')).status).toBe(502);
  expect(upstream.requests).toHaveLength(before);
});
