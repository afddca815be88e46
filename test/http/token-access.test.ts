import { UnsecuredJWT, generateKeyPair } from 'jose';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ACCESS, AS_MEMBER, bearer } from '../support/gateway/members-gateway.js';
import { startGateway } from '../support/gateway/test-gateway.js';
import type { GatewayResponse, TestGateway } from '../support/gateway/test-gateway.js';
import { AUDIENCE, startIssuer } from '../support/issuer/issuer.js';
import type { TestIssuer, TokenRequest } from '../support/issuer/issuer.js';
import { membersUpstream } from '../support/upstream/members-upstream.js';
import { startUpstream } from '../support/upstream/upstream-server.js';
import type { UpstreamServer } from '../support/upstream/upstream-server.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

const SOURCE_TOKEN = 'token-of-this-gateway';
const MEMBER = { groups: ['staff', 'csirt'] };

const MEMBERS_TARGET = '/data/v1/teams?scope=members&pretty=0';
const PUBLIC_TARGET = '/data/v1/teams?pretty=0';

const handler = membersUpstream(
  {
    teams: [{ id: 'alpha', team: 'ALPHA' }],
    news: [{ id: 1, title: 'One', published: '2025-12-01', channels: [], content: '…' }],
  },
  { authorization: `Bearer ${SOURCE_TOKEN}`, teams: [{ id: 'alpha', team: 'ALPHA', host: 'Members only' }] },
);

let issuer: TestIssuer;
let upstream: UpstreamServer;
let gateway: TestGateway;

/** Starts a gateway that accepts the issuer's tokens and static keys. Both use the time of this process, as jose does. */
async function start(issuerSettings: object = {}, others: object = { clients: ACCESS.clients }): Promise<TestGateway> {
  const settings = { url: issuer.url, audience: AUDIENCE, 'members-claim': { groups: 'csirt' }, ...issuerSettings };
  return startGateway({
    access: { ...others, issuer: settings },
    defaults: { retries: 0, 'stale-while-revalidate': '0s' },
    sources: { first: { data: upstream.address, credentials: { members: { bearer: SOURCE_TOKEN } } } },
  });
}

/** Moves the time of this process. */
function advance(milliseconds: number): void {
  vi.setSystemTime(Date.now() + milliseconds);
}

async function request(target: string, token: string): Promise<GatewayResponse> {
  return gateway.get(target, bearer(token));
}

async function requestWith(target: string, token: TokenRequest): Promise<GatewayResponse> {
  return request(target, await issuer.issueToken(token));
}

const codeAndChallenge = ({ status, headers }: GatewayResponse): unknown => [status, headers.get('www-authenticate')];
const INVALID = [401, 'Bearer error="invalid_token"'];

const auditLines = (): readonly object[] =>
  gateway.log.filter(({ message }) => message === 'members data sent').map(({ facts }) => facts);

beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  issuer = await startIssuer();
});

afterAll(async () => {
  await issuer.close();
  vi.useRealTimers();
});

beforeEach(async () => {
  issuer.setMode('up');
  Object.assign(issuer.requests, { discovery: 0, keys: 0, token: 0 });
  upstream = await startUpstream(handler);
  gateway = await start();
});

afterEach(async () => {
  await Promise.all([gateway.close(), upstream.close()]);
});

