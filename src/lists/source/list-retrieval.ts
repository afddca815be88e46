import { findSnapshot, isTooLarge } from '../../model/outcome.js';
import type { Outcome } from '../../model/outcome.js';
import type { Query } from '../../model/query.js';
import type { Resource } from '../../model/resource.js';
import { newsItem } from '../../model/resources/news.js';
import { noCapability } from '../../model/registration/capability.js';
import type { SourceTraits } from '../../plan/push-down.js';
import { planSource } from '../../plan/source-plan.js';
import type { SnapshotAvailability, SourcePlan } from '../../plan/source-plan.js';
import { findMatchingRecord } from '../../records/find-first-record.js';
import { RecordSet } from '../../records/record-set.js';
import { MAX_RECORDS } from '../pages/drain.js';
import type { SourceRequestContext } from '../../source/request/source-request-context.js';
import type { Lists } from '../lists.js';
import type { SourceSettings } from '../../source/source-settings.js';
import { isFailure } from '../list-state.js';
import type { FailureOutcome } from '../list-state.js';
import type { Snapshot } from '../snapshot.js';
import { ID_FACTOR } from '../../source/record/record-reader.js';
import { completeListQuery, largeCompleteListQuery } from '../../source/request/source-query.js';
import type { PushedDownQuery, SourceQuery } from '../../source/request/source-query.js';

/** With the minimum number of records from the start of its order. */
export interface PushDownQuery {
  readonly query: Query;
  readonly first: number;
}

/** In the form in which the source serves the list. */
export interface SourceListRequest {
  readonly nativeResource: Resource;
  /** For push-down to a source beyond its `drain-threshold`. Absent: all records are needed. */
  readonly pushDownQuery?: PushDownQuery | undefined;
  readonly traits: SourceTraits;
}

interface PushDownRequest {
  readonly sourceQuery: SourceQuery;
  readonly isTopN: boolean;
  readonly isCountOnly: boolean;
  /** Rollcall evaluates `q` again, so zero hits must be confirmed (decisions 5.13). */
  readonly needsSearchCheck: boolean;
}

/**
 * The lists of one source (decisions 5.3): complete up to its `drain-threshold`; beyond it by push-down where
 * capabilities suffice, else complete as far as memory for large lists allows (decisions 5.10).
 */
export class ListRetrieval {
  constructor(
    private readonly registration: SourceSettings,
    private readonly lists: Lists,
  ) {}

  /**
   * Uses the cheapest exact way: a fresh complete list; else push-down, if the source is known to be large and its
   * capabilities suffice; else the complete list. A private query uses complete lists, or a cached result of the same
   * request (decisions 8.7). Never rejects.
   */
  async get(request: SourceListRequest, context: SourceRequestContext): Promise<Outcome<Snapshot>> {
    const { nativeResource: native } = request;
    if (this.lists.feeds !== undefined) return this.lists.feeds.get(native, context);
    const cached =
      this.lists.find(completeListQuery(native)).getFresh() ??
      this.lists.find(largeCompleteListQuery(native)).getFresh();
    if (cached !== undefined) return cached;
    const pushDownRequest = this.planPushDown(request);
    const canPushDown = pushDownRequest !== undefined && !context.isPrivate;
    if (!canPushDown && this.canServeStaleLargeList(native))
      return this.lists.get(largeCompleteListQuery(native), context);
    const sizeCheck = await this.lists.get(completeListQuery(native), context);
    if (isTooLarge(sizeCheck))
      return canPushDown ? this.pushDown(request, pushDownRequest, context) : this.getCompleteList(request, context);
    return isFailure(sizeCheck) ? this.getFallback(request, sizeCheck) : sizeCheck;
  }

  /** For parts that do not depend on one query: keys, or the items of a channel. Never rejects. */
  getPart(query: SourceQuery, context: SourceRequestContext): Promise<Outcome<Snapshot>> {
    return this.lists.get(query, context);
  }

  /** Drains no more records than the `drain-threshold` (decisions 5.4). Never rejects. */
  checkSize(native: Resource, context: SourceRequestContext): Promise<Outcome<Snapshot>> {
    if (this.lists.feeds !== undefined) return this.lists.feeds.get(native, context);
    return this.lists.get(completeListQuery(native), context);
  }

  /** By the source's own id; of a document and of feeds from the complete list. Never rejects. */
  async getItem(native: number, context: SourceRequestContext): Promise<Outcome<Snapshot>> {
    const { dialects, number } = this.registration;
    if (this.lists.feeds !== undefined) return this.lists.feeds.getItem(String(native * ID_FACTOR + number), context);
    if (dialects[newsItem.interfaceName]?.paging.kind === 'linked')
      return selectItem(await this.lists.get(completeListQuery(newsItem), context), native * ID_FACTOR + number);
    return this.lists.get({ resource: newsItem, parameters: {}, nativeId: native }, context);
  }

