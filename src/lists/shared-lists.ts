import type { Outcome } from '../model/outcome.js';
import { getReason, isReasonOf } from '../model/reasons.js';
import { findSnapshot } from '../model/outcome.js';
import type { SourceQuery } from '../source/request/source-query.js';
import type { TrustedSize } from './shrink-guard.js';
import type { Snapshot } from './snapshot.js';
import type { StoredList } from './stored-list.js';

/** A reading that gave no list, which the other instances need not repeat before a time. */
export interface SharedRejection {
  /** Without records: each instance serves its own list in place of a failure, if it has one. */
  readonly outcome: Outcome<never>;
  /** In milliseconds since 1970. */
  readonly retryAt: number;
  /** With a number of records that is not trusted yet (decisions 6.11). */
  readonly doubt?: TrustedSize | undefined;
}

/** The right to read a list from its source, renewed until one of the methods is called, which is called once. */
export interface SharedLease {
  /** `expiresAt`: when no instance may use it any more, in milliseconds since 1970. Never rejects. */
  publish(list: StoredList, expiresAt: number): Promise<void>;
  /** Never throws. */
  reject(rejection: SharedRejection): void;
  /** Without a result. Never throws. */
  release(): void;
}

/**
 * Use what another instance published (`found`, `rejected`), wait until it is read elsewhere (`busy`), read it for all
 * (`granted`), or for oneself (`unreachable`).
 */
export type SharedClaim =
  | { readonly state: 'found'; readonly list: StoredList }
  | { readonly state: 'rejected'; readonly rejection: SharedRejection }
  /** Resolves when the lease has ended or a result was published, after a second at the latest. */
  | { readonly state: 'busy'; readonly change: Promise<void> }
  | { readonly state: 'granted'; readonly lease: SharedLease }
  | { readonly state: 'unreachable' };

export interface ClaimOptions {
  /** When the caller's own list was verified, in milliseconds since 1970; only a newer one is `found`. */
  readonly after: number;
  /** By an operator: a published rejection does not count. */
  readonly isRequested: boolean;
}

/** The lists of one source at one access level that instances of this gateway read for one another (operation 2.5.4). */
export interface SharedLists {
  /** Waits 50 ms for the memory at most, longer only to read records. Never rejects. */
  claim(query: SourceQuery, options: ClaimOptions): Promise<SharedClaim>;
  /** In all instances. Returns false if the memory does not answer. Never rejects. */
  forget(): Promise<boolean>;
  /** Another instance forgot the source. Not called any more when `until` is aborted. */
  onForget(listener: () => void, until: AbortSignal): void;
}

/** Undefined for records that others lack, or that describe only this instance. */
export function toSharedOutcome(outcome: Outcome<Snapshot>): Outcome<never> | undefined {
  if (outcome.state === 'stale') {
    const { reason } = outcome;
    if (getReason(reason).shared !== true) return undefined;
    if (isReasonOf('partial', reason)) return { state: 'partial', reason };
    return isReasonOf('failed', reason) ? { state: 'failed', reason } : undefined;
  }
  if (findSnapshot(outcome) !== undefined || outcome.state === 'fresh' || outcome.state === 'inconsistent')
    return undefined;
  if (outcome.state !== 'partial') return outcome;
  const { state, reason, total, via } = outcome;
  return { state, reason, ...(total !== undefined && { total }), ...(via && { via }) };
}
