import nock from 'nock';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { fakeClock } from '../support/fake-clock.js';
import { fetchTransport } from '../support/gateway/fetch-transport.js';
import { startGateway } from '../support/gateway/test-gateway.js';
import type { GatewayResponse, TestGateway } from '../support/gateway/test-gateway.js';

const ORIGIN = 'https://directory.example.org';
const TEAMS = '/global-irt/v1/teams';
const record = { 'short-team-name': 'EXAMPLE-CERT', email: 'cert@example.org' };

/** Policies and reading do not depend on the transport: the upstream is nock, behind `fetch`. */
describe('a source behind another transport', () => {
  let gateway: TestGateway;

  beforeAll(() => {
    nock.disableNetConnect();
    nock.enableNetConnect('127.0.0.1');
  });
  beforeEach(async () => {
    const sources = { one: { directory: `${ORIGIN}/global-irt/v1/` } };
    const server = { name: 'own-gateway' };
    gateway = await startGateway({ server, sources }, { clock: fakeClock(), transport: fetchTransport });
  });
  afterEach(async () => {
    nock.cleanAll();
    await gateway.close();
  });
  afterAll(() => {
    nock.enableNetConnect();
    nock.restore();
  });

  const fetchTeams = (): Promise<GatewayResponse> => gateway.get('/directory/v1/teams?pretty=0');

  it('receives only requests for pages of whole records in an envelope, below its base address', async () => {
    const targets: string[] = [];
    const record250 = Array.from({ length: 100 }, (_, at) => ({ 'short-team-name': `Team ${at}` }));
    nock(ORIGIN)
      .get(TEAMS)
      .query(true)
      .times(3)
      .reply(200, (uri) => {
        targets.push(uri);
        return { status: 'OK', total: 250, data: uri.endsWith('offset=200') ? record250.slice(50) : record250 };
      });
    await gateway.get('/directory/v1/teams?q=team&sort=-email&fields=email&limit=1&country=br&team=a&pretty=1');
    const page = `${TEAMS}?envelope=true&pretty=false&limit=100&offset=`;
    expect(targets.slice(0, 3).sort()).toEqual([`${page}0`, `${page}100`, `${page}200`]);
  });

  it('receives the name of the gateway and the accepted formats, and nothing of the client', async () => {
    const scope = nock(ORIGIN, {
      reqheaders: { via: '1.1 own-gateway', accept: 'application/json', 'accept-encoding': 'gzip, br' },
      badheaders: ['authorization', 'cookie', 'x-client', 'if-none-match'],
    });
    scope
      .get(TEAMS)
      .query(({ offset }) => offset === '0')
      .reply(200, { total: 1, data: [record] });
    scope
      .get(TEAMS)
      .query(({ offset }) => offset === '1')
      .reply(200, { total: 1, data: [] });
    const headers = { authorization: 'Bearer x', cookie: 'a=b', 'x-client': 'soc', 'if-none-match': '"a"' };
    const response = await gateway.get('/directory/v1/teams', headers);
    expect(response.headers.get('source-status')).toBe('one;state=fresh;records=1;age=0');
    scope.done();
  });

  it.each([
    [
      'an envelope with all its properties',
      { status: 'OK', status_code: 200, version: '1.0', total: 1, data: [record] },
      {},
    ],
    [
      'an envelope whose properties have other types',
      { status: 200, status_code: '200', total: '1', data: [record] },
      {},
    ],
    [
      'an envelope with the property names of the data interface',
      { status: 'OK', 'status-code': 200, total: 1, data: [record] },
      {},
    ],
    ['an envelope whose total is in a header field', { status: 'success', data: [record] }, { 'X-Total-Count': '1' }],
    ['a bare list whose total is in a header field', [record], { 'X-Total-Count': ' 1 ' }],
    ['an envelope with unknown properties', { note: { a: [1] }, total: 1, 'next-page': null, data: [record] }, {}],
  ])('may send %s', async (_form, body, headers) => {
    nock(ORIGIN).get(TEAMS).query({ offset: 0, limit: 100, envelope: true, pretty: false }).reply(200, body, headers);
    nock(ORIGIN).get(TEAMS).query(true).reply(200, { status: 'OK', total: 1, data: [] });
    const response = await fetchTeams();
    expect(response.headers.get('source-status')).toBe('one;state=fresh;records=1;age=0');
    expect(response.json).toEqual([{ ...record, 'source-name': 'one' }]);
  });

  it.each([
    ['an ISO 8601 date with an offset in its envelope', { 'last-modified': '2015-05-13T03:56:15+02:00' }, {}],
    ['an HTTP date with an offset in its envelope', { 'last-modified': 'Wed, 13 May 2015 01:56:15 +0000' }, {}],
    ['a Last-Modified header field', {}, { 'Last-Modified': 'Wed, 13 May 2015 01:56:15 GMT' }],
  ])('dates its list with %s', async (_form, facts, headers) => {
    const body = { total: 0, data: [], ...facts };
    nock(ORIGIN).get(TEAMS).query(true).times(2).reply(200, body, headers);
    expect((await fetchTeams()).headers.get('last-modified')).toBe('Wed, 13 May 2015 01:56:15 GMT');
  });

  it.each([
    ['another host', 'https://elsewhere.example.net'],
    ['another scheme', 'http://directory.example.org'],
    ['another port', 'https://directory.example.org:8443'],
    ['another host in a scheme-relative reference', '//elsewhere.example.net'],
  ])('fails with reason redirect when it redirects to %s', async (_title, target) => {
    const elsewhere = nock(new URL(target, ORIGIN).origin).get(TEAMS).query(true).reply(200, [record]);
    nock(ORIGIN)
      .get(TEAMS)
      .query(true)
      .reply(301, '', { Location: `${target}${TEAMS}?limit=100&offset=0` });
    const response = await fetchTeams();
    expect(response.status).toBe(502);
    expect(response.headers.get('source-status')).toBe('one;state=failed;reason=redirect');
    expect(elsewhere.isDone()).toBe(false);
  });
});
