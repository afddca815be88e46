import { afterEach, describe, expect, it } from 'vitest';
import { BodyParser } from '../../../src/source/body/body-parser.js';
import { closeAdminPorts, openAdminPortOf, requestAdmin } from '../../support/gateway/admin-port.js';
import { findBy, readListStatus, readSourceStatus } from '../../support/admin/sources-report.js';
import { closeDataGateways, fieldsOf, startDataGateway } from '../../support/gateway/data-gateway.js';
import type { DataGateway } from '../../support/gateway/data-gateway.js';
import { ACCESS, AS_MEMBER } from '../../support/gateway/members-gateway.js';
import { startGateway } from '../../support/gateway/test-gateway.js';
import { startForwardProxy } from '../../support/http/forward-proxy.js';
import { createCertificateAuthority } from '../../support/tls/certificate-authority.js';
import { dataUpstream } from '../../support/upstream/data-upstream.js';
import { directoryUpstream } from '../../support/upstream/directory-upstream.js';
import * as faulty from '../../support/upstream/faulty-responses.js';
import { startUpstream } from '../../support/upstream/upstream-server.js';

const open: { close(): Promise<void> }[] = [];

afterEach(async () => {
  closeAdminPorts();
  await closeDataGateways();
  await Promise.all(open.splice(0).map((one) => one.close()));
});

type Setup = Parameters<typeof startDataGateway>;

async function start(...[sources, setup, dependencies]: Setup): Promise<DataGateway & { readonly origin: string }> {
  const data = await startDataGateway(sources, { defaults: { retries: 0 }, ...setup }, dependencies);
  return { ...data, origin: await openAdminPortOf(data.gateway) };
}

function teams(count: number): readonly object[] {
  return Array.from({ length: count }, (_, at) => ({ id: `team-${at}`, team: `Team ${at}` }));
}

const SECOND = 1_000;
const HOUR = 3_600_000;

