import type { Held, HeldStore } from '../hold/held.js';
import { Shared } from '../hold/shared.js';
import { copyOf, isTooLarge, shownDetail, viaOf } from '../model/outcome.js';
import type { Outcome } from '../model/outcome.js';
import type { Resource } from '../model/resource.js';
import { teamKeys } from '../model/resources/data-teams.js';
import type { Standing } from '../plan/way.js';
import { Acceptance } from './acceptance.js';
import { Acquaintance } from './acquaintance.js';
import { tellsOfQuery } from './asking.js';
import type { Asking } from './asking.js';
import { Suspended } from './breaker.js';
import { Contradiction } from './claims.js';
import type { Disproof } from './claims.js';
import type { Collector, Known } from './collect.js';
import type { Drained } from './drain.js';
import { asFailure } from './failure.js';
import type { SourceFailure } from './failure.js';
import type { Findings } from './findings.js';
import { History } from './history.js';
import type { Copy, Kept, Registration, SourceHouse } from './registration.js';
import { LATE, Shelf, questionOf, suffices } from './shelf.js';
import type { Copyless, Question } from './shelf.js';
import type { ShrinkGuard } from './shrink.js';
import { after, unlessAborted } from './waiting.js';
import { reaches } from './wish.js';
import type { Wish } from './wish.js';

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
  /** One for all copies of a source. */
  readonly guard: ShrinkGuard;
  /** Called with the resource of every good copy of a list before that is given; optional. */
  readonly shown?: (resource: Resource) => void;
}

/** The held copies of one source: the last good one of everything that was asked, and for seconds what was not good. */
export class HeldCopies {
  private readonly refreshes = new Shared<Outcome<Copy>>();
  private readonly history: History;
  private readonly shelf: Shelf;
  private readonly acceptance: Acceptance;
  private readonly acquaintance: Acquaintance;
  /** By wish: some are made but once (`wholeOf`), and asked over and over. */
  private readonly questions = new WeakMap<Wish, Question>();
  /** What the keys of a resource begin with: it is told of at every refresh. */
  private readonly beginnings = new Map<Resource, string>();
  /** How often something else of a resource was given: what queries were pushed down to is known by that, too. */
  private readonly generations = new Map<Resource, number>();
  /** What the source came to last, while it is suspended. */
  private suspended: Copyless | undefined;

  constructor(
    private readonly registration: Registration,
    private readonly collector: Collector,
    private readonly house: SourceHouse,
    private readonly parts: CopiesParts,
  ) {
    const { memory } = house;
    const { store, any, guard, shown } = parts;
    this.history = any ? new History(undefined, memory?.forgotten.items) : new History(memory);
    this.shelf = new Shelf(registration, house, { store, history: this.history });
    const { shelf, history } = this;
    this.acceptance = new Acceptance(registration, house, { shelf, history, guard, ...(shown && { shown }) });
    this.acquaintance = new Acquaintance(house.clock);
  }

  /**
   * The good copy within its time to live, else what a drain brings, which all who ask meanwhile share. For `staleWhileRevalidate` beyond
   * the time to live, the copy is given at once while the drain goes on: as fresh, or as stale when the last one failed. When
   * the asker's deadline ends the waiting, the last good copy stands in, and the drain goes on for the next. Who asks privately gets
   * only what is held of a wish that would tell of the query. Never rejects.
   */
  get(wish: Wish, asking: Asking): Promise<Outcome<Copy>> {
    const question = this.question(wish);
    const good = this.shelf.good(question);
    if (good !== undefined && this.house.clock.now() < good.staleAt) return Promise.resolve(good.value.outcome);
    return this.refreshed(question, good, asking);
  }

  /** The good copy within its time to live; undefined where there is none. Sends no request. */
  fresh(wish: Wish): Outcome<Copy> | undefined {
    const good = this.shelf.good(this.question(wish));
    return good !== undefined && this.house.clock.now() < good.staleAt ? good.value.outcome : undefined;
  }

