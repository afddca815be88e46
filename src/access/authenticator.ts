import type { AccessConfig, IssuerConfig } from '../config/config.js';
import { readBearerCredential } from './bearer-credential.js';
import { createClientKeys } from './client-keys.js';
import type { Authentication } from './authenticated-client.js';
import type { AccessDependencies } from './issuer-endpoint.js';
import type { TokenVerifier } from './token-verifier.js';

/** (decisions 8.1) */
export interface Authenticator {
  /**
   * `fields`: all Authorization fields, such as `request.headersDistinct.authorization ?? []`. A promise only where a
   * token must be verified. Never rejects.
   */
  authenticate(fields: readonly string[]): Authentication | Promise<Authentication>;
}

/** Three parts, separated by dots (RFC 7515, section 7.1). */
const JWT = /^[^.]+\.[^.]+\.[^.]*$/;

/**
 * Undefined where the configuration has neither clients nor an issuer, and Authorization is ignored. A credential is
 * compared with the keys of the clients first, then verified as a token.
 */
export function createAuthenticator(config: AccessConfig, dependencies: AccessDependencies): Authenticator | undefined {
  const { clients, issuer } = config;
  if (clients.length === 0 && issuer === undefined) return undefined;
  const keys = createClientKeys(clients, dependencies.clock);
  const verifier = issuer === undefined ? undefined : loadTokenVerifier(issuer, dependencies);
  return {
    authenticate: (fields) => {
      const credential = readBearerCredential(fields);
      if (credential.state === 'anonymous') return credential;
      if (credential.state === 'malformed') return { state: 'invalid', reason: 'malformed' };
      const found = keys.find(credential.token);
      if (found.state === 'found') return { state: 'authenticated', client: found.client };
      if (found.state === 'expired') return { state: 'invalid', reason: 'expired', client: found.name };
      return verifier !== undefined && JWT.test(credential.token)
        ? verifier.then((loaded) => loaded.verify(credential.token))
        : { state: 'invalid', reason: 'unknown' };
    },
  };
}

/** Only a configuration with an issuer loads what reads tokens. */
async function loadTokenVerifier(issuer: IssuerConfig, dependencies: AccessDependencies): Promise<TokenVerifier> {
  const { createTokenVerifier } = await import('./token-verifier.js');
  return createTokenVerifier(issuer, dependencies);
}
