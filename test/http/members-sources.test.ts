import { afterEach, describe, expect, it } from 'vitest';
import { fakeClock } from '../support/fake-clock.js';
import { closeDataGateways, fieldsOf, startDataGateway } from '../support/gateway/data-gateway.js';
import type { DataGateway, DataSourceSetup } from '../support/gateway/data-gateway.js';
import { ACCESS, AS_MEMBER, MEMBERS_KEY, bearer } from '../support/gateway/members-gateway.js';
import { startGateway } from '../support/gateway/test-gateway.js';
import type { GatewayResponse, GatewaySetup, TestGateway } from '../support/gateway/test-gateway.js';
import { simulatedRepository } from '../support/repository/simulated-repository.js';
import { dataUpstream } from '../support/upstream/data-upstream.js';
import { directoryUpstream } from '../support/upstream/directory-upstream.js';
import { status, when } from '../support/upstream/faulty-responses.js';
import { membersUpstream } from '../support/upstream/members-upstream.js';
import { neverResponds, startUpstream } from '../support/upstream/upstream-server.js';
import type { RequestHandler, UpstreamRequest, UpstreamServer } from '../support/upstream/upstream-server.js';

const TOKEN = 'token-of-this-gateway';
const MEMBERS = { credentials: { members: { bearer: TOKEN } } };
const TARGET = '/data/v1/teams?scope=members&pretty=0';
const OPEN_TARGET = '/data/v1/teams?pretty=0';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

const PUBLIC_TEAMS = [
  { id: 'alpha', team: 'ALPHA', country: 'BR', host: 'Shown to all' },
  { id: 'beta', team: 'BETA', country: 'PT', host: 'Shown to all' },
];
const MEMBERS_TEAMS = [
  { id: 'alpha', team: 'ALPHA', country: 'BR', host: 'Members only', 'pgp-id': '0x1111111111111111' },
  { id: 'beta', team: 'BETA', country: 'PT', host: 'Members only' },
  { id: 'gamma', team: 'GAMMA', country: 'PT', host: 'Members only' },
];
const NEWS = [{ id: 1, title: 'One', published: '2025-12-01', channels: ['All'], content: '…' }];
const CHANNELS = [{ id: 1, title: 'All' }];

const AREA = { authorization: `Bearer ${TOKEN}`, teams: MEMBERS_TEAMS };
const handler = membersUpstream({ teams: PUBLIC_TEAMS, news: NEWS, channels: CHANNELS }, AREA, { keys: 'pgp' });

const asksForMembers = ({ query }: UpstreamRequest): boolean => query.get('scope') === 'members';

/** A source whose members area answers like `members`, and everything else like `open`. */
const areas = (members: RequestHandler, open: RequestHandler = handler): RequestHandler =>
  when(asksForMembers, members, open);

const FIRST: DataSourceSetup = { records: {}, handler, registration: MEMBERS };
const SECOND_SOURCE: DataSourceSetup = { records: { teams: [{ id: 'delta', team: 'DELTA' }] } };

const open: (TestGateway | UpstreamServer)[] = [];

afterEach(async () => {
  await closeDataGateways();
  await Promise.all(open.splice(0).map((server) => server.close()));
});

function start(
  sources: Readonly<Record<string, DataSourceSetup>> = { first: FIRST },
  defaults: object = {},
): Promise<DataGateway> {
  return startDataGateway(sources, {
    access: ACCESS,
    defaults: { retries: 0, 'stale-while-revalidate': '0s', ...defaults },
  });
}

function upstreamOf({ upstreams }: DataGateway, code = 'first'): UpstreamServer {
  const upstream = upstreams[code];
  if (upstream === undefined) throw new Error(`no upstream ${code}`);
  return upstream;
}

/** Status, teams and Source-Status without ages and numbers. */
function summarize({ status: code, headers, json }: GatewayResponse): string {
  const { data } = fieldsOf(json);
  const teams = Array.isArray(data) ? data.map((team) => String(fieldsOf(team)['team'])).join() : '-';
  const states = (headers.get('source-status') ?? '').replace(/;records=\d+|;age=\d+/g, '');
  return `${code} ${teams} ${states}`;
}

const ask = async ({ gateway }: DataGateway): Promise<string> => summarize(await gateway.get(TARGET, AS_MEMBER));
const askPublicly = async ({ gateway }: DataGateway): Promise<string> => summarize(await gateway.get(OPEN_TARGET));

