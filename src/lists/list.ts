import { findSnapshot, getViaNames } from '../model/outcome.js';
import type { Outcome } from '../model/outcome.js';
import type { TraceSpan } from '../model/tracer.js';
import type { RecordSet } from '../records/record-set.js';
import { SuspendedFailure } from '../source/client/circuit-breaker.js';
import { raceAbort, resolveAfter } from '../source/client/abortable-wait.js';
import { asFailure } from '../source/client/source-failure.js';
import type { SourceFailure } from '../source/client/source-failure.js';
import { runInOutcomeSpan } from './outcome-span.js';
import type { OutcomeSpan } from './outcome-span.js';
import { disclosesQuery } from '../source/request/source-request-context.js';
import type { SourceRequestContext } from '../source/request/source-request-context.js';
import { MAX_UNVERIFIED_MS } from './reading/list-reader.js';
import type { ListReader, PreviousSnapshot, ListReadResult } from './reading/list-reader.js';
import { createFetchEvent, describeReadList } from './status/fetch-event.js';
import { CapabilityContradiction } from './push-down/believed-capabilities.js';
import { estimateDrainMemory } from './memory-estimate.js';
import type { FetchFinished, PublishOfSource } from '../events/event.js';
import { isDatedFromStart } from './list-id.js';
import type { ListId } from './list-id.js';
import { judge } from './judge.js';
import type { JudgePolicy, Moment, Reading } from './judge.js';
import type { LastVia } from './last-via-header.js';
import type { TrustedSize } from './shrink-guard.js';
import type { Clock } from '../model/clock.js';
import type { SourceSettings } from '../source/source-settings.js';
import type { SourceQuery } from '../source/request/source-query.js';
import type { BelievedCapabilities } from './push-down/believed-capabilities.js';
import {
  availabilityAt,
  fallbackAt,
  isFailure,
  lastOutcome,
  outcomeAt,
  outcomeWithoutRequest,
  timesOf,
  usableSnapshot,
} from './list-state.js';
import type { FailureOutcome, ListState, OutcomeNow } from './list-state.js';
import { toSharedOutcome } from './shared-lists.js';
import type { SharedLease, SharedLists, SharedRejection } from './shared-lists.js';
import type { ListTimes, Snapshot, UsedList } from './snapshot.js';
import type { StoredList } from './stored-list.js';

/**
 * Milliseconds a response waits for a suspended source's trial request, or a refresh after one that outlasted a
 * response's deadline (decisions 5.8, 6.13).
 */
const SHORT_WAIT = 300;

/** Milliseconds; a refresh that failed later is not waited for again. Refused connections and errors take less. */
const LATE_FAILURE = 2_000;

const TIMED_OUT: FailureOutcome = Object.freeze({ state: 'failed', reason: 'timeout' });

interface RefreshOptions {
  /** By an operator, although an earlier result may still count. */
  readonly isRequested?: boolean;
  /** Absent: not traced. */
  readonly trace?: TraceSpan | undefined;
}

/** The lists of a source, of which each is one. */
export interface ListOwner {
  readonly code: string;
  readonly registration: Pick<SourceSettings, 'access'>;
  readonly policy: JudgePolicy;
  readonly services: {
    readonly reader: Pick<ListReader, 'fetchSnapshot'>;
    readonly shared?: SharedLists | undefined;
    readonly clock: Clock;
    readonly publish: PublishOfSource;
    readonly stop: AbortSignal;
  };
  readonly capabilities: Pick<BelievedCapabilities, 'disprove'>;
  readonly lastVia: LastVia;
  readonly moment: Moment;
  put(list: List, state: ListState): void;
  find(query: SourceQuery): List;
  /** It is not one that was forgotten. */
  isCurrent(list: List): boolean;
  /** Until the result is called, the list is kept however short memory is. */
  beginRefresh(list: List): () => void;
  noteEvicted(list: List): void;
  sizeOf(id: ListId): TrustedSize | undefined;
  setSize(id: ListId, size: TrustedSize | undefined): void;
  /** Of a list that was accepted elsewhere, which may be from before a doubt. */
  trustSize(id: ListId, list: StoredList): void;
  /** Returns whether the rejection counts here, too: not one of a number of records that was confirmed here. */
  adoptDoubt(id: ListId, rejection: SharedRejection): boolean;
  suspensionOf(id: ListId): FailureOutcome | undefined;
  noteSuspension(id: ListId, failure: FailureOutcome): void;
  endSuspension(id: ListId): void;
  /** What the feeds of the source give together. */
  reportFeeds(query: SourceQuery, event: FetchFinished): void;
}

