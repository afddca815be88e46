import type { HeldStore } from '../hold/held.js';
import { Shared } from '../hold/shared.js';
import { copyOf, shownDetail, viaOf } from '../model/outcome.js';
import type { Outcome } from '../model/outcome.js';
import type { Resource } from '../model/resource.js';
import { teamKeys } from '../model/resources/data-teams.js';
import type { Availability } from '../plan/way.js';
import { tellsOfQuery } from './asking.js';
import type { Asking } from './asking.js';
import { Suspended } from './breaker.js';
import { Contradiction } from './claims.js';
import type { Disproof } from './claims.js';
import type { Collected, Collector, Known } from './collect.js';
import { asFailure } from './failure.js';
import type { Findings } from './findings.js';
import type { Basis, Kept, Registration, SourceHouse } from './registration.js';
import { History } from './snapshot/history.js';
import { LastVia } from './snapshot/last-via.js';
import type { ShrinkGuard } from './snapshot/shrink-guard.js';
import { isFailure, reachesTo, satisfies } from './snapshot/snapshot.js';
import type { Copy, FailureOutcome, SnapshotKey } from './snapshot/snapshot.js';
import { SnapshotStore } from './snapshot/store.js';
import type { RefreshResult } from './snapshot/store.js';
import { after, unlessAborted } from './waiting.js';
import { weightOf } from './weight.js';
import { snapshotKeyOf } from './wish.js';
import type { Wish } from './wish.js';

/** Milliseconds that an answer waits for the trial request to a source that was suspended. */
const TRIAL_PATIENCE = 300;

const TIMED_OUT: FailureOutcome = Object.freeze({ state: 'failed', reason: 'timeout' });

export interface SnapshotCacheParts {
  readonly store: HeldStore<Kept>;
  /** Whether there may be any number of snapshots, as of items and of pushed-down queries: these are not remembered across restarts. */
  readonly any: boolean;
  /** Called when an answer contradicts a claimed capability. */
  readonly contradicted: (resource: Resource, disproof: Disproof) => void;
  /** One for all snapshots of a source. */
  readonly guard: ShrinkGuard;
  /** Called with the resource of an admitted list before anybody is given it; optional. */
  readonly admitting?: (resource: Resource) => void;
}

/** Snapshots of one source, fetched and revalidated on demand. What each request is given is decided by their state (`SnapshotStore`). */
export class SnapshotCache {
  private readonly refreshes = new Shared<Outcome<Copy>>();
  private readonly history: History;
  private readonly store: SnapshotStore<Basis>;
  private readonly lastVia: LastVia;
  /** By wish: some exist once for each resource (`wholeOf`), and are asked for over and over. */
  private readonly keys = new WeakMap<Wish, SnapshotKey>();
  /** How often other records of a resource were given than these snapshots: part of the keys of pushed-down queries. */
  private readonly generations = new Map<Resource, number>();
  /** The last failure, while the source is suspended. */
  private suspended: FailureOutcome | undefined;

  constructor(
    private readonly registration: Registration,
    private readonly collector: Collector,
    private readonly house: SourceHouse,
    private readonly parts: SnapshotCacheParts,
  ) {
    const { memory, clock } = house;
    const { store, any, guard, admitting = () => undefined } = parts;
    this.history = any ? new History(undefined, memory?.forgotten.items) : new History(memory);
    const { history } = this;
    const policy = { ...registration, guard };
    this.store = new SnapshotStore({ ...house, ...registration, policy, store, history, admitting });
    this.lastVia = new LastVia(clock);
  }

