import type { Held } from '../hold/held.js';
import type { Pulse } from '../hold/pulse.js';
import { Shared } from '../hold/shared.js';
import { copyOf, viaOf } from '../model/outcome.js';
import type { Outcome, StaleReason } from '../model/outcome.js';
import { Acquaintance } from './acquaintance.js';
import { tellsOfQuery } from './asking.js';
import type { Asking } from './asking.js';
import { Suspended } from './breaker.js';
import type { Collected, Collector, Known, Wish } from './collect.js';
import type { Drained } from './drain.js';
import { asFailure } from './failure.js';
import type { SourceFailure } from './failure.js';
import type { Findings } from './findings.js';
import { History } from './history.js';
import type { Copy, Kept, Lease, Registration, SourceHouse } from './registration.js';
import { ShrinkGuard, isFarLess } from './shrink.js';
import { after, unlessAborted } from './waiting.js';
import { HELD_AT_LEAST, weightOf } from './weight.js';

/** How long an outcome in doubt is kept, in milliseconds: the next look may be better (decisions.md, section 6). */
const DOUBT_TTL = 5_000;

/** How long a failure is kept, in milliseconds, so that a failing source is not asked by every waiting client. */
const FAILURE_TTL = 2_000;

/** How long an answer waits for the trial request to a source that was suspended, in milliseconds. */
const TRIAL_PATIENCE = 300;

/** The held copies of one source: the last good one of everything that was asked, and for seconds what was not good. */
export class HeldCopies {
  private readonly refreshes = new Shared<Outcome<Copy>>();
  private readonly guard: ShrinkGuard;
  private readonly history: History;
  /** Single items, of which there may be any number, apart. */
  private readonly items: History;
  private readonly acquaintance: Acquaintance;
  /** What the source came to last, while it is suspended. */
  private suspended: Copyless | undefined;

  constructor(
    private readonly registration: Registration,
    private readonly collector: Collector,
    private readonly house: SourceHouse,
  ) {
    this.guard = new ShrinkGuard(registration.confirmShrink);
    this.history = new History(house.memory);
    this.items = new History(undefined, house.memory?.forgotten.items);
    this.acquaintance = new Acquaintance(house.clock);
  }

  /**
   * The good copy within its time to live, else what a drain brings, which all who ask meanwhile share. For `staleWhileRevalidate` beyond
   * the time to live, the copy is given at once while the drain goes on: as fresh, or as stale when the last one failed. When
   * the asker's deadline ends the waiting, the last good copy stands in, and the drain goes on for the next. Who asks privately gets
   * only what is held of a wish that would tell of the query. Never rejects.
   */
  get(wish: Wish, asking: Asking): Promise<Outcome<Copy>> {
    const { store, clock } = this.house;
    const key = this.keyOf(wish);
    const now = clock.now();
    const good = store.get(key, now);
    if (good !== undefined && now < good.staleAt) return Promise.resolve(good.value.outcome);
    const recent = store.get(recentOf(key), now);
    if (asking.private && tellsOfQuery(wish)) return Promise.resolve(this.untold(key, recent ?? good));
    if (recent !== undefined && now < recent.staleAt) return Promise.resolve(recent.value.outcome);
    let collapsed = true;
    const refresh = this.refreshes.run(key, () => {
      collapsed = false;
      return this.announced(good, () => this.refresh(key, wish));
    });
    if (good !== undefined && now < good.waitAt) return Promise.resolve(good.value.outcome);
    // In a ring each gateway would wait for the next one, and none would answer.
    if (recent !== undefined && recent.staleAt > (good?.staleAt ?? 0)) return Promise.resolve(recent.value.outcome);
    asking.waits({ why: good === undefined ? 'miss' : 'stale', collapsed });
    return this.waitFor(key, refresh, asking.signal);
  }

