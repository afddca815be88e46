import type { FetchFinished } from '../events/event.js';
import type { ExpiringStore } from '../cache/expiring-store.js';
import { SingleFlight } from '../cache/single-flight.js';
import { findSnapshot, getViaNames } from '../model/outcome.js';
import type { Outcome } from '../model/outcome.js';
import type { Resource } from '../model/resource.js';
import type { TraceSpan } from '../model/tracer.js';
import type { SnapshotAvailability } from '../plan/source-plan.js';
import { disclosesQuery } from './request/source-request-context.js';
import type { SourceRequestContext } from './request/source-request-context.js';
import { SuspendedFailure } from './client/circuit-breaker.js';
import { CapabilityContradiction } from './top-n/believed-capabilities.js';
import type { CapabilityDisproof } from './top-n/believed-capabilities.js';
import { MAX_UNVERIFIED_MS } from './snapshot-fetcher.js';
import type { SnapshotFetchResult, SnapshotFetcher, PreviousSnapshot } from './snapshot-fetcher.js';
import { asFailure } from './client/source-failure.js';
import type { SourceFailure } from './client/source-failure.js';
import { SharedRefreshes } from './shared-refreshes.js';
import type { RequestedRefresh } from './shared-refreshes.js';
import type { SharedFetch, SharedSnapshot } from './snapshot-sharing.js';
import type { SavedSnapshot } from './snapshot-persistence.js';
import type { RefreshBasis, StoredSnapshot, SourceSettings, SourceServices } from './source-settings.js';
import { SnapshotHistory } from './snapshot/change-history.js';
import { countListedRecords } from './snapshot/listed-records.js';
import { LastVia } from './snapshot/last-via-header.js';
import type { ShrinkGuard } from './snapshot/shrink-guard.js';
import { isFailure, hasEnoughRecords, isSufficient } from './snapshot/snapshot.js';
import type { Snapshot, FailureOutcome, SnapshotKey } from './snapshot/snapshot.js';
import { SnapshotStore } from './snapshot/snapshot-store.js';
import type { RefreshPublication, RefreshResult } from './snapshot/stored-outcome.js';
import { resolveAfter, raceAbort } from './client/abortable-wait.js';
import { estimateDrainMemory } from './memory-estimate.js';
import { runInOutcomeSpan } from './outcome-span.js';
import type { OutcomeSpan } from './outcome-span.js';
import { createSnapshotKey, sourceQueryKeyPrefix } from './request/snapshot-key.js';
import type { SourceQuery } from './request/source-query.js';
import { createFetchEvent, describeReadList } from './status/fetch-event.js';
import type { ListInspection } from './status/list-status.js';

/**
 * Milliseconds a response waits for a suspended source's trial request, or a refresh after one that outlasted a
 * response's deadline (decisions 5.8, 6.13).
 */
const SHORT_WAIT = 300;

/** Milliseconds; a refresh that failed later is not waited for again. Refused connections and errors take less. */
const LATE_FAILURE = 2_000;

const TIMED_OUT: FailureOutcome = Object.freeze({ state: 'failed', reason: 'timeout' });

interface Refresh extends RequestedRefresh {
  readonly trace?: TraceSpan | undefined;
}

export interface SnapshotCacheOptions {
  readonly store: ExpiringStore<StoredSnapshot>;
  /** Clients can cause any number of snapshots (items, pushed-down queries). Their history ends with the process. */
  readonly isUnbounded: boolean;
  /** A response contradicts a declared capability (decisions 5.16). */
  readonly onContradiction: (resource: Resource, disproof: CapabilityDisproof) => void;
  /** One guard for all snapshots of a source. */
  readonly shrinkGuard: ShrinkGuard;
  /** Called before any request gets a list that is admitted. */
  readonly onAdmit?: (resource: Resource) => void;
}

