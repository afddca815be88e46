import { Pulse } from '../hold/pulse.js';
import { copyOf, isTooLarge } from '../model/outcome.js';
import type { Outcome } from '../model/outcome.js';
import type { Query } from '../model/query.js';
import type { Resource } from '../model/resource.js';
import { teamKeys } from '../model/resources/data-teams.js';
import { newsItem } from '../model/resources/news.js';
import type { Origin } from '../plan/push-down.js';
import { wayOf } from '../plan/way.js';
import type { Availability, Way } from '../plan/way.js';
import { matchIn } from '../records/meeting.js';
import { RecordSet } from '../records/record-set.js';
import type { Asking } from './asking.js';
import { Claims } from './claims.js';
import type { Collector } from './collect.js';
import type { Parameters } from './dialect.js';
import type { Registration, SourceHouse } from './registration.js';
import { SnapshotCache } from './snapshot-cache.js';
import { ShrinkGuard } from './snapshot/shrink-guard.js';
import { isFailure } from './snapshot/snapshot.js';
import type { Copy, FailureOutcome } from './snapshot/snapshot.js';
import { HELD_PER_RECORD } from './weight.js';
import { allKeys, countOf, largeWholeOf, wholeOf } from './wish.js';
import type { Wish } from './wish.js';

/** A query, and how many records from the start of its order are wanted at least of this source. */
export interface Narrowed {
  readonly query: Query;
  readonly first: number;
  /** The title, as the source writes it, of the query's channel; absent: it is not known, and nothing is pushed down for a channel. */
  readonly title?: string;
}

/** A list that is asked for, in the form in which the source has it. */
export interface ListWanted {
  readonly native: Resource;
  /** What a source with more records than its drain-threshold is asked instead of all that it has; absent: all is needed. */
  readonly narrowed?: Narrowed | undefined;
  /** The source of the records; `native` is set in it where it is not the query's own form. */
  readonly origin: Origin;
}

/** What a query is pushed down as. */
interface PushedWish {
  readonly wish: Wish;
  readonly stream: boolean;
  /** Only the total is wanted. */
  readonly counts: boolean;
  /** Whether a search is sent that may be another one than ours. */
  readonly searches: boolean;
}

/**
 * The lists of one source (decisions.md, section 5): whole, where it has no more records than its drain-threshold; else what its capabilities give of
 * the query; and where these do not suffice, whole all the same, as long as that may be held of one source.
 */
export class SourceLists {
  /** Whole lists up to the drain-threshold, and parts of lists that belong to no query: keys, and the items of a channel. */
  private readonly small: SnapshotCache;
  /** Whole lists of more records. */
  private readonly large: SnapshotCache;
  /** What queries were pushed down to. */
  private readonly pushed: SnapshotCache;
  private readonly items: SnapshotCache;
  private readonly claims: Claims;
  /** The parameters that were sent for a set that is not all that the source has. */
  private readonly narrowedBy = new WeakMap<RecordSet, Parameters>();

  constructor(
    registration: Registration,
    collector: Collector,
    private readonly house: SourceHouse,
  ) {
    this.claims = new Claims(registration, house);
    const contradicted = this.claims.disprove.bind(this.claims);
    const { confirmShrink, ttl, staleIfError } = registration;
    // Another repository under the same code is another source.
    const address = `${Object.values(registration.bases).join(' ')} `;
    const guard = new ShrinkGuard(confirmShrink, ttl + staleIfError, house.memory, address);
    const any = { store: house.items, any: true, contradicted, guard };
    const whole = { store: house.store, any: false, contradicted, guard };
    // Answers made of these are keyed by the sets that they rest on: there is nothing to drop when one changes.
    const apart: SourceHouse = { ...house, changed: () => undefined };
    const admitting = (kind: 'small' | 'large' | 'pushed') => (resource: Resource) => {
      for (const other of ['small', 'large', 'pushed'] as const) if (other !== kind) this[other].supersedeAll(resource);
    };
    this.small = new SnapshotCache(registration, collector, house, { ...whole, admitting: admitting('small') });
    this.large = new SnapshotCache(registration, collector, house, { ...whole, admitting: admitting('large') });
    this.pushed = new SnapshotCache(registration, collector, apart, { ...any, admitting: admitting('pushed') });
    this.items = new SnapshotCache(registration, collector, { ...apart, pulse: new Pulse() }, any);
  }