  /**
   * A fresh snapshot; a stale one, while it is revalidated; else the result of a refresh, which all requests share. When the deadline of a request
   * ends its wait, the last snapshot stands in, and the refresh continues for the next request. A private request is never waited for, where it would
   * tell the source of the query. Never rejects.
   */
  get(wish: Wish, asking: Asking): Promise<Outcome<Copy>> {
    const key = this.key(wish);
    const now = this.store.read(key);
    if (now.state === 'fresh') return Promise.resolve(now.outcome);
    if (asking.private && tellsOfQuery(wish)) return Promise.resolve(this.store.withoutRequest(key));
    if (now.state === 'rejected') return Promise.resolve(now.outcome);
    const collapsed = this.refreshes.isUnderWay(key.admitted);
    const refresh = this.refreshes.run(key.admitted, () => this.refresh(key, wish));
    if (now.state === 'stale' || now.state === 'excluded') return Promise.resolve(now.outcome);
    asking.waits({ why: now.state === 'none' ? 'miss' : 'stale', collapsed });
    return this.waitFor(key, refresh, asking.signal).then((outcome) => {
      if (satisfies(outcome, key)) return outcome;
      // The refresh that was joined reaches less far.
      return collapsed ? this.get(wish, asking) : tooShort(outcome);
    });
  }

  /** The snapshot within its time to live; undefined where there is none. Sends no request. */
  fresh(wish: Wish): Outcome<Copy> | undefined {
    const now = this.store.read(this.key(wish));
    return now.state === 'fresh' ? now.outcome : undefined;
  }

  /** The last result that was not admitted, as long as it is remembered. Sends no request. */
  rejected(wish: Wish): Outcome<Copy> | undefined {
    return this.store.rejected(this.key(wish))?.value.outcome;
  }

  /** How much of a wish is at hand. Sends no request. */
  availability(wish: Wish): Availability {
    return this.store.availability(this.key(wish));
  }

  /** The snapshot in place of a failure: fresh within its time to live, stale beyond it; else the failure. Sends no request. */
  fallback(wish: Wish, failure: FailureOutcome): Outcome<Copy> {
    const key = this.key(wish);
    const now = this.store.read(key);
    if (now.state === 'fresh') return now.outcome;
    const instead = this.store.fallback(key, failure);
    if (isFailure(instead)) this.store.supersede(key);
    return instead;
  }

  /**
   * Records of a resource are given that are none of these snapshots: a whole list in place of pushed-down queries, or the reverse. The next snapshot
   * of each is a change. Older snapshots of pushed-down queries are not given any more.
   */
  supersedeAll(resource: Resource): void {
    if (this.parts.any) this.generations.set(resource, (this.generations.get(resource) ?? 0) + 1);
    this.history.supersedeAll(`${this.registration.code} ${resource.name} `);
  }

  /** An answer was given without what the wish names: its next snapshot is a change, even the first. */
  answeredWithout(wish: Wish): void {
    this.history.supersedeAll(this.key(wish).admitted);
  }

  private key(wish: Wish): SnapshotKey {
    const known = this.keys.get(wish);
    if (known !== undefined) return known;
    const key = snapshotKeyOf(this.registration.code, wish, this.generations.get(wish.resource));
    this.keys.set(wish, key);
    return key;
  }

  /** The result of the refresh; or a fallback, when that takes too long. */
  private waitFor(key: SnapshotKey, refresh: Promise<Outcome<Copy>>, signal: AbortSignal): Promise<Outcome<Copy>> {
    let over = false;
    void refresh.then(() => {
      over = true;
    });
    const instead = (failure: FailureOutcome): Outcome<Copy> => {
      if (!over) this.store.supersede(key);
      return this.store.fallback(key, { ...failure, ...this.lastVia.of(key.resource.name) });
    };
    const before = this.suspended;
    // A trial request: a source that works again is fast, and no request waits until one that does not has timed out.
    const patient =
      before === undefined ? refresh : Promise.race([refresh, after(TRIAL_PATIENCE, () => instead(before))]);
    return unlessAborted(patient, signal, () => instead(TIMED_OUT));
  }

  private async refresh(key: SnapshotKey, wish: Wish): Promise<Outcome<Copy>> {
    const started = this.house.clock.now();
    const end = this.store.refreshing(key);
    try {
      const collected = await this.collector.collect(wish, this.known(key));
      const { drained, outcome: found } = collected;
      this.lastVia.note(key.resource.name, viaOf(found));
      if (found.state === 'excluded') this.log('warn', 'source excluded', { wish, started, more: found });
      else if (drained !== undefined) {
        const { received: records, bytes, findings } = drained;
        const more = { records, bytes, findings: Object.fromEntries(findings) };
        this.log('info', 'source drained', { wish, started, more });
      }
      this.suspended = undefined;
      return this.metered(wish, await this.store.report(key, this.resultOf(key, collected)), drained?.findings);
    } catch (error) {
      return this.metered(wish, this.store.fail(key, this.failed(error, wish, started)));
    } finally {
      end();
    }
  }

