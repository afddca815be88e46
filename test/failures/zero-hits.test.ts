import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { fakeClock } from '../support/fake-clock.js';
import { dataUpstream } from '../support/upstream/data-upstream.js';
import { directoryUpstream } from '../support/upstream/directory-upstream.js';
import * as faulty from '../support/upstream/faulty-responses.js';
import { startGateway } from '../support/gateway/test-gateway.js';
import type { GatewayDependencies, TestGateway } from '../support/gateway/test-gateway.js';
import { neverResponds, startUpstream } from '../support/upstream/upstream-server.js';
import type { RequestHandler, UpstreamServer } from '../support/upstream/upstream-server.js';

const LENIENT = { prefer: 'handling=lenient' };

const TEAMS = [{ id: 'coral', team: 'Coral', 'team-full': 'Coral Team', country: 'IS' }];
const NEWS = [{ id: 1, title: 'Coral', link: '/1', published: 'Wed, 01 Jul 2026 10:00:00 GMT' }];
const CHANNELS = [{ id: 1, title: 'Coral', link: '/c' }];

/** Serves every list of both interfaces, with one record named Coral each. */
const well: RequestHandler = (request, response) => {
  const records = directoryUpstream([{ 'short-team-name': 'Coral', 'country-code': 'IS' }]);
  const baseHandler = request.path.startsWith('/data')
    ? dataUpstream({ teams: TEAMS, news: NEWS, channels: CHANNELS })
    : records;
  baseHandler(request, response);
};

const open: (UpstreamServer | TestGateway)[] = [];

async function close(): Promise<void> {
  await Promise.all(open.splice(0).map((server) => server.close()));
}

/** Starts a gateway over a healthy source and a faulty one; `registered` has further settings of the latter. */
async function startWithFault(
  fault: RequestHandler,
  registered: object = {},
  server: object = {},
  dependencies: GatewayDependencies = {},
): Promise<TestGateway> {
  const [healthy, faultySource] = [await startUpstream(well), await startUpstream(fault)];
  const both = ({ address }: UpstreamServer): object => {
    const { origin } = new URL(address);
    return { directory: `${origin}/directory/v1`, data: `${origin}/data/v1` };
  };
  const gateway = await startGateway(
    {
      server: { name: 'zero-hits', ...server },
      defaults: { retries: 0, 'stale-while-revalidate': '0s' },
      sources: { well: both(healthy), troubled: { ...both(faultySource), ...registered } },
    },
    { clock: fakeClock(), ...dependencies },
  );
  open.push(healthy, faultySource, gateway);
  return gateway;
}

const LISTS = ['/directory/v1/teams', '/data/v1/teams', '/data/v1/news', '/data/v1/channels'];

/** Extension, and the media type of an error in that format. */
const FORMATS: readonly (readonly [string, string])[] = [
  ['', 'application/json; charset=utf-8'],
  ['.json', 'application/json; charset=utf-8'],
  ['.yml', 'application/yaml; charset=utf-8'],
  ['.xml', 'application/xml; charset=utf-8'],
  ['.csv', 'application/csv; charset=utf-8'],
  ['.xlsx', 'application/json; charset=utf-8'],
];

const CASES = LISTS.flatMap((list) =>
  FORMATS.filter(([extension]) => !(list.endsWith('news') && extension === '.xlsx')).flatMap(([extension, type]) =>
    ['envelope=0', 'envelope=1', 'envelope=0&limit=0', 'envelope=1&limit=0', 'envelope=1&offset=3'].map(
      (form) => [`${list}${extension}?q=nobody&${form}`, type] as const,
    ),
  ),
);

/** Zero hits (decisions 6.7). */
describe('zero hits while a queried source fails', () => {
  let gateway: TestGateway;

  beforeAll(async () => {
    gateway = await startWithFault(faulty.status(401));
  });

  afterAll(close);

  it.each(CASES)('are a 502 that names the source: GET %s', async (target, type) => {
    const { status, headers, text } = await gateway.get(target);
    expect({ status, type: headers.get('content-type') }).toEqual({ status: 502, type });
    expect(text).toContain('troubled');
    expect(headers.get('source-status')).toMatch(/well;state=fresh;.*troubled;state=failed;reason=status/);
    expect(headers.get('cache-control')).toBe('no-store');
    for (const name of ['etag', 'last-modified', 'x-total-count']) expect(headers.has(name)).toBe(false);
  });

  it.each(LISTS)('are a 502 for HEAD too: %s', async (list) => {
    const { status, headers } = await fetch(`${gateway.origin}${list}?q=nobody`, { method: 'HEAD' });
    expect([status, headers.get('source-status')]).toEqual([502, expect.stringContaining('troubled;state=failed')]);
  });

  it.each(LISTS)('are an error in the envelope of a JSONP response: %s', async (list) => {
    const { status, text } = await gateway.get(`${list}?q=nobody&callback=show`);
    const code = list.startsWith('/data') ? 'status-code' : 'status_code';
    const json: unknown = JSON.parse(/^\/\*\*\/show\((.*)\);$/s.exec(text)?.[1] ?? '');
    expect(status).toBe(200);
    expect(json).toMatchObject({ [code]: 502, sources: [{ 'source-name': 'troubled', reason: 'status' }] });
    expect(json).not.toHaveProperty('data');
  });

  it.each(LISTS)('are a 200 marked as partial with Prefer: handling=lenient: %s', async (list) => {
    const { status, headers, json } = await gateway.get(`${list}?q=nobody&envelope=1`, LENIENT);
    expect(status).toBe(200);
    expect(json).toMatchObject({ total: 0, sources: [{ 'source-name': 'troubled', state: 'failed' }], data: [] });
    expect(headers.get('preference-applied')).toBe('handling=lenient');
    expect([headers.get('cache-control'), headers.get('etag')]).toEqual(['no-store', null]);
    const saved = await gateway.get(`${list}.csv?q=nobody`, LENIENT);
    expect(saved.headers.get('content-disposition')).toContain('.partial.csv');
  });

  it('of one source do not matter when another source has a match', async () => {
    for (const list of LISTS) {
      const { status, headers } = await gateway.get(`${list}?q=coral&limit=0`);
      expect([status, headers.get('x-total-count')]).toEqual([200, '1']);
    }
  });

  it('are a 200 when the failing source was not queried', async () => {
    const { status, text } = await gateway.get('/directory/v1/teams?q=nobody&source-name=well');
    expect([status, text]).toEqual([200, '[]']);
  });
});

