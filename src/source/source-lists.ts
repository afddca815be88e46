import { ChangeCounter } from '../cache/change-counter.js';
import { findSnapshot, isTooLarge } from '../model/outcome.js';
import type { Outcome } from '../model/outcome.js';
import type { Query } from '../model/query.js';
import type { Resource } from '../model/resource.js';
import { dataTeamsWithKeys } from '../model/resources/data-teams.js';
import { newsItem } from '../model/resources/news.js';
import type { SourceTraits } from '../plan/push-down.js';
import { planSource } from '../plan/source-plan.js';
import type { SnapshotAvailability, SourcePlan } from '../plan/source-plan.js';
import { findMatchingRecord } from '../records/find-record.js';
import { RecordSet } from '../records/record-set.js';
import type { SourceRequestContext } from './request/source-request-context.js';
import { BelievedCapabilities } from './top-n/believed-capabilities.js';
import type { SnapshotFetcher } from './snapshot-fetcher.js';
import type { SourceParameters } from './dialect/request-url.js';
import type { Registration, SourceServices } from './registration.js';
import { SnapshotCache } from './snapshot-cache.js';
import { ShrinkGuard } from './snapshot/shrink-guard.js';
import { isFailure } from './snapshot/snapshot.js';
import type { Snapshot, FailureOutcome } from './snapshot/snapshot.js';
import { MEMORY_PER_RECORD } from './memory-estimate.js';
import { allKeysQuery, countQuery, largeCompleteListQuery, completeListQuery } from './request/source-query.js';
import type { PushedDownQuery, SourceQuery } from './request/source-query.js';

/** A query, and how many records from the start of its order are wanted at least of this source. */
export interface PushDownQuery {
  readonly query: Query;
  readonly first: number;
  /** The title, as the source writes it, of the query's channel; absent: it is not known, and nothing is pushed down for a channel. */
  readonly channelTitle?: string;
}

/** A list that is asked for, in the form in which the source has it. */
export interface SourceListRequest {
  readonly nativeResource: Resource;
  /** What a source with more records than its drain-threshold is asked instead of all that it has; absent: all is needed. */
  readonly pushDownQuery?: PushDownQuery | undefined;
  /** The source of the records; `native` is set in it where it is not the query's own form. */
  readonly traits: SourceTraits;
}

/** What a query is pushed down as. */
interface PushDownRequest {
  readonly sourceQuery: SourceQuery;
  readonly isTopN: boolean;
  /** Only the total is wanted. */
  readonly isCountOnly: boolean;
  /** Whether a search is sent that may be another one than ours. */
  readonly needsSearchCheck: boolean;
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
  private readonly capabilities: BelievedCapabilities;
  /** The parameters that were sent for a set that is not all that the source has. */
  private readonly sentParameters = new WeakMap<RecordSet, SourceParameters>();

  constructor(
    registration: Registration,
    collector: SnapshotFetcher,
    private readonly services: SourceServices,
  ) {
    this.capabilities = new BelievedCapabilities(registration, services);
    const contradicted = this.capabilities.disprove.bind(this.capabilities);
    const { confirmShrink, ttl, staleIfError } = registration;
    // Another repository under the same code is another source.
    const address = `${Object.values(registration.baseUrls).join(' ')} `;
    const guard = new ShrinkGuard(confirmShrink, ttl + staleIfError, services.historyStore, address);
    const shared = { onContradiction: contradicted, shrinkGuard: guard };
    const any = { ...shared, store: services.items, isUnbounded: true };
    const whole = { ...shared, store: services.store, isUnbounded: false };
    // Answers made of these are keyed by the sets that they rest on: there is nothing to drop when one changes.
    const apart: SourceServices = { ...services, onChange: () => undefined };
    const admitting = (kind: 'small' | 'large' | 'pushed') => (resource: Resource) => {
      for (const other of ['small', 'large', 'pushed'] as const) if (other !== kind) this[other].supersedeAll(resource);
    };
    this.small = new SnapshotCache(registration, collector, services, { ...whole, onAdmit: admitting('small') });
    this.large = new SnapshotCache(registration, collector, services, { ...whole, onAdmit: admitting('large') });
    this.pushed = new SnapshotCache(registration, collector, apart, { ...any, onAdmit: admitting('pushed') });
    this.items = new SnapshotCache(registration, collector, { ...apart, changeCounter: new ChangeCounter() }, any);
  }