  /** Tells of the copy that is held that something newer is being fetched, for as long as that is so. */
  private async announced(good: Held<Kept> | undefined, refresh: () => Promise<Outcome<Copy>>): Promise<Outcome<Copy>> {
    const leases = copyOf(good?.value.outcome ?? LATE)?.leases ?? [];
    const tell = (refreshing: boolean): void => {
      for (const lease of leases) lease.refreshing = refreshing;
      this.house.pulse.moves += 1;
    };
    tell(true);
    try {
      return await refresh();
    } finally {
      tell(false);
    }
  }

  /** What is held, without a word to the source; past its time it stands in, for no better one can be asked for. */
  private untold(key: string, held: Held<Kept> | undefined): Outcome<Copy> {
    const usable =
      held !== undefined && this.house.clock.now() < held.waitAt && copyOf(held.value.outcome) !== undefined;
    if (usable) return held.value.outcome;
    return this.standIn(key, 'private') ?? { state: 'failed', reason: 'private' };
  }

  /** The refresh; or, when it takes too long, what stands in for it. */
  private waitFor(key: string, refresh: Promise<Outcome<Copy>>, signal: AbortSignal): Promise<Outcome<Copy>> {
    let over = false;
    void refresh.then(() => {
      over = true;
    });
    const instead = (reason: StaleReason, otherwise: Copyless): Outcome<Copy> => {
      if (!over) this.lose(key);
      return this.standIn(key, reason) ?? { ...otherwise, ...this.acquaintance.of(key) };
    };
    const before = this.suspended;
    // A trial request: a source that is well again is as quick as ever, and for one that is not nobody waits until it times out.
    const patient =
      before === undefined
        ? refresh
        : Promise.race([refresh, after(TRIAL_PATIENCE, () => instead('suspended', before))]);
    return unlessAborted(patient, signal, () => instead('timeout', LATE));
  }

  private keyOf({ resource, parameters, native }: Wish): string {
    return [this.registration.code, resource.name, native ?? '', JSON.stringify(parameters)].join(' ');
  }

  private async refresh(key: string, wish: Wish): Promise<Outcome<Copy>> {
    const { clock, log } = this.house;
    const facts = { source: this.registration.code, resource: wish.resource.name, ...wish.parameters };
    const started = clock.now();
    try {
      const collected = await this.collector.collect(wish, this.known(key));
      const milliseconds = clock.now() - started;
      const { drained, outcome: found } = collected;
      // Of single items there may be any number.
      if (wish.native === undefined) this.acquaintance.note(key, viaOf(found));
      if (found.state === 'excluded') log.warn({ ...facts, ...found, milliseconds }, 'source excluded');
      else if (drained === undefined) log.info({ ...facts, milliseconds }, 'source unchanged');
      else log.info({ ...facts, ...figures(drained), milliseconds }, 'source drained');
      this.suspended = undefined;
      return this.told(wish, await this.accept(key, wish, collected), drained?.findings);
    } catch (error) {
      const failure = asFailure(error);
      const { reason, message, via } = failure;
      if (wish.native === undefined) this.acquaintance.note(key, via);
      log.warn({ ...facts, reason, detail: message, milliseconds: clock.now() - started }, 'source failed');
      return this.told(wish, this.remember(key, this.replaced(key, failure), { milliseconds: FAILURE_TTL }));
    }
  }

  /** The last good copy, as long as its source's word that nothing has changed is trusted. */
  private known(key: string): Known | undefined {
    const kept = this.lastGood(key)?.value;
    const copy = kept && copyOf(kept.outcome);
    const trusted = copy !== undefined && this.house.clock.now() < copy.fetchedAt + this.registration.maxUnverified;
    return trusted && kept?.proof !== undefined ? { copy, proof: kept.proof } : undefined;
  }

