import { SignJWT, UnsecuredJWT, base64url, exportJWK, generateKeyPair } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Authentication } from '../../src/access/authenticated-client.js';
import { createTokenVerifier } from '../../src/access/token-verifier.js';
import type { TokenVerifier } from '../../src/access/token-verifier.js';
import type { IssuerConfig } from '../../src/config/config.js';
import { systemClock } from '../../src/model/clock.js';
import { AUDIENCE, startIssuer } from '../support/issuer/issuer.js';
import type { TestIssuer } from '../support/issuer/issuer.js';
import { startUpstream } from '../support/upstream/upstream-server.js';
import type { RequestHandler } from '../support/upstream/upstream-server.js';
import { silentLog } from '../support/silent-log.js';
import { waitUntil } from '../support/wait-for.js';
import { createLogSubscriber } from '../../src/events/log-lines.js';

const INVALID = { state: 'invalid', reason: 'token' } as const;
const UNAVAILABLE = { state: 'unavailable' } as const;
const SECOND = 1000;
const MINUTE = 60 * SECOND;

let issuer: TestIssuer;
let verifier: TokenVerifier;
const logged: string[] = [];

function createVerifier(more: Partial<IssuerConfig> = {}): TokenVerifier {
  const config: IssuerConfig = {
    url: issuer.url,
    audience: AUDIENCE,
    membersClaim: new Map([['groups', 'csirt']]),
    rate: undefined,
    ...more,
  };
  const write = (facts: object, message: string): void => void logged.push(`${message} ${JSON.stringify(facts)}`);
  return createTokenVerifier(config, {
    clock: systemClock,
    publish: createLogSubscriber({ ...silentLog, info: write, warn: write, error: write }),
  });
}

async function verifyAll(tokens: readonly string[]): Promise<readonly Authentication[]> {
  return Promise.all(tokens.map((token) => verifier.verify(token)));
}

/** Moves the time of this process, which the clock, jose and oidc-provider read. */
function advance(milliseconds: number): void {
  vi.setSystemTime(Date.now() + milliseconds);
}

beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  issuer = await startIssuer();
});

afterAll(async () => {
  await issuer.close();
  vi.useRealTimers();
});

beforeEach(() => {
  issuer.setMode('up');
  Object.assign(issuer.requests, { discovery: 0, keys: 0, token: 0 });
  logged.length = 0;
  verifier = createVerifier();
});

describe('a token of the issuer', () => {
  it('is accepted from its token endpoint, by the client credentials grant', async () => {
    const token = await issuer.grantToken({ audience: AUDIENCE, scope: 'directory csirt' });
    const members = createVerifier({ membersClaim: new Map([['scope', 'csirt']]), rate: { requests: 1, period: 1 } });
    expect(await members.verify(token)).toEqual({
      state: 'authenticated',
      client: { name: 'lighthouse', credential: 'token', access: 'members', rate: { requests: 1, period: 1 } },
    });
    expect(await verifier.verify(token)).toMatchObject({ client: { access: 'public' } });
  });

  it('is refused from its token endpoint for another audience', async () => {
    const token = await issuer.grantToken({ audience: 'https://other.example.org' });
    expect(await verifier.verify(token)).toMatchObject(INVALID);
  });

  it('is refused with the claim that is wrong, for the log', async () => {
    const token = await issuer.issueToken({ audience: 'https://other.example.org' });
    expect(await verifier.verify(token)).toEqual({ ...INVALID, detail: 'aud check_failed' });
  });

  it('names the client by its subject', async () => {
    const token = await issuer.issueToken({ subject: 'a\nb', claims: { groups: ['csirt'] } });
    expect(await verifier.verify(token)).toMatchObject({ client: { name: 'ab', access: 'members' } });
  });

  it('is accepted without a key id where only one key fits', async () => {
    const token = await issuer.issueToken({ header: { kid: undefined } });
    expect(await verifier.verify(token)).toMatchObject({ state: 'authenticated' });
  });

  it('is refused as expired after its time and the tolerance', async () => {
    const token = await issuer.issueToken({ expiresIn: 60 });
    advance(119 * SECOND);
    expect(await verifier.verify(token)).toMatchObject({ state: 'authenticated' });
    advance(SECOND);
    expect(await verifier.verify(token)).toEqual({ state: 'invalid', reason: 'expired' });
  });
});

