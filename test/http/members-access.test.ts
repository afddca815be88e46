import { afterEach, describe, expect, it } from 'vitest';
import { closeDataGateways, startDataGateway } from '../support/gateway/data-gateway.js';
import type { DataGateway } from '../support/gateway/data-gateway.js';
import { ACCESS, AS_MEMBER, EXPIRED_KEY, PUBLIC_KEY, bearer } from '../support/gateway/members-gateway.js';
import { status } from '../support/upstream/faulty-responses.js';
import { neverResponds } from '../support/upstream/upstream-server.js';
import { membersUpstream } from '../support/upstream/members-upstream.js';

const PUBLIC_TEAMS = [
  { id: 'alpha', team: 'ALPHA', country: 'BR', email: 'alpha@example.org', 'pgp-id': '0x1111111111111111' },
  { id: 'beta', team: 'BETA', country: 'PT', email: 'beta@example.org' },
];

const MEMBERS_TEAMS = [
  { ...PUBLIC_TEAMS[0], 'phone-private': '+1 555 0100', 'pgp-key': 'ARMOURED', 'incident-email': 'secret@example.org' },
  { ...PUBLIC_TEAMS[1], 'phone-private': '+1 555 0101' },
  { id: 'gamma', team: 'GAMMA', country: 'PT', 'phone-private': '+1 555 0102' },
];

const SOURCE_TOKEN = 'token-of-this-gateway';

const handler = membersUpstream(
  { teams: PUBLIC_TEAMS },
  { authorization: `Bearer ${SOURCE_TOKEN}`, teams: MEMBERS_TEAMS },
  { keys: 'pgp' },
);

const OTHER = [{ id: 'delta', team: 'DELTA', 'pgp-id': '0x2222222222222222' }];

function start(setup: object = {}): Promise<DataGateway> {
  return startDataGateway(
    {
      first: {
        records: {},
        handler,
        registration: { credentials: { members: { bearer: SOURCE_TOKEN } } },
      },
      second: { records: { teams: OTHER }, behaviour: { keys: 'pgp' } },
    },
    { access: ACCESS, ...setup },
  );
}

afterEach(closeDataGateways);

describe('scope=members', () => {
  it('shows to a member everything that a source with members credentials shows, and the public data of others', async () => {
    const { gateway, upstreams } = await start();
    const response = await gateway.get('/data/v1/teams?scope=members&pretty=0', AS_MEMBER);
    expect(response.status).toBe(200);
    expect(response.json).toMatchObject({
      access: 'members',
      total: 4,
      data: [
        {
          id: 'first.alpha',
          team: 'ALPHA',
          'phone-private': '+1 555 0100',
          'pgp-id': '0x1111111111111111',
          'pgp-key': 'ARMOURED',
          'incident-email': 'secret@example.org',
          'source-name': 'first',
        },
        { id: 'first.beta', 'phone-private': '+1 555 0101' },
        { id: 'second.delta', 'pgp-id': '0x2222222222222222', 'source-name': 'second' },
        { id: 'first.gamma', 'phone-private': '+1 555 0102' },
      ],
    });
    expect(response.headers.get('cache-control')).toBe('private, no-store');
    expect(response.headers.get('vary')).toBe('Accept, Accept-Encoding, Prefer, Authorization');
    const authorizations = upstreams['second']?.requests.map(({ headers }) => headers.authorization);
    expect(authorizations?.every((field) => field === undefined)).toBe(true);
  });

  it('is a 401 with a challenge without credentials', async () => {
    const { gateway, upstreams } = await start();
    const response = await gateway.get('/data/v1/teams?scope=members');
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    expect(upstreams['first']?.requests).toEqual([]);
  });

  it('is a 401 without credentials, whatever properties are requested', async () => {
    const { gateway } = await start();
    for (const fields of ['team', 'phone-private', 'pgp-key', 'nonsense']) {
      const response = await gateway.get(`/data/v1/teams?scope=members&fields=${fields}`);
      expect([fields, response.status]).toEqual([fields, 401]);
    }
  });

  it('is a 403 for a client with public access', async () => {
    const { gateway, upstreams } = await start();
    const response = await gateway.get('/data/v1/teams?scope=members', bearer(PUBLIC_KEY));
    expect(response.status).toBe(403);
    expect(response.headers.get('www-authenticate')).toBe('Bearer error="insufficient_scope"');
    expect(upstreams['first']?.requests).toEqual([]);
  });

  it('is a 400 with a callback', async () => {
    const { gateway } = await start();
    const response = await gateway.get('/data/v1/teams?scope=members&callback=cb&pretty=0', AS_MEMBER);
    expect(response.text).toContain('"status-code":400');
  });

  it('does not use the public data of a source that refuses the members credentials', async () => {
    const { gateway, upstreams } = await start();
    await gateway.get('/data/v1/teams');
    const first = upstreams['first'];
    if (first !== undefined) first.handler = status(403);
    const response = await gateway.get('/data/v1/teams?scope=members&pretty=0', AS_MEMBER);
    expect(response.json).toMatchObject({ total: 1, data: [{ id: 'second.delta' }] });
    expect(response.headers.get('source-status')).toContain('first');
    expect(response.headers.get('cache-control')).toBe('private, no-store');
  });

  it('refuses a source that ignores the members credentials and answers publicly', async () => {
    const { gateway } = await startDataGateway(
      { first: { records: { teams: PUBLIC_TEAMS }, registration: { credentials: { members: { bearer: 'x' } } } } },
      { access: ACCESS },
    );
    const response = await gateway.get('/data/v1/teams?scope=members', AS_MEMBER);
    expect(response.status).toBe(502);
    expect(response.headers.get('source-status')).toContain('reason=access');
  });
});