/** Fetches and revalidates on demand. The state of a snapshot (`SnapshotStore`) decides what a request gets. */
export class SnapshotCache {
  private readonly refreshes = new SingleFlight<Outcome<Snapshot>>();
  private readonly history: SnapshotHistory;
  private readonly store: SnapshotStore<RefreshBasis>;
  private readonly lastVia: LastVia;
  private readonly sharedRefreshes: SharedRefreshes;
  /** `completeListQuery` gives one object per resource, looked up with every request. */
  private readonly keys = new WeakMap<SourceQuery, SnapshotKey>();
  /**
   * How often another cache of this source served the resource instead (part of the keys of pushed-down queries), and
   * when it last did, in milliseconds since 1970.
   */
  private readonly generations = new Map<Resource, { readonly number: number; readonly since: number }>();
  /** The last failure while the source is suspended; of feeds, which may be suspended alone, by URL. */
  private readonly suspensions = new Map<string, FailureOutcome>();
  /** The longest deadline, in milliseconds, that passed before a refresh ended; until one succeeds within it. */
  private readonly outlasted = new Map<SnapshotKey['admitted'], number>();

  constructor(
    private readonly registration: SourceSettings,
    private readonly fetcher: SnapshotFetcher,
    private readonly services: SourceServices,
    private readonly options: SnapshotCacheOptions,
  ) {
    const { historyStore, clock, sharing } = services;
    const { store, isUnbounded, shrinkGuard, onAdmit = () => undefined } = options;
    // What other instances serve is not in this instance's history.
    const isShared = sharing !== undefined;
    this.history = isUnbounded
      ? new SnapshotHistory(undefined, isShared || historyStore?.forgotten.items)
      : new SnapshotHistory(historyStore, isShared);
    const { history } = this;
    const policy = { ...registration, shrinkGuard };
    this.store = new SnapshotStore({ ...services, ...registration, policy, store, history, onAdmit });
    this.lastVia = new LastVia(clock);
    this.sharedRefreshes = new SharedRefreshes({
      sharing,
      isUnbounded,
      supersededAt: ({ resource }) => this.generations.get(resource)?.since ?? -Infinity,
      store: this.store,
      clock,
      onAdopt: (key, query, shared) => {
        this.noteAdopted(key, query, shared);
      },
      publish: services.publish,
      shrinkGuard,
    });
  }

  /**
   * Serves a fresh snapshot, or a stale one during a refresh in the background; else waits for the refresh, which
   * concurrent requests share (decisions 7.2). At the deadline the last snapshot is served, and the refresh continues.
   * A private request waits for no request to the source that would disclose the query (decisions 8.7). Never rejects.
   */
  get(query: SourceQuery, context: SourceRequestContext): Promise<Outcome<Snapshot>> {
    const key = this.keyFor(query);
    const now = this.store.read(key);
    if (now.state === 'fresh') return Promise.resolve(now.outcome);
    if (context.isPrivate && disclosesQuery(query)) return Promise.resolve(this.store.getWithoutRequest(key));
    if (now.state === 'rejected') return Promise.resolve(now.outcome);
    const collapsed = this.refreshes.isInFlight(key.admitted);
    const refresh = this.refreshes.run(key.admitted, () =>
      runInOutcomeSpan(this.describeSpan(query, context), (trace) => this.refresh(key, query, { trace })),
    );
    if (now.state === 'stale' || now.state === 'excluded') return Promise.resolve(now.outcome);
    if (collapsed && this.hasOutlasted(key, context)) return Promise.resolve(this.giveUp(key, TIMED_OUT));
    context.onWait({ reason: now.state === 'none' ? 'miss' : 'stale', collapsed });
    return this.waitFor({ key, query }, refresh, context).then((outcome) => {
      if (isSufficient(outcome, key)) return outcome;
      // The refresh that this request joined was started for fewer records.
      return collapsed ? this.get(query, context) : toPartialOutcome(outcome);
    });
  }

  getFresh(query: SourceQuery): Outcome<Snapshot> | undefined {
    const now = this.store.read(this.keyFor(query));
    return now.state === 'fresh' ? now.outcome : undefined;
  }

  /** The last result that was not admitted, as long as it is cached. */
  getRejected(query: SourceQuery): Outcome<Snapshot> | undefined {
    return this.store.getRejected(this.keyFor(query))?.value.outcome;
  }

  availability(query: SourceQuery): SnapshotAvailability {
    return this.store.availability(this.keyFor(query));
  }

  /** Fresh or stale (decisions 6.12); without a usable snapshot the failure. Sends no request. */
  getFallback(query: SourceQuery, failure: FailureOutcome): Outcome<Snapshot> {
    const key = this.keyFor(query);
    const now = this.store.read(key);
    if (now.state === 'fresh') return now.outcome;
    const fallback = this.store.getFallback(key, failure);
    if (isFailure(fallback)) this.store.supersede(key);
    return fallback;
  }