describe('zero hits', () => {
  afterEach(close);

  it.each<readonly [string, RequestHandler, number, string]>([
    ['times out', neverResponds, 504, 'failed'],
    [
      'returns fewer records than its total',
      directoryUpstream([{ 'short-team-name': 'Reef' }], { total: 9 }),
      502,
      'inconsistent',
    ],
    ['sends entries that are not records', faulty.body('[{"short-team-name":"Reef"},7]'), 502, 'partial'],
  ])('are an error while a source %s', async (_title, fault, expected, state) => {
    const registered = fault === neverResponds ? { timeout: '150ms' } : { resources: ['teams'] };
    const gateway = await startWithFault(fault, registered);
    const { status, headers } = await gateway.get('/directory/v1/teams?q=nobody');
    expect([status, headers.get('source-status')]).toEqual([
      expected,
      expect.stringContaining(`troubled;state=${state}`),
    ]);
    expect((await gateway.get('/directory/v1/teams?q=nobody', LENIENT)).status).toBe(200);
  });

  it('are an error while a source is suspended', async () => {
    const suspension = { failures: 1, cooldown: 3_600_000 };
    const gateway = await startWithFault(faulty.status(500), {}, {}, { suspension });
    await gateway.get('/directory/v1/teams?q=coral');
    const { status, headers } = await gateway.get('/data/v1/channels?q=nobody');
    expect([status, headers.get('source-status')]).toEqual([502, expect.stringContaining('troubled;state=suspended')]);
  });

  it('are a 200 from a stale snapshot, because its source was complete when it was drained', async () => {
    const clock = fakeClock();
    const upstream = await startUpstream(well);
    const gateway = await startGateway(
      {
        defaults: { retries: 0, 'stale-while-revalidate': '0s' },
        sources: { troubled: { directory: upstream.address } },
      },
      { clock },
    );
    open.push(upstream, gateway);
    await gateway.get('/directory/v1/teams');
    upstream.handler = faulty.status(500);
    clock.advance(61_000);
    const { status, headers, json } = await gateway.get('/directory/v1/teams?q=nobody&envelope=1');
    expect([status, headers.get('source-status')]).toEqual([200, expect.stringContaining('troubled;state=stale')]);
    expect(json).toMatchObject({ total: 0, sources: [{ state: 'stale', reason: 'status' }] });
    expect((await gateway.get('/directory/v1/teams?q=nobody', { prefer: 'handling=strict' })).status).toBe(502);
  });

  it.each<readonly [string, string, RequestHandler]>([
    ['total', 'returns fewer records than its total', directoryUpstream([{ 'short-team-name': 'Reef' }], { total: 9 })],
    ['drift', 'changes with every page', drifting()],
  ])('are a 200 where the operator tolerates "%s" of a source that %s', async (tolerated, _title, fault) => {
    const registered = { resources: ['teams'], 'page-size': 20 };
    const strict = await startWithFault(fault, registered);
    expect((await strict.get('/directory/v1/teams?q=nobody')).status).toBe(502);
    const tolerant = await startWithFault(fault, { ...registered, tolerates: [tolerated] });
    const { status, headers, text } = await tolerant.get('/directory/v1/teams?q=nobody');
    expect([status, text]).toEqual([200, '[]']);
    expect(headers.get('source-status')).toMatch(/troubled;state=fresh;records=\d+;age=0/);
    expect(headers.get('cache-control')).toMatch(/^public/);
    const findings = await tolerant.metrics();
    expect(findings).toMatch(tolerated === 'total' ? /wrong-total/ : /repeated-id|drift/);
  });

  it('are an error where a source reports a total and returns no record, whatever the operator tolerates', async () => {
    const gateway = await startWithFault(directoryUpstream([], { total: 9 }), {
      resources: ['teams'],
      tolerates: ['total', 'drift'],
    });
    expect((await gateway.get('/directory/v1/teams?q=nobody')).status).toBe(502);
  });
});

/** Serves forty teams, with another order and another Last-Modified in every response. */
function drifting(): RequestHandler {
  const teams = Array.from({ length: 40 }, (_, at) => ({ 'short-team-name': `Reef ${at}` }));
  let requests = 0;
  return (request, response) => {
    requests += 1;
    response.setHeader('Last-Modified', new Date(Date.UTC(2026, 0, 1, 0, requests)).toUTCString());
    directoryUpstream(teams.toSorted(() => (requests % 2) - 0.5))(request, response);
  };
}

/** A single news item (decisions 2.34, 6.7). */
describe('a single news item', () => {
  afterEach(close);

  it('is never a 404 when its source fails, whatever the client prefers', async () => {
    const gateway = await startWithFault(faulty.status(401));
    expect((await gateway.get('/data/v1/news/5001')).status).toBe(404);
    expect((await gateway.get('/data/v1/news/5002')).status).toBe(502);
    expect((await gateway.get('/data/v1/news/5002', LENIENT)).status).toBe(502);
  });
});