describe('a token of the issuer', () => {
  it('with the claim of members sees members data, and its subject is in the audit log', async () => {
    const response = await requestWith(MEMBERS_TARGET, { subject: 'duty-officer-7', claims: MEMBER });
    expect(response.json).toMatchObject({ access: 'members', data: [{ team: 'ALPHA', host: 'Members only' }] });
    expect(response.headers.get('cache-control')).toBe('private, no-store');
    expect(auditLines()).toMatchObject([{ client: 'duty-officer-7', credential: 'token', records: 1 }]);
  });

  it('with the claim gets the public response to a public query', async () => {
    const token = await issuer.issueToken({ claims: MEMBER });
    await request(MEMBERS_TARGET, token);
    const [member, anonymous] = [await request(PUBLIC_TARGET, token), await gateway.get(PUBLIC_TARGET)];
    expect([member.status, member.text]).toEqual([200, anonymous.text]);
    expect(member.text).not.toContain('Members only');
  });

  it('without the claim is a 403 at scope=members, and public elsewhere', async () => {
    const token = await issuer.issueToken({ claims: { groups: ['staff'] } });
    const response = await request(MEMBERS_TARGET, token);
    expect(codeAndChallenge(response)).toEqual([403, 'Bearer error="insufficient_scope"']);
    expect(upstream.requests).toEqual([]);
    expect((await request(PUBLIC_TARGET, token)).json).toMatchObject({ access: 'public', total: 1 });
    expect(auditLines()).toEqual([]);
  });

  it('from the token endpoint gives members access by its scope', async () => {
    await gateway.close();
    gateway = await start({ 'members-claim': { scope: 'csirt' } });
    const member = await issuer.grantToken({ audience: AUDIENCE, scope: 'directory csirt' });
    const other = await issuer.grantToken({ audience: AUDIENCE, scope: 'directory' });
    expect((await request(MEMBERS_TARGET, member)).status).toBe(200);
    expect((await request(MEMBERS_TARGET, other)).status).toBe(403);
  });

  it('is refused from its time of expiry and the tolerance on, also where its response is cached', async () => {
    const token = await issuer.issueToken({ claims: MEMBER, expiresIn: 30 });
    expect((await request(MEMBERS_TARGET, token)).status).toBe(200);
    advance(89 * SECOND);
    expect((await request(MEMBERS_TARGET, token)).status).toBe(200);
    advance(SECOND);
    expect(codeAndChallenge(await request(MEMBERS_TARGET, token))).toEqual(INVALID);
    expect(codeAndChallenge(await request(PUBLIC_TARGET, token))).toEqual(INVALID);
  });

  it('works where no static keys are configured', async () => {
    await gateway.close();
    gateway = await start({}, {});
    expect((await requestWith(MEMBERS_TARGET, { claims: MEMBER })).status).toBe(200);
    expect((await gateway.get(MEMBERS_TARGET, AS_MEMBER)).status).toBe(401);
    expect((await gateway.get(PUBLIC_TARGET)).status).toBe(200);
  });

  it('needs each of several claims', async () => {
    await gateway.close();
    gateway = await start({ 'members-claim': { groups: 'csirt', acr: 'gold' } });
    expect((await requestWith(MEMBERS_TARGET, { claims: MEMBER })).status).toBe(403);
    expect((await requestWith(MEMBERS_TARGET, { claims: { ...MEMBER, acr: 'gold' } })).status).toBe(200);
  });
});

describe('a token is a 401, at public queries too,', () => {
  it.each<[string, () => string | Promise<string>]>([
    ['for another audience', () => issuer.issueToken({ audience: 'https://other.example.org', claims: MEMBER })],
    ['of another issuer', () => issuer.issueToken({ claims: { ...MEMBER, iss: 'https://login.example.net' } })],
    ['of another issuer under the same name', () => tokenOfOther()],
    ['without a signature', () => new UnsecuredJWT(claims()).encode()],
    ['with an empty signature', async () => (await issuer.issueToken({ claims: MEMBER })).replace(/[^.]*$/, '')],
    ['without a time of expiry', () => issuer.issueToken({ claims: { ...MEMBER, exp: undefined } })],
    ['that is expired', () => issuer.issueToken({ claims: MEMBER, expiresIn: -61 })],
    ['that is valid only later', () => issuer.issueToken({ claims: { ...MEMBER, nbf: claims().exp } })],
    ['without a subject', () => issuer.issueToken({ claims: { ...MEMBER, sub: undefined } })],
  ])('%s', async (_, create) => {
    const token = await create();
    for (const target of [MEMBERS_TARGET, PUBLIC_TARGET, '/data/v1/news', '/nothing'])
      expect(codeAndChallenge(await request(target, token))).toEqual(INVALID);
    expect(upstream.requests).toEqual([]);
    expect(auditLines()).toEqual([]);
  });

  function claims(): Record<string, unknown> & { readonly exp: number } {
    const exp = Math.floor(Date.now() / SECOND) + 300;
    return { ...MEMBER, iss: issuer.url, aud: AUDIENCE, sub: 'a', exp };
  }

  async function tokenOfOther(): Promise<string> {
    const { privateKey } = await generateKeyPair('RS256');
    return issuer.issueToken({ claims: MEMBER, key: privateKey });
  }
});