  /**
   * Notes that another cache of this source serves the resource now: a complete list instead of pushed-down queries, or
   * the reverse. Under each key the next snapshot counts as changed (decisions 7.6); older pushed-down snapshots are no
   * longer used. `list`: the complete list in this cache's form, which an earlier process may have served.
   */
  supersedeAll(resource: Resource, list?: SourceQuery): void {
    const number = (this.generations.get(resource)?.number ?? 0) + 1;
    if (this.options.isUnbounded) this.generations.set(resource, { number, since: this.services.clock.now() });
    const { code } = this.registration;
    if (list !== undefined) this.history.supersede(this.keyFor(list).admitted);
    this.history.supersedeAll(sourceQueryKeyPrefix(code, resource));
  }

  /** After a response without these records the next snapshot counts as changed, even the first. */
  noteServedWithout(query: SourceQuery): void {
    this.history.supersedeAll(this.keyFor(query).admitted);
  }

  /** Takes the snapshot of an earlier process (operation 2.5.3). Never rejects. */
  async restore(query: SourceQuery, { snapshot, validators, weight }: Omit<SavedSnapshot, 'query'>): Promise<void> {
    const key = this.keyFor(query);
    if (key.sizeKey !== undefined)
      this.options.shrinkGuard.restore(key.sizeKey, countListedRecords(snapshot.set), snapshot.verifiedAt);
    await this.store.restore(key, snapshot, { weight, basis: { ...(validators && { validators }) } });
    this.sharedRefreshes.registerRestored({ key, query });
  }

  /** From now on another instance's snapshot is served (operation 2.5.4). */
  private noteAdopted(key: SnapshotKey, query: SourceQuery, { snapshot }: SharedSnapshot): void {
    const { shrinkGuard } = this.options;
    if (key.sizeKey !== undefined)
      shrinkGuard.adopt(key.sizeKey, countListedRecords(snapshot.set), snapshot.verifiedAt);
    this.suspensions.delete(suspensionKey(query));
    this.save(key, query);
    const outcome = this.store.getLast(key)?.value.outcome;
    if (outcome !== undefined) this.publishFetch(query, outcome, { kind: 'adopted' });
  }

  /** Only public lists, and parts that several queries need. */
  private save(key: SnapshotKey, query: SourceQuery): void {
    const { persistence } = this.services;
    const last = persistence && !this.options.isUnbounded ? this.store.getLast(key) : undefined;
    if (persistence === undefined || last?.value.outcome.state !== 'fresh') return;
    const { outcome, basis, weight } = last.value;
    persistence.save({ query, snapshot: outcome.snapshot, validators: basis?.validators, weight });
  }

  /** After a reload (operation 6.2): when records changed, and why the source is suspended; no snapshots themselves. */
  continueFrom(previous: SnapshotCache): void {
    this.history.continueFrom(previous.history);
    for (const [resource, generation] of previous.generations) this.generations.set(resource, generation);
    for (const [key, failure] of previous.suspensions) this.suspensions.set(key, failure);
  }

  /** Shares snapshots taken over from an earlier configuration. */
  continueSharing(previous: SnapshotCache): void {
    this.sharedRefreshes.continueFrom(previous.sharedRefreshes, (query) => this.keyFor(query));
  }

  /** Fetches as if the snapshot had expired (operation 3.5), or joins the refresh in progress. Never rejects. */
  refreshNow(query: SourceQuery): Promise<Outcome<Snapshot>> {
    const key = this.keyFor(query);
    return this.refreshes.run(key.admitted, () => this.refresh(key, query, { isRequested: true }));
  }

  /** The snapshots with which refreshes in progress began have been forgotten. */
  restartRefreshes(): void {
    this.store.voidRefreshes();
  }

  /** The number of records that other instances doubt (operation 3.5.3). Never rejects. */
  async learnDoubt(query: SourceQuery): Promise<void> {
    await this.sharedRefreshes.learnDoubt({ key: this.keyFor(query), query });
  }

  /** For the operator. Sends no request. */
  inspect(query: SourceQuery): ListInspection {
    const key = this.keyFor(query);
    const { sizeKey } = key;
    return {
      ...this.store.read(key),
      last: this.store.getLast(key),
      rejected: this.store.getRejected(key),
      isRefreshing: this.refreshes.isInFlight(key.admitted),
      doubt: sizeKey === undefined ? undefined : this.options.shrinkGuard.doubtOf(sizeKey),
      isShared: this.services.sharing !== undefined,
    };
  }

