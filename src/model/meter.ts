import type { AccessLevel } from './access-level.js';
import type { FailureReason, Outcome } from './outcome.js';
import type { Resource } from './resource.js';
import type { CacheResult } from './cache-result.js';

/** Result of one fetch of a complete resource from a source. */
export interface FetchEvent {
  readonly source: string;
  readonly resource: Resource['name'];
  readonly outcome: Outcome<unknown>;
  /** Number of records of the outcome's snapshot; 0 without one. */
  readonly records: number;
  /**
   * Time at which the source sent the records or last confirmed them, in milliseconds since 1970; absent without a
   * snapshot.
   */
  readonly fetchedAt?: number;
  /**
   * Number of data-quality findings by rule and field (`docs/data-quality.md`); absent if the fetch returned no data.
   */
  readonly findings?: ReadonlyMap<string, number>;
  /** Whether another instance fetched: the event shows what is served, and counts no fetch. Absent: no. */
  readonly isAdopted?: boolean;
}

/** Data-quality findings about the PGP keys of a source's teams. */
export interface KeyFindings {
  readonly source: string;
  /**
   * Where the findings come from: the list of the source under `scope=pgp`, or the reading of the keys. New findings
   * replace earlier ones of the same origin.
   */
  readonly origin: 'list' | 'keys';
  /** Number of findings by rule and field. */
  readonly findings: ReadonlyMap<string, number>;
}

/** One request to this gateway, after its end. */
export interface RequestEvent {
  /** Absent for a request that is for no resource, such as one for an unknown path. */
  readonly resource?: Resource['name'];
  /**
   * Status that the response states: the one in its body where HTTP's differs (decisions 2.15). `aborted` if the client
   * left before the end.
   */
  readonly status: number | 'aborted';
  /** Name of the format; absent for a response without one. */
  readonly format?: string;
  /** Time from the head of the request to the end of its response; absent for a response from the response cache. */
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

/** A request of a client whose credential was verified (decisions 8.1). */
export interface ClientRequestEvent {
  /** Name of the client, or subject of the token. The meter reports no subjects: their number has no bound. */
  readonly client: string;
  readonly credential: 'key' | 'token';
  /** Access level of the client. */
  readonly access: AccessLevel;
}

/**
 * Why a request with credentials was refused: they are malformed, unknown or expired; the token is not valid for this
 * gateway (`token`) or cannot be verified now (`unavailable`); or their access level does not suffice.
 */
export type RejectedCredentialReason = 'malformed' | 'unknown' | 'expired' | 'token' | 'unavailable' | 'insufficient';

/** Rate limit that a request exceeded: that of its client or that of its address (decisions 8.9). */
export type RateLimitName = 'client' | 'address';

/** Receives events about the sources at one access level (operation 3.4). */
export interface SourceMeter {
  /** Returns a function that counts one finished request to the source: `ok`, or the reason of the failure. */
  sourceRequestCounter(source: string): (result: 'ok' | FailureReason) => void;
  /** Records the result of a fetch of a complete resource, failures included. */
  recordFetch(facts: FetchEvent): void;
  /** Records findings about the PGP keys of a source. */
  recordKeyFindings(facts: KeyFindings): void;
  /** Counts a capability that a response of the source disproved. */
  countDisprovedCapability(facts: CapabilityDisproofEvent): void;
  /** Records when the certificate of a source expires, in milliseconds since 1970. */
  recordCertificateExpiry(source: string, expiresAt: number): void;
  /** Records that the circuit breaker of a source opened or closed. */
  recordSuspension(source: string, suspended: boolean): void;
}

/**
 * Receives events and counts them for the operator. Passed in like the log. Its own methods about sources are those of
 * the level `public`.
 */
export interface Meter extends SourceMeter {
  /**
   * Counts a request after its response ended or its client left. An object without `milliseconds` may be passed
   * repeatedly: its counters are looked up only once.
   */
  countRequest(facts: RequestEvent): void;
  /** Counts a connection of a client that this gateway closed or did not accept. */
  countClosedConnection(reason: ConnectionLimit): void;
  /** Counts a request whose credential was verified, whatever its response is. */
  countClientRequest(facts: ClientRequestEvent): void;
  /** Counts a request that was refused for its credentials. */
  countRejectedCredential(reason: RejectedCredentialReason): void;
  /** Counts a request that a rate limit refused. */
  countRateLimited(limit: RateLimitName): void;
  /** Returns the meter for events about the sources at an access level. */
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

/** A meter that ignores all events. */
export const noMeter: Meter = {
  ...noSourceMeter,
  countRequest: () => undefined,
  countClosedConnection: () => undefined,
  countClientRequest: () => undefined,
  countRejectedCredential: () => undefined,
  countRateLimited: () => undefined,
  forAccess: () => noSourceMeter,
};
