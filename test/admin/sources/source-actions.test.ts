import { afterEach, describe, expect, it } from 'vitest';
import { closeAdminPorts, openAdminPortOf, requestAdmin } from '../../support/gateway/admin-port.js';
import { ADMIN_SETTINGS, actOn, findBy, readListStatus } from '../../support/admin/sources-report.js';
import { closeDataGateways, fieldsOf, startDataGateway } from '../../support/gateway/data-gateway.js';
import type { DataGateway } from '../../support/gateway/data-gateway.js';
import { ACCESS, AS_MEMBER } from '../../support/gateway/members-gateway.js';
import { startGateway } from '../../support/gateway/test-gateway.js';
import type { LogLine } from '../../support/gateway/test-gateway.js';
import { dataUpstream } from '../../support/upstream/data-upstream.js';
import * as faulty from '../../support/upstream/faulty-responses.js';
import { feedUpstream, listItems, writeRss } from '../../support/upstream/feed-upstream.js';
import { startUpstream } from '../../support/upstream/upstream-server.js';
import type { RequestHandler, UpstreamServer } from '../../support/upstream/upstream-server.js';
import { silentLog } from '../../support/silent-log.js';
import { createLogSubscriber } from '../../../src/events/log-lines.js';

const open: { close(): Promise<void> }[] = [];

afterEach(async () => {
  closeAdminPorts();
  await closeDataGateways();
  await Promise.all(open.splice(0).map((one) => one.close()));
});

/** A gateway over the source `one`, with its admin port. */
interface OperatedSource extends DataGateway {
  readonly origin: string;
  readonly one: UpstreamServer;
  readonly actions: LogLine[];
}

async function start(
  records: readonly object[],
  setup: object = {},
  registration: object = {},
): Promise<OperatedSource> {
  const settings = { admin: ADMIN_SETTINGS, defaults: { retries: 0 }, ...setup };
  const data = await startDataGateway({ one: { records: { teams: records }, registration } }, settings);
  const actions: LogLine[] = [];
  const log = {
    ...silentLog,
    info: (facts: object, message: string) => void actions.push({ level: 'info', facts, message }),
  };
  const origin = await openAdminPortOf(data.gateway, { publish: createLogSubscriber(log) });
  const { one } = data.upstreams;
  if (one === undefined) throw new Error('the source was not started');
  return { ...data, origin, one, actions };
}

function teams(count: number, from = 0): readonly object[] {
  return Array.from({ length: count }, (_, at) => ({ id: `team-${from + at}`, team: `Team ${from + at}` }));
}

function serves(count: number, from = 0): RequestHandler {
  return dataUpstream({ teams: teams(count, from) });
}

