import type { RateConfig } from '../config/config.js';
import type { AccessLevel } from '../model/access-level.js';

/** Its credential was verified (decisions 8.1). */
export interface Client {
  /** The configured name, or the subject of a token: for the audit log. Not secret. */
  readonly name: string;
  readonly credential: 'key' | 'token';
  readonly access: AccessLevel;
  /** Undefined: no limit. */
  readonly rate: RateConfig | undefined;
}

/**
 * `anonymous`: the request has no credentials. `invalid`: malformed, unknown, expired or meant for somebody else.
 * `unavailable`: a token cannot be verified now, because the keys of its issuer cannot be fetched.
 */
export type Authentication =
  | { readonly state: 'anonymous' }
  | { readonly state: 'authenticated'; readonly client: Client }
  | ({ readonly state: 'invalid' } & InvalidCredential)
  | { readonly state: 'unavailable' };

/** For the log. Nothing of it reaches the client. */
interface InvalidCredential {
  /** A label of metrics and logs. */
  readonly reason: 'malformed' | 'unknown' | 'expired' | 'token';
  /** Whose key has expired. */
  readonly client?: string;
  /** For a token: an error code of the library, with the claim, but no value of the token. */
  readonly detail?: string;
}