  /** What came last and was not good, as long as that is remembered. Sends no request. */
  recent(wish: Wish): Outcome<Copy> | undefined {
    return this.shelf.recent(this.question(wish))?.value.outcome;
  }

  private refreshed(question: Question, good: Held<Kept> | undefined, asking: Asking): Promise<Outcome<Copy>> {
    const { key, wish } = question;
    const now = this.house.clock.now();
    const recent = this.shelf.recent(question);
    if (asking.private && tellsOfQuery(wish)) return Promise.resolve(this.untold(question, recent ?? good));
    if (recent !== undefined && now < recent.staleAt) return Promise.resolve(recent.value.outcome);
    const collapsed = this.refreshes.isUnderWay(key);
    const refresh = this.refreshes.run(key, () => this.refresh(question, good));
    if (good !== undefined && now < good.waitAt) return Promise.resolve(good.value.outcome);
    // In a ring each gateway would wait for the next one, and none would answer.
    if (recent !== undefined && recent.staleAt > (good?.staleAt ?? 0)) return Promise.resolve(recent.value.outcome);
    asking.waits({ why: good === undefined ? 'miss' : 'stale', collapsed });
    return this.waitFor(question, refresh, asking.signal).then((outcome) => {
      if (suffices(outcome, wish)) return outcome;
      // What others had under way reaches less far.
      return collapsed ? this.get(wish, asking) : tooShort(outcome);
    });
  }

  /**
   * What is held of a wish in place of nothing: within its time to live as it is, beyond it as stale. Where nothing is held either, what is held later
   * is another thing. Nobody is asked.
   */
  heldInstead(wish: Wish, nothing: Copyless): Outcome<Copy> {
    const question = this.question(wish);
    const good = this.shelf.good(question);
    if (good !== undefined && this.house.clock.now() < good.staleAt) return good.value.outcome;
    const instead = this.shelf.insteadOf(question, nothing);
    if (instead === nothing) this.shelf.lose(question.key);
    return instead;
  }

  /**
   * Tells that records of a resource are given that are none of these copies: all that the source has in place of what queries were pushed down to, or
   * the other way round. What comes next of these is a change. Of what queries were pushed down to nothing is given any more: it is older.
   */
  shownOtherwise(resource: Resource): void {
    if (this.parts.any) this.generations.set(resource, (this.generations.get(resource) ?? 0) + 1);
    const known = this.beginnings.get(resource);
    const beginning = known ?? `${this.registration.code} ${resource.name} `;
    if (known === undefined) this.beginnings.set(resource, beginning);
    this.history.shownOtherwise(beginning);
  }

  /** Notes that an answer was given without what the wish names: the next copy of that counts as a change, even the first. */
  answeredWithout(wish: Wish): void {
    this.history.shownOtherwise(this.question(wish).key);
  }

  /** What is known of a wish without asking for it. */
  standing(wish: Wish): Standing {
    const question = this.question(wish);
    const now = this.house.clock.now();
    const good = this.shelf.good(question);
    if (good !== undefined && now < good.staleAt) return 'fresh';
    const recent = this.shelf.recent(question)?.value.outcome;
    if (recent !== undefined && isTooLarge(recent)) return 'too-large';
    return good !== undefined && now < good.waitAt ? 'stale' : 'none';
  }

  /** Tells of a copy that is held whether something newer is being fetched. */
  private announce({ leases }: Pick<Copy, 'leases'>, refreshing: boolean): void {
    for (const lease of leases) lease.refreshing = refreshing;
    this.house.pulse.moves += 1;
  }

  /** What is held, without a word to the source; past its time it stands in, for no better one can be asked for. */
  private untold(question: Question, held: Held<Kept> | undefined): Outcome<Copy> {
    const usable =
      held !== undefined && this.house.clock.now() < held.waitAt && copyOf(held.value.outcome) !== undefined;
    if (usable) return held.value.outcome;
    return this.shelf.insteadOf(question, { state: 'failed', reason: 'private' });
  }

