import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { SignJWT, exportJWK, generateKeyPair } from 'jose';
import type { CryptoKey, JWTHeaderParameters } from 'jose';
import { Provider } from 'oidc-provider';
import { systemClock } from '../gateway/program.js';
import type { Clock } from '../gateway/program.js';

/**
 * How the issuer answers: `down` closes each connection without an answer; `slow` lets requests wait, and answers them
 * in the next mode; `garbage` answers 200 with a page that is not JSON.
 */
export type IssuerMode = 'up' | 'down' | 'slow' | 'garbage';

/** What a token is issued for. */
export interface TokenRequest {
  readonly subject?: string;
  readonly audience?: string | readonly string[];
  /** Further claims; they replace `iss`, `sub`, `aud`, `iat` and `exp` too. An undefined one is left out. */
  readonly claims?: Readonly<Record<string, unknown>>;
  /** Seconds, from the time of the issuer's clock. */
  readonly expiresIn?: number;
  /** Parameters of the header beside `alg`; by default `kid` names the current key. */
  readonly header?: Omit<JWTHeaderParameters, 'alg'>;
  /** Key for RS256; by default the current key of the issuer. */
  readonly key?: CryptoKey;
}

/** A real OpenID Connect issuer (oidc-provider) on a loopback port. */
export interface TestIssuer {
  /** Issuer identifier. */
  readonly url: string;
  /** Requests so far, by document. */
  readonly requests: Readonly<Record<IssuerPath, number>>;
  /** Signs a token with the key of the issuer. Sends no request. */
  issueToken(request?: TokenRequest): Promise<string>;
  /** Has the token endpoint issue a token to the client `lighthouse`, by the client credentials grant. */
  grantToken(request: { readonly audience: string; readonly scope?: string }): Promise<string>;
  /** Replaces the key of the issuer. The previous one is no longer in its key set. */
  rotateKeys(): Promise<void>;
  setMode(mode: IssuerMode): void;
  /** Stops the server and closes every connection. */
  close(): Promise<void>;
}

/** Audience of tokens, unless a test names another one. */
export const AUDIENCE = 'https://rollcall.example.org';

const PATHS = {
  '/.well-known/openid-configuration': 'discovery',
  '/jwks': 'keys',
  '/token': 'token',
} as const;

type IssuerPath = (typeof PATHS)[keyof typeof PATHS];

const CLIENT = { id: 'lighthouse', secret: 'secret-of-the-lighthouse' };

const DEFAULT_LIFETIME = 300;

/** Starts an issuer. `clock` dates the tokens of `issueToken`; those of `grantToken` have the system's time. */
export async function startIssuer(clock: Clock = systemClock): Promise<TestIssuer> {
  let mode: IssuerMode = 'up';
  const requests: Record<IssuerPath, number> = { discovery: 0, keys: 0, token: 0 };
  const waiting: (() => void)[] = [];
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    if (mode === 'slow') waiting.push(() => answer(request, response));
    else if (mode === 'down') response.destroy();
    else if (mode === 'garbage') response.end('<p>Down for maintenance</p>');
    else handle(request, response);
  };
  const server = createServer((request, response) => {
    const path = Object.entries(PATHS).find(([prefix]) => request.url === prefix)?.[1];
    if (path !== undefined) requests[path] += 1;
    answer(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the issuer has no TCP port');
  const url = `http://127.0.0.1:${address.port}`;
  let number = 1;
  let signer = await createSigner(number);
  let handle = createHandler(url, signer);

  return {
    url,
    requests,
    issueToken: ({ key, header, ...request } = {}) => {
      const { kid } = signer;
      return new SignJWT(buildClaims(url, request, clock))
        .setProtectedHeader({ kid, ...header, alg: 'RS256' })
        .sign(key ?? signer.key);
    },
    grantToken: (request) => requestToken(url, request),
    rotateKeys: async () => {
      number += 1;
      signer = await createSigner(number);
      handle = createHandler(url, signer);
    },
    setMode: (next) => {
      mode = next;
      for (const resume of waiting.splice(0)) resume();
    },
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

interface Signer {
  readonly kid: string;
  readonly key: CryptoKey;
  readonly jwk: Awaited<ReturnType<typeof exportJWK>>;
}

async function createSigner(number: number): Promise<Signer> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  return { kid: `key-${number}`, key: privateKey, jwk: await exportJWK(privateKey) };
}

/** oidc-provider cannot change the keys of a provider; a new provider takes its place behind the same server. */
function createHandler(
  url: string,
  { jwk, kid }: Signer,
): (request: IncomingMessage, response: ServerResponse) => void {
  const provider = new Provider(url, {
    jwks: { keys: [{ ...jwk, kid, use: 'sig', alg: 'RS256' }] },
    cookies: { keys: ['a key for the cookies of a test'] },
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        grant_types: ['client_credentials'],
        redirect_uris: [],
        response_types: [],
      },
    ],
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_, audience) => ({ scope: 'directory csirt', audience, accessTokenFormat: 'jwt' }),
      },
    },
    ttl: { ClientCredentials: DEFAULT_LIFETIME },
  });
  const handle = provider.callback();
  return (request, response) => void handle(request, response);
}

/** Claims of a token that `issueToken` signs. */
function buildClaims(url: string, request: TokenRequest, clock: Clock): Record<string, unknown> {
  const { subject = 'duty-officer', audience = AUDIENCE, claims, expiresIn = DEFAULT_LIFETIME } = request;
  const now = Math.floor(clock.now() / 1000);
  return { iss: url, sub: subject, aud: audience, iat: now, exp: now + expiresIn, ...claims };
}

async function requestToken(
  url: string,
  { audience, scope = '' }: { readonly audience: string; readonly scope?: string },
): Promise<string> {
  const response = await fetch(`${url}/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${CLIENT.id}:${CLIENT.secret}`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', resource: audience, scope }),
  });
  const body: unknown = await response.json();
  if (typeof body !== 'object' || body === null || !('access_token' in body)) {
    throw new Error(`the issuer granted no token: ${JSON.stringify(body)}`);
  }
  return String(body.access_token);
}