describe('a rotation of the issuer’s keys', () => {
  it('needs no restart: tokens of the new key are accepted, and those of the old one refused', async () => {
    const old = await issuer.issueToken({ claims: MEMBER });
    expect((await request(MEMBERS_TARGET, old)).status).toBe(200);
    advance(31 * SECOND);
    await issuer.rotateKeys();
    expect((await request(MEMBERS_TARGET, old)).status).toBe(200);
    expect((await requestWith(MEMBERS_TARGET, { claims: MEMBER })).status).toBe(200);
    expect(codeAndChallenge(await request(MEMBERS_TARGET, old))).toEqual(INVALID);
    expect(issuer.requests).toMatchObject({ discovery: 1, keys: 2 });
  });
});

describe('an issuer that is down before its keys were fetched', () => {
  const MESSAGE = 'the token cannot be verified now, because the keys of its issuer cannot be fetched';

  beforeEach(() => {
    issuer.setMode('down');
  });

  it('makes requests with a token a 503 in the shape of the interface, never public data', async () => {
    const token = await issuer.issueToken({ claims: MEMBER });
    const data = { status: 'Service Unavailable', 'status-code': 503, version: '1', message: MESSAGE };
    const directory = { status: 'Service Unavailable', status_code: 503, version: '1.0', message: MESSAGE };
    for (const [target, body] of [
      [MEMBERS_TARGET, data],
      [PUBLIC_TARGET, data],
      ['/data/v1/news/1001?envelope=0', data],
      ['/directory/v1/teams', directory],
      ['/directory/v1/nothing', directory],
    ] as const) {
      const response = await request(target, token);
      expect([target, response.status, response.json]).toEqual([target, 503, body]);
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(response.headers.get('www-authenticate')).toBeNull();
      expect(response.headers.get('source-status')).toBeNull();
    }
    expect(upstream.requests).toEqual([]);
  });

  it('makes them a 503 in the requested format, and where a public response is cached', async () => {
    const token = await issuer.issueToken({ claims: MEMBER });
    expect((await gateway.get(PUBLIC_TARGET)).status).toBe(200);
    advance(2 * SECOND);
    expect((await gateway.get(PUBLIC_TARGET)).status).toBe(200);
    expect((await request(PUBLIC_TARGET, token)).status).toBe(503);
    const csv = await request('/data/v1/teams.csv', token);
    expect([csv.status, csv.text]).toEqual([
      503,
      `status,status-code,message\r\nService Unavailable,503,"${MESSAGE}"\r\n`,
    ]);
    const jsonp = await request('/data/v1/teams?callback=cb&pretty=0', token);
    expect([jsonp.status, jsonp.text.includes('"status-code":503')]).toEqual([200, true]);
    const condition = { ...bearer(token), 'if-none-match': '*' };
    expect((await gateway.get(PUBLIC_TARGET, condition)).status).toBe(503);
  });

  it('does not matter to static keys and to requests without credentials', async () => {
    await requestWith(MEMBERS_TARGET, { claims: MEMBER });
    expect((await gateway.get(MEMBERS_TARGET, AS_MEMBER)).json).toMatchObject({ access: 'members', total: 1 });
    expect((await gateway.get(PUBLIC_TARGET)).status).toBe(200);
    expect(codeAndChallenge(await gateway.get(PUBLIC_TARGET, bearer('unknown')))).toEqual(INVALID);
    expect(codeAndChallenge(await gateway.get(MEMBERS_TARGET))).toEqual([401, 'Bearer']);
  });

  it('is asked again after ten seconds, and the token is then accepted', async () => {
    const token = await issuer.issueToken({ claims: MEMBER });
    expect((await request(MEMBERS_TARGET, token)).status).toBe(503);
    issuer.setMode('up');
    expect((await request(MEMBERS_TARGET, token)).status).toBe(503);
    advance(10 * SECOND);
    expect((await request(MEMBERS_TARGET, token)).json).toMatchObject({ access: 'members' });
  });

  it('is counted and logged, without the token', async () => {
    const token = await issuer.issueToken({ claims: MEMBER });
    await request(MEMBERS_TARGET, token);
    const metrics = await gateway.metrics();
    expect(metrics).toContain('rollcall_rejected_credentials_total{reason="unavailable"} 1');
    const log = JSON.stringify(gateway.log);
    expect(log).toContain('issuer unavailable');
    for (const part of token.split('.')) expect(log + metrics).not.toContain(part);
  });
});

