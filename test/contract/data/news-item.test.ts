import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { closeDataGateways, fieldsOf, startDataGateway } from '../../support/gateway/data-gateway.js';
import type { DataGateway } from '../../support/gateway/data-gateway.js';
import { dataUpstream } from '../../support/upstream/data-upstream.js';
import * as faulty from '../../support/upstream/faulty-responses.js';
import { neverResponds } from '../../support/upstream/upstream-server.js';
import { entityTagOf, withEntityTags } from '../../support/upstream/conditional-responses.js';
import type { RequestHandler } from '../../support/upstream/upstream-server.js';

afterEach(closeDataGateways);

const ITEM = {
  id: 12,
  title: 'A meeting',
  summary: 'In short',
  link: '/newsroom/meeting',
  published: 'Thu, 02 Apr 2026 21:28:40 +0000',
  content: '<p>At <a href="/map">the\r\nharbour</a></p>',
  channels: ['Events', 'Press'],
};

const site = 'https://www.example.org/';

/** A gateway over a source `one` with this handler, and another source. */
function startWithHandler(handler: RequestHandler, setup: object = {}): Promise<DataGateway> {
  const other = { records: { news: [{ id: 12, title: 'Of the other source' }] } };
  return startDataGateway({ one: { records: {}, handler, registration: { site } }, other }, setup);
}

const DENIAL = '{"status":"Not Found","status-code":404,"version":"1"}';

const good = dataUpstream({ news: [ITEM] });