/** One list of a source: what is known of it, and at most one refresh at a time, shared by all who wait. */
export class List {
  state: ListState;
  private refreshing: Promise<Outcome<Snapshot>> | undefined;
  /** The longest deadline, in milliseconds, that passed before a refresh ended; until one succeeds within it. */
  private outlasted = -Infinity;

  constructor(
    readonly id: ListId,
    private readonly lists: ListOwner,
    isInterrupted = isDatedFromStart(id),
  ) {
    this.state = { at: -Infinity, isInterrupted, weight: 0 };
  }

  get isRefreshing(): boolean {
    return this.refreshing !== undefined;
  }

  get current(): OutcomeNow {
    return outcomeAt(this.state, this.now, this.lists.policy);
  }

  /**
   * A fresh snapshot, or a stale one during a refresh in the background; else the result of the refresh, which concurrent
   * requests share (decisions 7.2). At the deadline the last snapshot is served, and the refresh continues. A private
   * request waits for no request to the source that would disclose the query (decisions 8.7). Never rejects.
   */
  get(context: SourceRequestContext): Promise<Outcome<Snapshot>> {
    const { current } = this;
    if (current.state === 'fresh') return Promise.resolve(current.outcome);
    if (context.isPrivate && disclosesQuery(this.id.query))
      return Promise.resolve(outcomeWithoutRequest(this.id, this.state, this.now, this.lists.policy));
    if (current.state === 'rejected') return Promise.resolve(current.outcome);
    const joins = this.isRefreshing;
    const refresh = this.refresh({ trace: context.trace });
    if (current.state === 'stale' || current.state === 'excluded') return Promise.resolve(current.outcome);
    if (joins && this.hasOutlasted(context)) return Promise.resolve(this.giveUp(TIMED_OUT));
    context.onWait({ reason: current.state === 'none' ? 'miss' : 'stale', collapsed: joins });
    return this.waitFor(refresh, context);
  }

  getFresh(): Outcome<Snapshot> | undefined {
    const { current } = this;
    return current.state === 'fresh' ? current.outcome : undefined;
  }

  get availability(): ReturnType<typeof availabilityAt> {
    return availabilityAt(this.state, this.now, this.lists.policy);
  }

  /** Fresh or stale (decisions 6.12); without a usable snapshot the failure. Sends no request. */
  getFallback(failure: FailureOutcome): Outcome<Snapshot> {
    return this.getFresh() ?? this.giveUp(failure);
  }

  /** Reads the list again, or joins the refresh in progress. Never rejects. */
  refresh(options: RefreshOptions = {}): Promise<Outcome<Snapshot>> {
    this.refreshing ??= this.startRefresh(options);
    return this.refreshing;
  }

  /** Returns what is served: of a list that does not fit into memory, once. */
  private take(state: ListState): Outcome<Snapshot> | undefined {
    this.lists.put(this, state);
    return lastOutcome(this.state) ?? lastOutcome(state);
  }

