import { findSnapshot, isTooLarge } from '../model/outcome.js';
import type { Outcome } from '../model/outcome.js';
import type { FailureDetail, IncompleteReason } from '../model/reasons.js';
import type { SnapshotValidators } from './reading/page-validators.js';
import type { ListId } from './list-id.js';
import type { Snapshot } from './snapshot.js';

/** One list of a source at one instant. It never changes; time changes only what it means (`outcomeAt`). */
export interface ListState {
  /** When it became the state of the list, in milliseconds since 1970. */
  readonly at: number;
  /** The last reading that was accepted. */
  readonly snapshot?: Snapshot | undefined;
  /** For conditional requests. Absent unless the source sent one for every page. */
  readonly validators?: SnapshotValidators | undefined;
  /** The reading after the accepted one, or in its absence. */
  readonly trouble?: Trouble | undefined;
  /**
   * Something else than the snapshot may have been served, or served before it: the next snapshot counts as changed,
   * even with equal records (decisions 7.6).
   */
  readonly isInterrupted: boolean;
  /** Of the snapshot and its validators, in estimated bytes. */
  readonly weight: number;
}

/** A reading that was not accepted. Times are in milliseconds since 1970. */
export interface Trouble {
  /** In its place: the snapshot as `stale`, or what there is without one. */
  readonly outcome: Outcome<Snapshot>;
  readonly at: number;
  /** Until then the source is not queried again for it. */
  readonly retryAt: number;
  /** From then on it is forgotten. */
  readonly until: number;
  /** The outcome is newer than the snapshot, and served in its place. */
  readonly replacesSnapshot: boolean;
  /** Of records of its own, in estimated bytes. */
  readonly weight: number;
}

/** In milliseconds. */
export interface FreshnessPolicy {
  readonly ttl: number;
  readonly staleWhileRevalidate: number;
  readonly staleIfError: number;
}

/**
 * - `fresh`: served as it is.
 * - `stale`: served while a refresh runs.
 * - `rejected`: the last reading, or the snapshot in its place, is served; no request is sent.
 * - `excluded`: the source leads back to this gateway. Served while a refresh runs: if requests waited here, each gateway of
 *   a ring would wait for the next one, and none would respond.
 * - `expired`: a request waits for a refresh; the snapshot is served if it fails.
 * - `none`: a request waits for a refresh.
 */
export type OutcomeNow =
  | { readonly state: 'none' | 'expired' }
  | { readonly state: 'fresh' | 'stale' | 'rejected' | 'excluded'; readonly outcome: Outcome<Snapshot> };

/** The source could not be queried, or its result is not trusted. */
export type FailureOutcome = Extract<Outcome<Snapshot>, { readonly state: 'failed' | 'suspended' }>;

export function isFailure(outcome: Outcome<Snapshot>): outcome is FailureOutcome {
  return outcome.state === 'failed' || outcome.state === 'suspended';
}

/** What a request gets at `now` (milliseconds since 1970; decisions 6.12, 7.1, 7.2). */
export function outcomeAt(state: ListState, now: number, policy: FreshnessPolicy): OutcomeNow {
  const snapshot = usableSnapshot(state, now, policy);
  const trouble = currentTrouble(state, now);
  const { staleAt, waitAt } = snapshot === undefined ? NEVER : timesOf(state, snapshot, now, policy);
  if (snapshot !== undefined && now < staleAt) return { state: 'fresh', outcome: snapshotOutcome(state, snapshot) };
  if (trouble !== undefined && now < trouble.retryAt) return { state: 'rejected', outcome: trouble.outcome };
  if (snapshot !== undefined && now < waitAt) return { state: 'stale', outcome: snapshotOutcome(state, snapshot) };
  if (trouble?.outcome.state === 'excluded' && trouble.retryAt > staleAt)
    return { state: 'excluded', outcome: trouble.outcome };
  return { state: snapshot === undefined ? 'none' : 'expired' };
}

/** Of the last reading, whatever the time. Undefined before the first one. */
export function lastOutcome({ snapshot, trouble }: ListState): Outcome<Snapshot> | undefined {
  return trouble?.outcome ?? (snapshot && { state: 'fresh', snapshot });
}