/** A single news item (decisions 2.34). */
describe('a single news item', () => {
  it('has exactly this detail form', async () => {
    const { ask, clock } = await startDataGateway({ one: { records: { news: [ITEM] }, registration: { site } } });
    // The item is published in April.
    clock.advance(120 * 24 * 60 * 60_000);
    const { status, headers, text } = await ask('/news/12001');
    expect(status).toBe(200);
    const data = {
      id: 12001,
      title: 'A meeting',
      summary: 'In short',
      link: 'https://www.example.org/newsroom/meeting',
      published: 'Thu, 02 Apr 2026 21:28:40 GMT',
      content: ITEM.content,
      channels: ITEM.channels,
      'source-name': 'one',
    };
    const lastModified = 'Thu, 02 Apr 2026 21:28:40 GMT';
    const facts = { status: 'OK', 'status-code': 200, version: '1', 'last-modified': lastModified, access: 'public' };
    expect(text).toBe(JSON.stringify({ ...facts, data }, undefined, 4));
    expect(headers.get('x-version')).toBe('1');
    expect(headers.get('x-total-count')).toBeNull();
    expect(headers.get('link')).toBe('</openapi.json>; rel="service-desc", </docs>; rel="service-doc"');
  });

  it.each(['?envelope=false', '.json?envelope=0&pretty=1'])('is sent without its envelope: %s', async (form) => {
    const { ask } = await startDataGateway({ one: { records: { news: [ITEM] } } });
    expect(fieldsOf((await ask(`/news/12001${form}`)).json)).toMatchObject({ id: 12001, title: 'A meeting' });
  });

  it('is logged with its id in place of a query', async () => {
    const { ask, gateway } = await startDataGateway({ one: { records: { news: [ITEM] } } });
    for (const id of ['12001', '13001']) await ask(`/news/${id}?fields=title`);
    const queries = (): unknown[] => gateway.log.flatMap(({ facts }) => ('query' in facts ? [facts.query] : []));
    await expect.poll(queries).toEqual(['12001', '13001']);
  });

  it('takes the parameter fields and no parameter of lists', async () => {
    const { ask } = await startDataGateway({ one: { records: { news: [ITEM] } } });
    expect((await ask('/news/12001?fields=channels,id')).envelope['data']).toEqual({
      id: 12001,
      channels: ITEM.channels,
    });
    for (const query of [
      'limit=1',
      'offset=0',
      'sort=title',
      'q=a',
      'channel=Press',
      'source-name=one',
      'before=2026-01-01',
    ])
      expect((await ask(`/news/12001?${query}`)).status).toBe(400);
  });

  it.each([
    ['an envelope whose data is a list of one', { status: 'OK', data: [ITEM] }],
    ['an envelope whose status is a number', { status: 200, 'status-code': '200', data: ITEM }],
    ['the item itself', ITEM],
  ])('is read from %s', async (_form, body) => {
    const { ask } = await startWithHandler(faulty.body(JSON.stringify(body)));
    expect((await ask('/news/12001')).envelope['data']).toMatchObject({ id: 12001, content: ITEM.content });
  });

  it('is requested only from the source that owns the number', async () => {
    const { ask, upstreams } = await startWithHandler(good);
    expect((await ask('/news/12002')).envelope['data']).toMatchObject({ title: 'Of the other source' });
    expect(upstreams['one']?.requests).toHaveLength(0);
    expect(upstreams['other']?.requests.map(({ path }) => path)).toEqual(['/v1/news/12']);
  });

  it.each([
    ['with its status', good],
    ['with its status as text', faulty.body('{"status":"Not Found","status-code":"404"}', {}, 404)],
    ['with its status in a compressed body', faulty.body(gzipSync(DENIAL), { 'Content-Encoding': 'gzip' }, 404)],
    ['with an empty list', faulty.body('{"status":"OK","total":0,"data":[]}')],
  ])('is a 404 when its owner reports it missing %s', async (_title, handler) => {
    const { ask } = await startWithHandler(handler);
    const response = await ask('/news/13001');
    expect(response.status).toBe(404);
    expect(response.envelope).toMatchObject({ status: 'Not Found', 'status-code': 404, version: '1' });
    expect(response.envelope).not.toHaveProperty('data');
  });

  it.each(['12003', '12000', '12', '1', '0', '999', '9007199254740993', '99999999999999999999999999001'])(
    'is a 404 and contacts no source when no source owns the number %s',
    async (id) => {
      const { ask, upstreams } = await startDataGateway({
        // 2^53 + 1 is not representable as a number: parsed as one, it ends in 992.
        large: { records: { news: [ITEM] }, registration: { number: 992 } },
        teams: { records: {}, registration: { number: 12, resources: ['teams'] } },
      });
      expect((await ask(`/news/${id}`)).status).toBe(404);
      expect(Object.values(upstreams).flatMap(({ requests }) => requests)).toEqual([]);
    },
  );

  it.each(['-1', '1.5', 'x', '', '12001/', '12001/x', '%31', '12001.html'])(
    'is a 404 for an id such as "%s"',
    async (id) => {
      const { ask } = await startWithHandler(good);
      expect((await ask(`/news/${id}`)).status).toBe(404);
    },
  );

  it.each<[title: string, handler: RequestHandler, reason: string, status?: number]>([
    ['resets the connection', faulty.resetConnection, 'connect'],
    ['responds 500', faulty.status(500), 'status', 500],
    ['responds 403', faulty.status(403), 'status', 403],
    ['responds 410', faulty.status(410), 'status', 410],
    ['responds with an HTML 404', faulty.status(404), 'status', 404],
    [
      'responds with the JSON 404 of a web framework',
      faulty.body('{"status":404,"error":"Not Found"}', {}, 404),
      'status',
      404,
    ],
    ['responds with a 404 of the directory interface', faulty.body('{"status_code":404}', {}, 404), 'status', 404],
    [
      'responds 404 with another status-code in the envelope',
      faulty.body('{"status-code":200}', {}, 404),
      'status',
      404,
    ],
    ['responds 404 with an empty body', faulty.body('', {}, 404), 'status', 404],
    ['responds 404 with a body over 16 KiB', faulty.body(DENIAL + ' '.repeat(20_000), {}, 404), 'status', 404],
    [
      'responds 404 in an unknown content coding',
      faulty.body(DENIAL, { 'Content-Encoding': 'snappy' }, 404),
      'status',
      404,
    ],
    ['responds with another item', faulty.body(JSON.stringify({ data: { ...ITEM, id: 13 } })), 'schema'],
    ['responds with two items', faulty.body(JSON.stringify({ data: [ITEM, ITEM] })), 'schema'],
    ['responds with an empty item', faulty.body('{"status":"OK","data":{}}'), 'schema'],
    ['responds with an error in its envelope', faulty.body('{"status":"ERROR","data":null}'), 'schema'],
    ['responds with HTML', faulty.body('<!doctype html>'), 'body'],
  ])('is a 502 when its owner %s', async (_title, handler, reason, status) => {
    const { ask } = await startWithHandler(handler);
    const response = await ask('/news/12001');
    expect(response.status).toBe(502);
    const detail = status === undefined ? '' : `;status=${status}`;
    expect(response.sourceStatus).toBe(`one;state=failed;reason=${reason}${detail}`);
    const source = { 'source-name': 'one', state: 'failed', reason, ...(status && { status }) };
    expect(response.envelope['sources']).toEqual([source]);
  });

  it.each([
    ['timeout', { defaults: { timeout: '100ms' } }],
    ['deadline', { server: { deadline: '100ms' } }],
  ])('is a 504 when its owner does not respond within the %s', async (_title, setup) => {
    const { ask } = await startWithHandler(neverResponds, setup);
    const response = await ask('/news/12001');
    expect(response.status).toBe(504);
    expect(response.sourceStatus).toBe('one;state=failed;reason=timeout');
  });

  it('is fetched with one request for fifty concurrent clients, and with none while it is cached', async () => {
    const gate = faulty.holdResponses(good);
    const { ask, upstreams } = await startWithHandler(gate.handler);
    const responses = Array.from({ length: 50 }, () => ask('/news/12001'));
    await expect.poll(() => upstreams['one']?.requests.length).toBe(1);
    gate.release();
    for (const { status, envelope } of await Promise.all(responses)) {
      expect(status).toBe(200);
      expect(envelope['data']).toMatchObject({ id: 12001 });
    }
    await ask('/news/12001?pretty=0');
    expect(upstreams['one']?.requests).toHaveLength(1);
  });

  it('is cached as missing, but a failure is not', async () => {
    const { ask, upstreams } = await startWithHandler(good);
    await ask('/news/13001');
    await ask('/news/13001');
    expect(upstreams['one']?.requests).toHaveLength(1);
    const broken = await startWithHandler(faulty.status(500));
    await broken.ask('/news/12001');
    const upstream = broken.upstreams['one'];
    if (upstream !== undefined) upstream.handler = good;
    broken.clock.advance(2_000);
    expect((await broken.ask('/news/12001')).status).toBe(200);
  });

  it('that was missing is not a 404 any more when its source fails', async () => {
    const gateway = await startDataGateway({ one: { records: { news: [] } } });
    const fetchStatus = async (headers?: Readonly<Record<string, string>>): Promise<number> =>
      (await gateway.gateway.get('/data/v1/news/12001', headers)).status;
    expect(await fetchStatus()).toBe(404);
    const [upstream] = Object.values(gateway.upstreams);
    if (upstream !== undefined) upstream.handler = faulty.status(503);
    gateway.clock.advance(10 * 60_000);
    expect([await fetchStatus(), await fetchStatus({ Prefer: 'private' })]).toEqual([502, 503]);
    if (upstream !== undefined) upstream.handler = good;
    gateway.clock.advance(60_000);
    expect(await fetchStatus()).toBe(200);
  });

  it('is revalidated with its own validators, and read again when it has changed', async () => {
    const { ask, upstreams, clock } = await startWithHandler(withEntityTags(good), {
      defaults: { 'stale-while-revalidate': '0s' },
    });
    await ask('/news/12001');
    clock.advance(60_000);
    const { sourceStatus } = await ask('/news/12001');
    expect(sourceStatus).toBe('one;state=fresh;records=1;age=0');
    const requests = upstreams['one']?.requests ?? [];
    const tags = requests.map((request) => entityTagOf(request));
    expect(requests.map(({ headers }) => headers['if-none-match'])).toEqual([undefined, tags[0]]);
    const changed = dataUpstream({ news: [{ ...ITEM, title: 'Another meeting' }] });
    Object.assign(upstreams['one'] ?? {}, { handler: withEntityTags(changed, 'v2') });
    clock.advance(60_000);
    expect((await ask('/news/12001')).envelope['data']).toMatchObject({ title: 'Another meeting' });
    expect(requests).toHaveLength(3);
  });
});