  /** Of an earlier process, unless too old to be served, or a newer one is known (operation 2.5.3). */
  restore(stored: StoredList): void {
    const { now } = this;
    const { ttl, staleWhileRevalidate } = this.lists.policy;
    const latest = stored.isOutdated === true ? now - staleWhileRevalidate : now + ttl;
    // After a clock was set back, the age is unknown.
    const freshUntil = stored.verifiedAt > now ? now : Math.min(stored.staleAt, stored.verifiedAt + ttl);
    const staleAt = Math.min(freshUntil, latest);
    const snapshot = { ...this.toSnapshot(stored), staleAt };
    if (this.state.snapshot !== undefined || usableSnapshot({ snapshot }, now, this.lists.policy) === undefined) return;
    this.take({ at: now, snapshot, validators: stored.validators, isInterrupted: false, weight: stored.weight });
  }

  /**
   * After a reload (operation 6.2). From `latest` on, in milliseconds since 1970, the snapshot is expired. Then it is read as a
   * whole, because the same pages may give other records, and trouble is forgotten.
   */
  continueFrom({ state }: List, latest: number): void {
    const renew = (snapshot: Snapshot): Snapshot => {
      // A request waits for the refresh: the records before it may be fewer than the configuration lets through.
      const staleAt = Math.min(snapshot.staleAt, latest - this.lists.policy.staleWhileRevalidate);
      return { ...snapshot, staleAt, lists: [this.use({ ...snapshot, staleAt })] };
    };
    const { snapshot, trouble } = state;
    if (snapshot === undefined && trouble === undefined) return;
    const isStale = latest !== Infinity;
    const outcome = trouble && mapSnapshot(trouble.outcome, renew);
    this.take({
      ...state,
      snapshot: snapshot && renew(snapshot),
      validators: isStale ? undefined : state.validators,
      trouble: outcome && !isStale ? { ...trouble, outcome } : undefined,
    });
  }

  /** Something else was served before; at `changedAt`, in milliseconds since 1970, that has ended. */
  countAsChanged(changedAt: number): void {
    const { snapshot, trouble } = this.state;
    if (snapshot === undefined || trouble !== undefined) this.state = { ...this.state, isInterrupted: true };
    if (snapshot !== undefined) this.take({ ...this.state, snapshot: { ...snapshot, changedAt } });
  }

  /** For other places (`StoredList`). Undefined: nothing that was accepted last. */
  store(): StoredList | undefined {
    const { snapshot, trouble, validators, weight } = this.state;
    if (snapshot === undefined || trouble !== undefined) return undefined;
    return { ...snapshot, query: this.id.query, validators, weight };
  }

  /** Memory is short. What was served remains known as far as dates need it. */
  evict(): void {
    this.lists.noteEvicted(this);
    this.state = { at: this.now, isInterrupted: true, weight: 0 };
  }

  private get now(): number {
    return this.lists.services.clock.now();
  }

  /** Returns a fallback when the deadline passes. */
  private waitFor(refresh: Promise<Outcome<Snapshot>>, context: SourceRequestContext): Promise<Outcome<Snapshot>> {
    let isDone = false;
    void refresh.then(() => {
      isDone = true;
    });
    const getFallback = (failure: FailureOutcome): Outcome<Snapshot> => this.giveUp(failure, isDone);
    const before = this.lists.suspensionOf(this.id) ?? (this.hasOutlasted(context) ? TIMED_OUT : undefined);
    // A suspended source's refresh is the circuit breaker's trial request. A working source responds quickly; others
    // must not make a response wait for their timeout.
    const bounded =
      before === undefined ? refresh : Promise.race([refresh, resolveAfter(SHORT_WAIT, () => getFallback(before))]);
    return raceAbort(bounded, context.signal, () => {
      const { deadline } = context;
      if (!isDone && deadline !== undefined) this.outlasted = Math.max(deadline, this.outlasted);
      return getFallback(TIMED_OUT);
    });
  }