describe('a source with members credentials', () => {
  it('is sent scope=members and the credential in each request, and no request for keys', async () => {
    const world = await start();
    expect(await ask(world)).toBe('200 ALPHA,BETA,GAMMA first;state=fresh');
    const { requests } = upstreamOf(world);
    expect(requests.length).toBeGreaterThan(0);
    for (const { query, headers } of requests)
      expect([query.get('scope'), headers.authorization]).toEqual(['members', `Bearer ${TOKEN}`]);
  });

  it('gets neither of them in a public query, which is not answered from its members data', async () => {
    const world = await start();
    await ask(world);
    upstreamOf(world).forget();
    const response = await world.gateway.get(OPEN_TARGET);
    expect([summarize(response), response.text.includes('Members only')]).toEqual([
      '200 ALPHA,BETA first;state=fresh',
      false,
    ]);
    for (const { query, headers } of upstreamOf(world).requests)
      expect([query.get('scope'), headers.authorization]).toEqual([null, undefined]);
    expect(upstreamOf(world).requests.length).toBeGreaterThan(0);
  });

  it.each<[string, object, (request: UpstreamRequest) => unknown, unknown]>([
    ['basic', { basic: 'rollcall:päss' }, ({ headers }) => headers.authorization, 'Basic cm9sbGNhbGw6cMOkc3M='],
    ['header', { header: 'X-Api-Key: a b' }, ({ headers }) => headers['x-api-key'], 'a b'],
    ['query', { query: 'api_key=a&b c+' }, ({ query }) => query.get('api_key'), 'a&b c+'],
  ])('is sent a credential of the form %s, at members access only', async (_, credential, find, sent) => {
    const answer = areas(simulatedMembers(MEMBERS_TEAMS));
    const world = await start({
      first: { records: {}, handler: answer, registration: { credentials: { members: credential } } },
    });
    expect(await ask(world)).toBe('200 ALPHA,BETA,GAMMA first;state=fresh');
    expect(new Set(upstreamOf(world).requests.map(find))).toEqual(new Set([sent]));
    upstreamOf(world).forget();
    await askPublicly(world);
    expect(upstreamOf(world).requests.map(find)).not.toContain(sent);
  });

  it('is drained once: the second query is answered from the snapshot, whatever its format and filter', async () => {
    const world = await start();
    await ask(world);
    const number = upstreamOf(world).requests.length;
    const targets = [TARGET, `${TARGET}&country=PT`, '/data/v1/teams.csv?scope=members&sort=-team&limit=1'];
    for (const target of targets) expect((await world.gateway.get(target, AS_MEMBER)).status).toBe(200);
    expect(upstreamOf(world).requests).toHaveLength(number);
    const again = await world.gateway.get(TARGET, AS_MEMBER);
    expect(again.headers.get('cache-status')).toMatch(/^rollcall;hit/);
  });

  it('is drained once for requests at the same time', async () => {
    const world = await start();
    const all = await Promise.all([1, 2, 3, 4, 5].map(() => ask(world)));
    expect(new Set(all)).toEqual(new Set(['200 ALPHA,BETA,GAMMA first;state=fresh']));
    expect(upstreamOf(world).requests.filter(({ query }) => query.get('offset') === '0')).toHaveLength(1);
  });
});

/** A members area that reads no credential. */
function simulatedMembers(teams: readonly Readonly<Record<string, unknown>>[]): RequestHandler {
  const list = simulatedRepository({ teams }, [{ paging: { envelope: { access: 'members' } } }]);
  return (request, response) => {
    list({ ...request, path: '/data/teams' }, response);
  };
}

