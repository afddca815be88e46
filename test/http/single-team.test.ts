import { afterEach, describe, expect, it } from 'vitest';
import { fakeClock } from '../support/fake-clock.js';
import type { FakeClock } from '../support/fake-clock.js';
import { startGateway } from '../support/gateway/test-gateway.js';
import type { GatewaySetup, TestGateway } from '../support/gateway/test-gateway.js';
import { dataUpstream } from '../support/upstream/data-upstream.js';
import { directoryUpstream } from '../support/upstream/directory-upstream.js';
import * as faulty from '../support/upstream/faulty-responses.js';
import { startUpstream } from '../support/upstream/upstream-server.js';
import type { RequestHandler, UpstreamServer } from '../support/upstream/upstream-server.js';

const KEY = { 'pgp-fingerprint': '0123456789ABCDEF0123456789ABCDEF01234567' };

const DIRECTORY_TEAMS = [
  { 'short-team-name': 'Acorn CERT', 'official-team-name': 'Acorn Response', 'country-code': 'NO' },
  { 'short-team-name': 'Twin', 'official-team-name': 'Twin of Norway', 'country-code': 'NO' },
  { 'short-team-name': 'twin', 'official-team-name': 'Twin of Portugal', 'country-code': 'PT' },
];
const DATA_TEAMS = [
  { id: 'Own/Id.json', team: 'Slash', ...KEY },
  { id: 'plain', team: 'Plain', country: 'SE' },
];

interface Scene {
  readonly gateway: TestGateway;
  readonly clock: FakeClock;
  readonly directory: UpstreamServer;
}