  private keyFor(query: SourceQuery): SnapshotKey {
    const known = this.keys.get(query);
    if (known !== undefined) return known;
    const key = createSnapshotKey(this.registration.code, query, this.generations.get(query.resource)?.number);
    this.keys.set(query, key);
    return key;
  }

  /** Returns a fallback when the deadline passes. */
  private waitFor(
    { key, query }: Pick<Refresh, 'key' | 'query'>,
    refresh: Promise<Outcome<Snapshot>>,
    context: SourceRequestContext,
  ): Promise<Outcome<Snapshot>> {
    let isDone = false;
    void refresh.then(() => {
      isDone = true;
    });
    const getFallback = (failure: FailureOutcome): Outcome<Snapshot> => this.giveUp(key, failure, isDone);
    const before =
      this.suspensions.get(suspensionKey(query)) ?? (this.hasOutlasted(key, context) ? TIMED_OUT : undefined);
    // A suspended source's refresh is the circuit breaker's trial request. A working source responds quickly; others
    // must not make a response wait for their timeout.
    const bounded =
      before === undefined ? refresh : Promise.race([refresh, resolveAfter(SHORT_WAIT, () => getFallback(before))]);
    return raceAbort(bounded, context.signal, () => {
      const { deadline } = context;
      if (!isDone && deadline !== undefined)
        this.outlasted.set(key.admitted, Math.max(deadline, this.outlasted.get(key.admitted) ?? 0));
      return getFallback(TIMED_OUT);
    });
  }

  /** Served in place of a refresh that is not waited for. */
  private giveUp(key: SnapshotKey, failure: FailureOutcome, isDone = false): Outcome<Snapshot> {
    if (!isDone) this.store.supersede(key);
    return this.store.getFallback(key, { ...failure, ...this.lastVia.get(key.resource.name) });
  }

  private hasOutlasted({ admitted }: SnapshotKey, { deadline = Infinity }: SourceRequestContext): boolean {
    return deadline <= (this.outlasted.get(admitted) ?? -Infinity);
  }

  /**
   * A late failure counts as outlasting any deadline: the next may be as late. Of unbounded snapshots only refreshes in
   * progress are remembered.
   */
  private noteDuration({ admitted }: SnapshotKey, outcome: Outcome<Snapshot>, milliseconds: number): void {
    const isAnswer = outcome.state !== 'stale' && !isFailure(outcome);
    if (this.options.isUnbounded || (isAnswer && milliseconds < (this.outlasted.get(admitted) ?? 0)))
      this.outlasted.delete(admitted);
    else if (!isAnswer && milliseconds > LATE_FAILURE) this.outlasted.set(admitted, Infinity);
  }

  /** Belongs to the request that started the refresh, and may end after it (operation 7.2). */
  private describeSpan({ resource }: SourceQuery, { trace }: SourceRequestContext): OutcomeSpan {
    const { publish } = this.services;
    return {
      parent: trace,
      name: `refresh ${this.registration.code}`,
      publish: (traced) => publish({ type: 'list refreshed', resource: resource.name, ...traced }),
    };
  }

  private async refresh(
    key: SnapshotKey,
    query: SourceQuery,
    options: Omit<Refresh, 'key' | 'query'> = {},
  ): Promise<Outcome<Snapshot>> {
    const end = this.store.markRefreshing(key);
    const { clock } = this.services;
    const started = clock.now();
    try {
      const refresh = { key, query, ...options };
      const outcome = await this.sharedRefreshes.refresh(refresh, (fetch) => this.fetchSnapshot(refresh, fetch));
      this.noteDuration(key, outcome, clock.now() - started);
      return outcome;
    } finally {
      end();
    }
  }