describe('members data of a source that fails', () => {
  const down = status(503);

  it('is stale for 15 minutes and then failed, while public data is stale for 24 hours', async () => {
    const world = await start({ first: FIRST, second: SECOND_SOURCE });
    const ofMember = async (): Promise<string> =>
      (await ask(world)).replace(/reason=suspended/g, 'reason=status;status=503');
    const ofPublic = async (): Promise<string> =>
      (await askPublicly(world)).replace(/reason=suspended/g, 'reason=status;status=503');
    await ask(world);
    await askPublicly(world);
    upstreamOf(world).handler = down;
    world.clock.advance(MINUTE + 15 * MINUTE - SECOND);
    const stale = 'first;state=stale;reason=status;status=503, second;state=fresh';
    expect(await ofMember()).toBe(`200 ALPHA,BETA,DELTA,GAMMA ${stale}`);
    expect(await ofPublic()).toBe(`200 ALPHA,BETA,DELTA ${stale}`);
    world.clock.advance(3 * SECOND);
    expect(await ofMember()).toBe('200 DELTA first;state=failed;reason=status;status=503, second;state=fresh');
    expect(await ofPublic()).toBe(`200 ALPHA,BETA,DELTA ${stale}`);
    world.clock.advance(24 * HOUR - 15 * MINUTE - 10 * SECOND);
    expect(await ofPublic()).toBe(`200 ALPHA,BETA,DELTA ${stale}`);
    world.clock.advance(MINUTE);
    expect(await ofPublic()).toBe('200 DELTA first;state=failed;reason=status;status=503, second;state=fresh');
  });

  it('is stale no longer than stale-if-error allows', async () => {
    const registration = { ...MEMBERS, 'stale-if-error': '30s' };
    const world = await start({ first: { ...FIRST, registration } });
    await ask(world);
    upstreamOf(world).handler = down;
    world.clock.advance(MINUTE + 29 * SECOND);
    expect(await ask(world)).toBe('200 ALPHA,BETA,GAMMA first;state=stale;reason=status;status=503');
    world.clock.advance(4 * SECOND);
    expect(await ask(world)).toBe('502 - first;state=failed;reason=status;status=503');
  });

  it('of a source without members credentials is stale for 24 hours in members responses too', async () => {
    const world = await start({ first: FIRST, second: SECOND_SOURCE });
    await ask(world);
    upstreamOf(world, 'second').handler = down;
    world.clock.advance(10 * HOUR);
    expect(await ask(world)).toBe(
      '200 ALPHA,BETA,DELTA,GAMMA first;state=fresh, second;state=stale;reason=status;status=503',
    );
  });

  it('has the state and no other header fields of public staleness', async () => {
    const world = await start();
    await ask(world);
    upstreamOf(world).handler = down;
    world.clock.advance(2 * MINUTE);
    const { headers, json } = await world.gateway.get(TARGET, AS_MEMBER);
    expect(headers.get('cache-control')).toBe('private, no-store');
    expect(json).toMatchObject({ access: 'members', sources: [{ 'source-name': 'first', state: 'stale' }] });
  });

  it.each<[string, RequestHandler, string, number]>([
    ['401', status(401), 'state=failed;reason=status;status=401', 502],
    ['403', status(403), 'state=failed;reason=status;status=403', 502],
    ['404', status(404), 'state=failed;reason=status;status=404', 502],
    ['500', status(500), 'state=failed;reason=status;status=500', 502],
    ['timeout', neverResponds, 'state=failed;reason=timeout', 504],
    ['public data', dataUpstream({ teams: PUBLIC_TEAMS }), 'state=failed;reason=access', 502],
  ])('with %s is not replaced by its public data', async (_, failing, state, alone) => {
    const world = await start(
      { first: { ...FIRST, handler: areas(failing) }, second: SECOND_SOURCE },
      failing === neverResponds ? { timeout: '1s' } : {},
    );
    expect(await askPublicly(world)).toBe('200 ALPHA,BETA,DELTA first;state=fresh, second;state=fresh');
    expect(await ask(world)).toBe(`200 DELTA first;${state}, second;state=fresh`);
    const response = await world.gateway.get(`${TARGET}&source-name=first`, AS_MEMBER);
    expect([response.status, response.text.includes('Shown to all')]).toEqual([alone, false]);
    expect(await askPublicly(world)).toBe('200 ALPHA,BETA,DELTA first;state=fresh, second;state=fresh');
    const strict = await world.gateway.get(TARGET, { ...AS_MEMBER, prefer: 'handling=strict' });
    expect(strict.status).toBe(alone);
  });

  it('recovers as soon as the source accepts the credentials', async () => {
    const world = await start({ first: { ...FIRST, handler: areas(status(401)) } });
    expect(await ask(world)).toBe('502 - first;state=failed;reason=status;status=401');
    upstreamOf(world).handler = handler;
    world.clock.advance(10 * SECOND);
    expect(await ask(world)).toBe('200 ALPHA,BETA,GAMMA first;state=fresh');
  });
});

