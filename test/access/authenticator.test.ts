import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAuthenticator } from '../../src/access/authenticator.js';
import type { Authenticator } from '../../src/access/authenticator.js';
import { hashClientKey } from '../../src/access/client-keys.js';
import type { AccessConfig, ClientKeyConfig, IssuerConfig } from '../../src/config/config.js';
import { fakeClock } from '../support/fake-clock.js';
import { AUDIENCE, startIssuer } from '../support/issuer/issuer.js';
import type { TestIssuer } from '../support/issuer/issuer.js';
import { silentLog } from '../support/silent-log.js';
import { createLogSubscriber } from '../../src/events/log-lines.js';

const clock = fakeClock();
const log = silentLog;
const ANONYMOUS = { state: 'anonymous' };

let issuer: TestIssuer;

beforeAll(async () => {
  issuer = await startIssuer(clock);
});

afterAll(async () => {
  await issuer.close();
});

function issuerConfig(): IssuerConfig {
  const membersClaim = new Map([['groups', 'csirt']]);
  return {
    url: issuer.url,
    audience: AUDIENCE,
    membersClaim,
    rate: undefined,
  };
}

function client(key: string, expires?: number): ClientKeyConfig {
  return { name: `client ${key}`, keySha256: hashClientKey(key), access: 'members', expires, rate: undefined };
}

function create(access: Partial<AccessConfig>): Authenticator | undefined {
  const scopes = { public: 'public', pgp: 'public', minimal: 'public', country: 'public', members: 'members' } as const;
  return createAuthenticator(
    { scopes, clients: [], issuer: undefined, ...access },
    { clock, publish: createLogSubscriber(log) },
  );
}

describe('an authenticator', () => {
  it('does not exist without clients and issuer', () => {
    expect(create({})).toBeUndefined();
  });

  it('knows the keys of clients, at once', () => {
    const authenticator = create({ clients: [client('one'), client('old', clock.now())] });
    expect(authenticator?.authenticate([])).toEqual(ANONYMOUS);
    expect(authenticator?.authenticate(['Bearer one'])).toEqual({
      state: 'authenticated',
      client: { name: 'client one', credential: 'key', access: 'members', rate: undefined },
    });
    expect(authenticator?.authenticate(['Bearer two'])).toEqual({ state: 'invalid', reason: 'unknown' });
    expect(authenticator?.authenticate(['Bearer old'])).toEqual({
      state: 'invalid',
      reason: 'expired',
      client: 'client old',
    });
    expect(authenticator?.authenticate(['Basic b25lOg=='])).toEqual({ state: 'invalid', reason: 'malformed' });
    expect(authenticator?.authenticate(['Bearer one', 'Bearer one'])).toEqual({
      state: 'invalid',
      reason: 'malformed',
    });
  });

  it('does not know tokens without an issuer', async () => {
    const token = await issuer.issueToken();
    expect(create({ clients: [client('one')] })?.authenticate([`Bearer ${token}`])).toEqual({
      state: 'invalid',
      reason: 'unknown',
    });
  });

  it('verifies tokens of the issuer by the time of its clock', async () => {
    const authenticator = create({ issuer: issuerConfig() });
    const token = await issuer.issueToken({ subject: 'rota', claims: { groups: 'csirt' }, expiresIn: 60 });
    expect(authenticator?.authenticate([])).toEqual(ANONYMOUS);
    expect(await authenticator?.authenticate([`Bearer ${token}`])).toEqual({
      state: 'authenticated',
      client: { name: 'rota', credential: 'token', access: 'members', rate: undefined },
    });
    clock.advance(120_000);
    expect(await authenticator?.authenticate([`Bearer ${token}`])).toMatchObject({
      state: 'invalid',
      reason: 'expired',
    });
  });

  it('takes a credential with another form than a token for a key', () => {
    const authenticator = create({ issuer: issuerConfig() });
    for (const credential of ['rck_abc', 'a.b', 'a.b.c.d', 'a.b.c.d.e', '..', '.b.c']) {
      expect(authenticator?.authenticate([`Bearer ${credential}`])).toEqual({ state: 'invalid', reason: 'unknown' });
    }
  });

  it('takes a key with the form of a token for a key', () => {
    const authenticator = create({ issuer: issuerConfig(), clients: [client('a.b.c'), client('d.e.f', 0)] });
    expect(authenticator?.authenticate(['Bearer a.b.c'])).toMatchObject({ state: 'authenticated' });
    expect(authenticator?.authenticate(['Bearer d.e.f'])).toMatchObject({ state: 'invalid', reason: 'expired' });
  });

  it('is unavailable for tokens, and for nothing else, while the issuer is down', async () => {
    const authenticator = create({ issuer: issuerConfig(), clients: [client('one')] });
    const token = await issuer.issueToken();
    issuer.setMode('down');
    expect(await authenticator?.authenticate([`Bearer ${token}`])).toEqual({ state: 'unavailable' });
    expect(authenticator?.authenticate(['Bearer one'])).toMatchObject({ state: 'authenticated' });
    expect(authenticator?.authenticate(['Bearer two'])).toEqual({ state: 'invalid', reason: 'unknown' });
    expect(authenticator?.authenticate([])).toEqual(ANONYMOUS);
    issuer.setMode('up');
  });
});