describe('public responses', () => {
  it('are the same bytes and header fields with credentials as without', async () => {
    const { gateway } = await start();
    const id = { 'x-request-id': 'one' };
    const anonymous = await gateway.get('/data/v1/teams', id);
    const member = await gateway.get('/data/v1/teams', { ...id, ...AS_MEMBER });
    const headers = (response: typeof anonymous): object => Object.fromEntries([...response.headers]);
    expect(member.text).toBe(anonymous.text);
    expect({ ...headers(member), 'cache-status': '' }).toEqual({ ...headers(anonymous), 'cache-status': '' });
  });

  it('contain nothing of a source that sends members data to a public request', async () => {
    const { gateway } = await startDataGateway({
      first: { records: { teams: MEMBERS_TEAMS }, behaviour: { envelope: { access: 'members' } } },
    });
    const response = await gateway.get('/data/v1/teams');
    expect([response.status, response.text.includes('555')]).toEqual([502, false]);
  });

  it('are a 401 with an unknown, expired, malformed, empty, repeated or foreign credential, on every path', async () => {
    const { gateway } = await start();
    const fields = ['Bearer unknown', `Bearer ${EXPIRED_KEY}`, 'Bearer', 'Bearer a b', 'Basic dTpw', 'garbage'];
    for (const authorization of fields)
      for (const target of ['/data/v1/teams', '/directory/v1/teams.csv', '/nothing', '/data/v1/news']) {
        const response = await gateway.get(target, { authorization });
        expect([authorization, target, response.status]).toEqual([authorization, target, 401]);
        expect(response.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
      }
  });

  it('ignore Authorization where no access is configured', async () => {
    const { gateway } = await start({ access: undefined });
    const response = await gateway.get('/data/v1/teams', { authorization: 'Basic dTpw' });
    expect([response.status, response.headers.get('vary')]).toEqual([200, 'Accept, Accept-Encoding, Prefer']);
  });
});

describe('keys that need members access', () => {
  const access = { ...ACCESS, scopes: { pgp: 'members' } };

  it('are a 401 at scope=pgp without credentials, and are shown to members', async () => {
    const { gateway } = await start({ access });
    expect((await gateway.get('/data/v1/teams?scope=pgp')).status).toBe(401);
    const response = await gateway.get('/data/v1/teams?scope=pgp&pretty=0', AS_MEMBER);
    expect(response.json).toMatchObject({ access: 'members', data: [{ id: 'first.alpha' }, { id: 'second.delta' }] });
  });

  it('are no enckeys of public directory teams, even where the public list of a source contains them', async () => {
    const { gateway } = await startDataGateway(
      { first: { records: { teams: PUBLIC_TEAMS }, behaviour: { keys: 'public' } } },
      { access },
    );
    for (const target of ['/directory/v1/teams', '/directory/v1/teams?q=0x1111111111111111', '/directory/v1/teams.csv'])
      expect((await gateway.get(target)).text).not.toContain('0x1111111111111111');
  });

  it('are enckeys of directory teams for members only', async () => {
    const { gateway } = await start({ access });
    const anonymous = await gateway.get('/directory/v1/teams?pretty=0');
    expect(anonymous.text).not.toContain('0x');
    expect(anonymous.text).not.toContain('enckeys');
    const member = await gateway.get('/directory/v1/teams?pretty=0', AS_MEMBER);
    expect(member.text).toContain('0x1111111111111111');
    const enveloped = await gateway.get('/directory/v1/teams?envelope=true', AS_MEMBER);
    expect(enveloped.json).toMatchObject({ access: 'members' });
    expect((await gateway.get('/directory/v1/teams?envelope=true')).json).not.toHaveProperty('access');
    expect(member.headers.get('cache-control')).toBe('private, no-store');
    const found = await gateway.get('/directory/v1/teams?enckeys=0x2222222222222222&pretty=0');
    expect([found.status, found.headers.get('x-total-count')]).toEqual([200, '0']);
  });
});

describe('the warm-up at members access', () => {
  const targetsOf = ({ upstreams }: DataGateway, code: string): readonly (string | undefined)[] =>
    upstreams[code]?.requests.map(({ path, query }) => `${path} ${query.get('scope') ?? ''}`.trim()) ?? [];

  it('fetches only what members queries read of each source', async () => {
    const world = await start();
    await world.gateway.warmUpMembers();
    expect(new Set(targetsOf(world, 'first'))).toEqual(new Set(['/v1/teams members']));
    expect(new Set(targetsOf(world, 'second'))).toEqual(new Set(['/v1/teams', '/v1/teams pgp']));
    const before = targetsOf(world, 'first').length;
    await world.gateway.get('/data/v1/teams?scope=members', AS_MEMBER);
    expect(targetsOf(world, 'first')).toHaveLength(before);
  });
});

describe('the log', () => {
  it('says why credentials were refused, and whose key has expired', async () => {
    const { gateway } = await start();
    await gateway.get('/data/v1/teams', bearer(EXPIRED_KEY));
    await gateway.get('/data/v1/teams', bearer('unknown'));
    await gateway.get('/data/v1/teams', { authorization: 'Basic dTpw' });
    const lines = gateway.log.filter(({ message }) => message === 'request').map(({ facts }) => facts);
    expect(lines).toMatchObject([
      { status: 401, credential: 'expired', client: 'former' },
      { status: 401, credential: 'unknown' },
      { status: 401, credential: 'malformed' },
    ]);
  });
});

describe('the limits at a source', () => {
  it('are kept per access level: members requests that hang delay no public ones', async () => {
    const hanging = neverResponds;
    const registration = { concurrency: 1, credentials: { members: { bearer: SOURCE_TOKEN } } };
    const { gateway, upstreams } = await startDataGateway(
      { first: { records: {}, handler, registration } },
      { access: ACCESS, server: { deadline: '2s' } },
    );
    const first = upstreams['first'];
    if (first === undefined) throw new Error('no upstream');
    first.handler = (request, response) => {
      (request.query.get('scope') === 'members' ? hanging : handler)(request, response);
    };
    const member = gateway.get('/data/v1/teams?scope=members', AS_MEMBER);
    await expect.poll(() => first.requests.length).toBe(1);
    const anonymous = await gateway.get('/data/v1/teams');
    expect([anonymous.status, anonymous.headers.get('x-total-count')]).toEqual([200, '2']);
    expect((await member).status).toBe(504);
  });
});

describe('the metrics', () => {
  it('count requests to sources at members access apart from the others', async () => {
    const { gateway } = await start();
    await gateway.get('/data/v1/teams?scope=members', AS_MEMBER);
    const series = (await gateway.metrics()).split('\n').filter((line) => line.includes('source="first"'));
    const counted = series.filter((line) => /_(?:requests_total|fetches_total|records)\{/.test(line));
    expect(counted).not.toEqual([]);
    expect(counted.filter((line) => !line.includes('access="members"') && !line.endsWith(' 0'))).toEqual([]);
  });
});

describe('the audit log', () => {
  it('has one line for each response with members data, with the client, the query and the number of records', async () => {
    const { gateway } = await start({ server: { log: 'none' } });
    await gateway.get('/data/v1/teams?scope=members&country=PT&limit=1', AS_MEMBER);
    await gateway.get('/data/v1/teams', AS_MEMBER);
    await gateway.get('/data/v1/teams?scope=members', bearer(PUBLIC_KEY));
    const lines = gateway.log.filter(({ message }) => message === 'members data sent');
    expect(lines.map(({ facts }) => facts)).toMatchObject([
      {
        client: 'csirt-north',
        credential: 'key',
        query: 'data-teams?country=PT&scope=members&sort=team&offset=0&limit=1',
        records: 1,
      },
    ]);
  });

  it('and the log, the metrics and the responses contain no credential', async () => {
    const { gateway } = await start();
    const response = await gateway.get('/data/v1/teams?scope=members', AS_MEMBER);
    const refused = await gateway.get('/data/v1/teams?scope=members', bearer('wrong-key-of-a-test'));
    const texts = [JSON.stringify(gateway.log), await gateway.metrics(), response.text, refused.text];
    for (const secret of [SOURCE_TOKEN, AS_MEMBER.authorization.slice(7), 'wrong-key-of-a-test'])
      expect(texts.filter((text) => text.includes(secret))).toEqual([]);
  });
});