function parse(text: string): Readonly<Record<string, unknown>> {
  return fieldsOf(JSON.parse(text));
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe('an action on a source', () => {
  it('requires the key, and is logged', async () => {
    const { origin, actions, one } = await start(teams(2));
    const refused = await requestAdmin(origin, '/sources/one/refresh', { method: 'POST' });
    expect(refused).toMatchObject({ status: 401, headers: { 'www-authenticate': 'Bearer realm="admin"' } });
    expect(one.requests).toHaveLength(0);
    expect(actions).toEqual([]);
    expect(await actOn(origin, 'refresh')).toMatchObject({ status: 200 });
    expect(actions).toEqual([{ level: 'info', facts: { source: 'one', action: 'refresh' }, message: 'source action' }]);
  });

  it.each(['refresh', 'probe', 'confirm-shrink', 'forget'])(
    'is for POST, a registered source, and has no parameters: %s',
    async (action) => {
      const { origin, actions } = await start(teams(2));
      expect(await requestAdmin(origin, `/sources/one/${action}`)).toMatchObject({
        status: 405,
        headers: { allow: 'POST' },
      });
      const unknown = await actOn(origin, action, '%3Cscript%3E');
      expect(unknown.status).toBe(404);
      expect(parse(unknown.text)).toEqual({ message: 'no source has this code; the codes are one' });
      expect(await actOn(origin, `${action}?force=1`)).toMatchObject({ status: 400 });
      expect(actions).toEqual([]);
    },
  );
});

describe('POST /sources/<code>/refresh', () => {
  it('fetches a fresh list, and reports each list', async () => {
    const { origin, ask, one, gateway } = await start(teams(2));
    await ask('/teams');
    one.handler = serves(5);
    const { status, text } = await actOn(origin, 'refresh');
    expect(status).toBe(200);
    const { lists } = parse(text);
    expect(findBy(lists, 'list', 'data-teams')).toEqual({
      access: 'public',
      list: 'data-teams',
      state: 'fresh',
      records: 5,
    });
    expect([lists].flat().map((list) => fieldsOf(list)['list'])).toEqual([
      'data-teams',
      'team-keys',
      'news',
      'channels',
    ]);
    one.forget();
    const response = await gateway.get('/data/v1/teams');
    expect(response.headers.get('source-status')).toBe('one;state=fresh;records=5;age=0');
    expect(one.requests).toHaveLength(0);
  });

  it('requests a suspended source at once', async () => {
    const { origin, ask, one, clock } = await start(teams(2));
    one.handler = faulty.status(500);
    for (let failures = 0; failures < 5; failures += 1) {
      expect(await ask('/teams')).toMatchObject({ status: 502 });
      clock.advance(5_000);
    }
    expect((await ask('/teams')).sourceStatus).toContain('state=suspended');
    one.handler = serves(2);
    const { text } = await actOn(origin, 'refresh');
    expect(findBy(parse(text)['lists'], 'list', 'data-teams')).toMatchObject({ state: 'fresh', records: 2 });
    expect(await readListStatus(origin)).toMatchObject({ state: 'fresh', condition: 'ok' });
  });

  it('sends conditional requests where the source has validators', async () => {
    const { origin, ask, one } = await start(teams(2));
    one.handler = (request, response) => {
      if (request.headers['if-none-match'] === '"v1"') return void response.writeHead(304).end();
      response.setHeader('ETag', '"v1"');
      serves(2)(request, response);
    };
    await ask('/teams');
    one.forget();
    const { text } = await actOn(origin, 'refresh');
    expect(one.requests.filter(({ headers }) => headers['if-none-match'] === '"v1"').length).toBeGreaterThan(0);
    expect(findBy(parse(text)['lists'], 'list', 'data-teams')).toMatchObject({ state: 'fresh', records: 2 });
  });

  it('reports a failure in words, and the records that are served instead', async () => {
    const { origin, ask, one } = await start(teams(2));
    await ask('/teams');
    one.handler = faulty.status(403);
    expect(findBy(parse((await actOn(origin, 'refresh')).text)['lists'], 'list', 'data-teams')).toEqual({
      access: 'public',
      list: 'data-teams',
      state: 'stale',
      reason: 'status',
      description: 'refuses access (HTTP status 403)',
      records: 2,
    });
  });

  it('returns 202 when server.deadline passes, and the refresh goes on', async () => {
    const held = faulty.holdResponses(serves(7));
    const { origin, one } = await start([], { server: { deadline: '200ms' } });
    one.handler = held.handler;
    const { status, text } = await actOn(origin, 'refresh');
    expect(status).toBe(202);
    expect(findBy(parse(text)['lists'], 'list', 'data-teams')).toMatchObject({ state: 'running' });
    expect(await readListStatus(origin)).toMatchObject({ isRefreshing: true });
    held.release();
    await expect.poll(() => readListStatus(origin)).toMatchObject({ isRefreshing: false, records: 7 });
  });

  it('refreshes the lists of members, too', async () => {
    const { origin, gateway } = await start(teams(2), { access: ACCESS });
    await gateway.get('/data/v1/teams?scope=members', AS_MEMBER);
    const { lists } = parse((await actOn(origin, 'refresh')).text);
    expect(findBy(lists, 'access', 'members')).toMatchObject({ list: 'data-teams', state: 'fresh', records: 2 });
  });
});

describe('POST /sources/<code>/confirm-shrink', () => {
  it.each([
    ['far fewer records', 3],
    ['no records at all, which repetition never confirms', 0],
  ])('accepts %s at once', async (_, count) => {
    const { origin, ask, one, clock } = await start(teams(50));
    await ask('/teams');
    one.handler = serves(count);
    clock.advance(HOUR);
    await ask('/teams');
    expect((await ask('/teams')).sourceStatus).toContain('reason=shrunk');
    const { status, text } = await actOn(origin, 'confirm-shrink');
    expect(status).toBe(200);
    expect(findBy(parse(text)['lists'], 'list', 'data-teams')).toMatchObject({ state: 'fresh', records: count });
    expect((await ask('/teams')).sourceStatus).toBe(`one;state=fresh;records=${count};age=0`);
    expect((await readListStatus(origin))['doubt']).toBeUndefined();
  });

  it('accepts no later, smaller number', async () => {
    const { origin, ask, one, clock } = await start(teams(100));
    await ask('/teams');
    one.handler = serves(40);
    clock.advance(HOUR);
    await ask('/teams');
    await ask('/teams');
    one.handler = serves(5);
    expect(findBy(parse((await actOn(origin, 'confirm-shrink')).text)['lists'], 'list', 'data-teams')).toMatchObject({
      state: 'stale',
      reason: 'shrunk',
      records: 100,
    });
    expect(await readListStatus(origin)).toMatchObject({ doubt: { records: 5, trustedRecords: 40 } });
  });

  it('is refused where no number is doubted', async () => {
    const { origin, ask, one } = await start(teams(50));
    await ask('/teams');
    one.forget();
    const { status, text } = await actOn(origin, 'confirm-shrink');
    expect(status).toBe(409);
    expect(parse(text)).toEqual({ message: 'no number of records of this source is doubted' });
    expect(one.requests).toHaveLength(0);
  });
});

describe('POST /sources/<code>/forget', () => {
  it('drops the snapshots: the next query fetches anew, and is served no earlier records', async () => {
    const { origin, ask, one } = await start(teams(50));
    await ask('/teams');
    expect(await actOn(origin, 'forget')).toMatchObject({ status: 200 });
    expect(await readListStatus(origin)).toMatchObject({ state: 'none', summary: 'nothing is cached' });
    one.handler = faulty.status(500);
    expect(await ask('/teams')).toMatchObject({ status: 502 });
  });

  it('drops the trusted number of records', async () => {
    const { origin, ask, one } = await start(teams(50));
    await ask('/teams');
    await actOn(origin, 'forget');
    one.handler = serves(1);
    expect((await ask('/teams')).sourceStatus).toBe('one;state=fresh;records=1;age=0');
  });

  it('lets equal records count as changed', async () => {
    const { origin, ask, clock } = await start(teams(2));
    const before = (await ask('/teams')).headers.get('last-modified');
    clock.advance(HOUR);
    await ask('/teams');
    expect((await ask('/teams')).headers.get('last-modified')).toBe(before);
    await actOn(origin, 'forget');
    const after = (await ask('/teams')).headers.get('last-modified');
    expect(after === null || after !== before).toBe(true);
  });

  it('believes disproved capabilities again', async () => {
    const country = (at: number): object => ({
      id: `t${at}`,
      team: `Team ${at}`,
      country: at % 10 === 0 ? 'NO' : 'SE',
    });
    const many = Array.from({ length: 60 }, (_, at) => country(at));
    const supports = { teams: { filters: ['country'], total: true } };
    const { origin, ask } = await start(many, {}, { 'drain-threshold': 10, 'page-size': 10, supports });
    const verdict = async (): Promise<unknown> =>
      findBy((await readListStatus(origin))['capabilities'], 'capability', 'filter country')['verdict'];
    await ask('/teams?country=NO&limit=5');
    expect(await verdict()).toBe('disproved');
    await actOn(origin, 'forget');
    expect(await verdict()).not.toBe('disproved');
  });

  it('starts a refresh in progress again, so that it does not confirm what was forgotten', async () => {
    const { origin, ask, one, clock } = await start(teams(2));
    one.handler = (request, response) => {
      response.setHeader('ETag', '"v1"');
      serves(2)(request, response);
    };
    await ask('/teams');
    const held = faulty.holdResponses((_request, response) => void response.writeHead(304).end());
    one.handler = held.handler;
    clock.advance(2 * MINUTE);
    const waiting = ask('/teams');
    await expect.poll(() => one.requests.some(({ headers }) => headers['if-none-match'] === '"v1"')).toBe(true);
    await actOn(origin, 'forget');
    one.handler = serves(3);
    held.release();
    await waiting;
    await expect.poll(() => readListStatus(origin)).toMatchObject({ state: 'fresh', records: 3 });
  });

  it('changes nothing about other sources', async () => {
    const other = await startUpstream(serves(4, 100));
    const upstream = await startUpstream(serves(2));
    const gateway = await startGateway({
      admin: ADMIN_SETTINGS,
      sources: { one: { data: upstream.address }, 'one-two': { data: other.address } },
    });
    open.push(other, upstream, gateway);
    await gateway.get('/data/v1/teams');
    const origin = await openAdminPortOf(gateway);
    await actOn(origin, 'forget');
    expect(await readListStatus(origin, { code: 'one-two' })).toMatchObject({ state: 'fresh', records: 4 });
    other.forget();
    await gateway.get('/data/v1/teams');
    expect(other.requests).toHaveLength(0);
  });
});

describe('POST /sources/<code>/probe', () => {
  it('returns the report of rollcall probe', async () => {
    const { origin, one } = await start(teams(5));
    const { status, text } = await actOn(origin, 'probe');
    expect(status).toBe(200);
    expect(parse(text)).toMatchObject({ version: 2, code: 'one', reached: true, requests: one.requests.length });
    expect(parse(text)['findings']).not.toEqual([]);
  });

  it('runs one at a time', async () => {
    const held = faulty.holdResponses(serves(2));
    const { origin, one } = await start([]);
    one.handler = held.handler;
    const first = actOn(origin, 'probe');
    await expect.poll(() => one.requests.length).toBe(1);
    expect(await actOn(origin, 'probe')).toMatchObject({ status: 409 });
    held.release();
    one.handler = serves(2);
    expect(await first).toMatchObject({ status: 200 });
    expect(await actOn(origin, 'probe')).toMatchObject({ status: 200 });
  });

  it('is refused for a document', async () => {
    const upstream = await startUpstream((_, response) => response.end('[]'));
    const document = { url: `${upstream.address}/teams.json`, map: { 'short-team-name': 'name' } };
    const gateway = await startGateway({ admin: ADMIN_SETTINGS, sources: { one: { document } } });
    open.push(upstream, gateway);
    const { status, text } = await actOn(await openAdminPortOf(gateway), 'probe');
    expect(status).toBe(409);
    expect(text).toContain('the source is a document');
  });

  it('reports each feed of a source', async () => {
    const upstream = await startUpstream(feedUpstream(writeRss(listItems(2))));
    const feeds = [`${upstream.address}/one.xml`, `${upstream.address}/two.xml`];
    const gateway = await startGateway({ admin: ADMIN_SETTINGS, sources: { one: { feed: feeds } } });
    open.push(upstream, gateway);
    const { status, text } = await actOn(await openAdminPortOf(gateway), 'probe');
    expect(status).toBe(200);
    const verdicts = feeds.map((feed): unknown =>
      expect.objectContaining({ resource: 'feed', feed, topic: 'revalidation', verdict: 'proved' }),
    );
    expect(JSON.parse(text)).toMatchObject({
      reached: true,
      requests: 4,
      findings: expect.arrayContaining(verdicts) as unknown,
    });
  });
});

describe('the refresh of feeds', () => {
  it('reports each feed by its address', async () => {
    const upstream = await startUpstream((request, response) => {
      if (request.path.endsWith('/gone.xml')) response.writeHead(404).end();
      else feedUpstream(writeRss(listItems(2)))(request, response);
    });
    const feed = [`${upstream.address}/one.xml?list=a`, `${upstream.address}/gone.xml`];
    const gateway = await startGateway({ admin: ADMIN_SETTINGS, sources: { one: { feed } } });
    open.push(upstream, gateway);
    const { status, text } = await actOn(await openAdminPortOf(gateway), 'refresh');
    expect(status).toBe(200);
    expect(JSON.parse(text)).toMatchObject({
      lists: [
        { access: 'public', list: 'feed', feed: `${upstream.address}/one.xml`, state: 'fresh', records: 2 },
        { access: 'public', list: 'feed', feed: `${upstream.address}/gone.xml`, state: 'failed', reason: 'status' },
      ],
    });
  });
});
