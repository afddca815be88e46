import type { AccessLevel } from '../../model/access-level.js';
import type { Outcome } from '../../model/outcome.js';
import type { IncompleteReason } from '../../model/reasons.js';
import type { Resource } from '../../model/resource.js';
import type { FindingExample } from '../../source/record/findings.js';

/**
 * As `/sources` reports it (operation 3.5). Times are texts in ISO 8601, durations are in whole seconds. Texts that a
 * source sent (`detail`, `evidence`, examples, issuers) are bounded and show hidden characters by name; a page must
 * escape them all the same.
 */
export interface SourceStatus {
  readonly code: string;
  readonly number: number;
  readonly sourceName: string;
  readonly kind: SourceKind;
  /** A response without this source is an error. */
  readonly required: boolean;
  readonly aggregate: boolean;
  /** Base URLs, or the document's: origin and path only, because a query string may hold secrets. */
  readonly addresses: readonly string[];
  /** Of each `https` address that was connected to. */
  readonly certificates: readonly CertificateStatus[];
  /** The worst of its levels. */
  readonly condition: SourceCondition;
  /** `public`, and `members` where a client can have it. */
  readonly levels: readonly SourceLevelStatus[];
}

/** By its interfaces, as a published document (operation 2.8.16), or as feeds (2.8.17). */
export type SourceKind = 'interfaces' | 'document' | 'feeds';

/**
 * For the operator. `unknown`: nothing is cached, and no request failed; `warning`: clients get older or incomplete
 * records; `failed`: clients get none.
 */
export type SourceCondition = 'ok' | 'unknown' | 'warning' | 'failed';

/** As sent when a connection was made. */
export interface CertificateStatus {
  /** Such as `https://directory.example.org`. */
  readonly origin: string;
  readonly validUntil: string;
  /** Whole days; negative after the end. */
  readonly daysLeft: number;
  /** Common name or organization; empty if there is none. */
  readonly issuer: string;
}

/** The levels share no snapshots (decisions 7.16). */
export interface SourceLevelStatus {
  readonly access: AccessLevel;
  /** `public` also at level `members` where the source has no other credentials. */
  readonly requestedAs: AccessLevel;
  readonly condition: SourceCondition;
  /** By the circuit breaker (decisions 6.13). */
  readonly suspension?: SuspensionStatus;
  readonly requests: RequestStatus;
  /** On the source's own interfaces. */
  readonly resources: readonly ResourceStatus[];
}

export interface SuspensionStatus {
  readonly since: string;
  /** From then on a query causes a trial request. It may be past. */
  readonly trialFrom: string;
}

/** Since the start of the process, or since the source's settings were changed. */
export interface RequestStatus {
  readonly sent: number;
  /** By reason. */
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
export type ListSituation = 'fresh' | 'stale' | 'expired' | 'none' | 'rejected' | 'excluded' | 'suspended' | 'large';

export interface ListStatus {
  readonly state: ListSituation;
  readonly condition: SourceCondition;
  /** In words: `stale: timed out, since 2026-11-24T12:40:00+00:00`. No text of the source. */
  readonly summary: string;
  /** What a query gets now from the cache. Absent: nothing is cached. */
  readonly served?: Outcome<unknown>['state'];
  /** Of the snapshot, or of the list as far as the source counts it. Absent if unknown. */
  readonly records?: number;
  /** To the number a day ago. Absent if that is unknown. */
  readonly recordsChangeInDay?: number;
  /** With the time from which each was received, oldest first. */
  readonly recordsHistory: readonly { readonly at: string; readonly records: number }[];
  /** When the source last sent or confirmed the snapshot. */
  readonly verifiedAt?: string;
  readonly age?: number;
  /** From then on a query causes a refresh, or a new attempt. It may be past. Absent: at once. */
  readonly refreshFrom?: string;
  readonly isRefreshing: boolean;
  /** Absent without `cache.redis`, and where nothing is cached. */
  readonly sharing?: ListSharingStatus;
  /** With a complete list, or a confirmation of it. */
  readonly lastSuccess?: string;
  /** The last fetch that did not succeed; it remains after a later success. */
  readonly lastError?: ListErrorStatus;
  /** Fetches since the last success. */
  readonly consecutiveFailures: number;
  /** Far fewer records than before, not accepted yet (decisions 6.11). */
  readonly doubt?: ShrinkDoubtStatus;
  /** Of the last fetch that returned data, the most frequent first. */
  readonly findings: readonly FindingStatus[];
}

/** Between this instance and the others (operation 2.5.4). */
export interface ListSharingStatus {
  /** Of the last fetch that succeeded. */
  readonly fetchedBy: 'this instance' | 'another instance';
}

/** Responses are built from it. */
export interface ResourceStatus extends ListStatus {
  readonly resource: Resource['name'];
  /** A feed's address without the query string. Several with the same one are numbered. */
  readonly feed?: string;
  /** As declared (operation 2.8.9). */
  readonly capabilities: readonly CapabilityStatus[];
  /** PGP keys, where they are requested separately (decisions 4.22). */
  readonly keys?: ListStatus;
}

/** The fetch gave no complete list. */
export interface ListErrorStatus {
  readonly at: string;
  readonly reason: IncompleteReason;
  /** The reason in words, as clients see it. */
  readonly description: string;
  /** The cause, as `detail` in the log: it may quote the source. */
  readonly detail?: string;
}

export interface ShrinkDoubtStatus {
  readonly records: number;
  readonly trustedRecords: number;
  /** Since when so few are returned. */
  readonly since: string;
  /** From then on accepted by itself. Absent: never, because the source returns no records at all. */
  readonly acceptedFrom?: string;
}

/** Of one kind (`docs/data-quality.md`). */
export interface FindingStatus {
  readonly rule: string;
  readonly field: string;
  readonly count: number;
  /** At most three. None at members level. */
  readonly examples: readonly FindingExample[];
}

/** With what the source's responses show about a declared capability (decisions 5.16, 5.17). */
export interface CapabilityStatus {
  /** Kind and name, as in the metrics: `filter country`, `sort -published`, `total`. */
  readonly capability: string;
  /**
   * `unchecked`: queries used it, but no check can see whether it holds. `disproved`: a response contradicted it; it is
   * not used any more.
   */
  readonly verdict: 'unused' | 'unchecked' | 'consistent' | 'disproved';
  /** Fetches that relied on it. */
  readonly uses: number;
  /** Checks that passed. */
  readonly checks: number;
  readonly lastChecked?: string;
  readonly disproof?: { readonly at: string; /** Absent at members level. */ readonly evidence?: string };
}