describe('the circuit breaker of a source', () => {
  it('that opens at members access does not suspend the source for public queries', async () => {
    const world = await start({ first: { ...FIRST, handler: areas(status(500)) } });
    for (let query = 0; query < 5; query += 1) {
      await ask(world);
      world.clock.advance(10 * SECOND);
    }
    expect(await ask(world)).toBe('502 - first;state=suspended;reason=status;status=500');
    upstreamOf(world).forget();
    expect(await askPublicly(world)).toBe('200 ALPHA,BETA first;state=fresh');
    expect(upstreamOf(world).requests.length).toBeGreaterThan(0);
    upstreamOf(world).handler = handler;
    world.clock.advance(10 * SECOND);
    expect(await ask(world)).toBe('502 - first;state=suspended;reason=status;status=500');
    expect(upstreamOf(world).requests.filter(asksForMembers)).toEqual([]);
  });

  it('that opens at public access does not suspend the source for members queries', async () => {
    const failing = areas(handler, status(500));
    const world = await start({ first: { ...FIRST, handler: failing } });
    for (let query = 0; query < 5; query += 1) {
      await askPublicly(world);
      world.clock.advance(10 * SECOND);
    }
    expect(await askPublicly(world)).toBe('502 - first;state=suspended;reason=status;status=500');
    expect(await ask(world)).toBe('200 ALPHA,BETA,GAMMA first;state=fresh');
    expect(await askPublicly(world)).toBe('502 - first;state=suspended;reason=status;status=500');
  });

  it('is separate for each level at a source without members credentials too', async () => {
    const world = await start({ second: { ...SECOND_SOURCE, handler: status(500) } });
    for (let query = 0; query < 5; query += 1) {
      await ask(world);
      world.clock.advance(10 * SECOND);
    }
    expect(await ask(world)).toBe('502 - second;state=suspended;reason=status;status=500');
    expect(await askPublicly(world)).toBe('502 - second;state=failed;reason=status;status=500');
  });
});

describe('a large source with members credentials', () => {
  const count = 40;
  const teams = (host: string): readonly Readonly<Record<string, unknown>>[] =>
    Array.from({ length: count }, (_, at) => ({
      id: `t${at}`,
      team: `TEAM${String(at).padStart(2, '0')}`,
      country: at % 4 === 0 ? 'PT' : 'BR',
      host,
    }));
  const registration = {
    ...MEMBERS,
    'drain-threshold': 5,
    supports: { teams: { filters: ['country', 'team'], sort: ['team'], total: true, exact: true } },
  };
  const open = simulatedRepository({ teams: teams('Shown to all') });
  const large = areas(
    membersUpstream({}, { authorization: `Bearer ${TOKEN}`, teams: [...teams('Members only'), hidden()] }),
    (request, response) => {
      open({ ...request, path: '/data/teams' }, response);
    },
  );

  function hidden(): Readonly<Record<string, unknown>> {
    return { id: 'hidden', team: 'TEAM99', country: 'PT', host: 'Members only' };
  }

  it('is asked with scope=members, the credential and the filter, and is not drained', async () => {
    const world = await start({ first: { records: {}, handler: large, registration } });
    const response = await world.gateway.get(`${TARGET}&country=PT&limit=2&offset=9`, AS_MEMBER);
    expect(response.json).toMatchObject({
      access: 'members',
      total: 11,
      data: [
        { id: 'first.t36', host: 'Members only' },
        { id: 'first.hidden', host: 'Members only' },
      ],
    });
    const { requests } = upstreamOf(world);
    for (const { query, headers } of requests)
      expect([query.get('scope'), headers.authorization]).toEqual(['members', `Bearer ${TOKEN}`]);
    const filtered = requests.filter(({ query }) => query.get('country') === 'PT');
    expect(filtered.length).toBeGreaterThan(0);
    const unfiltered = requests.filter(({ query }) => !query.has('country'));
    const requested = unfiltered.map(({ query }) => Number(query.get('limit') ?? 100));
    expect(unfiltered.every(({ query }) => Number(query.get('offset') ?? 0) === 0)).toBe(true);
    expect(requested.length).toBeLessThanOrEqual(1);
  });

  it('answers a public query by a separate request without the credential, whose result has no members data', async () => {
    const world = await start({ first: { records: {}, handler: large, registration } });
    await world.gateway.get(`${TARGET}&country=PT&limit=20`, AS_MEMBER);
    upstreamOf(world).forget();
    const response = await world.gateway.get(`${OPEN_TARGET}&country=PT&limit=20`);
    expect(response.json).toMatchObject({ access: 'public', total: 10 });
    expect(response.text).not.toContain('Members only');
    const { requests } = upstreamOf(world);
    expect(requests.some(({ query }) => query.get('country') === 'PT')).toBe(true);
    expect(requests.filter(({ headers }) => headers.authorization !== undefined)).toEqual([]);
    expect(requests.filter(asksForMembers)).toEqual([]);
  });

  it('serves the result of the same members query stale for 15 minutes', async () => {
    const world = await start({ first: { records: {}, handler: large, registration } });
    const target = `${TARGET}&team=TEAM04&limit=5`;
    const asked = async (): Promise<string> => summarize(await world.gateway.get(target, AS_MEMBER));
    expect(await asked()).toBe('200 TEAM04 first;state=fresh');
    upstreamOf(world).handler = status(403);
    world.clock.advance(10 * MINUTE);
    expect(await asked()).toBe('200 TEAM04 first;state=stale;reason=status;status=403');
    world.clock.advance(10 * MINUTE);
    expect(await asked()).toBe('502 - first;state=failed;reason=status;status=403');
  });
});