  /**
   * What a query needs of a list, the cheapest way that is exact: a whole list that is fresh; else what is pushed down, where the source is known to
   * have more records than its drain-threshold and its capabilities suffice; else the whole list. A private query is answered from whole lists
   * alone, or from what is held of the same query. Never rejects.
   */
  async get(wanted: SourceListRequest, asking: SourceRequestContext): Promise<Outcome<Snapshot>> {
    const { nativeResource: native } = wanted;
    const held = this.small.getFresh(completeListQuery(native)) ?? this.large.getFresh(largeCompleteListQuery(native));
    if (held !== undefined) return held;
    const pushed = this.planPushDown(wanted);
    const sends = pushed !== undefined && !asking.private;
    if (!sends && this.canServeStaleLargeList(native)) return this.large.get(largeCompleteListQuery(native), asking);
    const look = await this.small.get(completeListQuery(native), asking);
    if (isTooLarge(look)) return sends ? this.pushDown(wanted, pushed, asking) : this.getCompleteList(wanted, asking);
    return isFailure(look) ? this.getFallback(wanted, look) : look;
  }

  /** What is fetched whichever query needs it: keys, and the items of a channel. Never rejects. */
  getPart(wish: SourceQuery, asking: SourceRequestContext): Promise<Outcome<Snapshot>> {
    return (wish.pushDown === undefined ? this.small : this.pushed).get(wish, asking);
  }

  /** Notes that teams were given without keys of theirs: keys that come next are a change, be they the first. */
  noteAnsweredWithoutKeys(): void {
    this.small.noteAnsweredWithout(allKeysQuery);
    this.pushed.supersedeAll(dataTeamsWithKeys);
  }

  /** Looks how many records there are, which drains no more than the drain-threshold. Never rejects. */
  checkSize(native: Resource, asking: SourceRequestContext): Promise<Outcome<Snapshot>> {
    return this.small.get(completeListQuery(native), asking);
  }

  /** One news item in detail form, by the source's own id. Never rejects. */
  getItem(native: number, asking: SourceRequestContext): Promise<Outcome<Snapshot>> {
    return this.items.get({ resource: newsItem, parameters: {}, nativeId: native }, asking);
  }

  /** How many records the source counts for these parameters: a copy that has none of them. Never rejects. */
  async getCount(
    native: Resource,
    parameters: SourceParameters,
    asking: SourceRequestContext,
  ): Promise<Outcome<Snapshot>> {
    return this.toCountOnly(await this.pushed.get(countQuery(native, parameters), asking));
  }

  /** The parameters that were sent for a set; undefined where it is all that the source has. */
  sentParametersOf(set: RecordSet): SourceParameters | undefined {
    return this.sentParameters.get(set);
  }

  /** How a query is answered, as far as is known before it is asked; `availability` is that of all lists that it needs. */
  planFor(
    query: Query,
    { nativeResource: native, traits: origin }: SourceListRequest,
    availability: SnapshotAvailability,
  ): SourcePlan {
    const known = { capability: this.capabilities.get(native), traits: origin };
    const pushed = planSource(query, { availability: 'large', ...known });
    const small = this.small.availability(completeListQuery(native));
    const isSmall = small === 'fresh' || small === 'stale';
    // Past its time a large list is not fetched again for what can be pushed down.
    if (availability === 'stale' && pushed.strategy === 'push-down' && !isSmall) return pushed;
    const way = planSource(query, { availability, ...known });
    return way.strategy === 'held' && !isSmall ? { ...way, isLarge: true } : way;
  }

  /** What is held of a whole list. */
  availability(native: Resource): SnapshotAvailability {
    const small = this.small.availability(completeListQuery(native));
    if (small === 'fresh') return small;
    const large = this.large.availability(largeCompleteListQuery(native));
    if (large === 'fresh' || small === 'stale') return large === 'fresh' ? large : small;
    if (large !== 'none') return large;
    if (small !== 'too-large') return small;
    return this.exceedsMemory(this.small.getRejected(completeListQuery(native))) ? 'too-large' : 'large';
  }

  /** Whether a look at a list's size counts more records than may be held, whatever is in them. */
  private exceedsMemory(look: Outcome<Snapshot> | undefined): boolean {
    const total = look !== undefined && 'total' in look ? look.total : undefined;
    return total !== undefined && total * MEMORY_PER_RECORD > this.services.maxLargeListBytes;
  }

