import type { Held, HeldStore } from '../hold/held.js';
import type { Pulse } from '../hold/pulse.js';
import { Shared } from '../hold/shared.js';
import { copyOf, isTooLarge } from '../model/outcome.js';
import type { Outcome, StaleReason } from '../model/outcome.js';
import type { Resource } from '../model/resource.js';
import type { Standing } from '../plan/way.js';
import { tellsOfQuery } from './asking.js';
import type { Asking } from './asking.js';
import { Suspended } from './breaker.js';
import { Contradiction } from './claims.js';
import type { Disproof } from './claims.js';
import { reaches } from './collect.js';
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

/** Of what these are the copies. */
export interface CopiesParts {
  /** Where they are held. */
  readonly store: HeldStore<Kept>;
  /** Whether there may be any number of them, as of single items and of what queries are pushed down to: these are not remembered across restarts. */
  readonly any: boolean;
  /** Told of what an answer contradicts. */
  readonly contradicted: (resource: Resource, disproof: Disproof) => void;
}

/** The held copies of one source: the last good one of everything that was asked, and for seconds what was not good. */
export class HeldCopies {
  private readonly refreshes = new Shared<Outcome<Copy>>();
  private readonly guard: ShrinkGuard;
  private readonly history: History;
  /** What the source came to last, while it is suspended. */
  private suspended: Outcome<Copy> | undefined;

  constructor(
    private readonly registration: Registration,
    private readonly collector: Collector,
    private readonly house: SourceHouse,
    private readonly parts: CopiesParts,
  ) {
    this.guard = new ShrinkGuard(registration.confirmShrink);
    const { memory } = house;
    this.history = parts.any ? new History(undefined, memory?.forgotten.items) : new History(memory);
  }

  /**
   * The good copy within its time to live, else what a drain brings, which all who ask meanwhile share. For `staleWhileRevalidate` beyond
   * the time to live, the copy is given at once while the drain goes on: as fresh, or as stale when the last one failed. When
   * the asker's deadline ends the waiting, the last good copy stands in, and the drain goes on for the next. Who asks privately gets
   * only what is held of a wish that would tell of the query. Never rejects.
   */
  async get(wish: Wish, asking: Asking): Promise<Outcome<Copy>> {
    const question = { wish, key: this.keyOf(wish) };
    const { key } = question;
    const now = this.house.clock.now();
    const good = this.lastGood(question);
    if (good !== undefined && now < good.staleAt) return good.value.outcome;
    const recent = this.usable(this.parts.store.get(recentOf(key), now), wish);
    if (asking.private && tellsOfQuery(wish)) return this.untold(question, recent ?? good);
    if (recent !== undefined) return recent.value.outcome;
    const collapsed = this.refreshes.isUnderWay(key);
    const refresh = this.refreshes.run(key, () => this.announced(good, () => this.refresh(question)));
    if (good !== undefined && now < good.waitAt) return good.value.outcome;
    asking.waits({ why: good === undefined ? 'miss' : 'stale', collapsed });
    const outcome = await this.waitFor(question, refresh, asking.signal);
    if (this.suffices(outcome, wish)) return outcome;
    // What others had under way reaches less far.
    return collapsed ? this.get(wish, asking) : tooShort(outcome);
  }

  /** What is known of a wish without asking for it. */
  standing(wish: Wish): Standing {
    const question = { wish, key: this.keyOf(wish) };
    const now = this.house.clock.now();
    const good = this.lastGood(question);
    if (good !== undefined && now < good.staleAt) return 'fresh';
    const recent = this.parts.store.get(recentOf(question.key), now)?.value.outcome;
    if (recent !== undefined && isTooLarge(recent)) return 'too-large';
    return good !== undefined && now < good.waitAt ? 'stale' : 'none';
  }

  private usable(held: Held<Kept> | undefined, wish: Wish): Held<Kept> | undefined {
    return held !== undefined && this.suffices(held.value.outcome, wish) ? held : undefined;
  }

