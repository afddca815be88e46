import type { ExpiringEntry, ExpiringStore } from '../../cache/expiring-store.js';
import type { ChangeCounter } from '../../cache/change-counter.js';
import type { Clock } from '../../model/clock.js';
import type { Log } from '../../model/log.js';
import { findSnapshot, isTooLarge, getViaHops } from '../../model/outcome.js';
import type { Outcome } from '../../model/outcome.js';
import type { Resource } from '../../model/resource.js';
import { admit } from './admission.js';
import type { AdmissionPolicy } from './admission.js';
import type { DatedRecords, SnapshotHistory } from './history.js';
import { serveStaleOrFail, isSufficient } from './snapshot.js';
import type { Snapshot, FailureOutcome, SnapshotKey } from './snapshot.js';
import { MIN_ENTRY_BYTES, estimateGatewayNameBytes } from './entry-size.js';

/** Milliseconds until a source that failed is asked again: otherwise every waiting client would ask it. */
const FAILURE_TTL = 2_000;

/** What is stored under a key. */
export interface StoredOutcome<Basis> {
  readonly outcome: Outcome<Snapshot>;
  /** Of a snapshot: what its next refresh can start from. */
  readonly basis?: Basis;
  /** Bytes that it takes, about. */
  readonly weight: number;
}

/** What a refresh returned. */
export interface RefreshResult<Basis> extends Omit<StoredOutcome<Basis>, 'weight'> {
  /** Absent where nothing was drained: the source confirmed the snapshot, or leads back here. */
  readonly weight?: number;
}

/** The state of a snapshot at one moment, with what a request is given in it. */
export type SnapshotState =
  | { readonly state: 'none' | 'expired' }
  | { readonly state: 'fresh' | 'stale' | 'rejected' | 'excluded'; readonly outcome: Outcome<Snapshot> };

/** Times in milliseconds. */
export interface SnapshotPolicy extends AdmissionPolicy {
  readonly staleWhileRevalidate: number;
  readonly staleIfError: number;
}

export interface SnapshotStoreOptions<Basis> {
  /** Of the source. */
  readonly code: string;
  readonly number: number;
  readonly policy: SnapshotPolicy;
  readonly store: ExpiringStore<StoredOutcome<Basis>>;
  readonly history: SnapshotHistory;
  /** Counts the changes of all stored snapshots. */
  readonly changeCounter: ChangeCounter;
  /** Called when the records of a resource of the source are no longer stored as they were. */
  readonly onChange: (sourceNumber: number, path: Resource['path']) => void;
  /** Called with the resource of an admitted list before anybody is given it. */
  readonly onAdmit: (resource: Resource) => void;
  readonly clock: Clock;
  readonly log: Log;
  /** Aborted when the process stops. */
  readonly stop: { readonly aborted: boolean };
}

/**
 * The snapshots of one source, each with one state:
 *
 *     none ──────────────┐                         a request waits for a refresh
 *                        │ report: admitted
 *                        ▼
 *     fresh ◀──────────────────────────────┐       given as it is
 *       │ time to live                     │
 *       ▼                                  │
 *     stale ───────────────────────────────┤       given while a refresh runs
 *       │ stale-while-revalidate           │
 *       ▼                report: admitted  │
 *     expired ─────────────────────────────┤       a request waits; stands in when the refresh fails
 *       │ stale-if-error                   │
 *       ▼                                  │
 *     none                                 │
 *                                          │
 *     rejected ────────────────────────────┤       the last result, or the snapshot that stands in for it, is given;
 *       │ retry time                       │       the source is not asked
 *       ├────▶ excluded ───────────────────┘       the source leads back here: given while a refresh runs
 *       ▼
 *     none, stale, expired                         what the snapshot behind it has come to
 *
 * `report` leads from every state but `fresh` to `fresh` or `rejected`, `fail` to `rejected`. A rejected result leaves the snapshot in place: stale
 * with the reason for which it stood in, or expired where something newer is given. Whether a refresh is under way is written into the
 * leases of the snapshot (`refreshing`); it does not change the state.
 */