  /**
   * What a query needs of a list, the cheapest way that is exact: a whole list that is fresh; else what is pushed down, where the source is known to
   * have more records than its drain-threshold and its capabilities suffice; else the whole list. A private query is answered from whole lists
   * alone, or from what is held of the same query. Never rejects.
   */
  async get(wanted: ListWanted, asking: Asking): Promise<Outcome<Copy>> {
    const { native } = wanted;
    const held = this.small.fresh(wholeOf(native)) ?? this.large.fresh(largeWholeOf(native));
    if (held !== undefined) return held;
    const pushed = this.pushedOf(wanted);
    const sends = pushed !== undefined && !asking.private;
    if (!sends && this.givesLarge(native)) return this.large.get(largeWholeOf(native), asking);
    const look = await this.small.get(wholeOf(native), asking);
    if (isTooLarge(look)) return sends ? this.pushDown(wanted, pushed, asking) : this.whole(wanted, asking);
    return isFailure(look) ? this.standIn(wanted, look) : look;
  }

  /** What is fetched whichever query needs it: keys, and the items of a channel. Never rejects. */
  part(wish: Wish, asking: Asking): Promise<Outcome<Copy>> {
    return (wish.pushed === undefined ? this.small : this.pushed).get(wish, asking);
  }

  /** Notes that teams were given without keys of theirs: keys that come next are a change, be they the first. */
  answeredWithoutKeys(): void {
    this.small.answeredWithout(allKeys);
    this.pushed.supersedeAll(teamKeys);
  }

  /** Looks how many records there are, which drains no more than the drain-threshold. Never rejects. */
  look(native: Resource, asking: Asking): Promise<Outcome<Copy>> {
    return this.small.get(wholeOf(native), asking);
  }

  /** One news item in detail form, by the source's own id. Never rejects. */
  item(native: number, asking: Asking): Promise<Outcome<Copy>> {
    return this.items.get({ resource: newsItem, parameters: {}, native }, asking);
  }

  /** How many records the source counts for these parameters: a copy that has none of them. Never rejects. */
  async count(native: Resource, parameters: Parameters, asking: Asking): Promise<Outcome<Copy>> {
    return this.countsOnly(await this.pushed.get(countOf(native, parameters), asking));
  }

  /** The parameters that were sent for a set; undefined where it is all that the source has. */
  parametersOf(set: RecordSet): Parameters | undefined {
    return this.narrowedBy.get(set);
  }

  /** How a query is answered, as far as is known before it is asked; `availability` is that of all lists that it needs. */
  way(query: Query, { native, origin }: ListWanted, availability: Availability): Way {
    const known = { capability: this.claims.of(native), origin };
    const pushed = wayOf(query, { availability: 'large', ...known });
    const small = this.small.availability(wholeOf(native));
    const isSmall = small === 'fresh' || small === 'stale';
    // Past its time a large list is not fetched again for what can be pushed down.
    if (availability === 'stale' && pushed.way === 'push-down' && !isSmall) return pushed;
    const way = wayOf(query, { availability, ...known });
    return way.way === 'held' && !isSmall ? { ...way, large: true } : way;
  }

  /** What is held of a whole list. */
  availability(native: Resource): Availability {
    const small = this.small.availability(wholeOf(native));
    if (small === 'fresh') return small;
    const large = this.large.availability(largeWholeOf(native));
    if (large === 'fresh' || small === 'stale') return large === 'fresh' ? large : small;
    if (large !== 'none') return large;
    if (small !== 'too-large') return small;
    return this.exceeds(this.small.rejected(wholeOf(native))) ? 'too-large' : 'large';
  }

