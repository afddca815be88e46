import type { FailureReason, Outcome } from './outcome.js';
import type { Resource } from './resource.js';
import type { CacheResult } from './cache-result.js';

/** What came of fetching a resource of a source. */
export interface FetchEvent {
  readonly source: string;
  readonly resource: Resource['name'];
  readonly outcome: Outcome<unknown>;
  /** Records of the last good copy, or of what came. */
  readonly records: number;
  /** When the records were fetched, or the source said last that they still hold, in milliseconds since 1970; absent where there are none. */
  readonly fetchedAt?: number;
  /** What was odd about the data, by rule and field; absent where nothing came. */
  readonly findings?: ReadonlyMap<string, number>;
}

/** What was odd about the PGP keys of a source's teams. */
export interface KeyFindings {
  readonly source: string;
  /** Where it was found: in the list that the source gives under `scope=pgp`, or by reading the keys. Newer findings replace those of the same origin. */
  readonly origin: 'list' | 'keys';
  /** By rule and field. */
  readonly findings: ReadonlyMap<string, number>;
}

/** What came of a request to this gateway. */
export interface RequestEvent {
  /** Absent for what is no resource: a path at which there is nothing, for instance. */
  readonly resource?: Resource['name'];
  /** What the answer tells, in its body where HTTP's is another; `aborted` when the client left before. */
  readonly status: number | 'aborted';
  /** Name of the format; absent for an answer that has none. */
  readonly format?: string;
  /** From the request's head to the end of its answer; absent for one that was held ready, which takes no time to speak of. */
  readonly milliseconds?: number;
  /** Absent where no source was needed. */
  readonly cache?: CacheResult;
}

/** A capability that a source turned out not to have. */
export interface CapabilityDisproofEvent {
  readonly source: string;
  readonly resource: Resource['name'];
  /** A claim, and its name where it has one: `filter country`, `sort -published`, `total`. */
  readonly capability: string;
}

/** A limit of the public port by which a connection ended (operation.md, `server.limits`). */
export type ConnectionLimit = 'connections' | 'pipelining' | 'write-timeout';

/** Counts for the operator (operation.md, `/metrics`); handed in like the log. */
export interface Meter {
  /** A request has been answered, or its client has left. Facts that are handed in again and again, the same object, are counted cheaply. */
  countRequest(facts: RequestEvent): void;
  /** A client's connection was closed by this gateway, or not accepted. */
  countClosedConnection(reason: ConnectionLimit): void;
  /** What is told, of each request to a source that has ended, that it did so well, or with what reason not. */
  sourceRequestCounter(source: string): (result: 'ok' | FailureReason) => void;
  /** A resource of a source was fetched, or could not be. */
  recordFetch(facts: FetchEvent): void;
  /** The PGP keys of a source were fetched, or read. */
  recordKeyFindings(facts: KeyFindings): void;
  /** An answer of a source has shown that a capability is none. */
  countDisprovedCapability(facts: CapabilityDisproofEvent): void;
  /** A source is no longer asked, or is again. */
  recordSuspension(source: string, suspended: boolean): void;
}

/** Counts nothing. */
export const noMeter: Meter = {
  countRequest: () => undefined,
  countClosedConnection: () => undefined,
  sourceRequestCounter: () => () => undefined,
  recordFetch: () => undefined,
  recordKeyFindings: () => undefined,
  countDisprovedCapability: () => undefined,
  recordSuspension: () => undefined,
};