export class SnapshotStore<Basis> {
  constructor(private readonly options: SnapshotStoreOptions<Basis>) {}

  read(key: SnapshotKey): SnapshotState {
    const now = this.options.clock.now();
    const last = this.getLast(key);
    if (last !== undefined && now < last.staleAt) return { state: 'fresh', outcome: last.value.outcome };
    const rejected = this.getRejected(key);
    if (rejected !== undefined && now < rejected.staleAt) return { state: 'rejected', outcome: rejected.value.outcome };
    if (last !== undefined && now < last.waitAt) return { state: 'stale', outcome: last.value.outcome };
    // In a ring each gateway would wait for the next one, and none would answer.
    if (rejected !== undefined && rejected.staleAt > (last?.staleAt ?? 0))
      return { state: 'excluded', outcome: rejected.value.outcome };
    return { state: last === undefined ? 'none' : 'expired' };
  }

  /** The snapshot in whatever state, with what its refresh can start from; `short`: also one with fewer records than the key needs. */
  getLast(key: SnapshotKey, short = false): ExpiringEntry<StoredOutcome<Basis>> | undefined {
    const held = this.get(key.admitted);
    return held !== undefined && (short || isSufficient(held.value.outcome, key)) ? held : undefined;
  }

  /** The last result that was not admitted, as long as it is remembered. */
  getRejected(key: SnapshotKey): ExpiringEntry<StoredOutcome<Basis>> | undefined {
    const held = this.get(key.rejected);
    return held !== undefined && isSufficient(held.value.outcome, key) ? held : undefined;
  }

  /** How much of a list is at hand, as a plan sees it; `too-large`: the source was seen to have too many records. */
  availability(key: SnapshotKey): 'fresh' | 'stale' | 'none' | 'too-large' {
    const now = this.options.clock.now();
    const last = this.getLast(key);
    if (last !== undefined && now < last.staleAt) return 'fresh';
    const rejected = this.getRejected(key);
    if (rejected !== undefined && isTooLarge(rejected.value.outcome)) return 'too-large';
    return last !== undefined && now < last.waitAt ? 'stale' : 'none';
  }

  /** The snapshot in place of a failure, as long as it may stand in; else the failure. */
  getFallback(key: SnapshotKey, failure: FailureOutcome): Outcome<Snapshot> {
    return serveStaleOrFail(key, this.getLastSnapshot(key), failure);
  }

  /** What a private query is given, for which no request is sent: a result or a snapshot for which others would not wait either; else a fallback. */
  getWithoutRequest(key: SnapshotKey): Outcome<Snapshot> {
    const held = this.getRejected(key) ?? this.getLast(key);
    const isGiven = held !== undefined && this.options.clock.now() < held.waitAt && findSnapshot(held.value.outcome);
    return isGiven ? held.value.outcome : this.getFallback(key, { state: 'failed', reason: 'private' });
  }

  /** Writes into the leases of the snapshot whether a refresh is under way; returns how to end that. */
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

  /** A refresh returned something: it becomes the snapshot, or is rejected. Returns what is given. */
  report(key: SnapshotKey, result: RefreshResult<Basis>): Outcome<Snapshot> | Promise<Outcome<Snapshot>> {
    const { policy, clock, log, code, history, onAdmit: admitting } = this.options;
    const decision = admit(key, result.outcome, { policy, last: this.getLastSnapshot(key), now: clock.now() });
    if ('rejected' in decision) {
      const { rejected, retryIn, shrunk } = decision;
      if (shrunk !== undefined) log.warn({ source: code, ...shrunk }, 'source gave far less than before');
      const isSame = rejected === result.outcome && findSnapshot(rejected) !== undefined;
      return this.reject(key, rejected, { retryIn, ...(isSame && { weight: result.weight }) });
    }
    const { admitted } = decision;
    if (key.kind === 'list') admitting(key.resource);
    const dated = history.dateUnchanged(key.admitted, admitted);
    if (dated !== undefined) return this.replace(key, { ...admitted, ...dated }, result);
    return history.compare(key.admitted, admitted).then((dateAt) =>
      // Nothing is awaited between this moment and the end of the transition: a request after `since` is given this snapshot.
      this.replace(key, { ...admitted, ...dateAt(clock.now()) }, result),
    );
  }