describe('a source with only the directory interface', () => {
  const RECORDS = [{ 'short-team-name': 'OSCAR', 'country-code': 'BR', enckeys: ['0x2222222222222222'] }];
  const HIDDEN = { 'short-team-name': 'PAPA', host: 'Members only' };

  /** Starts the gateway; the source lists one more team where it is sent the credential. */
  async function startDirectory(): Promise<{ gateway: TestGateway; upstream: UpstreamServer }> {
    const upstream = await startUpstream(
      when(
        ({ headers }) => headers.authorization === `Bearer ${TOKEN}`,
        directoryUpstream([...RECORDS, HIDDEN]),
        directoryUpstream(RECORDS),
      ),
    );
    const gateway = await startGateway(
      { access: ACCESS, sources: { first: { directory: upstream.address, ...MEMBERS } } },
      { clock: fakeClock() },
    );
    open.push(gateway, upstream);
    return { gateway, upstream };
  }

  it('is sent the members credential in members queries, and no scope, which it does not know', async () => {
    const { gateway, upstream } = await startDirectory();
    const response = await gateway.get(TARGET, AS_MEMBER);
    expect(response.json).toMatchObject({
      access: 'members',
      data: [
        { team: 'OSCAR', 'pgp-id': '0x2222222222222222' },
        { team: 'PAPA', host: 'Members only' },
      ],
    });
    expect(upstream.requests.map(({ headers }) => headers.authorization)).not.toContain(undefined);
    expect(upstream.requests.filter(({ query }) => query.has('scope'))).toEqual([]);
  });

  it('is sent no credential in public queries of either interface', async () => {
    const { gateway, upstream } = await startDirectory();
    await gateway.get(TARGET, AS_MEMBER);
    upstream.forget();
    for (const target of [OPEN_TARGET, '/directory/v1/teams', '/data/v1/teams?scope=pgp']) {
      const response = await gateway.get(target, AS_MEMBER);
      expect([response.status, response.headers.get('x-total-count')]).toEqual([200, '1']);
      expect(response.text).not.toContain('PAPA');
    }
    expect(new Set(upstream.requests.map(({ headers }) => headers.authorization))).toEqual(new Set([undefined]));
  });
});

describe('a source with a public credential', () => {
  const PUBLIC_TOKEN = 'token-for-everybody';
  const guarded = when(
    ({ headers, query }) => headers.authorization !== `Bearer ${PUBLIC_TOKEN}` && query.get('scope') !== 'members',
    status(401),
    handler,
  );

  it('is sent it in every public query, and its data is public', async () => {
    const registration = { credentials: { public: { bearer: PUBLIC_TOKEN } } };
    const world = await start({ first: { records: {}, handler: guarded, registration } });
    expect(await askPublicly(world)).toBe('200 ALPHA,BETA first;state=fresh');
    const news = await world.gateway.get('/data/v1/news');
    expect(news.json).toMatchObject({ total: 1, access: 'public' });
    expect(await world.gateway.get('/data/v1/news/1001')).toMatchObject({ status: 200 });
    const fields = upstreamOf(world).requests.map(({ headers }) => headers.authorization);
    expect(new Set(fields)).toEqual(new Set([`Bearer ${PUBLIC_TOKEN}`]));
  });

  it('is sent it in members queries where it has no members credential', async () => {
    const registration = { credentials: { public: { bearer: PUBLIC_TOKEN } } };
    const world = await start({ first: { records: {}, handler: guarded, registration } });
    expect(await ask(world)).toBe('200 ALPHA,BETA first;state=fresh');
    expect(upstreamOf(world).requests.filter(asksForMembers)).toEqual([]);
  });

  it('is sent one credential in each request: that of the access level', async () => {
    const registration = { credentials: { public: { bearer: PUBLIC_TOKEN }, members: { bearer: TOKEN } } };
    const world = await start({ first: { records: {}, handler: guarded, registration } });
    expect(await ask(world)).toBe('200 ALPHA,BETA,GAMMA first;state=fresh');
    expect(await askPublicly(world)).toBe('200 ALPHA,BETA first;state=fresh');
    for (const request of upstreamOf(world).requests)
      expect(request.headers.authorization).toBe(`Bearer ${asksForMembers(request) ? TOKEN : PUBLIC_TOKEN}`);
  });

  it('that answers it with members data is refused at public access', async () => {
    const registration = { credentials: { public: { bearer: PUBLIC_TOKEN } } };
    const world = await start({ first: { records: {}, handler: simulatedMembers(MEMBERS_TEAMS), registration } });
    const response = await world.gateway.get(OPEN_TARGET);
    expect(summarize(response)).toBe('502 - first;state=failed;reason=access');
    expect(response.text).not.toContain('Members only');
  });
});