  private failed(error: unknown, wish: Wish, started: number): FailureOutcome {
    const { resource } = wish;
    if (error instanceof Contradiction) this.parts.contradicted(resource, error.disproof);
    const failure = asFailure(error);
    const { reason, message, via, detail } = failure;
    this.lastVia.note(resource.name, via);
    const state = failure instanceof Suspended ? 'suspended' : 'failed';
    const outcome: FailureOutcome = { state, reason, ...(detail && { detail }), ...this.lastVia.of(resource.name) };
    const more = { reason, ...shownDetail(outcome), detail: message };
    // A request that the process itself ends says nothing about the source.
    if (!this.house.stop.aborted) this.log('warn', 'source failed', { wish, started, more });
    if (state === 'suspended') this.suspended = outcome;
    return outcome;
  }

  /** What a refresh can start from: a snapshot that the source may confirm, for as long as that is trusted; or a fresh front that is too short. */
  private known(key: SnapshotKey): Known | undefined {
    const now = this.house.clock.now();
    const last = this.store.last(key, true);
    const copy = last && copyOf(last.value.outcome);
    if (last === undefined || copy === undefined) return undefined;
    const { proof, front } = last.value.basis ?? {};
    if (!reachesTo(copy, key.reach)) return front !== undefined && now < last.staleAt ? { copy, front } : undefined;
    const trusted = now < copy.fetchedAt + this.registration.maxUnverified;
    return trusted && proof !== undefined ? { copy, proof } : undefined;
  }

  private resultOf(key: SnapshotKey, { outcome, proof, front, drained }: Collected): RefreshResult<Basis> {
    // A snapshot that was only confirmed can still reach further.
    const kept = front ?? (drained === undefined ? this.store.last(key, true)?.value.basis?.front : undefined);
    const weight = drained && weightOf(drained, outcome.state === 'fresh' ? proof : undefined);
    const basis = { ...(proof && { proof }), ...(kept && { front: kept }) };
    return { outcome, basis, ...(weight !== undefined && { weight }) };
  }

  /** `started` is in milliseconds since 1970. */
  private log(
    level: 'info' | 'warn',
    message: string,
    { wish, started, more }: { readonly wish: Wish; readonly started: number; readonly more: object },
  ): void {
    const { log, clock } = this.house;
    const about = { source: this.registration.code, resource: wish.resource.name, ...wish.parameters };
    log[level]({ ...about, ...more, milliseconds: clock.now() - started }, message);
  }

  /** Counts what whole resources returned; what is narrowed to a channel, to keys or to an item is not counted by itself. */
  private metered(wish: Wish, outcome: Outcome<Copy>, findings?: Findings): Outcome<Copy> {
    const { resource, parameters, native, pushed } = wish;
    if (resource === teamKeys && pushed === undefined && findings !== undefined)
      this.house.meter.keyFindings({ source: this.registration.code, origin: 'list', findings });
    if (native !== undefined || pushed !== undefined || Object.keys(parameters).length > 0) return outcome;
    const copy = copyOf(outcome);
    this.house.meter.fetched({
      source: this.registration.code,
      resource: resource.name,
      outcome,
      records: copy?.set.records.length ?? 0,
      ...(copy && { fetchedAt: copy.verifiedAt }),
      ...(findings && { findings }),
    });
    return outcome;
  }
}

/** A result with fewer records than are wanted, and no more to come: where the others belong is unknown. */
function tooShort(outcome: Outcome<Copy>): Outcome<Copy> {
  if (outcome.state === 'fresh') return { state: 'partial', reason: 'total' };
  if (outcome.state !== 'partial' && outcome.state !== 'inconsistent') return outcome;
  const { reason, total } = outcome;
  return { state: 'partial', reason, ...(total !== undefined && { total }) };
}
