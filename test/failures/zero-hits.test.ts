import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { fakeClock } from '../support/clock.js';
import { dataUpstream } from '../support/data-upstream.js';
import { directory } from '../support/directory-upstream.js';
import * as mischief from '../support/mischief.js';
import { startRollcall } from '../support/rollcall.js';
import type { Rollcall } from '../support/rollcall.js';
import { hangs, openUpstream } from '../support/upstream.js';
import type { Answering, Upstream } from '../support/upstream.js';

const LENIENT = { prefer: 'handling=lenient' };

const TEAMS = [{ id: 'coral', team: 'Coral', 'team-full': 'Coral Team', country: 'IS' }];
const NEWS = [{ id: 1, title: 'Coral', link: '/1', published: 'Wed, 01 Jul 2026 10:00:00 GMT' }];
const CHANNELS = [{ id: 1, title: 'Coral', link: '/c' }];

/** Everything of both interfaces, all of it named Coral. */
const well: Answering = (asked, response) => {
  const records = directory([{ 'short-team-name': 'Coral', 'country-code': 'IS' }]);
  const answering = asked.path.startsWith('/data')
    ? dataUpstream({ teams: TEAMS, news: NEWS, channels: CHANNELS })
    : records;
  answering(asked, response);
};

const open: (Upstream | Rollcall)[] = [];

async function close(): Promise<void> {
  await Promise.all(open.splice(0).map((one) => one.close()));
}