  /** Whether a large list is past its time and still given, and nothing newer is known. */
  private canServeStaleLargeList(native: Resource): boolean {
    const small = this.small.availability(completeListQuery(native));
    return small !== 'stale' && this.large.availability(largeCompleteListQuery(native)) === 'stale';
  }

  /** All that the source has, where it has more than its drain-threshold, as long as that may be held; else what stands in for it. */
  private async getCompleteList(wanted: SourceListRequest, asking: SourceRequestContext): Promise<Outcome<Snapshot>> {
    const { nativeResource: native } = wanted;
    const look = await this.small.get(completeListQuery(native), asking);
    // It may have become smaller since it was looked at.
    if (!isTooLarge(look) && findSnapshot(look) !== undefined) return look;
    const outcome = this.exceedsMemory(look) ? look : await this.large.get(largeCompleteListQuery(native), asking);
    if (findSnapshot(outcome) !== undefined) return outcome;
    const pushed = this.planPushDown(wanted);
    if (isTooLarge(outcome) && asking.private && pushed !== undefined)
      return this.pushed.get(pushed.sourceQuery, asking);
    // What it had before it grew stands in for it.
    return findSnapshot(look) === undefined ? outcome : look;
  }

  /**
   * The answer to a query that is pushed down. Where it contradicts what the source was believed to do, or more records come than the drain-threshold, the
   * whole list is fetched (decisions.md, section 5): exact before fast.
   */
  private async pushDown(
    wanted: SourceListRequest,
    pushed: PushDownRequest,
    asking: SourceRequestContext,
  ): Promise<Outcome<Snapshot>> {
    const { nativeResource: native } = wanted;
    const capability = this.capabilities.get(native);
    const outcome = await this.pushed.get(pushed.sourceQuery, asking);
    // Drained meanwhile, it is the better answer, and what is given after it must not be older.
    const whole = this.large.getFresh(largeCompleteListQuery(native));
    if (whole !== undefined) return whole;
    if (this.capabilities.get(native) !== capability) return this.retryAfterDisproof(wanted, asking);
    if (isTooLarge(outcome) && !pushed.isTopN) return this.getManyMatches(wanted, pushed, asking);
    const copy = findSnapshot(outcome);
    if (copy === undefined && outcome.state === 'partial' && outcome.reason === 'drift')
      return this.drainAfterDrift(wanted, outcome, asking);
    if (copy === undefined)
      return isFailure(outcome) ? this.large.getFallback(largeCompleteListQuery(native), outcome) : outcome;
    if (pushed.needsSearchCheck) return this.confirmSearch(wanted, outcome, asking);
    return this.noteSentParameters(pushed.isCountOnly ? await this.toCountOnly(outcome) : outcome, pushed.sourceQuery);
  }

  /**
   * What comes of a query when a claim was just disproved: all that the source has. Where that may not be held, the query is pushed down once more by
   * what is still believed, as the next one would be. Each disproof leaves one claim less, so this ends.
   */
  private async retryAfterDisproof(
    wanted: SourceListRequest,
    asking: SourceRequestContext,
  ): Promise<Outcome<Snapshot>> {
    const whole = await this.getCompleteList(wanted, asking);
    const pushed = this.planPushDown(wanted);
    if (!isTooLarge(whole) || findSnapshot(whole) !== undefined || pushed === undefined) return whole;
    return this.pushDown(wanted, pushed, asking);
  }

  /** More matches than the drain-threshold: the whole list serves every query, and where it may not be held, the matches alone may be. */
  private async getManyMatches(
    wanted: SourceListRequest,
    { sourceQuery: wish }: PushDownRequest,
    asking: SourceRequestContext,
  ): Promise<Outcome<Snapshot>> {
    const whole = await this.getCompleteList(wanted, asking);
    if (!isTooLarge(whole) || findSnapshot(whole) !== undefined) return whole;
    const capability = this.capabilities.get(wanted.nativeResource);
    const matches = await this.pushed.get({ ...wish, completeAtAnySize: true }, asking);
    // What contradicts a claim is no answer, and all that the source has is too much.
    return this.capabilities.get(wanted.nativeResource) === capability ? this.noteSentParameters(matches, wish) : whole;
  }