describe('a page that states another access level than it was asked at', () => {
  const SHOWN = { teams: PUBLIC_TEAMS, news: NEWS, channels: CHANNELS };
  const MEMBERS_FACTS = { envelope: { access: 'members' } };

  it.each([
    OPEN_TARGET,
    '/data/v1/teams?scope=pgp',
    '/data/v1/teams?scope=minimal',
    '/data/v1/news',
    '/data/v1/news?channel=All',
    '/data/v1/news/1001',
    '/data/v1/channels',
    '/directory/v1/teams',
  ])('is refused at public access for %s', async (target) => {
    const world = await start({ first: { records: SHOWN, behaviour: MEMBERS_FACTS } });
    const response = await world.gateway.get(target);
    expect([response.status, response.headers.get('source-status')]).toEqual([
      502,
      expect.stringContaining('reason=access'),
    ]);
  });

  it('is refused on the directory interface', async () => {
    const upstream = await startUpstream(directoryUpstream([{ 'short-team-name': 'OSCAR' }], MEMBERS_FACTS));
    const gateway = await startGateway({ sources: { first: { directory: upstream.address } } });
    open.push(gateway, upstream);
    expect(summarize(await gateway.get('/directory/v1/teams?envelope=1'))).toContain('state=failed;reason=access');
  });

  it('is refused where only the list of keys states it', async () => {
    const withKeys = PUBLIC_TEAMS.map((team) => ({ ...team, 'pgp-id': '0x1111111111111111' }));
    const keys = when(
      ({ query }) => query.get('scope') === 'pgp',
      dataUpstream({ teams: withKeys }, { ...MEMBERS_FACTS, keys: 'pgp' }),
      dataUpstream({ teams: PUBLIC_TEAMS }),
    );
    const world = await start({ first: { records: {}, handler: keys } });
    const response = await world.gateway.get('/data/v1/teams?scope=pgp&pretty=0');
    expect(response.text).not.toContain('0x1111111111111111');
    expect(response.status).toBe(502);
  });

  it.each(['public', 'members'] as const)(
    'is refused where a later page of a list asked at %s access states it',
    async (level) => {
      const many = Array.from({ length: 250 }, (_, at) => ({ id: `t${at}`, team: `TEAM${at}` }));
      const page = (access: string): RequestHandler => dataUpstream({ teams: many }, { envelope: { access } });
      const other = level === 'public' ? 'members' : 'public';
      const changing = when(({ query }) => query.get('offset') === '100', page(other), page(level));
      const world = await start({
        first: { records: {}, handler: changing, ...(level === 'members' && { registration: MEMBERS }) },
      });
      const asked = level === 'public' ? askPublicly(world) : ask(world);
      expect(await asked).toBe('502 - first;state=failed;reason=access');
    },
  );

  it('is refused in a pushed-down query', async () => {
    const many = Array.from({ length: 40 }, (_, at) => ({ id: `t${at}`, team: `TEAM${at}`, country: 'PT' }));
    const supports = { teams: { filters: ['country'], sort: ['team'], total: true } };
    const list = (access: string): RequestHandler =>
      simulatedRepository({ teams: many }, [{ paging: { envelope: { access } } }]);
    const changing: RequestHandler = (request, response) => {
      list(request.query.has('country') ? 'members' : 'public')({ ...request, path: '/data/teams' }, response);
    };
    const registration = { 'drain-threshold': 5, supports };
    const world = await start({ first: { records: {}, handler: changing, registration } });
    const response = await world.gateway.get(`${OPEN_TARGET}&country=PT&limit=2`);
    expect(summarize(response)).toBe('502 - first;state=failed;reason=access');
  });
});