/** A Rollcall over a source that is well and one that is in trouble; `registered` are further keys of the latter. */
async function over(trouble: Answering, registered: object = {}, server: object = {}): Promise<Rollcall> {
  const [one, other] = [await openUpstream(well), await openUpstream(trouble)];
  const both = ({ address }: Upstream): object => {
    const { origin } = new URL(address);
    return { directory: `${origin}/directory/v1`, data: `${origin}/data/v1` };
  };
  const rollcall = await startRollcall(
    {
      server: { name: 'zero-hits', ...server },
      defaults: { retries: 0, 'stale-while-revalidate': '0s' },
      sources: { well: both(one), troubled: { ...both(other), ...registered } },
    },
    { clock: fakeClock() },
  );
  open.push(one, other, rollcall);
  return rollcall;
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

describe('zero hits while a source that was asked gave nothing', () => {
  let rollcall: Rollcall;

  beforeAll(async () => {
    rollcall = await over(mischief.status(401));
  });

  afterAll(close);

  it.each(CASES)('are a 502 that names the source: GET %s', async (target, type) => {
    const { status, headers, text } = await rollcall.get(target);
    expect({ status, type: headers.get('content-type') }).toEqual({ status: 502, type });
    expect(text).toContain('troubled');
    expect(headers.get('source-status')).toMatch(/well;state=fresh;.*troubled;state=failed;reason=status/);
    expect(headers.get('cache-control')).toBe('no-store');
    for (const name of ['etag', 'last-modified', 'x-total-count']) expect(headers.has(name)).toBe(false);
  });

  it.each(LISTS)('are a 502 for HEAD too: %s', async (list) => {
    const { status, headers } = await fetch(`${rollcall.origin}${list}?q=nobody`, { method: 'HEAD' });
    expect([status, headers.get('source-status')]).toEqual([502, expect.stringContaining('troubled;state=failed')]);
  });

  it.each(LISTS)('are an error in the envelope of a JSONP answer: %s', async (list) => {
    const { status, text } = await rollcall.get(`${list}?q=nobody&callback=show`);
    const code = list.startsWith('/data') ? 'status-code' : 'status_code';
    const json: unknown = JSON.parse(/^\/\*\*\/show\((.*)\);$/s.exec(text)?.[1] ?? '');
    expect(status).toBe(200);
    expect(json).toMatchObject({ [code]: 502, sources: [{ 'source-name': 'troubled', reason: 'status' }] });
    expect(json).not.toHaveProperty('data');
  });

  it.each(LISTS)('are a 200 with Prefer: handling=lenient, marked as every partial answer is: %s', async (list) => {
    const { status, headers, json } = await rollcall.get(`${list}?q=nobody&envelope=1`, LENIENT);
    expect(status).toBe(200);
    expect(json).toMatchObject({ total: 0, sources: [{ 'source-name': 'troubled', state: 'failed' }], data: [] });
    expect(headers.get('preference-applied')).toBe('handling=lenient');
    expect([headers.get('cache-control'), headers.get('etag')]).toEqual(['no-store', null]);
    const saved = await rollcall.get(`${list}.csv?q=nobody`, LENIENT);
    expect(saved.headers.get('content-disposition')).toContain('.partial.csv');
  });

  it('do not end an answer that has a match', async () => {
    for (const list of LISTS) {
      const { status, headers } = await rollcall.get(`${list}?q=coral&limit=0`);
      expect([status, headers.get('x-total-count')]).toEqual([200, '1']);
    }
  });

  it('are a 200 where the source was not asked', async () => {
    const { status, text } = await rollcall.get('/directory/v1/teams?q=nobody&source-name=well');
    expect([status, text]).toEqual([200, '[]']);
  });
});

describe('zero hits', () => {
  afterEach(close);

  it.each<readonly [string, Answering, number, string]>([
    ['only came too late', hangs, 504, 'failed'],
    ['counts more than it gives', directory([{ 'short-team-name': 'Reef' }], { total: 9 }), 502, 'inconsistent'],
    ['gave entries that are no records', mischief.body('[{"short-team-name":"Reef"},7]'), 502, 'partial'],
  ])('are an error while a source %s', async (_title, trouble, expected, state) => {
    const directoryOnly = trouble === hangs ? {} : { resources: ['teams'] };
    const rollcall = await over(trouble, { timeout: '300ms', ...directoryOnly });
    const { status, headers } = await rollcall.get('/directory/v1/teams?q=nobody');
    expect([status, headers.get('source-status')]).toEqual([
      expected,
      expect.stringContaining(`troubled;state=${state}`),
    ]);
    expect((await rollcall.get('/directory/v1/teams?q=nobody', LENIENT)).status).toBe(200);
  });

  it('are an error while a source is suspended', async () => {
    const rollcall = await over(mischief.status(500), { breaker: { failures: 1, cooldown: '1h' } });
    await rollcall.get('/directory/v1/teams?q=coral');
    const { status, headers } = await rollcall.get('/data/v1/channels?q=nobody');
    expect([status, headers.get('source-status')]).toEqual([502, expect.stringContaining('troubled;state=suspended')]);
  });

  it('are a 200 over a last good copy, for its source was asked while it was well', async () => {
    const clock = fakeClock();
    const upstream = await openUpstream(well);
    const rollcall = await startRollcall(
      {
        defaults: { retries: 0, 'stale-while-revalidate': '0s' },
        sources: { troubled: { directory: upstream.address } },
      },
      { clock },
    );
    open.push(upstream, rollcall);
    await rollcall.get('/directory/v1/teams');
    upstream.answering = mischief.status(500);
    clock.advance(61_000);
    const { status, headers, json } = await rollcall.get('/directory/v1/teams?q=nobody&envelope=1');
    expect([status, headers.get('source-status')]).toEqual([200, expect.stringContaining('troubled;state=stale')]);
    expect(json).toMatchObject({ total: 0, sources: [{ state: 'stale', reason: 'status' }] });
    expect((await rollcall.get('/directory/v1/teams?q=nobody', { prefer: 'handling=strict' })).status).toBe(502);
  });

  it.each<readonly [string, string, Answering]>([
    ['total', 'counts more than it gives', directory([{ 'short-team-name': 'Reef' }], { total: 9 })],
    ['drift', 'changes with every page', drifting()],
  ])('are a 200 where the operator tolerates "%s" of a source that %s', async (tolerated, _title, trouble) => {
    const registered = { resources: ['teams'], 'page-size': 20 };
    const strict = await over(trouble, registered);
    expect((await strict.get('/directory/v1/teams?q=nobody')).status).toBe(502);
    const tolerant = await over(trouble, { ...registered, tolerates: [tolerated] });
    const { status, headers, text } = await tolerant.get('/directory/v1/teams?q=nobody');
    expect([status, text]).toEqual([200, '[]']);
    expect(headers.get('source-status')).toMatch(/troubled;state=fresh;records=\d+;age=0/);
    expect(headers.get('cache-control')).toMatch(/^public/);
    const findings = await tolerant.metrics();
    expect(findings).toMatch(tolerated === 'total' ? /wrong-total/ : /repeated-id|drift/);
  });

  it('are an error where a source counts records and gives none, whatever the operator tolerates', async () => {
    const rollcall = await over(directory([], { total: 9 }), { resources: ['teams'], tolerates: ['total', 'drift'] });
    expect((await rollcall.get('/directory/v1/teams?q=nobody')).status).toBe(502);
  });
});

/** Forty teams, and a Last-Modified that is another one on each page. */
function drifting(): Answering {
  const teams = Array.from({ length: 40 }, (_, at) => ({ 'short-team-name': `Reef ${at}` }));
  let requests = 0;
  return (asked, response) => {
    requests += 1;
    response.setHeader('Last-Modified', new Date(Date.UTC(2026, 0, 1, 0, requests)).toUTCString());
    directory(teams.toSorted(() => (requests % 2) - 0.5))(asked, response);
  };
}

describe('one news item', () => {
  afterEach(close);

  it('is never called missing by a source that may lack it, whatever the client prefers', async () => {
    const rollcall = await over(mischief.status(401));
    expect((await rollcall.get('/data/v1/news/5001')).status).toBe(404);
    expect((await rollcall.get('/data/v1/news/5002')).status).toBe(502);
    expect((await rollcall.get('/data/v1/news/5002', LENIENT)).status).toBe(502);
  });
});