describe('a token whose content is not valid', () => {
  const sign = (claims: Record<string, unknown>) => () => issuer.issueToken({ claims });
  const header = (fields: object) => base64url.encode(JSON.stringify(fields));
  const now = (): number => Math.floor(Date.now() / 1000);
  const claims = (): object => ({ iss: issuer.url, aud: AUDIENCE, sub: 'a', exp: now() + 60 });

  it.each<[string, () => string | Promise<string>]>([
    ['no text', () => ''],
    ['two dots', () => '..'],
    ['three words', () => 'a.b.c'],
    ['a header that is a list', () => `${base64url.encode('[]')}.e30.c`],
    ['a header without an algorithm', () => `${header({})}.${header(claims())}.c`],
    ['an algorithm that is a number', () => `${header({ alg: 1 })}.${header(claims())}.c`],
    ['a payload that is no JSON', () => `${header({ alg: 'RS256' })}.${base64url.encode('{')}.c`],
    ['a payload that is a list', () => `${header({ alg: 'RS256' })}.${base64url.encode('[]')}.c`],
    ['a payload that is deeply nested', () => `${header({ alg: 'RS256' })}.${base64url.encode('['.repeat(9000))}.c`],
    ['five parts', () => `${header({ alg: 'RS256' })}.a.b.c.d`],
    ['no signature', () => new UnsecuredJWT({ ...claims() }).encode()],
    [
      'the algorithm None',
      async () => (await issuer.issueToken()).replace(/^[^.]*/, header({ alg: 'None', kid: 'key-1' })),
    ],
    [
      'a symmetric signature',
      () => new SignJWT({ ...claims() }).setProtectedHeader({ alg: 'HS256' }).sign(new Uint8Array(32)),
    ],
    [
      'an algorithm that is not listed',
      async () => (await issuer.issueToken()).replace(/^[^.]*/, header({ alg: 'PS384' })),
    ],
    ['no signature, expired', () => new UnsecuredJWT({ ...claims(), exp: 1 }).encode()],
    ['another issuer', sign({ iss: 'https://id.example.net' })],
    ['a slash after the issuer', sign({ iss: `${AUDIENCE}/` })],
    ['no issuer', sign({ iss: undefined })],
  ])('is refused without a request to the issuer: %s', async (_, create) => {
    expect(await verifier.verify(await create())).toMatchObject(INVALID);
    expect(issuer.requests).toEqual({ discovery: 0, keys: 0, token: 0 });
  });

  it.each<[string, () => string | Promise<string>]>([
    ['another audience', () => issuer.issueToken({ audience: 'https://other.example.org' })],
    ['no audience', sign({ aud: undefined })],
    ['no subject', sign({ sub: undefined })],
    ['a subject that is no text', sign({ sub: 7 })],
    ['no time of expiry', sign({ exp: undefined })],
    ['a text as time of expiry', sign({ exp: '9999999999' })],
    ['a time of validity in the future', () => issuer.issueToken({ claims: { nbf: now() + 120 } })],
    ['a text as time of validity', sign({ nbf: '0' })],
  ])('is refused: %s', async (_, create) => {
    expect(await verifier.verify(await create())).toMatchObject(INVALID);
  });
});

describe('a token with a wrong signature', () => {
  it.each([
    ['cut off', (token: string) => token.replace(/[^.]*$/, '')],
    ['of another token', (token: string) => token.replace(/[^.]*$/, 'AAAA'.repeat(85))],
    ['no base64url', (token: string) => token.replace(/[^.]*$/, '====')],
    ['of other claims', (token: string) => withClaim(token, { groups: 'csirt' })],
  ])('is refused: %s', async (_, change) => {
    expect(await verifier.verify(change(await issuer.issueToken()))).toMatchObject(INVALID);
  });

  it('is refused: by a key that the token brings along', async () => {
    const { privateKey, publicKey } = await generateKeyPair('RS256');
    const jwk = await exportJWK(publicKey);
    const token = await issuer.issueToken({ key: privateKey, header: { kid: 'own', jwk } });
    expect(await verifier.verify(token)).toMatchObject(INVALID);
  });

  it('is refused: by another key under the id of the right one', async () => {
    const { privateKey } = await generateKeyPair('RS256');
    expect(await verifier.verify(await issuer.issueToken({ key: privateKey }))).toMatchObject(INVALID);
  });

  it('is refused: of another algorithm than the key', async () => {
    const { privateKey } = await generateKeyPair('ES256');
    const token = await new SignJWT({ iss: issuer.url, aud: AUDIENCE, sub: 'a' })
      .setExpirationTime('1h')
      .setProtectedHeader({ alg: 'ES256', kid: 'key-1' })
      .sign(privateKey);
    expect(await verifier.verify(token)).toMatchObject(INVALID);
  });
});