  /** Served in place of a refresh that is not waited for. Without a snapshot, the next one is another answer. */
  private giveUp(failure: FailureOutcome, isDone = false): Outcome<Snapshot> {
    const { policy } = this.lists;
    const named = { ...failure, ...this.lists.lastVia.get(this.id.query.resource.name) };
    const outcome = fallbackAt(this.id, this.state, named, { now: this.now, policy });
    if (isFailure(outcome) && !isDone) this.state = { ...this.state, isInterrupted: true };
    return outcome;
  }

  private hasOutlasted({ deadline = Infinity }: SourceRequestContext): boolean {
    return deadline <= this.outlasted;
  }

  private startRefresh({ isRequested = false, trace: parent }: RefreshOptions): Promise<Outcome<Snapshot>> {
    const { publish, clock } = this.lists.services;
    const { resource } = this.id.query;
    const started = clock.now();
    // Belongs to the request that started the refresh, and may end after it (operation 7.2).
    const span: OutcomeSpan = {
      parent,
      name: `refresh ${this.lists.code}`,
      publish: (traced) => publish({ type: 'list refreshed', resource: resource.name, ...traced }),
    };
    const end = this.lists.beginRefresh(this);
    return runInOutcomeSpan(span, (trace) => this.readOrAdopt(isRequested, trace))
      .then((outcome) => {
        this.noteDuration(outcome, clock.now() - started);
        return outcome;
      })
      .finally(() => {
        this.refreshing = undefined;
        end();
      });
  }

  /** A late failure counts as outlasting any deadline: the next may be as late. */
  private noteDuration(outcome: Outcome<Snapshot>, milliseconds: number): void {
    const isAnswer = outcome.state !== 'stale' && !isFailure(outcome);
    if (isAnswer && milliseconds < this.outlasted) this.outlasted = -Infinity;
    else if (!isAnswer && milliseconds > LATE_FAILURE) this.outlasted = Infinity;
  }

  /** From the source only where no other instance reads it (operation 2.5.4). */
  private async readOrAdopt(isOperators: boolean, trace: TraceSpan | undefined): Promise<Outcome<Snapshot>> {
    const { shared } = this.lists.services;
    for (let isRequested = isOperators; shared !== undefined;) {
      const after = this.state.snapshot?.verifiedAt ?? -Infinity;
      const claim = await shared.claim(this.id.query, { after, isRequested });
      if (claim.state === 'granted') return this.read(trace, claim.lease);
      if (!this.lists.isCurrent(this)) return this.refreshCurrent(trace);
      if (claim.state === 'unreachable') break;
      if (claim.state === 'found') {
        const outcome = this.adopt(claim.list);
        // A stale list is better than none, and is read again.
        if (this.now < claim.list.staleAt) return outcome;
      } else if (claim.state === 'busy') await claim.change;
      else if (this.lists.adoptDoubt(this.id, claim.rejection)) return this.adoptRejection(claim.rejection);
      // An operator has confirmed the number here, and the other instance does not know that. A list that was published
      // after an operator's request satisfies it.
      isRequested = claim.state === 'rejected';
    }
    return this.read(trace);
  }

  private adopt(stored: StoredList): Outcome<Snapshot> {
    this.lists.trustSize(this.id, stored);
    this.lists.endSuspension(this.id);
    const outcome =
      this.take({
        at: this.now,
        snapshot: this.toSnapshot(stored),
        validators: stored.validators,
        isInterrupted: false,
        weight: stored.weight,
      }) ?? TIMED_OUT;
    this.publishFetch(outcome, { kind: 'adopted' });
    return outcome;
  }

  private adoptRejection({ outcome, retryAt }: SharedRejection): Outcome<Snapshot> {
    const { policy } = this.lists;
    const known = { id: this.id, state: this.state, size: this.lists.sizeOf(this.id) };
    const { state } = judge(known, { outcome, isUnchanged: false, retryAt }, this.lists.moment, policy);
    const served = this.take(state) ?? outcome;
    this.publishFetch(served, { kind: 'adopted' });
    return served;
  }