describe('/sources', () => {
  it('lists the sources by number, with the state of each list, before any request', async () => {
    const { origin } = await start({ one: { records: { teams: teams(2) } }, two: { records: {} } });
    const response = await requestAdmin(origin, '/sources');
    expect(response).toMatchObject({ status: 200, headers: { 'content-type': 'application/json' } });
    expect(JSON.parse(response.text)).toMatchObject({ sources: [{ code: 'one', number: 1 }, { code: 'two' }] });
    expect(await readSourceStatus(origin)).toMatchObject({ condition: 'unknown', certificates: [], required: false });
    expect(await readListStatus(origin)).toMatchObject({
      state: 'none',
      condition: 'unknown',
      summary: 'not requested yet',
      consecutiveFailures: 0,
      recordsHistory: [],
      keys: { state: 'none' },
    });
  });

  it('sends no request to a source', async () => {
    const { origin, upstreams } = await start({ one: { records: {} } });
    await readSourceStatus(origin);
    expect(upstreams['one']?.requests).toHaveLength(0);
  });

  it('reports a fresh list with its records, its age and its next refresh', async () => {
    const { origin, ask, clock } = await start({ one: { records: { teams: teams(3) } } });
    await ask('/teams');
    clock.advance(30 * SECOND);
    expect(await readListStatus(origin)).toMatchObject({
      state: 'fresh',
      condition: 'ok',
      summary: 'fresh',
      served: 'fresh',
      records: 3,
      recordsHistory: [{ at: '2026-01-01T00:00:00+00:00', records: 3 }],
      verifiedAt: '2026-01-01T00:00:00+00:00',
      age: 30,
      lastSuccess: '2026-01-01T00:00:00+00:00',
      isRefreshing: false,
    });
    expect(await readSourceStatus(origin)).toMatchObject({ condition: 'ok' });
  });

  it('says in words why a list is stale, and since when, and keeps the cause of the last error', async () => {
    const { origin, ask, clock, upstreams } = await start(
      { one: { records: { teams: teams(3) } } },
      { defaults: { retries: 0, ttl: '1m', 'stale-while-revalidate': '0s' } },
    );
    await ask('/teams');
    if (upstreams['one'] !== undefined) upstreams['one'].handler = faulty.status(503);
    clock.advance(2 * 60 * SECOND);
    await ask('/teams');
    clock.advance(10 * SECOND);
    await ask('/teams');
    const list = await readListStatus(origin);
    expect(list).toMatchObject({
      state: 'expired',
      condition: 'warning',
      summary: 'expired: HTTP status 503, since 2026-01-01T00:02:00+00:00; the last records are served',
      records: 3,
      consecutiveFailures: 2,
      lastSuccess: '2026-01-01T00:00:00+00:00',
      lastError: { at: '2026-01-01T00:02:10+00:00', reason: 'status', description: 'HTTP status 503' },
      refreshFrom: '2026-01-01T00:02:12+00:00',
    });
    if (upstreams['one'] !== undefined) upstreams['one'].handler = dataUpstream({ teams: teams(3) });
    clock.advance(10 * SECOND);
    await ask('/teams');
    const recovered = await readListStatus(origin);
    expect(recovered).toMatchObject({ state: 'fresh', condition: 'ok', summary: 'fresh', consecutiveFailures: 0 });
    expect(recovered['lastError']).toEqual(list['lastError']);
  });

  it('reports a source that never answered as failed', async () => {
    const { origin, ask } = await start({ one: { records: {}, handler: faulty.resetConnection } });
    await ask('/teams');
    expect(await readListStatus(origin)).toMatchObject({
      state: 'rejected',
      condition: 'failed',
      summary: 'no records: connection failed, since 2026-01-01T00:00:00+00:00',
      lastError: { reason: 'connect', description: 'connection failed' },
    });
  });

  it('reports a suspension, and when the next trial is sent', async () => {
    const { origin, ask, clock } = await start(
      { one: { records: {}, handler: faulty.status(500) } },
      {},
      { suspension: { failures: 1, cooldown: 30_000 } },
    );
    await ask('/teams');
    clock.advance(5 * SECOND);
    expect(await readListStatus(origin)).toMatchObject({
      state: 'suspended',
      condition: 'failed',
      summary:
        'suspended after repeated failures: HTTP status 500, since 2026-01-01T00:00:00+00:00; no records are served',
    });
    const [level] = [(await readSourceStatus(origin))['levels']].flat();
    expect(level).toMatchObject({
      suspension: { since: '2026-01-01T00:00:00+00:00', trialFrom: '2026-01-01T00:00:30+00:00' },
      requests: { sent: 1, failures: { status: 1 } },
    });
  });

  it.each([
    ['inconsistent', 'returned fewer records than its total', { total: 2 }],
    ['partial', 'returned entries or values that cannot be read', { cut: () => [...teams(3), 7] }],
  ])('shows a source whose list is %s as incomplete, also when nothing is cached', async (_state, why, behaviour) => {
    const { origin, ask, clock } = await start({ one: { records: { teams: teams(3) }, behaviour } });
    await ask('/teams');
    clock.advance(10 * SECOND);
    expect(await readListStatus(origin)).toMatchObject({
      state: 'none',
      condition: 'warning',
      summary: `incomplete: ${why}, since 2026-01-01T00:00:00+00:00`,
      records: 3,
    });
    const { text } = await requestAdmin(origin, '/sources?format=html');
    expect(text).toContain('incomplete or old');
    expect(text).not.toMatch(/gives? no records/);
  });

  it('names the property with further pages of a document, and what to write', async () => {
    const upstream = await startUpstream((_, response) =>
      response.end(JSON.stringify({ links: { next: '/teams?page=2' }, data: [{ name: 'ACORN' }] })),
    );
    const document = { url: upstream.address, records: 'data', map: { 'short-team-name': 'name' } };
    const gateway = await startGateway({ sources: { one: { document } } });
    open.push(gateway, upstream);
    await gateway.get('/directory/v1/teams');
    const origin = await openAdminPortOf(gateway);
    expect(await readListStatus(origin, { resource: 'directory-teams' })).toMatchObject({
      condition: 'warning',
      lastError: {
        reason: 'paging',
        description: 'has pages that are not read',
        detail: 'the page names a next one (links.next); write next: links.next',
      },
      findings: [{ rule: 'unread-pages', field: 'links.next' }],
    });
  });

  it('remembers how the number of records changed, and the difference to a day ago', async () => {
    const records = { teams: teams(30) };
    const { origin, ask, clock, upstreams } = await start({ one: { records } });
    for (const count of [30, 31, 31, 40]) {
      if (upstreams['one'] !== undefined) upstreams['one'].handler = dataUpstream({ teams: teams(count) });
      await ask('/teams');
      clock.advance(13 * HOUR);
      await ask('/teams');
    }
    const list = await readListStatus(origin);
    expect(list['recordsHistory']).toMatchObject([{ records: 30 }, { records: 31 }, { records: 40 }]);
    expect(list).toMatchObject({ records: 40, recordsChangeInDay: 9 });
  });

  it('shows far fewer records than before as a doubt', async () => {
    const { origin, ask, clock, upstreams } = await start({ one: { records: { teams: teams(50) } } });
    await ask('/teams');
    if (upstreams['one'] !== undefined) upstreams['one'].handler = dataUpstream({ teams: teams(3) });
    clock.advance(HOUR);
    await ask('/teams');
    await ask('/teams');
    expect(await readListStatus(origin)).toMatchObject({
      condition: 'warning',
      records: 50,
      lastError: { reason: 'shrunk', description: 'far fewer records than before' },
      doubt: { records: 3, trustedRecords: 50, since: '2026-01-01T01:00:00+00:00' },
    });
  });
});

