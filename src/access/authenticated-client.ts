import type { RateConfig } from '../config/config.js';
import type { AccessLevel } from '../model/access-level.js';

/** A client whose credential was verified (decisions 8.1). */
export interface Client {
  /** Configured name of the key's client, or the subject of a token: for the audit log. Not secret. */
  readonly name: string;
  readonly credential: 'key' | 'token';
  readonly access: AccessLevel;
  /** Limit of the client's requests; undefined: none. */
  readonly rate: RateConfig | undefined;
}

/**
 * Result of reading the credentials of a request. `anonymous`: the request has none. `invalid`: malformed, unknown,
 * expired or meant for somebody else. `unavailable`: a token cannot be verified now,
 * because the keys of its issuer cannot be fetched.
 */
export type Authentication =
  | { readonly state: 'anonymous' }
  | { readonly state: 'authenticated'; readonly client: Client }
  | ({ readonly state: 'invalid' } & InvalidCredential)
  | { readonly state: 'unavailable' };

/** What the log says about a refused credential. Nothing of it reaches the client. */
export interface InvalidCredential {
  readonly reason: InvalidCredentialReason;
  /** Name of the client whose key has expired. */
  readonly client?: string;
  /** What is wrong with a token: an error code of the library, with the claim. It contains no value of the token. */
  readonly detail?: string;
}

/** Why a credential is refused, as a label of metrics and logs. */
export type InvalidCredentialReason = 'malformed' | 'unknown' | 'expired' | 'token';
