import { afterEach, describe, expect, it } from 'vitest';
import { closeDataGateways, startDataGateway } from '../../support/gateway/data-gateway.js';
import type { DataGateway } from '../../support/gateway/data-gateway.js';
import { dataUpstream } from '../../support/upstream/data-upstream.js';
import * as faulty from '../../support/upstream/faulty-responses.js';
import type { GatewayResponse } from '../../support/gateway/test-gateway.js';

afterEach(closeDataGateways);

/** Milliseconds beyond the time to live and stale-while-revalidate. */
const LATER = 10 * 60_000;

const DATE = '2025-06-01 00:00:00';
/** Long enough for a response to be compressed. */
const HOST = 'x'.repeat(400);

const TEAMS = ['A', 'B', 'C'].map((team) => ({
  id: team.toLowerCase(),
  team,
  country: 'BR',
  host: HOST,
  'last-modified': DATE,
}));

const TARGET = '/data/v1/teams?pretty=0';

interface ValidatorGateway extends DataGateway {
  get(headers?: Readonly<Record<string, string>>, target?: string): Promise<GatewayResponse>;
}

async function open(): Promise<ValidatorGateway> {
  const gateway = await startDataGateway({
    one: { records: { teams: TEAMS } },
    two: { records: { teams: [{ id: 'z', team: 'Z' }] } },
  });
  return {
    ...gateway,
    get: (headers, target = TARGET) => gateway.gateway.get(target, { 'accept-encoding': 'identity', ...headers }),
  };
}

const header = ({ headers }: GatewayResponse, name: string): string => headers.get(name) ?? '';
const etagOf = (response: GatewayResponse): string => header(response, 'etag');

/** Replaces the handler of the first source, and lets its snapshot expire. */
function replaceHandler(gateway: DataGateway, handler: ReturnType<typeof dataUpstream>): void {
  const { one } = gateway.upstreams;
  if (one === undefined) throw new Error('there is no such source');
  one.handler = handler;
  gateway.clock.advance(LATER);
}

/** Entity tags (decisions 7.10). */
describe('the entity tag of a response', () => {
  it('is strong, and stable while the response is', async () => {
    const gateway = await open();
    const first = etagOf(await gateway.get());
    expect(first).toMatch(/^"[\w-]{22}"$/);
    replaceHandler(gateway, dataUpstream({ teams: TEAMS }));
    expect(etagOf(await gateway.get())).toBe(first);
  });

  it.each([
    ['other bytes', {}, '/data/v1/teams?pretty=1'],
    ['another total behind the same page', {}, '/data/v1/teams?pretty=0&limit=0&country=BR&envelope=0'],
    ['another format', {}, '/data/v1/teams.xml?pretty=0'],
    ['another content coding', { 'accept-encoding': 'gzip' }, '/data/v1/teams?pretty=1&limit=1000'],
  ])('differs for %s', async (_title, headers, target) => {
    const gateway = await open();
    const others = [await gateway.get(), await gateway.get({}, '/data/v1/teams?pretty=0&limit=0&envelope=0')];
    expect(others.map(etagOf)).not.toContain(etagOf(await gateway.get(headers, target)));
  });

  it('differs when the states of the sources do', async () => {
    const gateway = await open();
    const fresh = await gateway.get({}, `${TARGET}&envelope=0`);
    replaceHandler(gateway, faulty.status(500));
    const stale = await gateway.get({}, `${TARGET}&envelope=0`);
    expect(stale.text).toBe(fresh.text);
    expect(etagOf(stale)).not.toBe(etagOf(fresh));
  });

  it('is absent from partial responses and errors', async () => {
    const gateway = await startDataGateway({
      one: { records: {}, handler: faulty.status(500) },
      two: { records: { teams: TEAMS } },
    });
    for (const target of [TARGET, `${TARGET}&source-name=one`, '/data/v1/teams?limit=x', '/nowhere']) {
      const response = await gateway.gateway.get(target, { 'if-none-match': '*' });
      expect([response.status === 304, response.headers.has('etag'), response.headers.has('last-modified')]).toEqual([
        false,
        false,
        false,
      ]);
    }
  });
});

