import type { ExpiringEntry, ExpiringStore } from '../../cache/expiring-store.js';
import type { ChangeCounter } from '../../cache/change-counter.js';
import { SHARED_MEMORY_TIMEOUT_MS } from '../../event-loop/deadline.js';
import type { PublishOfSource } from '../../events/event.js';
import type { Clock } from '../../model/clock.js';
import { findSnapshot, isTooLarge, getViaNames } from '../../model/outcome.js';
import type { Outcome } from '../../model/outcome.js';
import type { Resource } from '../../model/resource.js';
import type { ReplacedRecords } from '../../records/record-set.js';
import { delay } from '../client/abortable-wait.js';
import { decideRefresh } from './refresh-acceptance.js';
import type { RefreshAcceptancePolicy } from './refresh-acceptance.js';
import type { DatedRecords, SnapshotHistory } from './change-history.js';
import { isFailure, isSufficient, serveStale, serveStaleOrFail } from './snapshot.js';
import type { Snapshot, FailureOutcome, SnapshotKey } from './snapshot.js';
import type {
  RefreshPublication,
  RefreshResult,
  RestoredParts,
  SnapshotState,
  StoredOutcome,
} from './stored-outcome.js';
import { MIN_ENTRY_BYTES, estimateGatewayNameBytes } from './cache-entry-overhead.js';

/** Milliseconds (decisions 6.9). Otherwise every waiting client would cause a request. */
const FAILURE_TTL = 2_000;

/** Milliseconds. */
interface SnapshotPolicy extends RefreshAcceptancePolicy {
  readonly staleWhileRevalidate: number;
  readonly staleIfError: number;
}

interface SnapshotStoreOptions<Basis> {
  readonly number: number;
  readonly policy: SnapshotPolicy;
  readonly store: ExpiringStore<StoredOutcome<Basis>>;
  readonly history: SnapshotHistory;
  /** For all stored snapshots. */
  readonly changeCounter: ChangeCounter;
  /** Stored records have been replaced. */
  readonly onChange: (sourceNumber: number, path: Resource['path'], replaced: ReplacedRecords) => void;
  /** For a list that is admitted, before any request gets it. */
  readonly onAdmit: (resource: Resource) => void;
  readonly clock: Clock;
  readonly publish: PublishOfSource;
}

/**
 * The snapshots of one source (decisions 6.12, 7.1, 7.2). Each has one state:
 *
 *     none ──────────────┐                         a request waits for a refresh
 *                        │ report: admitted
 *                        ▼
 *     fresh ◀──────────────────────────────┐       served as it is
 *       │ time to live                     │
 *       ▼                                  │
 *     stale ───────────────────────────────┤       served while a refresh runs
 *       │ stale-while-revalidate           │
 *       ▼                report: admitted  │
 *     expired ─────────────────────────────┤       a request waits; served stale if the refresh fails
 *       │ stale-if-error                   │
 *       ▼                                  │
 *     none                                 │
 *                                          │
 *     rejected ────────────────────────────┤       the last result, or the snapshot in its place, is served;
 *       │ retry time                       │       no request is sent
 *       ├────▶ excluded ───────────────────┘       the source leads back to this gateway: served while a refresh runs
 *       ▼
 *     none, stale, expired                         the state of the snapshot itself
 *
 * `report` leads from every state but `fresh` to `fresh` or `rejected`; `fail` leads to `rejected`. A rejected result
 * leaves the snapshot in place: stale with the reason of the rejection if the snapshot is served, or expired if a newer
 * result is served. Whether a refresh is in progress is written into the leases of the snapshot (`refreshing`) and does
 * not change the state.
 */
export class SnapshotStore<Basis> {
  private voided = 0;

  constructor(private readonly options: SnapshotStoreOptions<Basis>) {}

  /** How often refreshes became void. The result of one that began at another number is not stored. */
  get epoch(): number {
    return this.voided;
  }