describe('an issuer that goes down after its keys were fetched', () => {
  it('does not matter for ten minutes, and then makes requests with a token a 503', async () => {
    const token = await issuer.issueToken({ claims: MEMBER, expiresIn: 3600 });
    expect((await request(MEMBERS_TARGET, token)).status).toBe(200);
    issuer.setMode('down');
    advance(10 * MINUTE - SECOND);
    expect((await request(MEMBERS_TARGET, token)).status).toBe(200);
    advance(SECOND);
    const response = await request(MEMBERS_TARGET, token);
    expect([response.status, response.text.includes('Members only')]).toEqual([503, false]);
    expect((await request(PUBLIC_TARGET, token)).status).toBe(503);
    expect((await gateway.get(MEMBERS_TARGET, AS_MEMBER)).status).toBe(200);
    expect((await gateway.get(PUBLIC_TARGET)).status).toBe(200);
  });

  it('does not make a forged token valid, nor one that is expired', async () => {
    const { privateKey } = await generateKeyPair('RS256');
    const forged = await issuer.issueToken({ claims: MEMBER, key: privateKey });
    const short = await issuer.issueToken({ claims: MEMBER, expiresIn: 10 });
    await requestWith(MEMBERS_TARGET, { claims: MEMBER });
    issuer.setMode('down');
    advance(70 * SECOND);
    expect(codeAndChallenge(await request(MEMBERS_TARGET, forged))).toEqual(INVALID);
    expect(codeAndChallenge(await request(MEMBERS_TARGET, short))).toEqual(INVALID);
  });
});

describe('an issuer that does not answer', () => {
  it('delays only requests with a token, which are answered when it does', async () => {
    issuer.setMode('slow');
    const waiting = requestWith(MEMBERS_TARGET, { claims: MEMBER });
    await expect.poll(() => issuer.requests.discovery).toBe(1);
    expect((await gateway.get(PUBLIC_TARGET)).status).toBe(200);
    expect((await gateway.get(MEMBERS_TARGET, AS_MEMBER)).status).toBe(200);
    issuer.setMode('up');
    expect((await waiting).json).toMatchObject({ access: 'members' });
  });

  it('does no harm to a client that disconnects', async () => {
    issuer.setMode('slow');
    const controller = new AbortController();
    const headers = bearer(await issuer.issueToken({ claims: MEMBER }));
    const left = fetch(`${gateway.origin}${MEMBERS_TARGET}`, { headers, signal: controller.signal });
    await expect.poll(() => issuer.requests.discovery).toBe(1);
    controller.abort();
    await expect(left).rejects.toThrow();
    issuer.setMode('up');
    expect((await requestWith(MEMBERS_TARGET, { claims: MEMBER })).status).toBe(200);
    expect(gateway.log.filter(({ level }) => level === 'error')).toEqual([]);
  });
});

describe('a credential that occurs in no text', () => {
  it('is a token: neither responses, nor the log, nor metrics contain a part of one', async () => {
    const tokens = await Promise.all([
      issuer.issueToken({ claims: MEMBER }),
      issuer.issueToken({ audience: 'https://other.example.org' }),
      issuer.issueToken({ claims: MEMBER, expiresIn: -100 }),
    ]);
    const responses = await Promise.all(tokens.map((token) => request(MEMBERS_TARGET, token)));
    expect(responses.map(({ status }) => status)).toEqual([200, 401, 401]);
    const texts = responses.map(({ headers, text }) => text + JSON.stringify([...headers]));
    const all = [...texts, JSON.stringify(gateway.log), await gateway.metrics()].join();
    expect(all).toContain('rollcall_rejected_credentials_total{reason="expired"} 1');
    expect(all).toContain('rollcall_rejected_credentials_total{reason="token"} 1');
    for (const token of tokens) for (const part of token.split('.').slice(1)) expect(all).not.toContain(part);
  });
});