  /** Whether it can be given to who has this wish. */
  private suffices(outcome: Outcome<Copy>, wish: Wish): boolean {
    if (isTooLarge(outcome)) return wish.however !== true;
    const copy = copyOf(outcome);
    return copy === undefined || reaches(copy, wish);
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
  private untold(question: Question, held: Held<Kept> | undefined): Outcome<Copy> {
    const usable =
      held !== undefined && this.house.clock.now() < held.waitAt && copyOf(held.value.outcome) !== undefined;
    if (usable) return held.value.outcome;
    return this.standIn(question, 'private') ?? { state: 'failed', reason: 'private' };
  }

  /** The refresh; or, when it takes too long, what stands in for it. */
  private waitFor(question: Question, refresh: Promise<Outcome<Copy>>, signal: AbortSignal): Promise<Outcome<Copy>> {
    let over = false;
    void refresh.then(() => {
      over = true;
    });
    const instead = (reason: StaleReason, otherwise: Outcome<Copy>): Outcome<Copy> => {
      if (!over) this.lose(question.key);
      return this.standIn(question, reason) ?? otherwise;
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

  private async refresh(question: Question): Promise<Outcome<Copy>> {
    const { wish } = question;
    const { clock, log } = this.house;
    const facts = { source: this.registration.code, resource: wish.resource.name, ...wish.parameters };
    const started = clock.now();
    try {
      const collected = await this.collector.collect(wish, this.known(question));
      const milliseconds = clock.now() - started;
      const { drained } = collected;
      if (drained === undefined) log.info({ ...facts, milliseconds }, 'source unchanged');
      else log.info({ ...facts, ...figures(drained), milliseconds }, 'source drained');
      this.suspended = undefined;
      return this.told(wish, await this.accept(question, collected), drained?.findings);
    } catch (error) {
      if (error instanceof Contradiction) this.parts.contradicted(wish.resource, error.disproof);
      const failure = asFailure(error);
      const { reason, message } = failure;
      log.warn({ ...facts, reason, detail: message, milliseconds: clock.now() - started }, 'source failed');
      return this.told(wish, this.remember(question, this.replaced(question, failure), { milliseconds: FAILURE_TTL }));
    }
  }

  /** The last good copy, as long as its source's word that nothing has changed is trusted; or the fresh front that does not reach far enough. */
  private known({ key, wish }: Question): Known | undefined {
    const now = this.house.clock.now();
    const held = this.parts.store.get(key, now);
    const kept = held?.value;
    const copy = kept && copyOf(kept.outcome);
    if (held === undefined || kept === undefined || copy === undefined) return undefined;
    const { proof, front } = kept;
    if (!reaches(copy, wish)) return front !== undefined && now < held.staleAt ? { copy, front } : undefined;
    const trusted = now < copy.fetchedAt + this.registration.maxUnverified;
    return trusted && proof !== undefined ? { copy, proof } : undefined;
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

  private async accept(question: Question, collected: Collected): Promise<Outcome<Copy>> {
    const { key } = question;
    const { drained, outcome: came } = collected;
    const copy = copyOf(came);
    if (isTooLarge(came)) {
      // That it is large holds for as long as what it has would.
      const instead = this.standIn(question, 'too-large') ?? came;
      return this.remember(question, instead, { milliseconds: this.registration.ttl });
    }
    if (came.state !== 'fresh' || copy === undefined) return this.doubted(question, came, drained);
    const shrunk = this.shrunk(question, copy);
    if (shrunk !== undefined) return shrunk;
    const place = await this.history.compare(key, copy);
    // From here on nothing is waited for: whoever asks after `since` gets this copy.
    const outcome = { state: 'fresh', copy: { ...copy, ...place(this.house.clock.now()) } } as const;
    this.hold(question, outcome, collected);
    return outcome;
  }

  /** What is given instead of a copy that has far less than the one before it. */
  private shrunk(question: Question, copy: Copy): Outcome<Copy> | undefined {
    const { clock, log } = this.house;
    const { code, ttl } = this.registration;
    const { key, wish } = question;
    // How many match a query may change from one moment to the next.
    if (wish.pushed !== undefined) return undefined;
    const before = this.lastGood(question)?.value;
    const counts = { now: copy.set.records.length, before: before && sizeOf(before.outcome) };
    if (this.guard.believes(key, counts, clock.now())) return undefined;
    log.warn({ source: code, records: counts.now, before: counts.before }, 'source gave far less than before');
    const instead = this.standIn(question, 'shrunk') ?? ({ state: 'failed', reason: 'shrunk' } as const);
    return this.remember(question, instead, { milliseconds: ttl });
  }

  private hold(
    question: Question,
    outcome: Extract<Outcome<Copy>, { readonly state: 'fresh' }>,
    { drained, proof, front }: Collected,
  ): void {
    const { staleIfError, staleWhileRevalidate } = this.registration;
    const { staleAt, verifiedAt } = outcome.copy;
    // What may not stand in for a source that fails any more is dropped, and given to nobody who could wait either.
    const [waitAt, dropAt] = [staleAt + staleWhileRevalidate, staleAt + staleIfError];
    const last = this.parts.store.get(question.key, this.house.clock.now())?.value;
    const before = last?.outcome;
    const same = before?.state === 'fresh' && isAsBefore(before.copy, outcome.copy);
    const leases = same ? before.copy.leases : outcome.copy.leases;
    for (const lease of leases) Object.assign(lease, { verifiedAt, staleAt, waitAt } satisfies Partial<Lease>);
    const kept: typeof outcome = { state: 'fresh', copy: { ...outcome.copy, leases } };
    const weight = drained === undefined ? (last?.weight ?? HELD_AT_LEAST) : weightOf(drained, proof);
    const grown = front ?? (drained === undefined ? last?.front : undefined);
    const value = { outcome: kept, weight, ...(proof && { proof }), ...(grown && { front: grown }) };
    this.put(question.key, { value, staleAt, waitAt, dropAt }, same ? 'moves' : 'changes');
  }

  /** A doubtful copy is newer than the last good one, and kept for that; but not one that lacks most of it. */
  private doubted(question: Question, outcome: Outcome<Copy>, drained: Collected['drained']): Outcome<Copy> {
    const before = this.lastGood(question)?.value;
    const counts = { now: sizeOf(outcome), before: before && sizeOf(before.outcome) };
    const doubt = outcome.state === 'partial' || outcome.state === 'inconsistent' ? outcome.reason : undefined;
    const lacks = doubt !== undefined && ((counts.now === 0 && counts.before !== 0) || isFarLess(counts));
    const instead = lacks ? this.standIn(question, doubt) : undefined;
    const weight = instead === undefined && drained !== undefined ? weightOf(drained) : HELD_AT_LEAST;
    return this.remember(question, instead ?? outcome, { milliseconds: DOUBT_TTL, weight });
  }

  private replaced(question: Question, failure: SourceFailure): Outcome<Copy> {
    const { reason } = failure;
    if (!(failure instanceof Suspended)) return this.standIn(question, reason) ?? { state: 'failed', reason };
    const outcome: Outcome<Copy> = { state: 'suspended', reason };
    this.suspended = outcome;
    return this.standIn(question, 'suspended') ?? outcome;
  }

  /** The last good copy, as long as it may stand in for something better. */
  private standIn(question: Question, reason: StaleReason): Outcome<Copy> | undefined {
    const copy = copyOf(this.lastGood(question)?.value.outcome ?? LATE);
    return copy && { state: 'stale', reason, copy };
  }

  /** The last good copy of what is wished, as far as that reaches. */
  private lastGood({ key, wish }: Question): Held<Kept> | undefined {
    return this.usable(this.parts.store.get(key, this.house.clock.now()), wish);
  }

  /** Keeps what is not good for so many milliseconds; `weight` is in bytes. */
  private remember(
    { key }: Question,
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
    this.put(recentOf(key), { value: { outcome, weight }, staleAt: until, waitAt: until, dropAt: until });
    return outcome;
  }

  /**
   * The last good copy is not given as fresh any more: it is stale for the reason for which it stood in; and where something newer came,
   * though in doubt, who asks waits for the next.
   */
  private demote(key: string, outcome: Outcome<Copy>, now: number): void {
    const good = this.parts.store.get(key, now);
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
  }

  private put(key: string, held: Held<Kept>, what: keyof Pulse = 'changes'): void {
    const { code, number } = this.registration;
    const { clock, log, changed, pulse } = this.house;
    const { store } = this.parts;
    pulse[what] += 1;
    const { weight, outcome } = held.value;
    const before = copyOf(store.get(key, clock.now())?.value.outcome ?? LATE)?.set;
    if (!store.put(key, held, weight)) {
      log.warn({ source: code, weight }, 'source does not fit into cache.memory and is not held');
    }
    if (before !== undefined && before !== copyOf(outcome)?.set) changed(number, before.resource.path);
  }
}

/** What is wished, and the key under which it is held. */
interface Question {
  readonly key: string;
  readonly wish: Wish;
}

/** What gives fewer records than are wanted, and cannot give more: of what is behind them nobody knows where it belongs. */
function tooShort(outcome: Outcome<Copy>): Outcome<Copy> {
  if (outcome.state === 'fresh') return { state: 'partial', reason: 'total' };
  if (outcome.state !== 'partial' && outcome.state !== 'inconsistent') return outcome;
  const { reason, total } = outcome;
  return { state: 'partial', reason, ...(total !== undefined && { total }) };
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

const LATE: Outcome<Copy> = { state: 'failed', reason: 'timeout' };

function recentOf(key: string): string {
  return `recent ${key}`;
}