  /** As far as it is known without a request. `availability` is the least one of all lists that the query needs. */
  planFor(
    query: Query,
    { nativeResource: native, traits }: SourceListRequest,
    availability: SnapshotAvailability,
  ): SourcePlan {
    const capability = query.resource === native ? this.lists.capabilities.get(native) : noCapability;
    const known = { capability, traits };
    if (this.lists.feeds !== undefined) return planSource(query, { availability, ...known });
    const pushed = planSource(query, { availability: 'large', ...known });
    const small = this.lists.find(completeListQuery(native)).availability;
    const isSmall = small === 'fresh' || small === 'stale';
    // A stale large list is not fetched again for a query that can be pushed down.
    if (availability === 'stale' && pushed.strategy === 'push-down' && !isSmall) return pushed;
    return planSource(query, { availability, ...known });
  }

  private canServeStaleLargeList(native: Resource): boolean {
    const small = this.lists.find(completeListQuery(native)).availability;
    return small !== 'stale' && this.lists.find(largeCompleteListQuery(native)).availability === 'stale';
  }

  /** As long as it fits into memory; else a fallback. */
  private async getCompleteList(request: SourceListRequest, context: SourceRequestContext): Promise<Outcome<Snapshot>> {
    const { nativeResource: native } = request;
    const sizeCheck = await this.lists.get(completeListQuery(native), context);
    // The list may have become smaller since the size check.
    if (!isTooLarge(sizeCheck) && findSnapshot(sizeCheck) !== undefined) return sizeCheck;
    const outcome = this.lists.exceedsMemory(sizeCheck)
      ? sizeCheck
      : await this.lists.get(largeCompleteListQuery(native), context);
    if (findSnapshot(outcome) !== undefined) return outcome;
    const pushDownRequest = this.planPushDown(request);
    if (isTooLarge(outcome) && context.isPrivate && pushDownRequest !== undefined)
      return this.lists.get(pushDownRequest.sourceQuery, context);
    // The fallback is the list from before the source grew (decisions 6.12).
    return findSnapshot(sizeCheck) === undefined ? outcome : sizeCheck;
  }

  /** A disproved capability, or more matches than the `drain-threshold`, needs the complete list (decisions 5.16). */
  private async pushDown(
    request: SourceListRequest,
    pushed: PushDownRequest,
    context: SourceRequestContext,
  ): Promise<Outcome<Snapshot>> {
    const { nativeResource: native } = request;
    const capability = this.lists.capabilities.get(native);
    const outcome = await this.lists.get(pushed.sourceQuery, context);
    // A complete list drained meanwhile is served: a later response must not be older than one that used this list.
    const completeList = this.lists.find(largeCompleteListQuery(native)).getFresh();
    if (completeList !== undefined) return completeList;
    if (this.lists.capabilities.get(native) !== capability) return this.retryAfterDisproof(request, context);
    if (isTooLarge(outcome) && !pushed.isTopN) return this.getManyMatches(request, pushed, context);
    const snapshot = findSnapshot(outcome);
    if (lacksTopRecords(outcome, pushed)) return this.drainAfterDrift(request, outcome, context);
    if (snapshot === undefined)
      return isFailure(outcome) ? this.lists.find(largeCompleteListQuery(native)).getFallback(outcome) : outcome;
    if (pushed.needsSearchCheck) return this.confirmSearch(request, outcome, context);
    return pushed.isCountOnly ? this.toCountOnly(outcome) : outcome;
  }

  /**
   * Uses the complete list, or, if that is too large, push-down with the remaining capabilities. Each disproof removes
   * one capability, so the recursion ends.
   */
  private async retryAfterDisproof(
    request: SourceListRequest,
    context: SourceRequestContext,
  ): Promise<Outcome<Snapshot>> {
    const completeList = await this.getCompleteList(request, context);
    const pushDownRequest = this.planPushDown(request);
    if (!isTooLarge(completeList) || findSnapshot(completeList) !== undefined || pushDownRequest === undefined)
      return completeList;
    return this.pushDown(request, pushDownRequest, context);
  }

  /** Uses the complete list, which serves every query, or, if that is too large, the matches alone. */
  private async getManyMatches(
    request: SourceListRequest,
    { sourceQuery: query }: PushDownRequest,
    context: SourceRequestContext,
  ): Promise<Outcome<Snapshot>> {
    const completeList = await this.getCompleteList(request, context);
    if (!isTooLarge(completeList) || findSnapshot(completeList) !== undefined) return completeList;
    const capability = this.lists.capabilities.get(request.nativeResource);
    const matches = await this.lists.get({ ...query, completeAtAnySize: true }, context);
    // A result that disproves a capability is not used, and the complete list is too large.
    return this.lists.capabilities.get(request.nativeResource) === capability ? matches : completeList;
  }

  /** Top records that change with every reading are too few; a drain returns all, as `inconsistent`, if they fit. */
  private async drainAfterDrift(
    request: SourceListRequest,
    { total }: { readonly total?: number },
    context: SourceRequestContext,
  ): Promise<Outcome<Snapshot>> {
    const completeList = await this.getCompleteList(request, context);
    const drifted: Outcome<Snapshot> = { state: 'partial', reason: 'drift', ...(total !== undefined && { total }) };
    return findSnapshot(completeList) === undefined ? drifted : completeList;
  }