describe('the keys of a source without members credentials', () => {
  const KEYS = [{ id: 'delta', team: 'DELTA', 'pgp-id': '0x3333333333333333' }];

  it('are requested at public access and shown to members', async () => {
    const world = await start({ second: { records: { teams: KEYS }, behaviour: { keys: 'pgp' } } });
    expect((await world.gateway.get(TARGET, AS_MEMBER)).json).toMatchObject({
      data: KEYS.map(({ team, ...key }) => ({ team, 'pgp-id': key['pgp-id'] })),
    });
    expect(upstreamOf(world, 'second').requests.map(({ query }) => query.get('scope'))).toContain('pgp');
  });

  it('make the response partial where they cannot be fetched', async () => {
    const failing = when(
      ({ query }) => query.get('scope') === 'pgp',
      status(500),
      dataUpstream({ teams: KEYS }, { keys: 'pgp' }),
    );
    const world = await start({ first: FIRST, second: { records: {}, handler: failing } });
    expect(await ask(world)).toBe('200 ALPHA,BETA,DELTA,GAMMA first;state=fresh, second;state=partial;reason=keys');
  });
});

describe('a revalidation of members data', () => {
  it('sends scope=members, the credential and the tag of the members list', async () => {
    const world = await start({
      first: {
        records: {},
        registration: MEMBERS,
        handler: areas((request, response) => {
          if (request.headers['if-none-match'] === '"members-1"') response.writeHead(304).end();
          else {
            const body = {
              status: 'OK',
              'status-code': 200,
              total: 1,
              access: 'members',
              data: MEMBERS_TEAMS.slice(0, 1),
            };
            response.writeHead(200, { ETag: '"members-1"' }).end(JSON.stringify(body));
          }
        }),
      },
    });
    expect(await ask(world)).toBe('200 ALPHA first;state=fresh');
    await askPublicly(world);
    upstreamOf(world).forget();
    world.clock.advance(2 * MINUTE);
    expect(await ask(world)).toBe('200 ALPHA first;state=fresh');
    const [request, ...others] = upstreamOf(world).requests;
    expect(others).toEqual([]);
    expect(request?.headers).toMatchObject({ authorization: `Bearer ${TOKEN}`, 'if-none-match': '"members-1"' });
    await askPublicly(world);
    const open = upstreamOf(world).requests.filter(({ query }) => !query.has('scope'));
    expect(open.filter(({ headers }) => headers['if-none-match'] === '"members-1"')).toEqual([]);
  });
});

describe('news and channels', () => {
  it.each(['/data/v1/news', '/data/v1/news?channel=All', '/data/v1/news/1001', '/data/v1/channels'])(
    'at %s are public for members too',
    async (target) => {
      const world = await start();
      const response = await world.gateway.get(target, AS_MEMBER);
      expect(response.json).toMatchObject({ access: 'public' });
      expect(response.headers.get('cache-control')).toMatch(/^public, max-age=/);
      const { requests } = upstreamOf(world);
      expect(requests.length).toBeGreaterThan(0);
      for (const { query, headers } of requests)
        expect([query.get('scope'), headers.authorization]).toEqual([null, undefined]);
      expect(world.gateway.log.filter(({ message }) => message === 'members data sent')).toEqual([]);
    },
  );

  it('have no scope', async () => {
    const world = await start();
    expect((await world.gateway.get('/data/v1/news?scope=members', AS_MEMBER)).status).toBe(400);
    expect((await world.gateway.get('/data/v1/channels?scope=members')).status).toBe(400);
  });
});