describe('the key set', () => {
  it('is fetched once for concurrent requests, and kept', async () => {
    const token = await issuer.issueToken({ expiresIn: 3600 });
    const results = await verifyAll(Array.from({ length: 20 }, () => token));
    expect(new Set(results.map(({ state }) => state))).toEqual(new Set(['authenticated']));
    advance(9 * MINUTE);
    expect(await verifier.verify(token)).toMatchObject({ state: 'authenticated' });
    expect(issuer.requests).toMatchObject({ discovery: 1, keys: 1 });
  });

  it('is fetched again after ten minutes', async () => {
    const token = await issuer.issueToken({ expiresIn: 3600 });
    await verifier.verify(token);
    advance(10 * MINUTE);
    await verifier.verify(token);
    expect(issuer.requests).toMatchObject({ discovery: 2, keys: 2 });
  });

  it('is fetched again for the first token of a new key, and then refuses those of the old one', async () => {
    const old = await issuer.issueToken();
    expect(await verifier.verify(old)).toMatchObject({ state: 'authenticated' });
    await issuer.rotateKeys();
    const token = await issuer.issueToken();
    expect(await verifier.verify(token)).toMatchObject(INVALID);
    advance(30 * SECOND);
    expect(await verifier.verify(token)).toMatchObject({ state: 'authenticated' });
    expect(await verifier.verify(old)).toMatchObject(INVALID);
    expect(issuer.requests).toMatchObject({ discovery: 1, keys: 2 });
  });

  it('is fetched at most once in 30 seconds for any number of unknown keys', async () => {
    const flood = await Promise.all(
      Array.from({ length: 50 }, (_, at) => issuer.issueToken({ header: { kid: `unknown-${at}` } })),
    );
    const isRefused = async (): Promise<boolean> =>
      (await verifyAll(flood)).every((result) => result.state === 'invalid' && result.reason === 'token');
    expect(await isRefused()).toBe(true);
    advance(29 * SECOND);
    expect(await isRefused()).toBe(true);
    expect(issuer.requests).toMatchObject({ discovery: 1, keys: 1 });
    advance(SECOND);
    expect(await isRefused()).toBe(true);
    expect(await isRefused()).toBe(true);
    expect(issuer.requests).toMatchObject({ discovery: 1, keys: 2 });
  });
});