const HOSTILE = '<script>alert(1)</script>\u202e\u0007';

describe('findings in /sources', () => {
  const records = {
    teams: [
      { id: 'a', team: 'Anchor', country: 'XX', email: 'not an address' },
      { id: 'b', team: HOSTILE, email: `${HOSTILE}${'x'.repeat(10_000)}` },
      ...Array.from({ length: 50 }, (_, at) => ({ id: `c${at}`, team: `Team ${at}`, email: 'neither' })),
    ],
  };

  it.each([
    ['on the main thread', undefined],
    ['in the worker thread', new BodyParser({ maxBody: 10_000_000 })],
  ])('have at most three examples, cut and with hidden characters named: %s', async (_, bodies) => {
    const upstream = await startUpstream(
      dataUpstream(bodies ? { teams: [...records.teams, ...teams(3_000)] } : records),
    );
    const gateway = await startGateway(
      { sources: { one: { data: upstream.address } } },
      bodies === undefined ? {} : { bodies },
    );
    open.push(gateway, upstream);
    const origin = await openAdminPortOf(gateway);
    await gateway.get('/data/v1/teams');
    const { findings } = await readListStatus(origin);
    const finding = findBy(findings, 'rule', 'not-an-email');
    expect(finding).toMatchObject({ field: 'email', count: 52 });
    const visible = '<script>alert(1)</script>[U+202E][U+0007]';
    expect(finding['examples']).toEqual([
      { record: 'Anchor', value: 'not an address' },
      { record: visible, value: `${visible}${'x'.repeat(73)}…` },
      { record: 'Team 0', value: 'neither' },
    ]);
    bodies?.close();
  });

  it('show a dropped entry as a whole, and lists and objects in part', async () => {
    const entries = [17, { id: 'x', host: { deep: { deeper: [1] }, a: 1, b: 2, c: 3, d: 4, e: 5 } }];
    const { origin, ask } = await start({ one: { records: { teams: [...entries, ...teams(9)] } } });
    await ask('/teams');
    const { findings } = await readListStatus(origin);
    expect(findBy(findings, 'rule', 'not-a-record')['examples']).toEqual([{ record: '', value: '17' }]);
    expect(findBy(findings, 'rule', 'no-name')['examples']).toEqual([
      { record: 'x', value: '{"id": "x", "host": {"deep": {…}, "a": 1, "b": 2, "c": 3, "d": 4, …}}' },
    ]);
  });

  it('do not repeat a credential that the source sends back', async () => {
    const secret = 'rck_secret-of-the-gateway';
    const upstream = await startUpstream(
      dataUpstream({ teams: [{ id: 'a', team: 'Anchor', email: `no ${secret} no` }] }),
    );
    const gateway = await startGateway({
      sources: { one: { data: upstream.address, credentials: { public: { bearer: secret } } } },
    });
    open.push(gateway, upstream);
    await gateway.get('/data/v1/teams');
    const text = (await requestAdmin(await openAdminPortOf(gateway), '/sources')).text;
    expect(text).toContain('no [redacted] no');
    expect(text).not.toContain(secret);
  });

  it('have no examples at members level', async () => {
    const { origin, gateway } = await start({ one: { records } }, { access: ACCESS });
    await gateway.get('/data/v1/teams?scope=members', AS_MEMBER);
    const { findings } = await readListStatus(origin, { access: 'members' });
    expect(findBy(findings, 'rule', 'not-an-email')).toMatchObject({ count: 52, examples: [] });
    expect(await readListStatus(origin)).toMatchObject({ state: 'none' });
  });

  it('are bounded in number for a source that invents properties', async () => {
    const many = Array.from({ length: 1_000 }, (_, at) => ({
      id: `t${at}`,
      team: `Team ${at}`,
      [`-other-${at}-member-type`]: at,
    }));
    const { origin, ask } = await start({ one: { records: { teams: many } } });
    await ask('/teams');
    const { findings } = await readListStatus(origin);
    expect([findings].flat().length).toBeLessThanOrEqual(200);
  });
});