  /** The refresh; or, when it takes too long, what stands in for it. */
  private waitFor(question: Question, refresh: Promise<Outcome<Copy>>, signal: AbortSignal): Promise<Outcome<Copy>> {
    let over = false;
    void refresh.then(() => {
      over = true;
    });
    const instead = (otherwise: Copyless): Outcome<Copy> => {
      if (!over) this.shelf.lose(question.key);
      return this.shelf.insteadOf(question, { ...otherwise, ...this.acquaintance.of(question.wish) });
    };
    const before = this.suspended;
    // A trial request: a source that is well again is as quick as ever, and for one that is not nobody waits until it times out.
    const patient =
      before === undefined ? refresh : Promise.race([refresh, after(TRIAL_PATIENCE, () => instead(before))]);
    return unlessAborted(patient, signal, () => instead(LATE));
  }

  private question(wish: Wish): Question {
    const known = this.questions.get(wish);
    if (known !== undefined) return known;
    const question = questionOf(this.registration.code, wish, this.generations.get(wish.resource));
    this.questions.set(wish, question);
    return question;
  }

  private async refresh(question: Question, good: Held<Kept> | undefined): Promise<Outcome<Copy>> {
    const { wish } = question;
    const held = copyOf(good?.value.outcome ?? LATE) ?? { leases: [] };
    const { clock, log, stop } = this.house;
    const started = clock.now();
    this.announce(held, true);
    try {
      const collected = await this.collector.collect(wish, this.known(question, good));
      const { drained, outcome: found } = collected;
      this.acquaintance.note(wish, viaOf(found));
      if (found.state === 'excluded') log.warn(this.line(wish, started, found), 'source excluded');
      else if (drained !== undefined) log.info(this.line(wish, started, figures(drained)), 'source drained');
      this.suspended = undefined;
      const accepted = this.acceptance.accept(question, collected);
      return this.told(wish, accepted instanceof Promise ? await accepted : accepted, drained?.findings);
    } catch (error) {
      if (error instanceof Contradiction) this.parts.contradicted(wish.resource, error.disproof);
      const failure = asFailure(error);
      const { reason, message, via, detail } = failure;
      this.acquaintance.note(wish, via);
      // What the process ends itself tells nothing of the source.
      const otherwise: Copyless = {
        state: stateOf(failure),
        reason,
        ...(detail && { detail }),
        ...this.acquaintance.of(wish),
      };
      const facts = { reason, ...shownDetail(otherwise), detail: message };
      if (!stop.aborted) log.warn(this.line(wish, started, facts), 'source failed');
      if (otherwise.state === 'suspended') this.suspended = otherwise;
      return this.told(wish, this.acceptance.refuse(question, otherwise));
    } finally {
      this.announce(held, false);
    }
  }

  /** What the log is told of a refresh that `started` then, in milliseconds since 1970. */
  private line({ resource, parameters }: Wish, started: number, more: object): object {
    const milliseconds = this.house.clock.now() - started;
    return { source: this.registration.code, resource: resource.name, ...parameters, ...more, milliseconds };
  }

  /** The last good copy, as long as its source's word that nothing has changed is trusted; or the fresh front that does not reach far enough. */
  private known({ key, wish }: Question, good: Held<Kept> | undefined): Known | undefined {
    const now = this.house.clock.now();
    const held = good ?? this.shelf.at(key);
    const kept = held?.value;
    const copy = kept && copyOf(kept.outcome);
    if (held === undefined || kept === undefined || copy === undefined) return undefined;
    const { proof, front } = kept;
    if (!reaches(copy, wish)) return front !== undefined && now < held.staleAt ? { copy, front } : undefined;
    const trusted = now < copy.fetchedAt + this.registration.maxUnverified;
    return trusted && proof !== undefined ? { copy, proof } : undefined;
  }

  /** Tells the meter what whole resources came to; what is narrowed to a channel, to keys or to an item has no state of its own. */
  private told(wish: Wish, outcome: Outcome<Copy>, findings?: Findings): Outcome<Copy> {
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

function stateOf(failure: SourceFailure): Copyless['state'] {
  return failure instanceof Suspended ? 'suspended' : 'failed';
}