describe.each(['down', 'garbage'] as const)('an issuer that answers with: %s', (mode) => {
  it('makes tokens unavailable, and is asked once in ten seconds', async () => {
    const token = await issuer.issueToken();
    issuer.setMode(mode);
    expect(await verifyAll([token, token, token])).toEqual([UNAVAILABLE, UNAVAILABLE, UNAVAILABLE]);
    expect(await verifier.verify(token)).toEqual(UNAVAILABLE);
    advance(9 * SECOND);
    expect(await verifier.verify(token)).toEqual(UNAVAILABLE);
    expect(issuer.requests).toMatchObject({ discovery: 1, keys: 0 });
    advance(SECOND);
    expect(await verifier.verify(token)).toEqual(UNAVAILABLE);
    issuer.setMode('up');
    advance(10 * SECOND);
    expect(await verifier.verify(token)).toMatchObject({ state: 'authenticated' });
  });

  it('does not matter to known keys for ten minutes, and makes unknown keys unavailable', async () => {
    const token = await issuer.issueToken({ expiresIn: 3600 });
    const unknown = await issuer.issueToken({ expiresIn: 3600, header: { kid: 'unknown' } });
    await verifier.verify(token);
    issuer.setMode(mode);
    advance(30 * SECOND);
    expect(await verifyAll([unknown, unknown, token])).toMatchObject([
      UNAVAILABLE,
      UNAVAILABLE,
      { state: 'authenticated' },
    ]);
    advance(29 * SECOND);
    expect(await verifyAll([unknown, token])).toMatchObject([UNAVAILABLE, { state: 'authenticated' }]);
    expect(issuer.requests).toMatchObject({ discovery: 1, keys: 2 });
    advance(10 * MINUTE);
    expect(await verifier.verify(token)).toEqual(UNAVAILABLE);
  });

  it('still makes invalid tokens invalid', async () => {
    issuer.setMode(mode);
    expect(await verifier.verify('a.b.c')).toMatchObject(INVALID);
    const foreign = await issuer.issueToken({ claims: { iss: 'https://id.example.net' } });
    expect(await verifier.verify(foreign)).toMatchObject(INVALID);
  });

  it('is logged once for each change, without a token', async () => {
    const tokens = await Promise.all([issuer.issueToken(), issuer.issueToken({ header: { kid: 'unknown' } })]);
    issuer.setMode(mode);
    for (let round = 0; round < 3; round += 1) {
      await verifyAll(tokens);
      advance(10 * SECOND);
    }
    issuer.setMode('up');
    await verifyAll(tokens);
    await verifyAll(tokens);
    expect(logged).toEqual([
      expect.stringMatching(/^issuer unavailable .*openid-configuration","error":/),
      expect.stringMatching(/^issuer available again .*openid-configuration"/),
    ]);
    expect(logged.join()).not.toMatch(/eyJ/);
  });
});

describe('a key set that cannot be used', () => {
  it.each<[string, RequestHandler]>([
    ['a list', (_, response) => response.end('[]')],
    ['an object without keys', (_, response) => response.end('{}')],
    ['keys that are an object', (_, response) => response.end('{"keys":{}}')],
    ['a key that is null', (_, response) => response.end('{"keys":[null]}')],
    ['another status', (_, response) => response.writeHead(404).end('{"keys":[]}')],
    ['a redirect', (_, response) => response.writeHead(307, { location: `${issuer.url}/jwks` }).end()],
    ['too large a document', (_, response) => response.end('{"keys":[]}'.padEnd(1024 * 1024 + 1))],
  ])('makes tokens unavailable, and is requested once in ten seconds: %s', async (_, sendKeys) => {
    const server = await startUpstream((request, response) => {
      const document = { issuer: server.address, jwks_uri: `${server.address}/jwks` };
      if (request.path === '/v1/jwks') sendKeys(request, response);
      else response.end(JSON.stringify(document));
    });
    const token = await issuer.issueToken({ claims: { iss: server.address } });
    verifier = createVerifier({ url: server.address });
    expect(await verifyAll([token, token])).toEqual([UNAVAILABLE, UNAVAILABLE]);
    expect(await verifier.verify(token)).toEqual(UNAVAILABLE);
    expect(server.requests).toHaveLength(2);
    advance(10 * SECOND);
    expect(await verifier.verify(token)).toEqual(UNAVAILABLE);
    expect(server.requests).toHaveLength(3);
    expect(logged).toEqual([expect.stringMatching(/^issuer unavailable .*\/v1\/jwks"/)]);
    await server.close();
  });

  it('makes tokens invalid where it is empty', async () => {
    const server = await startUpstream((_, response) => {
      response.end(JSON.stringify({ issuer: server.address, jwks_uri: server.address, keys: [] }));
    });
    verifier = createVerifier({ url: server.address });
    expect(await verifier.verify(await issuer.issueToken({ claims: { iss: server.address } }))).toMatchObject(INVALID);
    await server.close();
  });
});

describe('an issuer that becomes slow', () => {
  it('lets requests wait, and answers them when it answers', async () => {
    const token = await issuer.issueToken();
    issuer.setMode('slow');
    const results = verifyAll([token, token]);
    await waitUntil(() => issuer.requests.discovery === 1);
    issuer.setMode('up');
    expect(await results).toMatchObject([{ state: 'authenticated' }, { state: 'authenticated' }]);
  });

  it('makes tokens unavailable when it does not answer in time', async () => {
    const token = await issuer.issueToken();
    issuer.setMode('slow');
    expect(await verifier.verify(token)).toEqual(UNAVAILABLE);
  });
});

function withClaim(token: string, more: object): string {
  const [header = '', payload = '', signature = ''] = token.split('.');
  const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString());
  return [header, base64url.encode(JSON.stringify(Object.assign(Object(claims), more))), signature].join('.');
}
