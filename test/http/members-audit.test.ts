import { afterEach, describe, expect, it } from 'vitest';
import { closeDataGateways, startDataGateway } from '../support/gateway/data-gateway.js';
import type { DataGateway } from '../support/gateway/data-gateway.js';
import { ACCESS, AS_MEMBER, PUBLIC_KEY, bearer } from '../support/gateway/members-gateway.js';
import { status } from '../support/upstream/faulty-responses.js';
import { membersUpstream } from '../support/upstream/members-upstream.js';

const SOURCE_TOKEN = 'token-of-this-gateway';
const TARGET = '/data/v1/teams?scope=members';

const handler = membersUpstream(
  { teams: [{ id: 'alpha', team: 'ALPHA', country: 'BR' }] },
  {
    authorization: `Bearer ${SOURCE_TOKEN}`,
    teams: [
      { id: 'alpha', team: 'ALPHA', country: 'BR', 'pgp-id': '0x1111111111111111' },
      { id: 'beta', team: 'BETA', country: 'PT' },
    ],
  },
);

function start(access: object = ACCESS, log = 'none'): Promise<DataGateway> {
  const registration = { credentials: { members: { bearer: SOURCE_TOKEN } } };
  return startDataGateway(
    { first: { records: {}, handler, registration } },
    { access, server: { log }, defaults: { retries: 0 } },
  );
}

afterEach(closeDataGateways);

/** The query and the number of records of each line of the audit log. */
function auditOf({ gateway }: DataGateway): readonly unknown[] {
  const lines = gateway.log.filter(({ message }) => message === 'members data sent');
  return lines.map(({ level, facts }) => ({ level, ...facts }));
}

describe('the audit log', () => {
  it.each([
    ['a count', '&limit=0', 'data-teams?scope=members&sort=team&offset=0&limit=0', 0],
    ['zero hits', '&country=NO', 'data-teams?country=NO&scope=members&sort=team&offset=0&limit=100', 0],
    ['a page', '&offset=1&limit=1', 'data-teams?scope=members&sort=team&offset=1&limit=1', 1],
    ['narrowed records', '&fields=id', 'data-teams?scope=members&sort=team&offset=0&limit=100&fields=id', 2],
  ])('has a line for %s', async (_, parameters, query, records) => {
    const world = await start();
    await world.gateway.get(TARGET + parameters, AS_MEMBER);
    expect(auditOf(world)).toMatchObject([{ level: 'info', client: 'csirt-north', credential: 'key', query, records }]);
  });

  it('has a line for each of the responses to equal requests at the same time, with the id of each', async () => {
    const world = await start(ACCESS, 'all');
    await Promise.all([1, 2, 3, 4].map(() => world.gateway.get(TARGET, AS_MEMBER)));
    const ids = auditOf(world).map((line) => (line as { readonly request?: unknown }).request);
    expect(new Set(ids).size).toBe(4);
    const requests = world.gateway.log.filter(({ message }) => message === 'request');
    expect(requests.map(({ facts }) => (facts as { readonly request?: unknown }).request).sort()).toEqual(ids.sort());
  });

  it('has a line for the directory interface where keys need members access, and only for members', async () => {
    const world = await start({ ...ACCESS, scopes: { pgp: 'members' } });
    await world.gateway.get('/directory/v1/teams');
    await world.gateway.get('/directory/v1/teams', bearer(PUBLIC_KEY));
    expect(auditOf(world)).toEqual([]);
    await world.gateway.get('/directory/v1/teams?fields=enckeys', AS_MEMBER);
    await world.gateway.get('/data/v1/teams?scope=pgp', AS_MEMBER);
    expect(auditOf(world)).toMatchObject([
      { client: 'csirt-north', query: expect.stringMatching(/^directory-teams\?/) as string, records: 2 },
      { client: 'csirt-north', query: expect.stringMatching(/^data-teams\?scope=pgp/) as string, records: 1 },
    ]);
  });

  it('has no line for a response without members data', async () => {
    const world = await start();
    for (const target of [`${TARGET}&limit=x`, `${TARGET}&callback=cb`, '/data/v1/teams', '/nothing'])
      await world.gateway.get(target, AS_MEMBER);
    await world.gateway.get(TARGET);
    await world.gateway.get(TARGET, bearer('unknown'));
    await fetch(`${world.gateway.origin}${TARGET}`, { method: 'POST', headers: AS_MEMBER });
    expect(auditOf(world)).toEqual([]);
    const { first } = world.upstreams;
    if (first !== undefined) first.handler = status(401);
    expect((await world.gateway.get(`${TARGET}&_=2`, AS_MEMBER)).status).toBe(502);
    expect(auditOf(world)).toEqual([]);
  });

  it('has no line for a 412', async () => {
    const world = await start();
    const response = await world.gateway.get(TARGET, { ...AS_MEMBER, 'if-match': '"other"' });
    expect(response.status).toBe(412);
    expect(auditOf(world)).toEqual([]);
  });

  it('does not depend on server.log', async () => {
    for (const log of ['none', 'errors', 'all']) {
      const world = await start(ACCESS, log);
      await world.gateway.get(TARGET, AS_MEMBER);
      expect(auditOf(world)).toHaveLength(1);
    }
  });
});

describe('a request for members data in another spelling', () => {
  const spellings = [
    '/data/v1/teams?scope=%6D%65mbers',
    '/data/v1/teams?%73cope=members',
    '/data/v1/teams?_=1&scope=members',
    '/data/v1/teams.json?scope=members&',
    '/data/v1/teams?limit=1&scope=members#public',
  ];

  it.each(spellings)('needs credentials too: %s', async (target) => {
    const world = await start();
    expect((await world.gateway.get(TARGET, AS_MEMBER)).status).toBe(200);
    const response = await world.gateway.get(target);
    expect([response.status, response.text.includes('BETA')]).toEqual([401, false]);
  });

  it.each([
    '/data/v1/teams?scope=members&scope=public',
    '/data/v1/teams?scope=public&scope=members',
    '/data/v1/teams?scope=Members',
    '/data/v1/teams?scope=members,public',
    '/data/v1/teams?scope=members%00',
  ])('is an error where it is ambiguous or unknown: %s', async (target) => {
    const world = await start();
    for (const headers of [{}, AS_MEMBER]) {
      const response = await world.gateway.get(target, headers);
      expect([response.status, response.text.includes('BETA')]).toEqual([400, false]);
    }
  });

  it('names a scope that is empty, which is public for members too', async () => {
    const world = await start();
    const response = await world.gateway.get('/data/v1/teams?scope=', AS_MEMBER);
    expect(response.json).toMatchObject({ access: 'public', total: 1 });
  });
});