  /** A refresh failed. Returns what is given. */
  fail(key: SnapshotKey, failure: FailureOutcome): Outcome<Snapshot> {
    return this.reject(key, this.getFallback(key, failure), { retryIn: FAILURE_TTL });
  }

  /** Something else than the snapshot was given: the next one counts as a change, even with the same records. */
  supersede({ admitted }: SnapshotKey): void {
    // No request is given what fails because the process stops.
    if (!this.options.stop.aborted) this.options.history.supersede(admitted);
  }

  private replace(
    { admitted }: SnapshotKey,
    found: Snapshot & DatedRecords,
    { basis, weight }: RefreshResult<Basis>,
  ): Outcome<Snapshot> {
    const { policy, clock } = this.options;
    const { staleAt, verifiedAt } = found;
    const last = this.get(admitted)?.value;
    const before = last?.outcome;
    const same = before?.state === 'fresh' && isUnchanged(before.snapshot, found);
    const leases = same ? before.snapshot.leases : found.leases;
    const [waitAt, dropAt] = [staleAt + policy.staleWhileRevalidate, staleAt + policy.staleIfError];
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

  private reject(
    key: SnapshotKey,
    outcome: Outcome<Snapshot>,
    { retryIn, weight = MIN_ENTRY_BYTES }: { readonly retryIn: number; readonly weight?: number | undefined },
  ): Outcome<Snapshot> {
    const now = this.options.clock.now();
    const { ttl, staleIfError } = this.options.policy;
    this.demote(key.admitted, outcome, now);
    this.supersede(key);
    // A snapshot that stands in is not given for longer than it may.
    const end = outcome.state === 'stale' ? outcome.snapshot.staleAt + staleIfError : Infinity;
    const staleAt = Math.min(now + retryIn, now + ttl, end);
    const dropAt = outcome.state === 'excluded' ? Math.max(staleAt, now + staleIfError) : staleAt;
    this.put(key.rejected, { value: { outcome, weight }, storedAt: now, staleAt, waitAt: dropAt, unusableAt: dropAt });
    return outcome;
  }

  /** The snapshot behind a rejected result: stale for the reason for which it stood in; expired where a newer result is given. */
  private demote(admitted: string, outcome: Outcome<Snapshot>, now: number): void {
    const last = this.get(admitted);
    if (last === undefined) return;
    const { value, waitAt } = last;
    const stoodIn = outcome.state === 'stale';
    this.put(admitted, {
      ...last,
      ...(stoodIn ? { value: { ...value, outcome } } : { waitAt: Math.min(waitAt, now) }),
    });
  }

  private getLastSnapshot(key: SnapshotKey): Snapshot | undefined {
    const last = this.getLast(key);
    return last && findSnapshot(last.value.outcome);
  }

  private get(name: string): ExpiringEntry<StoredOutcome<Basis>> | undefined {
    return this.options.store.get(name, this.options.clock.now());
  }

  private put(name: string, held: ExpiringEntry<StoredOutcome<Basis>>, what: keyof ChangeCounter = 'changes'): void {
    const { code, number, store, changeCounter: pulse, log, onChange: changed } = this.options;
    const { weight, outcome } = held.value;
    const last = this.get(name)?.value.outcome;
    const before = last && findSnapshot(last)?.set;
    pulse[what] += 1;
    if (!store.put(name, held, weight + estimateGatewayNameBytes(getViaHops(outcome))))
      log.warn({ source: code, weight }, 'source does not fit into cache.memory and is not held');
    if (before !== undefined && before !== findSnapshot(outcome)?.set) changed(number, before.resource.path);
  }
}

/** Whether an answer made of one snapshot is the same as one made of the other, but for its instants. */
function isUnchanged(before: Snapshot, { set, since, floor, lastModified, via }: Snapshot): boolean {
  const same = before.set === set && before.since === since && before.floor === floor;
  return same && before.lastModified === lastModified && (before.via === via || before.via.join() === via.join());
}