  private toSnapshot({ set, fetchedAt, verifiedAt, staleAt, ...facts }: StoredList): Snapshot {
    const { changedAt, lastModified, via, expressions, unreadProperties } = facts;
    return {
      ...{ set, fetchedAt, verifiedAt, staleAt, changedAt, lastModified, via, expressions, unreadProperties },
      lists: [this.use({ set, verifiedAt, staleAt })],
    };
  }

  /** With `lease` for all instances, else for this one. */
  private async read(trace: TraceSpan | undefined, lease?: SharedLease): Promise<Outcome<Snapshot>> {
    const { stop, clock } = this.lists.services;
    const started = clock.now();
    const read = await this.fetch(trace, started);
    // Work given up for a stop or another configuration shows nothing of the source.
    if (stop.aborted) {
      lease?.release();
      return fallbackAt(this.id, this.state, TIMED_OUT, { now: this.now, policy: this.lists.policy });
    }
    if (!this.lists.isCurrent(this)) {
      lease?.release();
      return this.refreshCurrent(trace);
    }
    const known = { id: this.id, state: this.state, size: this.lists.sizeOf(this.id) };
    const { state, size, shrunk } = judge(known, read.reading, this.lists.moment, this.lists.policy);
    this.lists.setSize(this.id, size);
    if (shrunk !== undefined)
      this.lists.services.publish({ type: 'source returned far fewer records than before', ...shrunk });
    const outcome = this.take(state) ?? read.reading.outcome;
    await this.share(read.isDisproof, lease);
    this.publishFetch(outcome, read.result);
    return outcome;
  }

  /** This one was forgotten meanwhile: what was read or published before counts no more. */
  private refreshCurrent(trace: TraceSpan | undefined): Promise<Outcome<Snapshot>> {
    return this.lists.find(this.id.query).refresh({ trace });
  }

  /** The one place where a failure becomes a value. */
  private async fetch(trace: TraceSpan | undefined, started: number): Promise<FinishedRead> {
    const { clock, reader } = this.lists.services;
    const { query } = this.id;
    const { weight } = this.state;
    try {
      const last = usableSnapshot(this.state, this.now, this.lists.policy);
      const fetched = await reader.fetchSnapshot(query, { previous: this.findPrevious(), last, trace });
      const reading = await this.toReading(fetched, weight);
      this.lists.lastVia.note(query.resource.name, getViaNames(fetched.outcome));
      this.lists.endSuspension(this.id);
      const { access } = this.lists.registration;
      const facts = { query, access, milliseconds: clock.now() - started };
      return { reading, result: describeReadList(fetched, facts), isDisproof: false };
    } catch (error) {
      const isDisproof = error instanceof CapabilityContradiction;
      if (isDisproof) this.lists.capabilities.disprove(query.resource, error.disproof);
      const failure = asFailure(error);
      const outcome = this.toFailureOutcome(failure);
      const milliseconds = clock.now() - started;
      const result = { kind: 'failed', milliseconds, failure: outcome, detail: failure.message, isDisproof } as const;
      return { reading: { outcome, isUnchanged: false }, result, isDisproof };
    }
  }

  /**
   * Equal records keep the known set, so that results computed from it stay valid. `confirmed`: the weight of the snapshot
   * that the source was asked to confirm, which may have been evicted meanwhile.
   */
  private async toReading({ outcome, validators, drainResult }: ListReadResult, confirmed: number): Promise<Reading> {
    const weight = drainResult
      ? estimateDrainMemory(drainResult, outcome.state === 'fresh' ? validators : undefined)
      : confirmed;
    const snapshot = findSnapshot(outcome);
    if (snapshot === undefined || !('snapshot' in outcome)) return { outcome, weight, isUnchanged: false };
    const known = outcome.state === 'fresh' ? this.state.snapshot?.set : undefined;
    const isUnchanged = known !== undefined && (await hasSameRecords(known, snapshot.set));
    const set = isUnchanged ? known : snapshot.set;
    const used = { ...snapshot, set, lists: [this.use({ ...snapshot, set })] };
    return { outcome: { ...outcome, snapshot: used }, validators, weight, isUnchanged };
  }

