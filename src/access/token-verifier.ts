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

/**
 * Milliseconds between two requests for the key set where a token names a key that it does not have (operation 2.6.3).
 * A new key of the issuer is known after that time at the latest.
 */
const COOLDOWN = 30_000;

/** Verifies the tokens of one issuer. */
export interface TokenVerifier {
  /** Verifies a signed JWT in compact form. Never rejects, and is never `anonymous`. */
  verify(token: string): Promise<Authentication>;
}

/**
 * Creates the verifier of an issuer. A token that does not name the issuer and an accepted algorithm is refused at
 * once, so that it makes the gateway fetch nothing. A token whose signature cannot be checked, because the issuer's
 * keys cannot be fetched, is `unavailable`.
 */
export function createTokenVerifier(issuer: IssuerConfig, dependencies: AccessDependencies): TokenVerifier {
  const findKey = createKeyFinder(issuer.url, dependencies);
  return {
    verify: async (token) => {
      if (!namesIssuer(token, issuer)) return refuseToken('another issuer or algorithm');
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

/** Whether a token, which is not verified yet, names the issuer and an accepted algorithm. */
function namesIssuer(token: string, { url, algorithms }: IssuerConfig): boolean {
  try {
    const { alg = 'none' } = decodeProtectedHeader(token);
    return algorithms.includes(alg) && decodeJwt(token).iss === url;
  } catch {
    return false;
  }
}

/** Seconds by which the issuer's clock may differ, for `exp` and `nbf`: "no more than a few minutes" (RFC 7519, section 4.1.4). */
const CLOCK_TOLERANCE_S = 60;

function createVerifyOptions({ url, audience, algorithms }: IssuerConfig, now: number): JWTVerifyOptions {
  return {
    issuer: url,
    audience,
    algorithms: [...algorithms],
    clockTolerance: CLOCK_TOLERANCE_S,
    currentDate: toDate(now),
    requiredClaims: ['exp', 'sub'],
  };
}

/** Returns the claims of a token, or why it is not accepted. */
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

/** Describes an error of the library by the claim or by its code. Messages could repeat what the token contains. */
function describeTokenError(error: unknown): string {
  if (error instanceof errors.JWTClaimValidationFailed) return `${error.claim} ${error.reason}`;
  return error instanceof errors.JOSEError ? error.code : 'the signature cannot be verified';
}

/** Creates the function that finds the key of a token. It rejects with IssuerUnavailable where no key can be fetched. */
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
 * Creates the key set of an issuer. jose fetches it again when it is too old, or when it lacks a key and the last
 * successful fetch is not recent. The endpoint limits how often a failing fetch is repeated: while the known keys can
 * be used, no more often than a successful one.
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

/** Returns the document if it is a JWK Set (RFC 7517, section 5). */
function checkKeySet(document: unknown): unknown {
  const keys: unknown = typeof document === 'object' && document !== null && 'keys' in document ? document.keys : null;
  const isKeySet = Array.isArray(keys) && keys.every((key) => typeof key === 'object' && key !== null);
  if (!isKeySet) throw new Error('not a JWK Set');
  return document;
}