describe('a Rollcall as a source of another one', () => {
  const UPPER_KEY = 'rck_key-at-the-upper-gateway';
  const UPPER_HASH = 'd257ae6081c0090e93856550fe997cfdf3842b4971f261538c1b1023acb33ffe';

  interface Chain {
    readonly lower: TestGateway;
    readonly upper: TestGateway;
    readonly upstream: UpstreamServer;
    readonly advance: (milliseconds: number) => void;
  }

  async function startChain(lowerAccess: object = ACCESS): Promise<Chain> {
    const clock = fakeClock();
    const defaults = { retries: 0, 'stale-while-revalidate': '0s' };
    const upstream = await startUpstream(handler);
    const second = await startUpstream(dataUpstream({ teams: [{ id: 'delta', team: 'DELTA' }] }));
    const startOne = (name: string, setup: GatewaySetup): Promise<TestGateway> =>
      startGateway({ server: { name }, defaults, ...setup }, { clock });
    const lower = await startOne('lower', {
      access: lowerAccess,
      sources: {
        first: { 'source-name': 'The First', data: upstream.address, ...MEMBERS },
        second: { data: second.address },
      },
    });
    const credentials = { members: { bearer: MEMBERS_KEY } };
    const upper = await startOne('upper', {
      access: { clients: [{ name: 'lighthouse', 'key-sha256': UPPER_HASH, access: 'members' }] },
      sources: { below: { data: `${lower.origin}/data/v1`, aggregate: true, credentials } },
    });
    open.push(upper, lower, upstream, second);
    return { lower, upper, upstream, advance: (milliseconds) => clock.advance(milliseconds) };
  }

  it('passes members data to members of the upper one, with its source-names, and not to the public', async () => {
    const { upper } = await startChain();
    const response = await upper.get(TARGET, bearer(UPPER_KEY));
    expect(response.json).toMatchObject({
      access: 'members',
      data: [
        { team: 'ALPHA', host: 'Members only', 'pgp-id': '0x1111111111111111', 'source-name': 'The First' },
        { team: 'BETA', host: 'Members only', 'source-name': 'The First' },
        { team: 'DELTA', 'source-name': 'second' },
        { team: 'GAMMA', host: 'Members only', 'source-name': 'The First' },
      ],
    });
    expect(response.headers.get('cache-control')).toBe('private, no-store');
    const anonymous = await upper.get(OPEN_TARGET);
    expect(summarize(anonymous)).toBe('200 ALPHA,BETA,DELTA below;state=fresh');
    expect([anonymous.text.includes('Members only'), anonymous.text.includes('0x1111')]).toEqual([false, false]);
  });

  it('does not know the keys of the upper one, nor the upper one its keys', async () => {
    const { upper, lower } = await startChain();
    expect((await lower.get(TARGET, bearer(UPPER_KEY))).status).toBe(401);
    expect((await upper.get(TARGET, AS_MEMBER)).status).toBe(401);
  });

  it('writes an audit line for the upper one, and none for its public queries', async () => {
    const { upper, lower } = await startChain();
    const lines = (): readonly object[] =>
      lower.log.filter(({ message }) => message === 'members data sent').map(({ facts }) => facts);
    await upper.get(OPEN_TARGET);
    expect(lines()).toEqual([]);
    await upper.get(TARGET, bearer(UPPER_KEY));
    expect(lines().length).toBeGreaterThan(0);
    expect(lines()[0]).toMatchObject({ client: 'csirt-north', credential: 'key', records: 4 });
  });

  it('is partial in the upper one while a source of its own fails at members access', async () => {
    const { upper, upstream } = await startChain();
    upstream.handler = areas(status(401));
    expect(summarize(await upper.get(TARGET, bearer(UPPER_KEY)))).toBe('200 DELTA below;state=partial;reason=upstream');
    expect(summarize(await upper.get(OPEN_TARGET))).toBe('200 ALPHA,BETA,DELTA below;state=fresh');
  });

  it('fails in the upper one, which says so, once the key there has expired', async () => {
    const [member, ...others] = ACCESS.clients;
    const { upper, advance } = await startChain({
      clients: [{ ...member, expires: '2026-01-01T01:00:00Z' }, ...others],
    });
    const asked = async (): Promise<string> => summarize(await upper.get(TARGET, bearer(UPPER_KEY)));
    advance(59 * MINUTE);
    expect(await asked()).toBe('200 ALPHA,BETA,DELTA,GAMMA below;state=fresh');
    advance(2 * MINUTE);
    expect(await asked()).toBe('200 ALPHA,BETA,DELTA,GAMMA below;state=stale;reason=status;status=401');
    advance(15 * MINUTE);
    expect(await asked()).toBe('502 - below;state=failed;reason=status;status=401');
    expect(summarize(await upper.get(OPEN_TARGET))).toBe('200 ALPHA,BETA,DELTA below;state=fresh');
  });

  it('serves the upper one scope=pgp from its members list where keys need members access', async () => {
    const { upper } = await startChain({ ...ACCESS, scopes: { pgp: 'members' } });
    const response = await upper.get(TARGET, bearer(UPPER_KEY));
    expect(response.text).toContain('0x1111111111111111');
    const keys = await upper.get('/data/v1/teams?scope=pgp&pretty=0');
    expect([keys.status, keys.text.includes('0x1111')]).toEqual([200, false]);
  });
});
