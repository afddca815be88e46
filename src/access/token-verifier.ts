import { compactVerify, createRemoteJWKSet, customFetch, decodeJwt, decodeProtectedHeader } from 'jose';
import type { CompactVerifyGetKey, RemoteJWKSet } from 'jose';
import type { IssuerConfig } from '../config/config.js';
import type { Authentication } from './client.js';
import { DOCUMENT_LIFETIME, IssuerDiscovery, RETRY_DELAY } from './issuer-discovery.js';
import { IssuerEndpoint, IssuerUnavailable } from './issuer-endpoint.js';
import type { AccessDependencies } from './issuer-endpoint.js';
import { checkClaims, findAccessLevel, readSubject } from './token-claims.js';
import type { TokenClaims } from './token-claims.js';

/**
 * Milliseconds between two requests for the key set where a token names a key that it does not have (operation 2.6.3).
 * A new key of the issuer is known after that time at the latest.
 */
const COOLDOWN = 30_000;

/** Verifies the tokens of one issuer (operation 2.6.3). */
export interface TokenVerifier {
  /** Verifies a signed JWT in compact form. Never rejects, and is never `anonymous`. */
  verify(token: string): Promise<Authentication>;
}

/**
 * Creates the verifier of an issuer (operation 2.6.3). Header and claims are checked first, then the signature: a token
 * that does not claim to be valid makes the gateway neither fetch nor compute. A signature that cannot be checked,
 * because the issuer's keys cannot be fetched, is `unavailable`.
 */
export function createTokenVerifier(issuer: IssuerConfig, dependencies: AccessDependencies): TokenVerifier {
  const findKey = createKeyFinder(issuer.url, dependencies);
  return {
    verify: async (token) => {
      const claims = readUnverifiedClaims(token, issuer.algorithms);
      const name = claims === undefined ? undefined : readSubject(claims);
      if (claims === undefined || name === undefined) return { state: 'invalid', reason: 'token' };
      const refusal = checkClaims(claims, issuer, dependencies.clock.now());
      if (refusal !== undefined) return { state: 'invalid', reason: refusal };
      const failure = await checkSignature(token, findKey, issuer.algorithms);
      if (failure !== undefined) return failure;
      const access = findAccessLevel(claims, issuer.membersClaim);
      return { state: 'authenticated', client: { name, credential: 'token', access, rate: issuer.rate } };
    },
  };
}

/**
 * Reads the claims of a token whose signature is not verified; undefined where it cannot become valid. With `crit` it
 * cannot: the only extension that jose understands, an unencoded payload, is forbidden in a JWT (RFC 7797, section 7).
 */
function readUnverifiedClaims(token: string, algorithms: readonly string[]): TokenClaims | undefined {
  try {
    const { alg = 'none', crit } = decodeProtectedHeader(token);
    return crit === undefined && algorithms.includes(alg) ? decodeJwt(token) : undefined;
  } catch {
    return undefined;
  }
}

/** Returns why the signature of a token is not accepted; undefined: it is. */
async function checkSignature(
  token: string,
  findKey: CompactVerifyGetKey,
  algorithms: readonly string[],
): Promise<Authentication | undefined> {
  try {
    await compactVerify(token, findKey, { algorithms: [...algorithms] });
    return undefined;
  } catch (error) {
    return error instanceof IssuerUnavailable ? { state: 'unavailable' } : { state: 'invalid', reason: 'token' };
  }
}

/** Creates the function that finds the key of a token. It rejects with IssuerUnavailable where no key can be fetched. */
function createKeyFinder(issuer: string, dependencies: AccessDependencies): CompactVerifyGetKey {
  const discovery = new IssuerDiscovery(issuer, dependencies);
  let current: { readonly url: URL; readonly keySet: RemoteJWKSet } | undefined;
  return async (header, token) => {
    const url = await discovery.findKeySetUrl();
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