const open: (UpstreamServer | TestGateway)[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

async function startScene(handler: RequestHandler, setup: Partial<GatewaySetup> = {}): Promise<Scene> {
  const directory = await startUpstream(handler);
  const data = await startUpstream(dataUpstream({ teams: DATA_TEAMS, news: [], channels: [] }));
  const clock = fakeClock();
  const sources = { harbour: { directory: directory.address }, lantern: { data: data.address } };
  const gateway = await startGateway({ sources, ...setup }, { clock });
  open.push(gateway, directory, data);
  return { gateway, clock, directory };
}

/** Waits beyond the time to live and stale-while-revalidate, so that the next request waits for a refresh. */
const LATER = 60_000 + 300_000 + 1;

describe('the address of a team', () => {
  it('returns the team on both interfaces, in each format, with the state of its source', async () => {
    const { gateway } = await startScene(directoryUpstream(DIRECTORY_TEAMS));
    const directory = await gateway.get('/directory/v1/teams/harbour.acorn-cert');
    expect([directory.status, directory.json]).toEqual([200, { ...DIRECTORY_TEAMS[0], 'source-name': 'harbour' }]);
    expect(directory.headers.get('source-status')).toMatch(/^harbour;.*fresh/);
    const data = await gateway.get('/data/v1/teams/harbour.acorn-cert.yml?envelope=0');
    expect([data.status, data.text]).toEqual([200, expect.stringContaining('id: harbour.acorn-cert\n')]);
    const csv = await gateway.get('/directory/v1/teams/lantern.plain.csv?fields=-rollcall-id,country-code');
    expect(csv.text).toBe('-rollcall-id,country-code\r\nlantern.plain,SE\r\n');
    expect(csv.headers.get('content-disposition')).toBe('attachment; filename="teams-lantern.plain.csv"');
  });

  it('contains an id of the source in any spelling, percent-encoded', async () => {
    const { gateway } = await startScene(directoryUpstream(DIRECTORY_TEAMS));
    const { status, json } = await gateway.get('/data/v1/teams/lantern.Own%2FId%2Ejson?envelope=0');
    expect([status, json]).toEqual([200, { id: 'lantern.Own/Id.json', team: 'Slash', 'source-name': 'lantern' }]);
    expect((await gateway.get('/data/v1/teams/lantern.own%2Fid%2Ejson')).status).toBe(404);
    expect((await gateway.get('/data/v1/teams/lantern.%E0%A4')).status).toBe(400);
  });

  it('takes the scope of data teams, and shows keys only there', async () => {
    const { gateway } = await startScene(directoryUpstream(DIRECTORY_TEAMS));
    const keys = await gateway.get('/data/v1/teams/lantern.Own%2FId%2Ejson?scope=pgp&envelope=0');
    expect(keys.json).toEqual({ id: 'lantern.Own/Id.json', team: 'Slash', 'source-name': 'lantern', ...KEY });
    const without = await gateway.get('/data/v1/teams/lantern.plain?scope=pgp&envelope=0');
    expect(without.json).toEqual({ id: 'lantern.plain', team: 'Plain', 'source-name': 'lantern' });
    expect((await gateway.get('/data/v1/teams/lantern.plain?scope=members')).status).toBe(401);
    expect((await gateway.get('/directory/v1/teams/lantern.plain?limit=1')).status).toBe(400);
  });

  it('lists the candidates where several teams have the name, and shows each of them under its own id', async () => {
    const { gateway } = await startScene(directoryUpstream(DIRECTORY_TEAMS));
    const choice = await gateway.get('/directory/v1/teams/harbour.twin');
    expect(choice.status).toBe(300);
    const ids = /harbour\.~[0-9a-f]{8}/g;
    const [one, other, ...more] = new Set(choice.text.match(ids));
    expect(more).toEqual([]);
    expect(choice.json).toMatchObject({
      status: 'Multiple Choices',
      status_code: 300,
      candidates: [
        { '-rollcall-id': one, 'official-team-name': 'Twin of Norway', 'country-code': 'NO', 'source-name': 'harbour' },
        { '-rollcall-id': other, 'official-team-name': 'Twin of Portugal' },
      ],
    });
    expect((await gateway.get(`/directory/v1/teams/${one ?? ''}`)).json).toMatchObject(DIRECTORY_TEAMS[1] ?? {});
    expect((await gateway.get(`/data/v1/teams/${other ?? ''}?envelope=0`)).json).toMatchObject({ country: 'PT' });
    const csv = await gateway.get('/data/v1/teams/harbour.twin.csv');
    expect(csv.text.match(ids)).toEqual([one, other]);
  });

  it('is a 404 that names the source whose list does not have it, or no longer', async () => {
    let teams = DIRECTORY_TEAMS;
    const { gateway, clock } = await startScene((request, response) => {
      directoryUpstream(teams)(request, response);
    });
    await gateway.get('/directory/v1/teams');
    teams = DIRECTORY_TEAMS.slice(1);
    clock.advance(LATER);
    for (const path of ['directory/v1/teams/harbour.acorn-cert', 'data/v1/teams/harbour.never']) {
      const { status, json } = await gateway.get(`/${path}`);
      expect([status, json]).toMatchObject([404, { message: 'there is no team with this id in the list of harbour' }]);
    }
    const { status, json } = await gateway.get('/directory/v1/teams/nowhere.acorn-cert');
    expect([status, json]).toMatchObject([404, { message: 'there is no team with this id' }]);
    teams = DIRECTORY_TEAMS;
    clock.advance(LATER);
    expect((await gateway.get('/directory/v1/teams/harbour.acorn-cert')).status).toBe(200);
  });

  it('is in the list of one interface only, where a source has lists of its own on both', async () => {
    const teams = [{ id: 'x', team: 'X' }, ...DATA_TEAMS];
    const directory = await startUpstream(directoryUpstream(DIRECTORY_TEAMS));
    const data = await startUpstream(dataUpstream({ teams, news: [], channels: [] }));
    const sources = { quay: { directory: directory.address, data: data.address } };
    const gateway = await startGateway({ sources });
    open.push(gateway, directory, data);
    expect((await gateway.get('/data/v1/teams/quay.x')).status).toBe(200);
    expect((await gateway.get('/directory/v1/teams/quay.x')).status).toBe(404);
  });

  it('is never a 404 while the source cannot be asked', async () => {
    let handler = directoryUpstream(DIRECTORY_TEAMS);
    const { gateway, clock } = await startScene((request, response) => {
      handler(request, response);
    });
    await gateway.get('/directory/v1/teams');
    handler = faulty.status(500);
    clock.advance(LATER);
    const stale = await gateway.get('/directory/v1/teams/harbour.acorn-cert');
    expect([stale.status, stale.headers.get('source-status')]).toEqual([200, expect.stringMatching(/stale/)]);
    const unknown = await gateway.get('/directory/v1/teams/harbour.never');
    expect([unknown.status, unknown.json]).toMatchObject([
      502,
      {
        message:
          'no match was found, but the only queried source returned no complete response: harbour: stale (HTTP status 500)',
      },
    ]);
    expect((await gateway.get('/directory/v1/teams/harbour.twin')).status).toBe(300);
    const strict = await gateway.get('/directory/v1/teams/harbour.twin', { prefer: 'handling=strict' });
    expect(strict.status).toBe(502);
  });

  it('is a 404 for an id of no registered source, without a request to any', async () => {
    const { gateway, directory } = await startScene(directoryUpstream(DIRECTORY_TEAMS));
    for (const id of ['attic.acorn-cert', 'acorn-cert', '.acorn-cert', 'harbour'])
      expect((await gateway.get(`/directory/v1/teams/${id}`)).status).toBe(404);
    expect(directory.requests).toEqual([]);
  });
});

describe('-rollcall-id', () => {
  it('is shown only where fields names it, and is a filter', async () => {
    const { gateway } = await startScene(directoryUpstream(DIRECTORY_TEAMS));
    expect((await gateway.get('/directory/v1/teams')).text).not.toContain('-rollcall-id');
    const named = await gateway.get('/directory/v1/teams?fields=-rollcall-id&-rollcall-id=LANTERN.plain');
    expect(named.json).toEqual([{ '-rollcall-id': 'lantern.plain' }]);
    const sorted = await gateway.get('/directory/v1/teams?fields=-rollcall-id&sort=-rollcall-id&limit=1');
    expect(sorted.json).toEqual([{ '-rollcall-id': 'harbour.acorn-cert' }]);
  });

  it('is never that of a source, not even of an aggregate', async () => {
    const upstream = await startUpstream(
      directoryUpstream([{ 'short-team-name': 'A', '-rollcall-id': 'forged', '-other-rank': 1 }]),
    );
    const gateway = await startGateway({ sources: { relay: { directory: upstream.address, aggregate: true } } });
    open.push(upstream, gateway);
    const { json } = await gateway.get('/directory/v1/teams');
    expect(json).toEqual([{ 'short-team-name': 'A', 'source-name': 'relay', '-other-rank': 1 }]);
  });
});