  /** The snapshots with which refreshes in progress began have been forgotten. */
  voidRefreshes(): void {
    this.voided += 1;
  }

  /** With what is served in the state. */
  read(key: SnapshotKey): SnapshotState {
    const now = this.options.clock.now();
    const last = this.getLast(key);
    if (last !== undefined && now < last.staleAt) return { state: 'fresh', outcome: last.value.outcome };
    const rejected = this.getRejected(key);
    if (rejected !== undefined && now < rejected.staleAt) return { state: 'rejected', outcome: rejected.value.outcome };
    if (last !== undefined && now < last.waitAt) return { state: 'stale', outcome: last.value.outcome };
    const outcome = rejected?.value.outcome;
    // If requests waited here, each gateway of a ring would wait for the next one, and none would respond.
    if (outcome?.state === 'excluded' && rejected !== undefined && rejected.staleAt > (last?.staleAt ?? 0))
      return { state: 'excluded', outcome };
    return { state: last === undefined ? 'none' : 'expired' };
  }

  /** In any state, with the basis of its next refresh; `allowsFewerRecords`: also with too few for the key. */
  getLast(key: SnapshotKey, allowsFewerRecords = false): ExpiringEntry<StoredOutcome<Basis>> | undefined {
    const cached = this.get(key.admitted);
    return cached !== undefined && (allowsFewerRecords || isSufficient(cached.value.outcome, key)) ? cached : undefined;
  }

  /** In any state; not a use that delays eviction. */
  peekLast(key: SnapshotKey): ExpiringEntry<StoredOutcome<Basis>> | undefined {
    const cached = this.options.store.peek(key.admitted, this.options.clock.now());
    return cached !== undefined && isSufficient(cached.value.outcome, key) ? cached : undefined;
  }

  /** The last result that was not admitted, as long as it is cached. */
  getRejected(key: SnapshotKey): ExpiringEntry<StoredOutcome<Basis>> | undefined {
    const cached = this.get(key.rejected);
    return cached !== undefined && isSufficient(cached.value.outcome, key) ? cached : undefined;
  }

  /** For a plan. `too-large`: the source was found to have too many records. */
  availability(key: SnapshotKey): 'fresh' | 'stale' | 'none' | 'too-large' {
    const now = this.options.clock.now();
    const last = this.getLast(key);
    if (last !== undefined && now < last.staleAt) return 'fresh';
    const rejected = this.getRejected(key);
    if (rejected !== undefined && isTooLarge(rejected.value.outcome)) return 'too-large';
    return last !== undefined && now < last.waitAt ? 'stale' : 'none';
  }

  /** As long as that is allowed; else the failure. */
  getFallback(key: SnapshotKey, failure: FailureOutcome): Outcome<Snapshot> {
    return serveStaleOrFail(key, this.getLastSnapshot(key), failure);
  }

  /** For a private query, without a request: what others would get without waiting, else a fallback (decisions 8.7). */
  getWithoutRequest(key: SnapshotKey): Outcome<Snapshot> {
    const cached = this.getRejected(key) ?? this.getLast(key);
    const isGiven =
      cached !== undefined && this.options.clock.now() < cached.waitAt && findSnapshot(cached.value.outcome);
    return isGiven ? cached.value.outcome : this.getFallback(key, { state: 'failed', reason: 'private' });
  }

  /** In the snapshot's leases. Returns a function that ends the mark. */
  markRefreshing(key: SnapshotKey): () => void {
    const leases = this.getLastSnapshot(key)?.leases ?? [];
    const mark = (refreshing: boolean): void => {
      for (const lease of leases) lease.refreshing = refreshing;
      this.options.changeCounter.renewals += 1;
    };
    mark(true);
    return () => {
      mark(false);
    };
  }

