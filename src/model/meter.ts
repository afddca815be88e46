import type { AccessLevel } from './access-level.js';
import type { Outcome } from './outcome.js';
import type { FailureReason } from './reasons.js';
import type { Resource } from './resource.js';
import type { CacheResult } from './cache-result.js';

/** Result of one fetch of a complete resource from a source. */
export interface FetchEvent {
  readonly source: string;
  readonly resource: Resource['name'];
  readonly outcome: Outcome<unknown>;
  /** 0 without a snapshot. */
  readonly records: number;
  /** When the source sent the records or last confirmed them, in milliseconds since 1970; absent without a snapshot. */
  readonly fetchedAt?: number;
  /** Data-quality findings by rule and field (`docs/data-quality.md`); absent if the fetch returned no data. */
  readonly findings?: ReadonlyMap<string, number>;
  /** Another instance fetched: the event shows what is served, and counts no fetch. */
  readonly isAdopted?: boolean;
}

/** Data-quality findings about the PGP keys of teams. */
export interface KeyFindings {
  readonly source: string;
  /** The list under `scope=pgp`, or the reading of the keys. New findings replace earlier ones of the same origin. */
  readonly origin: 'list' | 'keys';
  /** By rule and field. */
  readonly findings: ReadonlyMap<string, number>;
}

/** One request to this gateway, after its end. */
export interface RequestEvent {
  /** Absent for a request that is for no resource, such as an unknown path. */
  readonly resource?: Resource['name'];
  /** Status that the body states where HTTP's differs (decisions 2.15). `aborted`: the client left before the end. */
  readonly status: number | 'aborted';
  /** Absent for a response without a format. */
  readonly format?: string;
  /** From the head of the request to the end of its response; absent for a response from the response cache. */
  readonly milliseconds?: number;
  /** Absent if no source was needed. */
  readonly cache?: CacheResult;
}

/** A capability that a response of the source disproved (decisions 5.16). */
export interface CapabilityDisproofEvent {
  readonly source: string;
  readonly resource: Resource['name'];
  /** Kind of the capability, with its name if it has one: `filter country`, `sort -published`, `total`. */
  readonly capability: string;
}

/** Limit of the public port that closed a connection (operation 2.3.1). */
export type ConnectionLimit = 'connections' | 'pipelining' | 'write-timeout';

/** A request with a verified credential (decisions 8.1). */
export interface ClientRequestEvent {
  /** Name of the client, or subject of the token. The meter reports no subjects: their number has no bound. */
  readonly client: string;
  readonly credential: 'key' | 'token';
  readonly access: AccessLevel;
}

/**
 * Credentials are malformed, unknown or expired, a token is invalid (`token`) or cannot be verified now
 * (`unavailable`), or the access level does not suffice.
 */
export type RejectedCredentialReason = 'malformed' | 'unknown' | 'expired' | 'token' | 'unavailable' | 'insufficient';

/** Limit of the client or of its address (decisions 8.9). */
export type RateLimitName = 'client' | 'address';

/** Events about the sources at one access level (operation 3.4). */
export interface SourceMeter {
  /** Returns a function that counts one finished request: `ok`, or the reason of the failure. */
  sourceRequestCounter(source: string): (result: 'ok' | FailureReason) => void;
  /** Failed fetches included. */
  recordFetch(facts: FetchEvent): void;
  recordKeyFindings(facts: KeyFindings): void;
  countDisprovedCapability(facts: CapabilityDisproofEvent): void;
  /** `expiresAt` is in milliseconds since 1970. */
  recordCertificateExpiry(source: string, expiresAt: number): void;
  /** The circuit breaker opened or closed. */
  recordSuspension(source: string, suspended: boolean): void;
}

/** Its own methods about sources are those of the level `public`. */
export interface Meter extends SourceMeter {
  /** After the end of the request. For a repeated object without `milliseconds`, counters are looked up only once. */
  countRequest(facts: RequestEvent): void;
  /** A connection that this gateway closed or did not accept. */
  countClosedConnection(reason: ConnectionLimit): void;
  /** Counts every request with a verified credential, whatever its response is. */
  countClientRequest(facts: ClientRequestEvent): void;
  countRejectedCredential(reason: RejectedCredentialReason): void;
  countRateLimited(limit: RateLimitName): void;
  forAccess(level: AccessLevel): SourceMeter;
}

const noSourceMeter: SourceMeter = {
  sourceRequestCounter: () => () => undefined,
  recordFetch: () => undefined,
  recordKeyFindings: () => undefined,
  countDisprovedCapability: () => undefined,
  recordCertificateExpiry: () => undefined,
  recordSuspension: () => undefined,
};

export const noMeter: Meter = {
  ...noSourceMeter,
  countRequest: () => undefined,
  countClosedConnection: () => undefined,
  countClientRequest: () => undefined,
  countRejectedCredential: () => undefined,
  countRateLimited: () => undefined,
  forAccess: () => noSourceMeter,
};
