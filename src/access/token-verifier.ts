import { createRemoteJWKSet, customFetch, decodeJwt, decodeProtectedHeader, errors, jwtVerify } from 'jose';
import type { JWTVerifyGetKey, JWTVerifyOptions, RemoteJWKSet } from 'jose';
import type { IssuerConfig } from '../config/config.js';
import type { Authentication } from './authenticated-client.js';
import { DOCUMENT_LIFETIME, IssuerDiscovery, RETRY_DELAY } from './issuer-discovery.js';
import { IssuerEndpoint, IssuerUnavailable } from './issuer-endpoint.js';
import type { AccessDependencies } from './issuer-endpoint.js';
import { findAccessLevel, readSubject } from './token-claims.js';
import type { TokenClaims } from './token-claims.js';
import { toDate } from '../text/date.js';

/** Milliseconds between two requests for the key set where a token names an unknown key (operation 2.6.3). */
const COOLDOWN = 30_000;

export interface TokenVerifier {
  /** A signed JWT in compact form. Never rejects, and is never `anonymous`. */
  verify(token: string): Promise<Authentication>;
}

/**
 * A token that does not name the issuer and an accepted algorithm is refused at once, so that it makes the gateway
 * fetch nothing. A token is `unavailable` where the issuer's keys cannot be fetched.
 */
export function createTokenVerifier(issuer: IssuerConfig, dependencies: AccessDependencies): TokenVerifier {
  const findKey = createKeyFinder(issuer.url, dependencies);
  return {
    verify: async (token) => {
      if (!namesIssuer(token, issuer.url)) return refuseToken('another issuer or algorithm');
      const verified = await verifyToken(token, findKey, createVerifyOptions(issuer, dependencies.clock.now()));
      if ('state' in verified) return verified;
      const name = readSubject(verified.claims);
      if (name === undefined) return refuseToken('no usable subject');
      const access = findAccessLevel(verified.claims, issuer.membersClaim);
      return { state: 'authenticated', client: { name, credential: 'token', access, rate: issuer.rate } };
    },
  };
}

function refuseToken(detail: string): Authentication {
  return { state: 'invalid', reason: 'token', detail };
}

/** With a public key (RFC 7518, section 3.1; RFC 8037). */
const ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA'];

/** The token is not verified yet. */
function namesIssuer(token: string, url: string): boolean {
  try {
    const { alg = 'none' } = decodeProtectedHeader(token);
    return ALGORITHMS.includes(alg) && decodeJwt(token).iss === url;
  } catch {
    return false;
  }
}

/** Seconds for `exp` and `nbf`: "no more than a few minutes" (RFC 7519, section 4.1.4). */
const CLOCK_TOLERANCE_S = 60;

function createVerifyOptions({ url, audience }: IssuerConfig, now: number): JWTVerifyOptions {
  return {
    issuer: url,
    audience,
    algorithms: ALGORITHMS,
    clockTolerance: CLOCK_TOLERANCE_S,
    currentDate: toDate(now),
    requiredClaims: ['exp', 'sub'],
  };
}

/** Returns why the token is not accepted, else its claims. */
async function verifyToken(
  token: string,
  findKey: JWTVerifyGetKey,
  options: JWTVerifyOptions,
): Promise<{ readonly claims: TokenClaims } | Authentication> {
  try {
    const { payload } = await jwtVerify(token, findKey, options);
    return { claims: payload };
  } catch (error) {
    if (error instanceof IssuerUnavailable) return { state: 'unavailable' };
    if (error instanceof errors.JWTExpired) return { state: 'invalid', reason: 'expired' };
    return refuseToken(describeTokenError(error));
  }
}

/** By the claim or the code of the error. Messages could repeat what the token contains. */
function describeTokenError(error: unknown): string {
  if (error instanceof errors.JWTClaimValidationFailed) return `${error.claim} ${error.reason}`;
  return error instanceof errors.JOSEError ? error.code : 'the signature cannot be verified';
}

/** Rejects with IssuerUnavailable where no key can be fetched. */
function createKeyFinder(issuer: string, dependencies: AccessDependencies): JWTVerifyGetKey {
  const discovery = new IssuerDiscovery(issuer, dependencies);
  let current: { readonly url: URL; readonly keySet: RemoteJWKSet } | undefined;
  return async (header, token) => {
    const url = await discovery.findKeySetUrl().catch((error: unknown) => {
      // The keys go on until their own time, whatever becomes of the document that named their address.
      if (current?.keySet.fresh === true) return current.url;
      throw error;
    });
    if (current?.url.href !== url.href) current = { url, keySet: createKeySet(url, dependencies) };
    return current.keySet(header, token);
  };
}

/**
 * jose fetches the key set again when it is too old, or when it lacks a key and the last successful fetch is not
 * recent. The endpoint limits how often a failing fetch is repeated: while the known keys can be used, no more often
 * than a successful one.
 */
function createKeySet(url: URL, dependencies: AccessDependencies): RemoteJWKSet {
  const endpoint = new IssuerEndpoint(url, dependencies);
  const keySet: RemoteJWKSet = createRemoteJWKSet(url, {
    cacheMaxAge: DOCUMENT_LIFETIME,
    cooldownDuration: COOLDOWN,
    [customFetch]: async () =>
      Response.json(await endpoint.fetchDocument(checkKeySet, keySet.fresh ? COOLDOWN : RETRY_DELAY)),
  });
  return keySet;
}

/** Throws unless the document is a JWK Set (RFC 7517, section 5). */
function checkKeySet(document: unknown): unknown {
  const keys: unknown = typeof document === 'object' && document !== null && 'keys' in document ? document.keys : null;
  const isKeySet = Array.isArray(keys) && keys.every((key) => typeof key === 'object' && key !== null);
  if (!isKeySet) throw new Error('not a JWK Set');
  return document;
}