  /** The result becomes the snapshot, or is rejected; returns what to serve. `publication`: others get it, too. */
  report(
    key: SnapshotKey,
    result: RefreshResult<Basis>,
    publication?: RefreshPublication,
  ): Outcome<Snapshot> | Promise<Outcome<Snapshot>> {
    const { policy, clock, publish: publishEvent, history, onAdmit } = this.options;
    const decision = decideRefresh(key, result.outcome, { policy, last: this.getLastSnapshot(key), now: clock.now() });
    if ('rejected' in decision) {
      const { rejected, retryIn, shrunk } = decision;
      if (shrunk !== undefined) publishEvent({ type: 'source returned far fewer records than before', ...shrunk });
      publication?.publishRejection(rejected, clock.now() + retryIn);
      const isSame = rejected === result.outcome && findSnapshot(rejected) !== undefined;
      return this.reject(key, rejected, { retryIn, ...(isSame && { weight: result.weight }) });
    }
    // A confirmed snapshot comes as it was, with a version that is only of the earlier publication.
    const admitted = { ...decision.admitted, agreedVersion: undefined };
    if (key.kind === 'list') onAdmit(key.resource);
    if (publication !== undefined) return this.publish(key, { admitted, result }, publication);
    const dated = history.dateUnchanged(key.admitted, admitted);
    if (dated !== undefined) return this.replace(key, { ...admitted, ...dated }, result);
    const { epoch } = this;
    return history.compare(key.admitted, admitted).then((dateAt) =>
      // Race: a request after `since` must get this snapshot, so nothing is awaited between reading the clock and
      // storing.
      epoch === this.epoch ? this.replace(key, { ...admitted, ...dateAt(clock.now()) }, result) : result.outcome,
    );
  }

  /** Served from its activation on; waiting requests get it within 50 ms, without dates if publication is pending. */
  private async publish(
    key: SnapshotKey,
    { admitted, result }: { readonly admitted: Snapshot; readonly result: RefreshResult<Basis> },
    publication: RefreshPublication,
  ): Promise<Outcome<Snapshot>> {
    const { epoch } = this;
    const { clock } = this.options;
    const last = this.getLast(key);
    const published = publication.publish(admitted, this.limitsOf(admitted));
    // Race: requests begin to wait during the publication.
    const untilWaiting = Math.max(0, (last?.waitAt ?? 0) - clock.now());
    const isPublished = new AbortController();
    const nothing = (): undefined => undefined;
    const patience = delay(untilWaiting + SHARED_MEMORY_TIMEOUT_MS, isPublished.signal).then(nothing, nothing);
    const agreed = await Promise.race([published, patience]);
    isPublished.abort();
    if (epoch !== this.epoch) return result.outcome;
    if (agreed !== undefined) return this.replaceByShared(key, { ...agreed, leases: admitted.leases }, result);
    const own = this.replace(key, { ...admitted, since: clock.now(), floor: Infinity }, result);
    void published.then((late) => {
      const current = epoch === this.epoch ? this.getLastSnapshot(key) : undefined;
      const isOwn = current?.set === admitted.set && current.agreedVersion === undefined;
      if (late !== undefined && current !== undefined && isOwn)
        this.replaceByShared(key, { ...late, leases: current.leases }, result);
    });
    return own;
  }

  /** As `stale-if-error` allows. */
  mayServe(snapshot: Pick<Snapshot, 'staleAt'>): boolean {
    return this.options.clock.now() < this.limitsOf(snapshot).unusableAt;
  }

  /** From another instance (operation 2.5.4). */
  adopt(key: SnapshotKey, adopted: Omit<Snapshot, 'leases'>, parts: RestoredParts<Basis>): void {
    const { staleAt, verifiedAt } = adopted;
    const snapshot = { ...adopted, leases: [{ verifiedAt, staleAt, waitAt: staleAt, refreshing: false }] };
    if (key.kind === 'list') this.options.onAdmit(key.resource);
    this.replaceByShared(key, snapshot, { outcome: { state: 'fresh', snapshot }, ...parts });
  }