  /** A stream that changes faster than it can be read is too short for the query; a drain gives its records, inconsistent, where they may be held. */
  private async drainAfterDrift(
    wanted: SourceListRequest,
    drifted: Outcome<Snapshot>,
    asking: SourceRequestContext,
  ): Promise<Outcome<Snapshot>> {
    const whole = await this.getCompleteList(wanted, asking);
    return findSnapshot(whole) === undefined ? drifted : whole;
  }

  /**
   * What a search gave that is declared to leave out no match: zero hits are confirmed by draining all that the source has (decisions.md, section 5).
   * Where that shows a match, the search is not believed any more.
   */
  private async confirmSearch(
    wanted: SourceListRequest,
    found: Outcome<Snapshot>,
    asking: SourceRequestContext,
  ): Promise<Outcome<Snapshot>> {
    const { nativeResource: native, pushDownQuery: narrowed } = wanted;
    const copy = findSnapshot(found);
    const pushed = this.planPushDown(wanted);
    if (narrowed === undefined || copy === undefined || pushed === undefined) return found;
    const { predicates: where } = narrowed.query;
    if ((await findMatchingRecord(copy.set, where)) !== undefined)
      return this.noteSentParameters(found, pushed.sourceQuery);
    const whole = await this.getCompleteList(wanted, asking);
    const all = findSnapshot(whole);
    if (all === undefined) return { state: 'partial', reason: 'search', snapshot: copy };
    const missed = await findMatchingRecord(all.set, where);
    if (missed !== undefined) {
      this.capabilities.disprove(native, {
        capability: 'filter',
        name: 'q',
        evidence: `it left out ${missed.id}, which matches`,
      });
    }
    return whole;
  }

  /** What stands in for a source that cannot be asked how much it has: an answer to the same query from when it was large, or all that it had. */
  private getFallback(wanted: SourceListRequest, failure: FailureOutcome): Outcome<Snapshot> {
    const pushed = this.planPushDown(wanted);
    const same = pushed === undefined ? failure : this.pushed.getFallback(pushed.sourceQuery, failure);
    return isFailure(same) ? this.large.getFallback(largeCompleteListQuery(wanted.nativeResource), same) : same;
  }

  /** What is asked of a source that is large; undefined where nothing that it does would make it less. */
  private planPushDown({
    nativeResource: native,
    pushDownQuery: narrowed,
    traits: origin,
  }: SourceListRequest): PushDownRequest | undefined {
    if (narrowed === undefined) return undefined;
    const { query, first, channelTitle: title } = narrowed;
    if (query.channel !== undefined && title === undefined) return undefined;
    const way = planSource(query, { availability: 'large', capability: this.capabilities.get(native), traits: origin });
    if (way.strategy !== 'push-down') return undefined;
    const { pushDown: offer, sent, residual: here, isTopN: stream, isCountOnly: counts } = way;
    const parameters = title === undefined ? sent : { ...sent, channel: title };
    const front = stream ? { topRecords: { order: offer.order, first: counts ? 0 : first } } : {};
    const pushed: PushedDownQuery = { exact: offer.exact, hasExactTotal: offer.guaranteed.total, ...front };
    const searches = sent['q'] !== undefined && here.includes('q');
    return {
      sourceQuery: { resource: native, parameters, pushDown: pushed },
      isTopN: stream,
      isCountOnly: counts,
      needsSearchCheck: searches,
    };
  }

  private noteSentParameters(outcome: Outcome<Snapshot>, { parameters }: SourceQuery): Outcome<Snapshot> {
    const copy = findSnapshot(outcome);
    if (copy !== undefined) this.sentParameters.set(copy.set, parameters);
    return outcome;
  }

  /** A count without the records that came with it: their places in the order of the query are unknown. */
  private async toCountOnly(outcome: Outcome<Snapshot>): Promise<Outcome<Snapshot>> {
    const copy = findSnapshot(outcome);
    if (copy === undefined || !('snapshot' in outcome)) return outcome;
    const { resource, sourceNumber, totalCount: size } = copy.set;
    const set = await copy.set.computeOnce('count', () =>
      Promise.resolve(new RecordSet(resource, sourceNumber, [], { unfetchedCount: size })),
    );
    return { ...outcome, snapshot: { ...copy, set } };
  }
}
