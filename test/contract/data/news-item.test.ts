import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { closeDataGateways, fieldsOf, startDataGateway } from '../../support/gateway/data-gateway.js';
import type { DataGateway } from '../../support/gateway/data-gateway.js';
import { dataUpstream } from '../../support/upstream/data-upstream.js';
import * as faulty from '../../support/upstream/faulty-responses.js';
import { neverResponds } from '../../support/upstream/upstream-server.js';
import { withEntityTags } from '../../support/upstream/conditional-responses.js';
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

function baseHandler(handler: RequestHandler, setup: object = {}): Promise<DataGateway> {
  const other = { records: { news: [{ id: 12, title: 'Of the other source' }] } };
  return startDataGateway({ one: { records: {}, handler, registration: { site } }, other }, setup);
}

const DENIAL = '{"status":"Not Found","status-code":404,"version":"1"}';

const good = dataUpstream({ news: [ITEM] });

describe('one news item', () => {
  it('is shown in detail form, to the byte', async () => {
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
    expect(headers.get('link')).toBeNull();
  });

  it.each(['?envelope=false', '.json?envelope=0&pretty=1'])('stands alone without its envelope: %s', async (form) => {
    const { ask } = await startDataGateway({ one: { records: { news: [ITEM] } } });
    expect(fieldsOf((await ask(`/news/12001${form}`)).json)).toMatchObject({ id: 12001, title: 'A meeting' });
  });

  it('has its id in the log, where a list has its query', async () => {
    const { ask, gateway } = await startDataGateway({ one: { records: { news: [ITEM] } } });
    for (const id of ['12001', '13001']) await ask(`/news/${id}?fields=title`);
    const queries = (): unknown[] => gateway.log.flatMap(({ facts }) => ('query' in facts ? [facts.query] : []));
    await expect.poll(queries).toEqual(['12001', '13001']);
  });

  it('is narrowed by fields, and by nothing that chooses among many', async () => {
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
    const { ask } = await baseHandler(faulty.body(JSON.stringify(body)));
    expect((await ask('/news/12001')).envelope['data']).toMatchObject({ id: 12001, content: ITEM.content });
  });

  it('is asked of the source that owns the number, and of no other', async () => {
    const { ask, upstreams } = await baseHandler(good);
    expect((await ask('/news/12002')).envelope['data']).toMatchObject({ title: 'Of the other source' });
    expect(upstreams['one']?.requests).toHaveLength(0);
    expect(upstreams['other']?.requests.map(({ path }) => path)).toEqual(['/v1/news/12']);
  });

  it.each([
    ['by its status', good],
    ['by its status, as text', faulty.body('{"status":"Not Found","status-code":"404"}', {}, 404)],
    ['by its status, compressed', faulty.body(gzipSync(DENIAL), { 'Content-Encoding': 'gzip' }, 404)],
    ['by an empty list', faulty.body('{"status":"OK","total":0,"data":[]}')],
  ])('is not there where its owner says so %s: 404', async (_title, answers) => {
    const { ask } = await baseHandler(answers);
    const seen = await ask('/news/13001');
    expect(seen.status).toBe(404);
    expect(seen.envelope).toMatchObject({ status: 'Not Found', 'status-code': 404, version: '1' });
    expect(seen.envelope).not.toHaveProperty('data');
  });

  it.each(['12003', '12000', '12', '1', '0', '999', '9007199254740993', '99999999999999999999999999001'])(
    'is not there where no source owns the number %s: 404, and nobody is asked',
    async (id) => {
      const { ask, upstreams } = await startDataGateway({
        // 2^53 + 1 is no number that is exact: read as one, it ends in 992.
        large: { records: { news: [ITEM] }, registration: { number: 992 } },
        teams: { records: {}, registration: { number: 12, resources: ['teams'] } },
      });
      expect((await ask(`/news/${id}`)).status).toBe(404);
      expect(Object.values(upstreams).flatMap(({ requests }) => requests)).toEqual([]);
    },
  );

  it.each(['-1', '1.5', 'x', '', '12001/', '12001/x', '%31', '12001.html'])('has no path like %s', async (id) => {
    const { ask } = await baseHandler(good);
    expect((await ask(`/news/${id}`)).status).toBe(404);
  });

  it.each<[title: string, handler: RequestHandler, reason: string, status?: number]>([
    ['is down', faulty.resetConnection, 'connect'],
    ['fails', faulty.status(500), 'status', 500],
    ['forbids', faulty.status(403), 'status', 403],
    ['says that it is gone', faulty.status(410), 'status', 410],
    ['is a server that has no such page', faulty.status(404), 'status', 404],
    [
      'has no such page, and says so in JSON',
      faulty.body('{"status":404,"error":"Not Found"}', {}, 404),
      'status',
      404,
    ],
    ['speaks the other interface there', faulty.body('{"status_code":404}', {}, 404), 'status', 404],
    ['says 404 in HTTP and something else below', faulty.body('{"status-code":200}', {}, 404), 'status', 404],
    ['says 404 and nothing', faulty.body('', {}, 404), 'status', 404],
    ['says 404 at great length', faulty.body(DENIAL + ' '.repeat(20_000), {}, 404), 'status', 404],
    [
      'says 404 in a coding that nobody reads',
      faulty.body(DENIAL, { 'Content-Encoding': 'snappy' }, 404),
      'status',
      404,
    ],
    ['answers with another item', faulty.body(JSON.stringify({ data: { ...ITEM, id: 13 } })), 'schema'],
    ['answers with two items', faulty.body(JSON.stringify({ data: [ITEM, ITEM] })), 'schema'],
    ['answers with no item', faulty.body('{"status":"OK","data":{}}'), 'schema'],
    ['answers with an error in its envelope', faulty.body('{"status":"ERROR","data":null}'), 'schema'],
    ['answers with HTML', faulty.body('<!doctype html>'), 'body'],
  ])('could not be asked for where its owner %s: 502', async (_title, answers, reason, status) => {
    const { ask } = await baseHandler(answers);
    const seen = await ask('/news/12001');
    expect(seen.status).toBe(502);
    const detail = status === undefined ? '' : `;status=${status}`;
    expect(seen.sourceStatus).toBe(`one;state=failed;reason=${reason}${detail}`);
    const source = { 'source-name': 'one', state: 'failed', reason, ...(status && { status }) };
    expect(seen.envelope['sources']).toEqual([source]);
  });

  it.each([
    ['the time for one request', { defaults: { timeout: '100ms' } }],
    ['the deadline', { server: { deadline: '100ms' } }],
  ])('could not be asked for in %s: 504', async (_title, setup) => {
    const { ask } = await baseHandler(neverResponds, setup);
    const seen = await ask('/news/12001');
    expect(seen.status).toBe(504);
    expect(seen.sourceStatus).toBe('one;state=failed;reason=timeout');
  });

  it('takes one request for fifty clients at a time, and none while it is held', async () => {
    const gate = faulty.holdResponses(good);
    const { ask, upstreams } = await baseHandler(gate.handler);
    const asking = Array.from({ length: 50 }, () => ask('/news/12001'));
    await expect.poll(() => upstreams['one']?.requests.length).toBe(1);
    gate.release();
    for (const { status, envelope } of await Promise.all(asking)) {
      expect(status).toBe(200);
      expect(envelope['data']).toMatchObject({ id: 12001 });
    }
    await ask('/news/12001?pretty=0');
    expect(upstreams['one']?.requests).toHaveLength(1);
  });

  it('that is not there is held too, but a failure is not', async () => {
    const { ask, upstreams } = await baseHandler(good);
    await ask('/news/13001');
    await ask('/news/13001');
    expect(upstreams['one']?.requests).toHaveLength(1);
    const broken = await baseHandler(faulty.status(500));
    await broken.ask('/news/12001');
    const upstream = broken.upstreams['one'];
    if (upstream !== undefined) upstream.handler = good;
    broken.clock.advance(2_000);
    expect((await broken.ask('/news/12001')).status).toBe(200);
  });

  it('that was not there is not said to be missing once its source cannot be asked any more', async () => {
    const gateway = await startDataGateway({ one: { records: { news: [] } } });
    const asked = async (headers?: Readonly<Record<string, string>>): Promise<number> =>
      (await gateway.gateway.get('/data/v1/news/12001', headers)).status;
    expect(await asked()).toBe(404);
    const [upstream] = Object.values(gateway.upstreams);
    if (upstream !== undefined) upstream.handler = faulty.status(503);
    gateway.clock.advance(10 * 60_000);
    expect([await asked(), await asked({ Prefer: 'private' })]).toEqual([502, 503]);
    if (upstream !== undefined) upstream.handler = good;
    gateway.clock.advance(60_000);
    expect(await asked()).toBe(200);
  });

  it('is verified by its own validators, and read anew when it has changed', async () => {
    const { ask, upstreams, clock } = await baseHandler(withEntityTags(good), {
      defaults: { 'stale-while-revalidate': '0s' },
    });
    await ask('/news/12001');
    clock.advance(60_000);
    const { sourceStatus } = await ask('/news/12001');
    expect(sourceStatus).toBe('one;state=fresh;records=1;age=0');
    const requests = upstreams['one']?.requests ?? [];
    expect(requests.map(({ headers }) => headers['if-none-match'])).toEqual([undefined, '"v1 item"']);
    const changed = dataUpstream({ news: [{ ...ITEM, title: 'Another meeting' }] });
    Object.assign(upstreams['one'] ?? {}, { handler: withEntityTags(changed, 'v2') });
    clock.advance(60_000);
    expect((await ask('/news/12001')).envelope['data']).toMatchObject({ title: 'Another meeting' });
    expect(requests).toHaveLength(3);
  });
});
