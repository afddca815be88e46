import type { AccessLevel } from '../../model/access-level.js';
import type { Outcome } from '../../model/outcome.js';
import type { IncompleteReason } from '../../model/outcome-description.js';
import type { Resource } from '../../model/resource.js';
import type { FindingExample } from '../record/findings.js';

/**
 * The state of one source, as `/sources` reports it (operation 3.5). Times are texts in ISO 8601, durations are in whole
 * seconds. Texts that a source sent (`detail`, `evidence`, examples, issuers) are bounded, and hidden characters in them are
 * replaced by their names; a page must escape them all the same.
 */
export interface SourceStatus {
  readonly code: string;
  readonly number: number;
  readonly sourceName: string;
  readonly kind: SourceKind;
  /** Whether a response without this source is an error. */
  readonly required: boolean;
  readonly aggregate: boolean;
  /** Base URLs, or the URL of the document: origin and path only, because a query string may hold secrets. */
  readonly addresses: readonly string[];
  /** Of each `https` address to which a connection was made. */
  readonly certificates: readonly CertificateStatus[];
  /** The worst condition of its levels. */
  readonly condition: SourceCondition;
  /** The level `public`, and `members` where a client can have it. */
  readonly levels: readonly SourceLevelStatus[];
}

/** How a source is registered: by its interfaces, or as a published document (operation 2.8.16) or feeds (2.8.17). */
export type SourceKind = 'interfaces' | 'document' | 'feeds';

/**
 * What an operator should think of a source or a list: `ok`; `unknown`: nothing is cached, and no request
 * failed; `warning`:
 * clients get older or incomplete records; `failed`: clients get none.
 */
export type SourceCondition = 'ok' | 'unknown' | 'warning' | 'failed';

/** A certificate as a server sent it when a connection was made. */
export interface CertificateStatus {
  /** Origin of the address, such as `https://directory.example.org`. */
  readonly origin: string;
  readonly validUntil: string;
  /** Whole days until then; negative after it. */
  readonly daysLeft: number;
  /** Common name or organization of the issuer; empty if the certificate names none. */
  readonly issuer: string;
}

/** A source at one access level. The levels share no snapshots (decisions 7.16). */
export interface SourceLevelStatus {
  readonly access: AccessLevel;
  /** With which credentials the source is requested: `public` also at level `members` where it has no others. */
  readonly requestedAs: AccessLevel;
  readonly condition: SourceCondition;
  /** Present while the circuit breaker suspends the source (decisions 6.13). */
  readonly suspension?: SuspensionStatus;
  readonly requests: RequestStatus;
  /** The lists that the source serves on its own interfaces. */
  readonly resources: readonly ResourceStatus[];
}

/** A suspension by the circuit breaker. */
export interface SuspensionStatus {
  readonly since: string;
  /** From this time on, a query causes a trial request. It may be past. */
  readonly trialFrom: string;
}

/** Requests to a source since the start of the process, or since its settings were changed. */
export interface RequestStatus {
  readonly sent: number;
  /** Number of failed ones by reason. */
  readonly failures: Readonly<Record<string, number>>;
}

/**
 * State of a list (decisions 7.2):
 *
 * - `fresh`: within its time to live.
 * - `stale`: past it, and served while a refresh runs.
 * - `expired`: a query waits for a refresh; served stale if that fails.
 * - `none`: nothing is cached.
 * - `rejected`: the last fetch failed, or its result was not admitted.
 * - `excluded`: the source leads back to this gateway.
 * - `suspended`: not requested, because the source failed several times in a row.
 * - `large`: more records than the `drain-threshold`, and no complete list is cached.
 */
export type ListState = 'fresh' | 'stale' | 'expired' | 'none' | 'rejected' | 'excluded' | 'suspended' | 'large';