  /** Whether a look at a list's size counts more records than may be held, whatever is in them. */
  private exceeds(look: Outcome<Copy> | undefined): boolean {
    const total = look !== undefined && 'total' in look ? look.total : undefined;
    return total !== undefined && total * HELD_PER_RECORD > this.house.mostOfOne;
  }

  /** Whether a large list is past its time and still given, and nothing newer is known. */
  private givesLarge(native: Resource): boolean {
    const small = this.small.availability(wholeOf(native));
    return small !== 'stale' && this.large.availability(largeWholeOf(native)) === 'stale';
  }

  /** All that the source has, where it has more than its drain-threshold, as long as that may be held; else what stands in for it. */
  private async whole(wanted: ListWanted, asking: Asking): Promise<Outcome<Copy>> {
    const { native } = wanted;
    const look = await this.small.get(wholeOf(native), asking);
    // It may have become smaller since it was looked at.
    if (!isTooLarge(look) && copyOf(look) !== undefined) return look;
    const outcome = this.exceeds(look) ? look : await this.large.get(largeWholeOf(native), asking);
    if (copyOf(outcome) !== undefined) return outcome;
    const pushed = this.pushedOf(wanted);
    if (isTooLarge(outcome) && asking.private && pushed !== undefined) return this.pushed.get(pushed.wish, asking);
    // What it had before it grew stands in for it.
    return copyOf(look) === undefined ? outcome : look;
  }

  /**
   * The answer to a query that is pushed down. Where it contradicts what the source was believed to do, or more records come than the drain-threshold, the
   * whole list is fetched (decisions.md, section 5): exact before fast.
   */
  private async pushDown(wanted: ListWanted, pushed: PushedWish, asking: Asking): Promise<Outcome<Copy>> {
    const { native } = wanted;
    const capability = this.claims.of(native);
    const outcome = await this.pushed.get(pushed.wish, asking);
    // Drained meanwhile, it is the better answer, and what is given after it must not be older.
    const whole = this.large.fresh(largeWholeOf(native));
    if (whole !== undefined) return whole;
    if (this.claims.of(native) !== capability) return this.withoutDisproved(wanted, asking);
    if (isTooLarge(outcome) && !pushed.stream) return this.manyMatches(wanted, pushed, asking);
    const copy = copyOf(outcome);
    if (copy === undefined && outcome.state === 'partial' && outcome.reason === 'drift')
      return this.drainedInstead(wanted, outcome, asking);
    if (copy === undefined) return isFailure(outcome) ? this.large.fallback(largeWholeOf(native), outcome) : outcome;
    if (pushed.searches) return this.confirmed(wanted, outcome, asking);
    return this.narrowed(pushed.counts ? await this.countsOnly(outcome) : outcome, pushed.wish);
  }

  /**
   * What comes of a query when a claim was just disproved: all that the source has. Where that may not be held, the query is pushed down once more by
   * what is still believed, as the next one would be. Each disproof leaves one claim less, so this ends.
   */
  private async withoutDisproved(wanted: ListWanted, asking: Asking): Promise<Outcome<Copy>> {
    const whole = await this.whole(wanted, asking);
    const pushed = this.pushedOf(wanted);
    if (!isTooLarge(whole) || copyOf(whole) !== undefined || pushed === undefined) return whole;
    return this.pushDown(wanted, pushed, asking);
  }

  /** More matches than the drain-threshold: the whole list serves every query, and where it may not be held, the matches alone may be. */
  private async manyMatches(wanted: ListWanted, { wish }: PushedWish, asking: Asking): Promise<Outcome<Copy>> {
    const whole = await this.whole(wanted, asking);
    if (!isTooLarge(whole) || copyOf(whole) !== undefined) return whole;
    const capability = this.claims.of(wanted.native);
    const matches = await this.pushed.get({ ...wish, however: true }, asking);
    // What contradicts a claim is no answer, and all that the source has is too much.
    return this.claims.of(wanted.native) === capability ? this.narrowed(matches, wish) : whole;
  }