  /** Drains the complete list for zero hits of a search. If that contains a match, `search` is disproved. */
  private async confirmSearch(
    request: SourceListRequest,
    found: Outcome<Snapshot>,
    context: SourceRequestContext,
  ): Promise<Outcome<Snapshot>> {
    const { nativeResource: native, pushDownQuery } = request;
    const snapshot = findSnapshot(found);
    if (pushDownQuery === undefined || snapshot === undefined) return found;
    const { predicates } = pushDownQuery.query;
    if ((await findMatchingRecord(snapshot.set, predicates)) !== undefined) return found;
    const completeOutcome = await this.getCompleteList(request, context);
    const completeList = findSnapshot(completeOutcome);
    if (completeList === undefined) return { state: 'partial', reason: 'search', snapshot };
    const missed = await findMatchingRecord(completeList.set, predicates);
    if (missed !== undefined) {
      this.lists.capabilities.disprove(native, {
        capability: 'filter',
        name: 'q',
        evidence: `the search omitted ${missed.id}, which matches`,
      });
    }
    return completeOutcome;
  }

  /** After a failed size check: a cached result of the same push-down, or the last large list. */
  private getFallback(request: SourceListRequest, failure: FailureOutcome): Outcome<Snapshot> {
    const pushDownRequest = this.planPushDown(request);
    const fallback =
      pushDownRequest === undefined ? failure : this.lists.find(pushDownRequest.sourceQuery).getFallback(failure);
    return isFailure(fallback)
      ? this.lists.find(largeCompleteListQuery(request.nativeResource)).getFallback(fallback)
      : fallback;
  }

  private planPushDown({
    nativeResource: native,
    pushDownQuery,
    traits,
  }: SourceListRequest): PushDownRequest | undefined {
    if (pushDownQuery === undefined) return undefined;
    const { query, first } = pushDownQuery;
    const plan = planSource(query, { availability: 'large', capability: this.lists.capabilities.get(native), traits });
    if (plan.strategy !== 'push-down') return undefined;
    const { pushDown, sent, residual, isTopN, isCountOnly } = plan;
    const topRecords = { order: pushDown.order, first: isCountOnly ? 0 : countTopRecords(native, first) };
    const pushed: PushedDownQuery = {
      exact: pushDown.exact,
      hasExactTotal: pushDown.guaranteed.total,
      ...(isTopN && { topRecords }),
    };
    const needsSearchCheck = sent['q'] !== undefined && residual.includes('q');
    return {
      sourceQuery: { resource: native, parameters: sent, pushDown: pushed },
      isTopN,
      isCountOnly,
      needsSearchCheck,
    };
  }

  /** Drops the records of a count: their positions in the order of the query are unknown. */
  private async toCountOnly(outcome: Outcome<Snapshot>): Promise<Outcome<Snapshot>> {
    const snapshot = findSnapshot(outcome);
    if (snapshot === undefined || !('snapshot' in outcome)) return outcome;
    const { resource, totalCount: size } = snapshot.set;
    const set = await snapshot.set.computeOnce('count', () =>
      Promise.resolve(new RecordSet(resource, snapshot.set, [], { unfetchedCount: size })),
    );
    return { ...outcome, snapshot: { ...snapshot, set } };
  }
}

/** Of the smallest list that serves a page and those after it. */
const LEAST_TOP_RECORDS = 100;

/**
 * 100, 200, 400 and so on, at least as many as needed. No further than the resource's window before paging reaches it
 * (decisions 5.9), and not beyond the bound of a drain.
 */
function countTopRecords({ pagingWindow: window }: Resource, needed: number): number {
  if (needed === 0) return 0;
  const doublings = Math.max(0, Math.ceil(Math.log2(needed / LEAST_TOP_RECORDS)));
  const most = needed <= window ? Math.min(window, MAX_RECORDS) : MAX_RECORDS;
  return Math.max(needed, Math.min(LEAST_TOP_RECORDS * 2 ** doublings, most));
}

/** The source changed with every reading of them. Positions of the missing ones in the order are unknown. */
function lacksTopRecords(
  outcome: Outcome<Snapshot>,
  { sourceQuery }: PushDownRequest,
): outcome is Extract<Outcome<Snapshot>, { readonly state: 'partial' | 'inconsistent' }> {
  if ((outcome.state !== 'partial' && outcome.state !== 'inconsistent') || outcome.reason !== 'drift') return false;
  const { set } = findSnapshot(outcome) ?? {};
  const wanted = sourceQuery.pushDown?.topRecords?.first ?? 0;
  return set === undefined || (set.hasMore && set.records.length < wanted);
}

/** The one record with this public id, or none. */
function selectItem(outcome: Outcome<Snapshot>, id: number): Outcome<Snapshot> {
  const snapshot = findSnapshot(outcome);
  if (snapshot === undefined || !('snapshot' in outcome)) return outcome;
  const records = snapshot.set.records.filter((record) => record.id === String(id));
  return { ...outcome, snapshot: { ...snapshot, set: new RecordSet(newsItem, snapshot.set, records) } };
}