describe('errors and addresses in /sources', () => {
  it('show an address without its query, and a cause of bounded length', async () => {
    const text = `${HOSTILE}${'y'.repeat(10_000)}`;
    const upstream = await startUpstream((_, response) => response.end(text));
    const document = { url: `${upstream.address}/teams.json?token=secret`, map: { 'short-team-name': 'name' } };
    const gateway = await startGateway({ defaults: { retries: 0 }, sources: { one: { document } } });
    open.push(gateway, upstream);
    await gateway.get('/directory/v1/teams');
    const origin = await openAdminPortOf(gateway);
    const { text: report } = await requestAdmin(origin, '/sources');
    expect(await readSourceStatus(origin)).toMatchObject({ addresses: [`${upstream.address}/teams.json`] });
    expect(report).not.toContain('secret');
    expect(report).not.toContain('\u202e');
    const { lastError } = await readListStatus(origin, { resource: 'directory-teams' });
    expect(lastError).toMatchObject({ reason: 'body', description: 'a response that cannot be read' });
    expect(String(fieldsOf(lastError)['detail']).length).toBeLessThan(600);
  });
});

it('counts in /sources the teams whose source gives them the id of another team', async () => {
  const teams = ['A', 'B', 'C'].map((team) => ({ id: team === 'C' ? 'own' : 'same', team }));
  const { gateway, origin } = await start({ one: { records: { teams: [...teams, { team: 'D' }, { team: 'D' }] } } });
  await gateway.get('/data/v1/teams');
  const { state, findings } = await readListStatus(origin);
  expect([state, findings]).toMatchObject(['fresh', [{ rule: 'shared-id', field: 'id', count: 2 }]]);
});