/** While a failure lasts, the snapshot is `stale` with its reason. */
export function snapshotOutcome({ trouble }: Pick<ListState, 'trouble'>, snapshot: Snapshot): Outcome<Snapshot> {
  return trouble?.outcome.state === 'stale' ? trouble.outcome : { state: 'fresh', snapshot };
}

/** As long as `stale-if-error` allows. */
export function usableSnapshot(
  { snapshot }: Pick<ListState, 'snapshot'>,
  now: number,
  { staleIfError }: Pick<FreshnessPolicy, 'staleIfError'>,
): Snapshot | undefined {
  return snapshot !== undefined && now < snapshot.staleAt + staleIfError ? snapshot : undefined;
}

/** As long as it counts. */
export function currentTrouble({ trouble }: Pick<ListState, 'trouble'>, now: number): Trouble | undefined {
  return trouble !== undefined && now < trouble.until && now >= trouble.at ? trouble : undefined;
}

const NEVER = { staleAt: -Infinity, waitAt: -Infinity };

/**
 * When a snapshot of the list needs a refresh, and when requests begin to wait for it, in milliseconds since 1970. If
 * the clock was set back, its age is unknown: it is not fresh, and requests wait (decisions 7.1).
 */
export function timesOf(
  { at, trouble }: Pick<ListState, 'at' | 'trouble'>,
  { staleAt }: Pick<Snapshot, 'staleAt'>,
  now: number,
  { staleWhileRevalidate }: Pick<FreshnessPolicy, 'staleWhileRevalidate'>,
): { readonly staleAt: number; readonly waitAt: number } {
  if (now < at) return { staleAt: now, waitAt: now };
  const waitAt = staleAt + staleWhileRevalidate;
  return { staleAt, waitAt: trouble?.replacesSnapshot === true ? Math.min(waitAt, trouble.at) : waitAt };
}

/** For a plan. `too-large`: the source was found to have too many records. */
export function availabilityAt(
  state: ListState,
  now: number,
  policy: FreshnessPolicy,
): 'fresh' | 'stale' | 'none' | 'too-large' {
  const snapshot = usableSnapshot(state, now, policy);
  const { staleAt, waitAt } = snapshot === undefined ? NEVER : timesOf(state, snapshot, now, policy);
  if (now < staleAt) return 'fresh';
  const trouble = currentTrouble(state, now);
  if (trouble !== undefined && isTooLarge(trouble.outcome)) return 'too-large';
  return now < waitAt ? 'stale' : 'none';
}

/** Without a request, for a query that must not be disclosed: what others would get without waiting, else a fallback. */
export function outcomeWithoutRequest(
  id: ListId,
  state: ListState,
  now: number,
  policy: FreshnessPolicy,
): Outcome<Snapshot> {
  const current = outcomeAt(state, now, policy);
  if ('outcome' in current && findSnapshot(current.outcome) !== undefined) return current.outcome;
  return fallbackAt(id, state, { state: 'failed', reason: 'private' }, { now, policy });
}

/** The snapshot, as long as it may be served, with the reason of the failure; else the failure (decisions 6.12). */
export function fallbackAt(
  id: ListId,
  state: ListState,
  failure: FailureOutcome,
  { now, policy }: { readonly now: number; readonly policy: FreshnessPolicy },
): Outcome<Snapshot> {
  return serveStaleOrFail(id, usableSnapshot(state, now, policy), failure);
}

/** Undefined if it must not be served, as the report of a missing item: the item may exist by now (decisions 2.34). */
export function serveStale(
  { kind }: Pick<ListId, 'kind'>,
  snapshot: Snapshot | undefined,
  { reason, detail }: { readonly reason: IncompleteReason; readonly detail?: FailureDetail },
): Outcome<Snapshot> | undefined {
  if (snapshot === undefined || (kind === 'item' && snapshot.set.totalCount === 0)) return undefined;
  return { state: 'stale', reason, snapshot, ...(detail && { detail }) };
}

export function serveStaleOrFail(
  id: Pick<ListId, 'kind'>,
  snapshot: Snapshot | undefined,
  failure: FailureOutcome,
): Outcome<Snapshot> {
  const { state, reason, detail } = failure;
  const reasonAndDetail = state === 'suspended' ? { reason: state } : { reason, ...(detail && { detail }) };
  return serveStale(id, snapshot, reasonAndDetail) ?? failure;
}