  /** With `shared` for all instances, else for this one. */
  private async fetchSnapshot(refresh: Refresh, shared: SharedFetch | undefined): Promise<Outcome<Snapshot>> {
    const { key, query, trace } = refresh;
    const publish = (result?: RefreshResult<RefreshBasis>): RefreshPublication | undefined =>
      shared && this.sharedRefreshes.createPublication(refresh, shared, result);
    const { epoch } = this.store;
    const started = this.services.clock.now();
    try {
      const last = this.store.getLast(key);
      const lastSnapshot = last && findSnapshot(last.value.outcome);
      const fetched = await this.fetcher.fetchSnapshot(query, {
        previous: this.findPrevious(key),
        last: lastSnapshot,
        trace,
      });
      // Race: the thread that completes the keys of the records may have been closed.
      this.services.stop.throwIfAborted();
      if (epoch !== this.store.epoch) {
        shared?.release();
        return await this.refresh(key, query, refresh);
      }
      this.lastVia.note(key.resource.name, getViaNames(fetched.outcome));
      const { access } = this.registration;
      const milliseconds = this.services.clock.now() - started;
      const read = describeReadList(fetched, { query, access, milliseconds });
      this.suspensions.delete(suspensionKey(query));
      const result = this.toRefreshResult(fetched);
      const outcome = await this.store.report(key, result, publish(result));
      if (epoch !== this.store.epoch) return await this.refresh(key, query, refresh);
      this.save(key, query);
      this.publishFetch(query, outcome, read);
      return outcome;
    } catch (error) {
      // Work given up for a stop or another configuration shows nothing of the source.
      if (this.services.stop.aborted) {
        shared?.release();
        return this.store.getFallback(key, TIMED_OUT);
      }
      // Each instance detects wrong capabilities itself, and then fetches the complete list.
      const isDisproof = error instanceof CapabilityContradiction;
      if (isDisproof) shared?.release();
      if (isDisproof) this.options.onContradiction(query.resource, error.disproof);
      const failure = asFailure(error);
      const failed = this.toFailureOutcome(failure, query);
      const milliseconds = this.services.clock.now() - started;
      const outcome = this.store.fail(key, failed, isDisproof ? undefined : publish());
      const detail = failure.message;
      this.publishFetch(query, outcome, { kind: 'failed', milliseconds, failure: failed, detail, isDisproof });
      return outcome;
    }
  }

  private toFailureOutcome(failure: SourceFailure, query: SourceQuery): FailureOutcome {
    const { resource } = query;
    const { reason, via, detail } = failure;
    this.lastVia.note(resource.name, via);
    const facts = { reason, ...(detail && { detail }), ...this.lastVia.get(resource.name) };
    if (!(failure instanceof SuspendedFailure)) return { state: 'failed', ...facts };
    const suspended: FailureOutcome = { state: 'suspended', ...facts };
    this.suspensions.set(suspensionKey(query), suspended);
    return suspended;
  }

  private publishFetch(query: SourceQuery, outcome: Outcome<Snapshot>, result: FetchFinished['result']): void {
    const { publish, clock } = this.services;
    publish(createFetchEvent(query, { outcome, result, at: clock.now() }));
  }

  /** A snapshot with validators and enough records, while 304 responses are trusted (decisions 7.5). */
  private findPrevious(key: SnapshotKey): PreviousSnapshot | undefined {
    const now = this.services.clock.now();
    const last = this.store.getLast(key, true);
    const snapshot = last && findSnapshot(last.value.outcome);
    if (last === undefined || snapshot === undefined) return undefined;
    const { validators } = last.value.basis ?? {};
    if (!hasEnoughRecords(snapshot, key.minRecords)) return undefined;
    // After the clock was set back, the age of the snapshot is unknown.
    const trusted = snapshot.fetchedAt <= now && now < snapshot.fetchedAt + MAX_UNVERIFIED_MS;
    return trusted && validators !== undefined ? { snapshot, validators } : undefined;
  }

  private toRefreshResult({ outcome, validators, drainResult }: SnapshotFetchResult): RefreshResult<RefreshBasis> {
    const weight = drainResult && estimateDrainMemory(drainResult, outcome.state === 'fresh' ? validators : undefined);
    const basis: RefreshBasis = { ...(validators && { validators }) };
    return { outcome, basis, ...(weight !== undefined && { weight }) };
  }
}

/** The source, or one of its feeds. */
function suspensionKey({ parameters }: SourceQuery): string {
  return parameters['feed'] ?? '';
}

/** Without records: positions of the missing ones in the order are unknown. */
function toPartialOutcome(outcome: Outcome<Snapshot>): Outcome<Snapshot> {
  if (outcome.state === 'fresh') return { state: 'partial', reason: 'total' };
  if (outcome.state !== 'partial' && outcome.state !== 'inconsistent') return outcome;
  const { reason, total } = outcome;
  return { state: 'partial', reason, ...(total !== undefined && { total }) };
}