describe('capabilities in /sources', () => {
  const supports = { teams: { filters: ['country'], sort: ['-id'], total: true, search: true } };
  const registration = { 'drain-threshold': 10, 'page-size': 10, supports };
  const many = Array.from({ length: 60 }, (_, at) => ({
    id: `t${at}`,
    team: `Team ${String(at).padStart(2, '0')}`,
    country: at % 10 === 0 ? 'NO' : 'SE',
  }));

  it('are counted as they are used and checked', async () => {
    const filters = (request: { readonly query: URLSearchParams }): readonly object[] =>
      many.filter(({ country }) => !request.query.has('country') || request.query.get('country') === country);
    const { origin, ask, clock } = await start({ one: { records: {}, behaviour: { records: filters }, registration } });
    clock.advance(SECOND);
    await ask('/teams?country=NO&limit=1');
    const list = await readListStatus(origin);
    expect(list).toMatchObject({ state: 'large', condition: 'ok', records: 60 });
    expect(list['summary']).toBe('more records than drain-threshold: a query gets what it needs of them');
    expect(findBy(list['capabilities'], 'capability', 'filter country')).toMatchObject({
      verdict: 'consistent',
      lastChecked: '2026-01-01T00:00:01+00:00',
    });
    expect(findBy(list['capabilities'], 'capability', 'sort -id')).toEqual({
      capability: 'sort -id',
      verdict: 'unused',
      uses: 0,
      checks: 0,
    });
    expect(findBy(list['capabilities'], 'capability', 'filter q')).toMatchObject({ verdict: 'unused' });
  });

  it('are disproved with the time and the evidence', async () => {
    const { origin, ask } = await start({ one: { records: { teams: many }, registration } });
    await ask('/teams?country=NO&limit=5');
    const { capabilities } = await readListStatus(origin);
    const filter = findBy(capabilities, 'capability', 'filter country');
    expect(filter).toMatchObject({ verdict: 'disproved', disproof: { at: '2026-01-01T00:00:00+00:00' } });
    expect(fieldsOf(filter['disproof'])['evidence']).toContain('does not match the filter');
  });
});

describe('certificates in /sources', () => {
  const authority = createCertificateAuthority();
  const files = { 'ca.pem': authority.cert };
  const DAY = 86_400_000;
  const notAfter = Date.now() + 30 * DAY + HOUR;

  it('are those of the connections, with the days that remain, and a metric', async () => {
    const upstream = await startUpstream(
      directoryUpstream([{ 'short-team-name': 'ACORN' }]),
      authority.issue('directory.example.org', { notBefore: Date.now() - DAY, notAfter }),
    );
    const gateway = await startGateway(
      { sources: { one: { directory: upstream.address, tls: { ca: 'ca.pem' } } } },
      { files },
    );
    open.push(gateway, upstream);
    const origin = await openAdminPortOf(gateway);
    expect(await readSourceStatus(origin)).toMatchObject({ certificates: [] });
    await gateway.get('/directory/v1/teams');
    const { certificates } = await readSourceStatus(origin);
    expect(certificates).toMatchObject([{ origin: new URL(upstream.address).origin, daysLeft: 30 }]);
    const seconds = Math.floor(notAfter / 1_000);
    expect(await gateway.metrics()).toContain(
      `rollcall_source_certificate_expiry_timestamp_seconds{source="one"} ${seconds}`,
    );
  });

  it('are found behind a proxy, too', async () => {
    const host = 'directory.example.invalid';
    const upstream = await startUpstream(
      directoryUpstream([{ 'short-team-name': 'ACORN' }]),
      authority.issue(host, { hostNames: [host] }),
    );
    const proxy = await startForwardProxy({ targetPort: Number(new URL(upstream.address).port) });
    const source = { directory: `https://${host}/v1`, proxy: proxy.origin, tls: { ca: 'ca.pem' } };
    const gateway = await startGateway({ sources: { one: source } }, { files });
    open.push(gateway, upstream, proxy);
    await gateway.get('/directory/v1/teams');
    const origin = await openAdminPortOf(gateway);
    expect(await readSourceStatus(origin)).toMatchObject({ certificates: [{ origin: `https://${host}` }] });
  });
});