  /** A stream that changes faster than it can be read is too short for the query; a drain gives its records, inconsistent, where they may be held. */
  private async drainedInstead(wanted: ListWanted, drifted: Outcome<Copy>, asking: Asking): Promise<Outcome<Copy>> {
    const whole = await this.whole(wanted, asking);
    return copyOf(whole) === undefined ? drifted : whole;
  }

  /**
   * What a search gave that is declared to leave out no match: zero hits are confirmed by draining all that the source has (decisions.md, section 5).
   * Where that shows a match, the search is not believed any more.
   */
  private async confirmed(wanted: ListWanted, found: Outcome<Copy>, asking: Asking): Promise<Outcome<Copy>> {
    const { native, narrowed } = wanted;
    const copy = copyOf(found);
    const pushed = this.pushedOf(wanted);
    if (narrowed === undefined || copy === undefined || pushed === undefined) return found;
    const { where } = narrowed.query;
    if ((await matchIn(copy.set, where)) !== undefined) return this.narrowed(found, pushed.wish);
    const whole = await this.whole(wanted, asking);
    const all = copyOf(whole);
    if (all === undefined) return { state: 'partial', reason: 'search', copy };
    const missed = await matchIn(all.set, where);
    if (missed !== undefined) {
      this.claims.disprove(native, { claim: 'filter', name: 'q', evidence: `it left out ${missed.id}, which matches` });
    }
    return whole;
  }

  /** What stands in for a source that cannot be asked how much it has: an answer to the same query from when it was large, or all that it had. */
  private standIn(wanted: ListWanted, failure: FailureOutcome): Outcome<Copy> {
    const pushed = this.pushedOf(wanted);
    const same = pushed === undefined ? failure : this.pushed.fallback(pushed.wish, failure);
    return isFailure(same) ? this.large.fallback(largeWholeOf(wanted.native), same) : same;
  }

  /** What is asked of a source that is large; undefined where nothing that it does would make it less. */
  private pushedOf({ native, narrowed, origin }: ListWanted): PushedWish | undefined {
    if (narrowed === undefined) return undefined;
    const { query, first, title } = narrowed;
    if (query.channel !== undefined && title === undefined) return undefined;
    const way = wayOf(query, { availability: 'large', capability: this.claims.of(native), origin });
    if (way.way !== 'push-down') return undefined;
    const { offer, sent, here, stream, counts } = way;
    const parameters = title === undefined ? sent : { ...sent, channel: title };
    const front = stream ? { front: { order: offer.order, first: counts ? 0 : first } } : {};
    const pushed = { exact: offer.exact, counted: offer.guaranteed.total, ...front };
    const searches = sent['q'] !== undefined && here.includes('q');
    return { wish: { resource: native, parameters, pushed }, stream, counts, searches };
  }

  private narrowed(outcome: Outcome<Copy>, { parameters }: Wish): Outcome<Copy> {
    const copy = copyOf(outcome);
    if (copy !== undefined) this.narrowedBy.set(copy.set, parameters);
    return outcome;
  }

  /** A count without the records that came with it: their places in the order of the query are unknown. */
  private async countsOnly(outcome: Outcome<Copy>): Promise<Outcome<Copy>> {
    const copy = copyOf(outcome);
    if (copy === undefined || !('copy' in outcome)) return outcome;
    const { resource, sourceNumber, size } = copy.set;
    const set = await copy.set.once('count', () =>
      Promise.resolve(new RecordSet(resource, sourceNumber, [], { behind: size })),
    );
    return { ...outcome, copy: { ...copy, set } };
  }
}
