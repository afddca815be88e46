import { afterEach, describe, expect, it } from 'vitest';
import { closeAdminPorts, openAdminPortOf, requestAdmin } from '../../support/gateway/admin-port.js';
import type { AdminPortResponse } from '../../support/gateway/admin-port.js';
import { closeDataGateways, fieldsOf, startDataGateway } from '../../support/gateway/data-gateway.js';
import type { DataGateway } from '../../support/gateway/data-gateway.js';
import { ACCESS } from '../../support/gateway/members-gateway.js';
import { dataUpstream } from '../../support/upstream/data-upstream.js';
import * as faulty from '../../support/upstream/faulty-responses.js';

afterEach(async () => {
  closeAdminPorts();
  await closeDataGateways();
});

const RECORDS = { teams: [{ id: 'a', team: 'Anchor CERT' }], news: [], channels: [] };
const OTHER = { teams: [{ id: 'b', team: 'Buoy CERT' }], news: [], channels: [] };

const TEAMS = encodeURIComponent('/data/v1/teams?country=NO&limit=5');

type ExplainSetup = Parameters<typeof startDataGateway>;

async function start(...setup: ExplainSetup): Promise<{ origin: string; data: DataGateway }> {
  const data = await startDataGateway(...setup);
  return { origin: await openAdminPortOf(data.gateway), data };
}

function parse({ text }: AdminPortResponse): Readonly<Record<string, unknown>> {
  return fieldsOf(JSON.parse(text));
}

/** The sources of a report, by code. */
function sourcesOf(response: AdminPortResponse): Readonly<Record<string, Readonly<Record<string, unknown>>>> {
  const { sources } = parse(response);
  const list = Array.isArray(sources) ? sources.map(fieldsOf) : [];
  return Object.fromEntries(list.map((source) => [String(source['source']), source]));
}