  /** Of another instance, without a snapshot; `retryAt` is in milliseconds since 1970. */
  adoptRejection(key: SnapshotKey, outcome: Outcome<never>, retryAt: number): Outcome<Snapshot> {
    const last = this.getLastSnapshot(key);
    const rejected = isFailure(outcome)
      ? serveStaleOrFail(key, last, outcome)
      : isTooLarge(outcome)
        ? (serveStale(key, last, { reason: 'too-large' }) ?? outcome)
        : outcome;
    return this.reject(key, rejected, { retryIn: Math.max(0, retryAt - this.options.clock.now()) });
  }

  /** Other instances may serve another snapshot or other dates: its dates are no longer shown. */
  disagree(key: SnapshotKey): void {
    const last = this.get(key.admitted);
    if (last?.value.outcome.state !== 'fresh') return;
    const { snapshot } = last.value.outcome;
    if (snapshot.agreedVersion === undefined) return;
    const outcome = { ...last.value.outcome, snapshot: { ...snapshot, agreedVersion: undefined } };
    this.put(key.admitted, { ...last, value: { ...last.value, outcome } });
  }

  /** From an earlier process, as if fetched now, unless too old to serve (operation 2.5.3). Dated like any other. */
  async restore(
    key: SnapshotKey,
    saved: Omit<Snapshot, 'since' | 'floor' | 'leases'>,
    stored: RestoredParts<Basis>,
  ): Promise<void> {
    const { policy, clock, history, onAdmit } = this.options;
    const now = clock.now();
    // After a clock was set back, the snapshot's age is unknown.
    const freshUntil = saved.verifiedAt > now ? now : Math.min(saved.staleAt, saved.verifiedAt + policy.ttl);
    if (now >= freshUntil + policy.staleIfError) return;
    const lease = { verifiedAt: saved.verifiedAt, staleAt: freshUntil, waitAt: freshUntil, refreshing: false };
    const snapshot = { ...saved, staleAt: freshUntil, since: now, leases: [lease] };
    const dateAt = await history.compare(key.admitted, snapshot);
    // Race: a newer one may have been fetched during the comparison.
    if (this.get(key.admitted) !== undefined) return;
    if (key.kind === 'list') onAdmit(key.resource);
    this.replace(key, { ...snapshot, ...dateAt(clock.now()) }, { outcome: { state: 'fresh', snapshot }, ...stored });
  }

  /** Returns what to serve. */
  fail(key: SnapshotKey, failure: FailureOutcome, publication?: RefreshPublication): Outcome<Snapshot> {
    publication?.publishRejection(failure, this.options.clock.now() + FAILURE_TTL);
    return this.reject(key, this.getFallback(key, failure), { retryIn: FAILURE_TTL });
  }

  /** Something else was served: the next snapshot counts as changed, even with equal records (decisions 7.6). */
  supersede({ admitted }: SnapshotKey): void {
    this.options.history.supersede(admitted);
  }

  /** The new dates are not of this instance's history, in which the next snapshot counts as changed. */
  private replaceByShared(
    key: SnapshotKey,
    found: Snapshot & DatedRecords,
    result: RefreshResult<Basis>,
  ): Outcome<Snapshot> {
    this.options.history.supersede(key.admitted);
    return this.replace(key, found, result);
  }

  private replace(
    { admitted }: SnapshotKey,
    found: Snapshot & DatedRecords,
    { basis, weight }: RefreshResult<Basis>,
  ): Outcome<Snapshot> {
    const { clock } = this.options;
    const { staleAt, verifiedAt } = found;
    const last = this.get(admitted)?.value;
    const before = last?.outcome;
    const same = before?.state === 'fresh' && isUnchanged(before.snapshot, found);
    const leases = same ? before.snapshot.leases : found.leases;
    const { waitAt, unusableAt: dropAt } = this.limitsOf(found);
    for (const lease of leases) {
      lease.verifiedAt = verifiedAt;
      lease.staleAt = staleAt;
      lease.waitAt = waitAt;
    }
    const outcome = { state: 'fresh', snapshot: { ...found, leases } } as const;
    const value = { outcome, weight: weight ?? last?.weight ?? MIN_ENTRY_BYTES, ...(basis && { basis }) };
    this.put(
      admitted,
      { value, storedAt: clock.now(), staleAt, waitAt, unusableAt: dropAt },
      same ? 'renewals' : 'changes',
    );
    return outcome;
  }