  /** A snapshot with validators, while 304 responses are trusted (decisions 7.5). */
  private findPrevious(): PreviousSnapshot | undefined {
    const { now } = this;
    const { validators } = this.state;
    const snapshot = usableSnapshot(this.state, now, this.lists.policy);
    if (snapshot === undefined || validators === undefined) return undefined;
    // After the clock was set back, the age of the snapshot is unknown.
    const isTrusted = snapshot.fetchedAt <= now && now < snapshot.fetchedAt + MAX_UNVERIFIED_MS;
    return isTrusted ? { snapshot, validators } : undefined;
  }

  private toFailureOutcome(failure: SourceFailure): FailureOutcome {
    const { resource } = this.id.query;
    const { reason, via, detail } = failure;
    this.lists.lastVia.note(resource.name, via);
    const facts = { reason, ...(detail && { detail }), ...this.lists.lastVia.get(resource.name) };
    if (!(failure instanceof SuspendedFailure)) return { state: 'failed', ...facts };
    const suspended: FailureOutcome = { state: 'suspended', ...facts };
    this.lists.noteSuspension(this.id, suspended);
    return suspended;
  }

  /** Each instance detects wrong capabilities itself, and then reads the whole list. */
  private async share(isDisproof: boolean, lease: SharedLease | undefined): Promise<void> {
    if (lease === undefined) return;
    const { trouble, snapshot } = this.state;
    const stored = this.store();
    if (stored !== undefined && snapshot !== undefined) {
      await lease.publish(stored, snapshot.staleAt + this.lists.policy.staleIfError);
      return;
    }
    const outcome = trouble && toSharedOutcome(trouble.outcome);
    if (isDisproof || outcome === undefined) lease.release();
    else lease.reject({ outcome, retryAt: trouble?.retryAt ?? 0, doubt: this.lists.sizeOf(this.id) });
  }

  private publishFetch(outcome: Outcome<Snapshot>, result: FetchFinished['result']): void {
    const { publish, clock } = this.lists.services;
    const event = createFetchEvent(this.id, { outcome, result, at: clock.now() });
    publish(event);
    if (this.id.kind === 'feed') this.lists.reportFeeds(this.id.query, event);
  }

  /** Its times at any later moment, as long as it has these records. */
  private use({ set, verifiedAt, staleAt }: Pick<Snapshot, 'set' | 'verifiedAt' | 'staleAt'>): UsedList {
    // No more than these: a snapshot refers to the lists of the application before.
    const used = { set, verifiedAt, staleAt };
    const getTimes = (): ListTimes => {
      const { snapshot } = this.state;
      const shown = snapshot?.set === used.set ? snapshot : used;
      const { staleAt, waitAt } = timesOf(this.state, shown, this.now, this.lists.policy);
      return { verifiedAt: shown.verifiedAt, staleAt, waitAt, isRefreshing: this.isRefreshing };
    };
    return {
      get times() {
        return getTimes();
      },
    };
  }
}

interface FinishedRead {
  readonly reading: Reading;
  readonly result: FetchFinished['result'];
  /** The source evaluated a query wrongly. */
  readonly isDisproof: boolean;
}

function mapSnapshot(outcome: Outcome<Snapshot>, map: (snapshot: Snapshot) => Snapshot): Outcome<Snapshot> {
  const snapshot = findSnapshot(outcome);
  return snapshot !== undefined && 'snapshot' in outcome ? { ...outcome, snapshot: map(snapshot) } : outcome;
}

async function hasSameRecords(known: RecordSet, set: RecordSet): Promise<boolean> {
  return known === set || (await known.fingerprint()) === (await set.fingerprint());
}