describe('/explain', () => {
  it('explains a query from the snapshots of the running process, without a request', async () => {
    const { origin, data } = await start({ one: { records: RECORDS }, two: { records: OTHER } });
    const before = await requestAdmin(origin, `/explain?target=${TEAMS}`);
    expect(before).toMatchObject({ status: 200, headers: { 'content-type': 'application/json' } });
    expect(parse(before)).toMatchObject({ target: '/data/v1/teams?country=NO&limit=5', resource: 'data-teams' });
    expect(sourcesOf(before)).toMatchObject({
      one: { cached: 'none', plan: { strategy: 'drain' } },
      two: { cached: 'none' },
    });
    expect(data.upstreams['one']?.requests).toHaveLength(0);
    await data.ask('/teams?source-name=one');
    const after = await requestAdmin(origin, `/explain?target=${TEAMS}`);
    expect(sourcesOf(after)).toMatchObject({
      one: { cached: 'fresh', plan: { strategy: 'cached' } },
      two: { cached: 'none' },
    });
  });

  it('executes the query with run=1, and reports what each source did, without records', async () => {
    const upstreams = { one: { records: RECORDS }, two: { records: OTHER, handler: faulty.status(503) } };
    const { origin, data } = await start(upstreams, { defaults: { retries: 0 } });
    await data.ask('/teams?source-name=one');
    const target = encodeURIComponent('/data/v1/teams');
    const response = await requestAdmin(origin, `/explain?target=${target}&run=1`);
    expect(sourcesOf(response)).toMatchObject({
      one: { plan: { strategy: 'cached' }, run: { strategy: 'cached', state: 'fresh', available: 1 } },
      two: { plan: { strategy: 'drain' }, run: { state: 'failed', reason: 'status' } },
    });
    expect(parse(response)['answer']).toEqual({ status: 200, completeness: 'partial', total: 1, records: 1 });
    expect(response.text).not.toContain('Anchor');
    const drained = await requestAdmin(origin, `/explain?target=${target}`);
    expect(sourcesOf(drained)).toMatchObject({ one: { cached: 'fresh' } });
    expect(fieldsOf(sourcesOf(drained)['one'])['run']).toBeUndefined();
  });

  it('names the strategy by which a source was queried that was not cached', async () => {
    const { origin } = await start({ one: { records: RECORDS } });
    const response = await requestAdmin(origin, `/explain?target=${TEAMS}&run=1`);
    expect(sourcesOf(response)).toMatchObject({ one: { cached: 'none', run: { strategy: 'drain', state: 'fresh' } } });
  });

  it('explains a query of members as theirs, with counts instead of records', async () => {
    const { origin, data } = await start({ one: { records: RECORDS } }, { access: ACCESS });
    const target = encodeURIComponent('/data/v1/teams?scope=members');
    const response = await requestAdmin(origin, `/explain?target=${target}&run=1`);
    expect(parse(response)['answer']).toEqual({ status: 200, completeness: 'complete', total: 1, records: 1 });
    expect(response.text).not.toContain('Anchor');
    // What was fetched for members is no copy for the public.
    expect(sourcesOf(await requestAdmin(origin, `/explain?target=${TEAMS}`))).toMatchObject({
      one: { cached: 'none' },
    });
    expect(data.upstreams['one']?.requests.length).toBeGreaterThan(0);
  });

  it('answers 400 with the problem in words where the public port would refuse the request', async () => {
    const { origin } = await start({ one: { records: RECORDS } });
    const refusals: readonly (readonly [target: string, status: number, message: RegExp])[] = [
      ['/data/v1/teams?limt=5', 400, /limt/],
      ['/nothing', 404, /no resource at this path/],
      ['/data/v1/teams?scope=members', 401, /members access/],
      ['/data/v1/news/4711999', 404, /./],
      ['/data/v1/countries?region=africa', 400, /rests on no source/],
    ];
    for (const [target, status, message] of refusals) {
      const response = await requestAdmin(origin, `/explain?target=${encodeURIComponent(target)}`);
      expect(response.status).toBe(400);
      expect(parse(response)['status']).toBe(status);
      expect(parse(response)['message']).toMatch(message);
    }
  });

  it('answers 400 for parameters that it does not have, such as those of a target that is not percent-encoded', async () => {
    const { origin } = await start({ one: { records: RECORDS } });
    const encoded = await requestAdmin(origin, '/explain?target=/data/v1/teams?country=NO&limit=5');
    expect(encoded.status).toBe(400);
    expect(parse(encoded)['message']).toContain('percent-encode');
    for (const query of ['', '?target=', `?target=${TEAMS}&run=yes`, `?target=${TEAMS}&target=${TEAMS}`]) {
      expect((await requestAdmin(origin, `/explain${query}`)).status).toBe(400);
    }
    expect((await requestAdmin(origin, `/explain?target=${TEAMS}&format=xml`)).status).toBe(400);
  });

  it('executes a few queries at a time, and answers 503 beyond', async () => {
    const gate = faulty.holdResponses(dataUpstream(RECORDS));
    const { origin } = await start({ one: { records: RECORDS, handler: gate.handler } });
    const run = (): Promise<AdminPortResponse> => requestAdmin(origin, `/explain?target=${TEAMS}&run=1`);
    const running = Array.from({ length: 5 }, run);
    expect((await Promise.race(running)).status).toBe(503);
    expect((await requestAdmin(origin, `/explain?target=${TEAMS}`)).status).toBe(200);
    gate.release();
    expect((await Promise.all(running)).map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 503]);
    expect((await run()).status).toBe(200);
  });

  it('executes no query for a page of another site that links to it', async () => {
    const { origin, data } = await start({ one: { records: RECORDS } });
    const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
    expect((await requestAdmin(origin, `/explain?target=${TEAMS}`, { headers })).status).toBe(200);
    expect((await requestAdmin(origin, `/explain?target=${TEAMS}&run=1`, { headers })).status).toBe(403);
    expect(data.upstreams['one']?.requests).toHaveLength(0);
  });
});

/** The Accept field of a browser. */
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

describe('the page of /explain', () => {
  it('is sent to a browser, and to others by format', async () => {
    const { origin } = await start({ one: { records: RECORDS } });
    const type = async (query: string, accept?: string): Promise<string | undefined> =>
      (await requestAdmin(origin, `/explain?${query}`, accept === undefined ? {} : { headers: { accept } })).headers[
        'content-type'
      ];
    expect(await type('', BROWSER)).toBe('text/html; charset=utf-8');
    expect(await type('', '*/*')).toBe('application/json');
    expect(await type('', 'text/html;q=0.5, application/json')).toBe('application/json');
    expect(await type('format=json', BROWSER)).toBe('application/json');
    expect(await type('format=html')).toBe('text/html; charset=utf-8');
  });

  it('shows the plan, the answer and what each source did', async () => {
    const { origin } = await start({ one: { records: RECORDS } });
    const { text, headers } = await requestAdmin(origin, `/explain?target=${TEAMS}&run=1&format=html`);
    expect(text).toMatch(
      /<pre [^>]*>.*one +data +none +up to 5000 +drain .*one +fresh +drain .*answer: complete; 0 match.*<\/pre>/s,
    );
    expect(text).not.toMatch(/<script|style=|\son\w+=/);
    expect(headers['content-security-policy']).toContain("style-src 'self'");
  });

  it('shows a hostile target as text', async () => {
    const { origin } = await start({ one: { records: RECORDS } });
    const target = encodeURIComponent('/data/v1/teams?"><script>alert(1)</script>=\u202e');
    const { status, text } = await requestAdmin(origin, `/explain?target=${target}&format=html`);
    expect(status).toBe(400);
    expect(text).not.toContain('<script');
    expect(text).toContain('&lt;script');
  });
});