  /** Until when a snapshot is served: without waiting for a refresh, and at all. */
  limitsOf({ staleAt }: Pick<Snapshot, 'staleAt'>): { readonly waitAt: number; readonly unusableAt: number } {
    const { staleWhileRevalidate, staleIfError } = this.options.policy;
    return { waitAt: staleAt + staleWhileRevalidate, unusableAt: staleAt + staleIfError };
  }

  private reject(
    key: SnapshotKey,
    outcome: Outcome<Snapshot>,
    { retryIn, weight = MIN_ENTRY_BYTES }: { readonly retryIn: number; readonly weight?: number | undefined },
  ): Outcome<Snapshot> {
    const now = this.options.clock.now();
    const { ttl, staleIfError } = this.options.policy;
    this.demote(key.admitted, outcome, now);
    this.supersede(key);
    // A snapshot replaces a result no longer than `stale-if-error` allows.
    const end = outcome.state === 'stale' ? outcome.snapshot.staleAt + staleIfError : Infinity;
    const staleAt = Math.min(now + retryIn, now + ttl, end);
    const dropAt = outcome.state === 'excluded' ? Math.max(staleAt, now + staleIfError) : staleAt;
    this.put(key.rejected, { value: { outcome, weight }, storedAt: now, staleAt, waitAt: dropAt, unusableAt: dropAt });
    return outcome;
  }

  /** After a rejection: `stale` with its reason if the last snapshot is served; expired if a newer result is. */
  private demote(admitted: string, outcome: Outcome<Snapshot>, now: number): void {
    const last = this.get(admitted);
    if (last === undefined) return;
    const { value, waitAt } = last;
    const isFallback = outcome.state === 'stale';
    this.put(admitted, {
      ...last,
      ...(isFallback ? { value: { ...value, outcome } } : { waitAt: Math.min(waitAt, now) }),
    });
  }

  private getLastSnapshot(key: SnapshotKey): Snapshot | undefined {
    const last = this.getLast(key);
    return last && findSnapshot(last.value.outcome);
  }

  private get(name: string): ExpiringEntry<StoredOutcome<Basis>> | undefined {
    return this.options.store.get(name, this.options.clock.now());
  }

  private put(
    name: string,
    cached: ExpiringEntry<StoredOutcome<Basis>>,
    counter: 'changes' | 'renewals' = 'changes',
  ): void {
    const { number, store, changeCounter, publish, onChange } = this.options;
    const { weight, outcome } = cached.value;
    const last = this.get(name)?.value;
    const before = last && findSnapshot(last.outcome)?.set;
    changeCounter[counter] += 1;
    if (!store.put(name, cached, weight + estimateGatewayNameBytes(getViaNames(outcome))))
      publish({ type: 'snapshot does not fit into cache.memory and is not cached', weight });
    if (last !== undefined && before !== undefined && before !== findSnapshot(outcome)?.set)
      onChange(number, before.resource.path, { set: before, bytes: last.weight });
  }
}

/** Responses built from the two are equal, except for their times. */
function isUnchanged(before: Snapshot, found: Snapshot): boolean {
  const { set, since, floor, lastModified, via } = found;
  const sameDates = before.since === since && before.floor === floor;
  // Whether there is a version decides whether dates are shown.
  const sameAgreement = (before.agreedVersion === undefined) === (found.agreedVersion === undefined);
  const same = before.set === set && sameDates && sameAgreement;
  return same && before.lastModified === lastModified && (before.via === via || before.via.join() === via.join());
}