/** State of one list of a source at one access level. */
export interface ListStatus {
  readonly state: ListState;
  readonly condition: SourceCondition;
  /** The state in words: `stale: timed out, since 2026-11-24T12:40:00+00:00`. No text of the source. */
  readonly summary: string;
  /** What a query gets now from the cache: state of its outcome. Absent: nothing is cached. */
  readonly served?: Outcome<unknown>['state'];
  /** Number of records of the snapshot, or of the list as far as the source counts it. Absent if unknown. */
  readonly records?: number;
  /** Difference to the number of records a day ago. Absent if that is unknown. */
  readonly recordsChangeInDay?: number;
  /** The last numbers of records with the time from which each was received, oldest first. */
  readonly recordsHistory: readonly RecordsAt[];
  /** When the source last sent or confirmed the snapshot. */
  readonly verifiedAt?: string;
  /** Seconds since then. */
  readonly age?: number;
  /** From this time on, a query causes a refresh, or a new attempt. It may be past. Absent: at once. */
  readonly refreshFrom?: string;
  readonly isRefreshing: boolean;
  /** Absent without `cache.redis`, and where nothing is cached. */
  readonly sharing?: ListSharingStatus;
  /** When a fetch last gave a complete list, or the source confirmed it. */
  readonly lastSuccess?: string;
  /** The last fetch that did not. It remains after a later success. */
  readonly lastError?: ListErrorStatus;
  /** Fetches without success since the last success. */
  readonly consecutiveFailures: number;
  /** Present if the source returned far fewer records than before, and that is not accepted yet (decisions 6.11). */
  readonly doubt?: ShrinkDoubtStatus;
  /** Data-quality findings of the last fetch that returned data, the most frequent first. */
  readonly findings: readonly FindingStatus[];
}

/** How the records of a list in this instance relate to those of the others (operation 2.5.4). */
export interface ListSharingStatus {
  /** Whether all instances in agreement serve these records with the same dates. */
  readonly agreed: boolean;
  /** Which instance sent the last fetch that succeeded. */
  readonly fetchedBy: 'this instance' | 'another instance';
}

/** A list that responses are built from. */
export interface ResourceStatus extends ListStatus {
  readonly resource: Resource['name'];
  /** Of a feed: its address without the query string. Several with the same one are numbered. */
  readonly feed?: string;
  /** The declared capabilities (operation 2.8.9). */
  readonly capabilities: readonly CapabilityStatus[];
  /** The list of PGP keys, where it is requested separately (decisions 4.22). */
  readonly keys?: ListStatus;
}

/** A number of records, and when it was first received. */
interface RecordsAt {
  readonly at: string;
  readonly records: number;
}

/** Why a fetch gave no complete list. */
export interface ListErrorStatus {
  readonly at: string;
  readonly reason: IncompleteReason;
  /** The reason in words, as clients see it. */
  readonly description: string;
  /** The cause, as `detail` in the log: it may quote the source. */
  readonly detail?: string;
}

/** A number of records that the shrink guard doubts. */
export interface ShrinkDoubtStatus {
  readonly records: number;
  readonly trustedRecords: number;
  /** Since when the source returns so few. */
  readonly since: string;
  /** From this time on it is accepted by itself. Absent: never, because the source returns no records at all. */
  readonly acceptedFrom?: string;
}

/** Data-quality findings of one kind (`docs/data-quality.md`). */
export interface FindingStatus {
  readonly rule: string;
  readonly field: string;
  readonly count: number;
  /** At most three. None at members level. */
  readonly examples: readonly FindingExample[];
}

/** A declared capability, and what the responses of the source show about it (decisions 5.16, 5.17). */
export interface CapabilityStatus {
  /** Kind and name, as in the metrics: `filter country`, `sort -published`, `total`. */
  readonly capability: string;
  /**
   * `unused`: no query has used it. `unchecked`: queries have, but no check can see whether it holds. `consistent`: no
   * check has contradicted it. `disproved`: a response did; it is not used any more.
   */
  readonly verdict: 'unused' | 'unchecked' | 'consistent' | 'disproved';
  /** Number of fetches that relied on it. */
  readonly uses: number;
  /** Number of checks that passed. */
  readonly checks: number;
  readonly lastChecked?: string;
  readonly disproof?: { readonly at: string; /** Absent at members level. */ readonly evidence?: string };
}