/** Conditional requests (decisions 7.6, 7.7, 7.11). */
describe('a conditional request', () => {
  it('gets a 304 for the entity tag, with the header fields of the 200 except Content-Type', async () => {
    const gateway = await open();
    const response = await gateway.get();
    const again = await gateway.get({ 'if-none-match': `"other", W/${etagOf(response)}` });
    expect([again.status, again.text]).toEqual([304, '']);
    for (const name of ['etag', 'cache-control', 'vary', 'source-status', 'x-total-count', 'link', 'via'])
      expect(header(again, name), name).toBe(header(response, name));
    expect(again.headers.has('content-type')).toBe(false);
  });

  it('gets a 200 for any other tag, and for a tag of another content coding', async () => {
    const gateway = await open();
    const target = '/data/v1/teams?pretty=1&limit=1000';
    const plain = etagOf(await gateway.get({ 'accept-encoding': 'identity' }, target));
    expect((await gateway.get({ 'if-none-match': '"other"' }, target)).status).toBe(200);
    const coded = await gateway.get({ 'if-none-match': plain, 'accept-encoding': 'gzip' }, target);
    expect([coded.status, etagOf(coded)]).toEqual([200, plain.replace(/"$/, '-gzip"')]);
  });

  it('gets a 304 for Last-Modified until records are removed', async () => {
    const gateway = await open();
    const since = header(await gateway.get(), 'last-modified');
    expect(since).toBe('Sun, 01 Jun 2025 00:00:00 GMT');
    expect((await gateway.get({ 'if-modified-since': since })).status).toBe(304);
    replaceHandler(gateway, dataUpstream({ teams: TEAMS.slice(1) }));
    const changed = await gateway.get({ 'if-modified-since': since });
    expect([changed.status, changed.headers.get('last-modified')]).toEqual([200, null]);
    const changedAt = gateway.clock.now();
    gateway.clock.advance(1_000);
    const dated = await gateway.gateway.get('/data/v1/teams', { 'if-modified-since': since });
    expect([dated.status, Date.parse(header(dated, 'last-modified'))]).toEqual([200, changedAt + 1_000]);
  });

  it('gets a 200 for Last-Modified when only PGP keys changed and no date of a team did', async () => {
    const keyed = (key: string): object[] => TEAMS.map((team) => ({ ...team, 'pgp-id': key }));
    const paging = { keys: 'pgp' } as const;
    const gateway = await startDataGateway({ one: { records: { teams: keyed('0x00000001') }, behaviour: paging } });
    const target = '/data/v1/teams?scope=pgp&pretty=0';
    const since = header(await gateway.gateway.get(target), 'last-modified');
    expect(since).toBe('Sun, 01 Jun 2025 00:00:00 GMT');
    replaceHandler(gateway, dataUpstream({ teams: keyed('0x00000002') }, paging));
    const changed = await gateway.gateway.get(target, { 'if-modified-since': since });
    const shownFrom = gateway.clock.now();
    gateway.clock.advance(1_000);
    const dated = await gateway.gateway.get(target);
    expect([changed.status, Date.parse(header(dated, 'last-modified'))]).toEqual([200, shownFrom + 1_000]);
  });

  it('never sees Last-Modified decrease when keys move from scope=pgp to the public records', async () => {
    const old = TEAMS.map((team) => ({ ...team, 'last-modified': '2024-01-01 00:00:00+00:00' }));
    const keyed = (key: string): object[] => old.map((team) => ({ ...team, 'pgp-id': key }));
    const gateway = await startDataGateway({
      one: { records: { teams: keyed('0x00000001') }, behaviour: { keys: 'pgp' } },
    });
    const dated = async (): Promise<number> => {
      await gateway.gateway.get('/directory/v1/teams');
      gateway.clock.advance(1_000);
      return Date.parse(header(await gateway.gateway.get('/directory/v1/teams'), 'last-modified'));
    };
    const dates = [await dated()];
    replaceHandler(gateway, dataUpstream({ teams: keyed('0x00000002') }, { keys: 'pgp' }));
    dates.push(await dated());
    const earlier = new Date(gateway.clock.now() - 60_000).toISOString();
    const own = keyed('0x00000002').map((team) => ({ ...team, 'last-modified': earlier }));
    replaceHandler(gateway, dataUpstream({ teams: own }, { keys: 'public' }));
    dates.push(await dated());
    expect(dates).toEqual([...dates].sort((a, b) => a - b));
    expect(dates[2]).toBe(gateway.clock.now());
  });

  it('gets a 304 for no date but Last-Modified', async () => {
    const gateway = await open();
    const modified = Date.parse(header(await gateway.get(), 'last-modified'));
    gateway.clock.advance(5_000);
    const fetchStatus = async (at: number): Promise<number> =>
      (await gateway.get({ 'if-modified-since': new Date(at).toUTCString() })).status;
    const dates = [modified - 1_000, modified, modified + 1_000, gateway.clock.now()];
    expect(await Promise.all(dates.map(fetchStatus))).toEqual([200, 304, 200, 200]);
  });

  it('gets a 304 of a stale response for the entity tag, but not for the date', async () => {
    const gateway = await open();
    await gateway.get();
    replaceHandler(gateway, faulty.status(500));
    const stale = await gateway.get();
    expect((await gateway.get({ 'if-modified-since': header(stale, 'last-modified') })).status).toBe(200);
    expect((await gateway.get({ 'if-none-match': etagOf(stale) })).status).toBe(304);
  });

  it('never sees Last-Modified decrease when a source fails and returns with fewer records', async () => {
    const gateway = await open();
    const dates: number[] = [];
    const recordDate = async (): Promise<void> => {
      dates.push(Date.parse(header(await gateway.get({}, '/data/v1/teams?country=BR'), 'last-modified')));
    };
    await recordDate();
    for (const teams of [TEAMS.slice(0, 1), TEAMS, [{ ...TEAMS[0], 'last-modified': '2025-05-01 00:00:00' }], []]) {
      replaceHandler(gateway, faulty.status(500));
      await recordDate();
      replaceHandler(gateway, dataUpstream({ teams }));
      await recordDate();
      gateway.clock.advance(1_000);
      await recordDate();
    }
    const known = dates.filter((date) => !Number.isNaN(date));
    expect(known).toEqual([...known].sort((a, b) => a - b));
    expect(new Set(known).size).toBeGreaterThan(3);
  });
});