  /** Tells the meter what whole resources came to; what is narrowed to a channel, to keys or to an item has no state of its own. */
  private told({ resource, parameters, native }: Wish, outcome: Outcome<Copy>, findings?: Findings): Outcome<Copy> {
    if (native !== undefined || Object.keys(parameters).length > 0) return outcome;
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

  private async accept(key: string, { native }: Wish, collected: Collected): Promise<Outcome<Copy>> {
    const { drained } = collected;
    const copy = copyOf(collected.outcome);
    if (collected.outcome.state !== 'fresh' || copy === undefined) return this.doubted(key, collected.outcome, drained);
    const shrunk = this.shrunk(key, copy);
    if (shrunk !== undefined) return shrunk;
    const place = await (native === undefined ? this.history : this.items).compare(key, copy);
    // From here on nothing is waited for: whoever asks after `since` gets this copy.
    const outcome = { state: 'fresh', copy: { ...copy, ...place(this.house.clock.now()) } } as const;
    this.hold(key, outcome, collected);
    return outcome;
  }

  /** What is given instead of a copy that has far less than the one before it. */
  private shrunk(key: string, copy: Copy): Outcome<Copy> | undefined {
    const { clock, log } = this.house;
    const { code, ttl } = this.registration;
    const before = this.lastGood(key)?.value;
    const counts = { now: copy.set.records.length, before: before && sizeOf(before.outcome) };
    if (this.guard.believes(key, counts, clock.now())) return undefined;
    log.warn({ source: code, records: counts.now, before: counts.before }, 'source gave far less than before');
    const instead = this.standIn(key, 'shrunk') ?? ({ state: 'failed', reason: 'shrunk' } as const);
    return this.remember(key, instead, { milliseconds: ttl });
  }

  private hold(
    key: string,
    outcome: Extract<Outcome<Copy>, { readonly state: 'fresh' }>,
    { drained, proof }: Collected,
  ): void {
    const { staleIfError, staleWhileRevalidate } = this.registration;
    const { staleAt, verifiedAt } = outcome.copy;
    // What may not stand in for a source that fails any more is dropped, and given to nobody who could wait either.
    const [waitAt, dropAt] = [staleAt + staleWhileRevalidate, staleAt + staleIfError];
    const before = this.lastGood(key)?.value.outcome;
    const same = before?.state === 'fresh' && isAsBefore(before.copy, outcome.copy);
    const leases = same ? before.copy.leases : outcome.copy.leases;
    for (const lease of leases) Object.assign(lease, { verifiedAt, staleAt, waitAt } satisfies Partial<Lease>);
    const kept: typeof outcome = { state: 'fresh', copy: { ...outcome.copy, leases } };
    const weight =
      drained === undefined ? (this.lastGood(key)?.value.weight ?? HELD_AT_LEAST) : weightOf(drained, proof);
    const held = { value: { outcome: kept, weight, ...(proof && { proof }) }, staleAt, waitAt, dropAt };
    this.put(key, held, same ? 'moves' : 'changes');
  }

  /** A doubtful copy is newer than the last good one, and kept for that; but not one that lacks most of it. */
  private doubted(key: string, outcome: Outcome<Copy>, drained: Collected['drained']): Outcome<Copy> {
    const before = this.lastGood(key)?.value;
    const counts = { now: sizeOf(outcome), before: before && sizeOf(before.outcome) };
    const doubt = outcome.state === 'partial' || outcome.state === 'inconsistent' ? outcome.reason : undefined;
    const lacks = doubt !== undefined && ((counts.now === 0 && counts.before !== 0) || isFarLess(counts));
    const instead = lacks ? this.standIn(key, doubt) : undefined;
    const weight = instead === undefined && drained !== undefined ? weightOf(drained) : HELD_AT_LEAST;
    return this.remember(key, instead ?? outcome, { milliseconds: DOUBT_TTL, weight });
  }

  private replaced(key: string, failure: SourceFailure): Outcome<Copy> {
    const { reason } = failure;
    const known = this.acquaintance.of(key);
    if (!(failure instanceof Suspended)) return this.standIn(key, reason) ?? { state: 'failed', reason, ...known };
    const outcome = { state: 'suspended', reason, ...known } as const;
    this.suspended = outcome;
    return this.standIn(key, 'suspended') ?? outcome;
  }

  /** The last good copy, as long as it may stand in for something better. */
  private standIn(key: string, reason: StaleReason): Outcome<Copy> | undefined {
    const copy = copyOf(this.lastGood(key)?.value.outcome ?? LATE);
    return copy && { state: 'stale', reason, copy };
  }

  private lastGood(key: string): Held<Kept> | undefined {
    const { store, clock } = this.house;
    return store.get(key, clock.now());
  }

  /** Keeps what is not good for so many milliseconds; `weight` is in bytes. */
  private remember(
    key: string,
    outcome: Outcome<Copy>,
    { milliseconds, weight = HELD_AT_LEAST }: { readonly milliseconds: number; readonly weight?: number },
  ): Outcome<Copy> {
    const now = this.house.clock.now();
    const { ttl, staleIfError } = this.registration;
    this.demote(key, outcome, now);
    this.lose(key);
    // A copy that stands in is not remembered for longer than it may stand in.
    const end = outcome.state === 'stale' ? outcome.copy.staleAt + staleIfError : Infinity;
    const until = Math.min(now + milliseconds, now + ttl, end);
    // That a source leads back here is given beyond that, while it is being looked at again.
    const dropAt = outcome.state === 'excluded' ? Math.max(until, now + staleIfError) : until;
    this.put(recentOf(key), { value: { outcome, weight }, staleAt: until, waitAt: dropAt, dropAt });
    return outcome;
  }

  /**
   * The last good copy is not given as fresh any more: it is stale for the reason for which it stood in; and where something newer came,
   * though in doubt, who asks waits for the next.
   */
  private demote(key: string, outcome: Outcome<Copy>, now: number): void {
    const good = this.lastGood(key);
    if (good === undefined) return;
    const { value, waitAt } = good;
    const stoodIn = outcome.state === 'stale';
    this.put(key, stoodIn ? { ...good, value: { ...value, outcome } } : { ...good, waitAt: Math.min(waitAt, now) });
  }

  /** Something else than the good copy is shown: when that is back, the set has changed, be its records the same. */
  private lose(key: string): void {
    // What fails because the process stops is shown to nobody.
    if (this.house.stop.aborted) return;
    this.history.lose(key);
    this.items.lose(key);
  }

  private put(key: string, held: Held<Kept>, what: keyof Pulse = 'changes'): void {
    const { code, number } = this.registration;
    const { store, clock, log, changed, pulse } = this.house;
    pulse[what] += 1;
    const { weight, outcome } = held.value;
    const before = copyOf(store.get(key, clock.now())?.value.outcome ?? LATE)?.set;
    if (!store.put(key, held, weight)) {
      log.warn({ source: code, weight }, 'source does not fit into cache.memory and is not held');
    }
    if (before !== undefined && before !== copyOf(outcome)?.set) changed(number, before.resource.path);
  }
}

function figures({ received: records, bytes, findings }: Drained<unknown>): object {
  return { records, bytes, findings: Object.fromEntries(findings) };
}

/** Whether whoever has an answer made of the one may be told of the other that it is the same, but for its instants. */
function isAsBefore(before: Copy, now: Copy): boolean {
  const { set, since, floor, lastModified, via } = now;
  const same = before.set === set && before.since === since && before.floor === floor;
  return same && before.lastModified === lastModified && before.via.join() === via.join();
}

function sizeOf(outcome: Outcome<Copy>): number {
  return copyOf(outcome)?.set.records.length ?? 0;
}

/** An outcome that brings nothing. */
type Copyless = Extract<Outcome<Copy>, { readonly state: 'failed' | 'suspended' }>;

const LATE: Copyless = { state: 'failed', reason: 'timeout' };

function recentOf(key: string): string {
  return `recent ${key}`;
}
