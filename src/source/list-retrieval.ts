import { ChangeCounter } from '../cache/change-counter.js';
import type { DisprovedCapability } from '../model/registration/capability.js';
import { findSnapshot, isTooLarge } from '../model/outcome.js';
import type { Outcome } from '../model/outcome.js';
import type { Query } from '../model/query.js';
import type { Resource } from '../model/resource.js';
import { channels } from '../model/resources/channels.js';
import { dataTeams, dataTeamsWithKeys } from '../model/resources/data-teams.js';
import { directoryTeams } from '../model/resources/directory-teams.js';
import { news, newsItem } from '../model/resources/news.js';
import type { SourceTraits } from '../plan/push-down.js';
import { planSource } from '../plan/source-plan.js';
import type { SnapshotAvailability, SourcePlan } from '../plan/source-plan.js';
import { findMatchingRecord } from '../records/find-first-record.js';
import { RecordSet } from '../records/record-set.js';
import type { SourceRequestContext } from './request/source-request-context.js';
import { BelievedCapabilities } from './top-n/believed-capabilities.js';
import type { SavedSnapshot } from './snapshot-persistence.js';
import type { ListInspection } from './status/list-status.js';
import type { SourceActivity } from './status/source-activity.js';
import type { SnapshotFetcher } from './snapshot-fetcher.js';
import type { SourceParameters } from './dialect/request-url.js';
import { FormerIds } from './snapshot/former-ids.js';
import type { SourceSettings, SourceServices } from './source-settings.js';
import { SnapshotCache } from './snapshot-cache.js';
import { ShrinkGuard } from './snapshot/shrink-guard.js';
import { isFailure } from './snapshot/snapshot.js';
import { copySnapshots } from './snapshot/snapshot-handover.js';
import type { SnapshotHandover } from './snapshot/snapshot-handover.js';
import type { Snapshot, FailureOutcome } from './snapshot/snapshot.js';
import { MEMORY_PER_RECORD } from './memory-estimate.js';
import { ID_FACTOR } from './record/record-reader.js';
import {
  allKeysQueries,
  countQuery,
  isListQuery,
  largeCompleteListQuery,
  completeListQuery,
} from './request/source-query.js';
import type { PushedDownQuery, SourceQuery } from './request/source-query.js';
import { snapshotKeyPrefixes } from './request/snapshot-key.js';

/** A query, and the minimum number of records from the start of its order. */
export interface PushDownQuery {
  readonly query: Query;
  readonly first: number;
  /**
   * Title of the query's channel as the source writes it. Absent: it is unknown, and a query with a channel is not
   * pushed down.
   */
  readonly channelTitle?: string;
}

/** A request for one list, in the form in which the source serves it. */
export interface SourceListRequest {
  readonly nativeResource: Resource;
  /**
   * The query that a source with more records than its `drain-threshold` gets by push-down. Absent: all records are
   * needed.
   */
  readonly pushDownQuery?: PushDownQuery | undefined;
  /**
   * Traits of the source. `nativeResource` is set in them if the source serves the list in another form than the
   * query's.
   */
  readonly traits: SourceTraits;
}

/** A query that can be pushed down, and how its result is used. */
interface PushDownRequest {
  readonly sourceQuery: SourceQuery;
  readonly isTopN: boolean;
  /** Whether only the total is needed. */
  readonly isCountOnly: boolean;
  /** Whether Rollcall evaluates `q` again, so that zero hits must be confirmed (decisions 5.13). */
  readonly needsSearchCheck: boolean;
}

/**
 * The lists of one source (decisions 5.3): complete up to its `drain-threshold`; beyond it by push-down where the
 * capabilities suffice, else complete as long as the list fits into the memory for large lists (decisions 5.10).
 */
export class ListRetrieval {
  /**
   * Complete lists up to the `drain-threshold`, and parts that several queries need: keys, and the items of a channel.
   */
  private readonly small: SnapshotCache;
  /** Complete lists of sources beyond their `drain-threshold`. */
  private readonly large: SnapshotCache;
  /** Results of pushed-down queries. */
  private readonly pushed: SnapshotCache;
  private readonly items: SnapshotCache;
  private readonly capabilities: BelievedCapabilities;
  /** Ids that the source gave up, of its complete lists of teams on each interface. */
  private formerIds = { directory: new FormerIds(), data: new FormerIds() };
  /** Parameters that were sent for a list that is not complete. */
  private sentParameters = new WeakMap<RecordSet, SourceParameters>();
  private readonly shrinkGuard: ShrinkGuard;

  constructor(
    private readonly registration: SourceSettings,
    collector: SnapshotFetcher,
    private readonly services: SourceServices,
    activity: SourceActivity,
  ) {
    this.capabilities = new BelievedCapabilities(registration, services);
    const onContradiction = this.capabilities.disprove.bind(this.capabilities);
    const { confirmShrink, ttl, staleIfError } = registration;
    // The guard's numbers are stored by address: another address under the same code is another source (decisions 7.9).
    const address = `${Object.values(registration.dialects)
      .map((dialect) => dialect?.address ?? '')
      .join(' ')} `;
    this.shrinkGuard = new ShrinkGuard(confirmShrink, ttl + staleIfError, services.historyStore, address);
    const shared = { onContradiction, activity, shrinkGuard: this.shrinkGuard };
    const unboundedOptions = { ...shared, store: services.unboundedStore, isUnbounded: true };
    const listOptions = {
      ...shared,
      store: services.store,
      isUnbounded: false,
      onReplace: (before: RecordSet, after: RecordSet) => {
        this.formerIdsOf(after.resource)?.note(before.records, after.records);
      },
      listFormerIds: (resource: Resource) => this.formerIdsOf(resource)?.list() ?? Promise.resolve([]),
    };
    // A result built from items or pushed-down queries is reused only for the same record sets, so that nothing has to
    // be dropped when one of these changes.
    const withoutChangeCallback: SourceServices = { ...services, onChange: () => undefined };
    const supersedeOthers = (kind: 'small' | 'large' | 'pushed') => (resource: Resource) => {
      if (kind !== 'small') this.small.supersedeAll(resource, this.listQuery(resource));
      if (kind !== 'large') this.large.supersedeAll(resource, this.largeListQuery(resource));
      if (kind !== 'pushed') this.pushed.supersedeAll(resource);
    };
    this.small = new SnapshotCache(registration, collector, services, {
      ...listOptions,
      onAdmit: supersedeOthers('small'),
    });
    this.large = new SnapshotCache(registration, collector, services, {
      ...listOptions,
      onAdmit: supersedeOthers('large'),
    });
    this.pushed = new SnapshotCache(registration, collector, withoutChangeCallback, {
      ...unboundedOptions,
      onAdmit: supersedeOthers('pushed'),
    });
    this.items = new SnapshotCache(
      registration,
      collector,
      { ...withoutChangeCallback, changeCounter: new ChangeCounter() },
      unboundedOptions,
    );
  }

  /** Restores what an earlier process saved (operation 2.5.3). Never rejects. */
  async restore(saved: SavedSnapshot): Promise<void> {
    const { query, formerIds } = saved;
    this.formerIdsOf(query.resource)?.restore(formerIds);
    const cache = query.completeAtAnySize === true && isListQuery(query) ? this.large : this.small;
    await cache.restore(query, saved);
  }

  /** Undefined for records whose ids are assigned by the source. */
  private formerIdsOf({ idKind, interfaceName }: Resource): FormerIds | undefined {
    return idKind === 'integer' ? undefined : this.formerIds[interfaceName];
  }

  /**
   * Takes over the snapshots of an earlier configuration, and what is known of them (operation 6.2). Capabilities that
   * responses contradicted are believed again (decisions 5.16).
   */
  continueFrom(previous: ListRetrieval, handover: SnapshotHandover): void {
    for (const cache of ['small', 'large', 'pushed', 'items'] as const) this[cache].continueFrom(previous[cache]);
    if (handover === 'none') return;
    this.shrinkGuard.continueFrom(previous.shrinkGuard);
    this.formerIds = previous.formerIds;
    this.sentParameters = previous.sentParameters;
    const { services, registration } = this;
    const { code, access } = registration;
    const options = { ...snapshotKeyPrefixes(code, access), handover, times: registration, now: services.clock.now() };
    copySnapshots(previous.services.store, services.store, options);
    if (handover === 'everything') copySnapshots(previous.services.unboundedStore, services.unboundedStore, options);
  }

  /**
   * Returns the records that a query needs of a list, in the cheapest exact way (decisions 5.3): a fresh complete list;
   * else a push-down, if the source is known to have more records than its `drain-threshold` and its capabilities
   * suffice; else the complete list. A private query uses complete lists, or a cached result of the same request
   * (decisions 8.7). Never rejects.
   */
  async get(request: SourceListRequest, context: SourceRequestContext): Promise<Outcome<Snapshot>> {
    const { nativeResource: native } = request;
    const cached = this.small.getFresh(this.listQuery(native)) ?? this.large.getFresh(this.largeListQuery(native));
    if (cached !== undefined) return cached;
    const pushDownRequest = this.planPushDown(request);
    const canPushDown = pushDownRequest !== undefined && !context.isPrivate;
    if (!canPushDown && this.canServeStaleLargeList(native))
      return this.large.get(this.largeListQuery(native), context);
    const sizeCheck = await this.small.get(this.listQuery(native), context);
    if (isTooLarge(sizeCheck))
      return canPushDown ? this.pushDown(request, pushDownRequest, context) : this.getCompleteList(request, context);
    return isFailure(sizeCheck) ? this.getFallback(request, sizeCheck) : sizeCheck;
  }

  private listQuery(native: Resource): SourceQuery {
    return completeListQuery(this.registration.access, native);
  }

  private largeListQuery(native: Resource): SourceQuery {
    return largeCompleteListQuery(this.registration.access, native);
  }

  /** Returns a part that does not depend on one query: keys, or the items of a channel. Never rejects. */
  getPart(query: SourceQuery, context: SourceRequestContext): Promise<Outcome<Snapshot>> {
    return (query.pushDown === undefined ? this.small : this.pushed).get(query, context);
  }

  /** Notes that teams were served without their keys: the next keys count as a change, even the first. */
  noteServedWithoutKeys(): void {
    this.small.noteServedWithout(allKeysQueries[this.registration.access]);
    this.pushed.supersedeAll(dataTeamsWithKeys);
  }

  /**
   * Checks the size of a list, which drains no more records than the `drain-threshold` (decisions 5.4). Never rejects.
   */
  checkSize(native: Resource, context: SourceRequestContext): Promise<Outcome<Snapshot>> {
    return this.small.get(this.listQuery(native), context);
  }

  /**
   * Returns one news item in detail form, by the source's own id: of a document from its complete list. Never rejects.
   */
  async getItem(native: number, context: SourceRequestContext): Promise<Outcome<Snapshot>> {
    const { access, dialects, number } = this.registration;
    if (dialects[newsItem.interfaceName]?.paging.kind === 'linked')
      return selectItem(await this.small.get(this.listQuery(newsItem), context), native * ID_FACTOR + number);
    return this.items.get({ access, resource: newsItem, parameters: {}, nativeId: native }, context);
  }

  /**
   * Returns the number of records that the source counts for the parameters, as a snapshot without records. Never
   * rejects.
   */
  async getCount(
    native: Resource,
    parameters: SourceParameters,
    context: SourceRequestContext,
  ): Promise<Outcome<Snapshot>> {
    return this.toCountOnly(await this.pushed.get(countQuery(this.registration.access, native, parameters), context));
  }

  /** Whether an earlier complete list had a team with this id that the next one had not (decisions 2.35). */
  hasGivenUp({ interfaceName }: Resource, id: string): Promise<boolean> {
    return this.formerIds[interfaceName].has(id);
  }

  /** Returns the parameters that were sent for a record set; undefined for a complete list. */
  sentParametersOf(set: RecordSet): SourceParameters | undefined {
    return this.sentParameters.get(set);
  }

  /**
   * Returns the plan of a query as far as it is known without a request. `availability` is the least one of all lists
   * that the query needs.
   */
  planFor(
    query: Query,
    { nativeResource: native, traits }: SourceListRequest,
    availability: SnapshotAvailability,
  ): SourcePlan {
    const known = { capability: this.capabilities.get(native), traits };
    const pushed = planSource(query, { availability: 'large', ...known });
    const small = this.small.availability(this.listQuery(native));
    const isSmall = small === 'fresh' || small === 'stale';
    // A stale large list is not fetched again for a query that can be pushed down (decisions 5.10).
    if (availability === 'stale' && pushed.strategy === 'push-down' && !isSmall) return pushed;
    const plan = planSource(query, { availability, ...known });
    return plan.strategy === 'cached' && !isSmall ? { ...plan, isLarge: true } : plan;
  }

  /** Returns how much of a complete list is cached, in either cache. */
  availability(native: Resource): SnapshotAvailability {
    const small = this.small.availability(this.listQuery(native));
    if (small === 'fresh') return small;
    const large = this.large.availability(this.largeListQuery(native));
    if (large === 'fresh' || small === 'stale') return large === 'fresh' ? large : small;
    if (large !== 'none') return large;
    if (small !== 'too-large') return small;
    return this.exceedsMemory(this.small.getRejected(this.listQuery(native))) ? 'too-large' : 'large';
  }

  /** Whether the size check counted more records than fit into the memory of one large list, whatever their size. */
  private exceedsMemory(sizeCheck: Outcome<Snapshot> | undefined): boolean {
    const total = sizeCheck !== undefined && 'total' in sizeCheck ? sizeCheck.total : undefined;
    return total !== undefined && total * MEMORY_PER_RECORD > this.services.maxLargeListBytes;
  }

  /** Returns what is cached of a list, for the operator: of a large source its complete list, if there is one. */
  inspect(native: Resource): ListInspection {
    const small = this.small.inspect(this.listQuery(native));
    if (small.state === 'fresh') return small;
    const large = this.large.inspect(this.largeListQuery(native));
    return large.last === undefined && !large.isRefreshing ? small : { ...large, doubt: small.doubt };
  }

  /** Returns what is cached of the list of keys, for the operator. */
  inspectKeys(): ListInspection {
    return this.small.inspect(allKeysQueries[this.registration.access]);
  }

  /** The declared capabilities for a resource that were disproved. */
  disproofsOf(native: Resource): readonly DisprovedCapability[] {
    return this.capabilities.disproofsOf(native);
  }

  /**
   * Fetches a list although it may be fresh (operation 3.5). Of a source beyond its `drain-threshold` only the size is
   * checked, unless its complete list is cached, or no capability is declared that would save it. Never rejects.
   */
  async refreshNow(native: Resource): Promise<Outcome<Snapshot>> {
    const sizeCheck = await this.small.refreshNow(this.listQuery(native));
    const isNeeded =
      this.registration.supports[native.path] === undefined ||
      this.large.availability(this.largeListQuery(native)) !== 'none';
    return isTooLarge(sizeCheck) && isNeeded && !this.exceedsMemory(sizeCheck)
      ? this.large.refreshNow(this.largeListQuery(native))
      : sizeCheck;
  }

  /** The same for the list of keys. */
  refreshKeysNow(): Promise<Outcome<Snapshot>> {
    return this.small.refreshNow(allKeysQueries[this.registration.access]);
  }

  /** Trusts the doubted numbers of records (decisions 6.11; operation 3.5). Returns whether there were any. */
  confirmShrink(): boolean {
    return this.shrinkGuard.acceptDoubted(this.services.clock.now());
  }

  /**
   * Forgets the snapshots, the trusted numbers of records, the disproved capabilities and the former ids (operation
   * 3.5). Whatever is fetched next counts as changed (decisions 7.6).
   */
  forget(): void {
    const { code, number, access } = this.registration;
    const { store, unboundedStore, changeCounter, onChange } = this.services;
    const { prefix, rejectedPrefix } = snapshotKeyPrefixes(code, access);
    const isOfSource = (key: string): boolean => key.startsWith(prefix) || key.startsWith(rejectedPrefix);
    for (const cache of [this.small, this.large, this.pushed, this.items]) cache.restartRefreshes();
    for (const resource of LIST_RESOURCES) {
      this.small.supersedeAll(resource, this.listQuery(resource));
      this.large.supersedeAll(resource, this.largeListQuery(resource));
      for (const cache of [this.pushed, this.items]) cache.supersedeAll(resource);
    }
    for (const one of [store, unboundedStore]) one.removeWhere(isOfSource);
    this.shrinkGuard.forget();
    this.services.persistence?.forget();
    this.capabilities.reset();
    this.formerIds = { directory: new FormerIds(), data: new FormerIds() };
    this.sentParameters = new WeakMap();
    changeCounter.changes += 1;
    for (const path of new Set(LIST_RESOURCES.map((resource) => resource.path))) onChange(number, path);
  }

  /** Whether a stale large list may be served, and no newer small list is known. */
  private canServeStaleLargeList(native: Resource): boolean {
    const small = this.small.availability(this.listQuery(native));
    return small !== 'stale' && this.large.availability(this.largeListQuery(native)) === 'stale';
  }

  /**
   * Returns the complete list of a source beyond its `drain-threshold`, as long as it fits into memory; else a
   * fallback.
   */
  private async getCompleteList(request: SourceListRequest, context: SourceRequestContext): Promise<Outcome<Snapshot>> {
    const { nativeResource: native } = request;
    const sizeCheck = await this.small.get(this.listQuery(native), context);
    // The list may have become smaller since the size check.
    if (!isTooLarge(sizeCheck) && findSnapshot(sizeCheck) !== undefined) return sizeCheck;
    const outcome = this.exceedsMemory(sizeCheck)
      ? sizeCheck
      : await this.large.get(this.largeListQuery(native), context);
    if (findSnapshot(outcome) !== undefined) return outcome;
    const pushDownRequest = this.planPushDown(request);
    if (isTooLarge(outcome) && context.isPrivate && pushDownRequest !== undefined)
      return this.pushed.get(pushDownRequest.sourceQuery, context);
    // The fallback is the list from before the source grew (decisions 6.12).
    return findSnapshot(sizeCheck) === undefined ? outcome : sizeCheck;
  }

  /**
   * Returns the result of a push-down. If it disproves a capability, or more records match than the `drain-threshold`,
   * the complete list is fetched instead (decisions 5.10, 5.16).
   */
  private async pushDown(
    request: SourceListRequest,
    pushed: PushDownRequest,
    context: SourceRequestContext,
  ): Promise<Outcome<Snapshot>> {
    const { nativeResource: native } = request;
    const capability = this.capabilities.get(native);
    const outcome = await this.pushed.get(pushed.sourceQuery, context);
    // A complete list that was drained in the meantime is served: a later response must not be older than one that used
    // this list.
    const completeList = this.large.getFresh(this.largeListQuery(native));
    if (completeList !== undefined) return completeList;
    if (this.capabilities.get(native) !== capability) return this.retryAfterDisproof(request, context);
    if (isTooLarge(outcome) && !pushed.isTopN) return this.getManyMatches(request, pushed, context);
    const snapshot = findSnapshot(outcome);
    if (snapshot === undefined && outcome.state === 'partial' && outcome.reason === 'drift')
      return this.drainAfterDrift(request, outcome, context);
    if (snapshot === undefined)
      return isFailure(outcome) ? this.large.getFallback(this.largeListQuery(native), outcome) : outcome;
    if (pushed.needsSearchCheck) return this.confirmSearch(request, outcome, context);
    return this.noteSentParameters(pushed.isCountOnly ? await this.toCountOnly(outcome) : outcome, pushed.sourceQuery);
  }

  /**
   * Answers a query whose push-down has just disproved a capability: from the complete list, or, if that is too large,
   * by another push-down with the remaining capabilities. Each disproof removes one capability, so the recursion ends.
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

  /**
   * Answers a query that more records match than the `drain-threshold`: from the complete list, which serves every
   * query, or, if that is too large, from the matches alone (decisions 5.10).
   */
  private async getManyMatches(
    request: SourceListRequest,
    { sourceQuery: query }: PushDownRequest,
    context: SourceRequestContext,
  ): Promise<Outcome<Snapshot>> {
    const completeList = await this.getCompleteList(request, context);
    if (!isTooLarge(completeList) || findSnapshot(completeList) !== undefined) return completeList;
    const capability = this.capabilities.get(request.nativeResource);
    const matches = await this.pushed.get({ ...query, completeAtAnySize: true }, context);
    // A result that disproves a capability is not used, and the complete list is too large.
    return this.capabilities.get(request.nativeResource) === capability
      ? this.noteSentParameters(matches, query)
      : completeList;
  }

  /**
   * Answers a query whose top records changed with every reading. They are too few for the query; a drain returns all
   * records as `inconsistent`, if they fit into memory.
   */
  private async drainAfterDrift(
    request: SourceListRequest,
    drifted: Outcome<Snapshot>,
    context: SourceRequestContext,
  ): Promise<Outcome<Snapshot>> {
    const completeList = await this.getCompleteList(request, context);
    return findSnapshot(completeList) === undefined ? drifted : completeList;
  }

  /**
   * Confirms zero hits of a search by draining the complete list (decisions 5.13). If that contains a match, `search`
   * is disproved.
   */
  private async confirmSearch(
    request: SourceListRequest,
    found: Outcome<Snapshot>,
    context: SourceRequestContext,
  ): Promise<Outcome<Snapshot>> {
    const { nativeResource: native, pushDownQuery } = request;
    const snapshot = findSnapshot(found);
    const pushDownRequest = this.planPushDown(request);
    if (pushDownQuery === undefined || snapshot === undefined || pushDownRequest === undefined) return found;
    const { predicates } = pushDownQuery.query;
    if ((await findMatchingRecord(snapshot.set, predicates)) !== undefined)
      return this.noteSentParameters(found, pushDownRequest.sourceQuery);
    const completeOutcome = await this.getCompleteList(request, context);
    const completeList = findSnapshot(completeOutcome);
    if (completeList === undefined) return { state: 'partial', reason: 'search', snapshot };
    const missed = await findMatchingRecord(completeList.set, predicates);
    if (missed !== undefined) {
      this.capabilities.disprove(native, {
        capability: 'filter',
        name: 'q',
        evidence: `the search omitted ${missed.id}, which matches`,
      });
    }
    return completeOutcome;
  }

  /**
   * Returns the fallback of a source whose size check failed: a cached result of the same push-down, or the last large
   * list (decisions 5.4, 6.12).
   */
  private getFallback(request: SourceListRequest, failure: FailureOutcome): Outcome<Snapshot> {
    const pushDownRequest = this.planPushDown(request);
    const fallback =
      pushDownRequest === undefined ? failure : this.pushed.getFallback(pushDownRequest.sourceQuery, failure);
    return isFailure(fallback)
      ? this.large.getFallback(this.largeListQuery(request.nativeResource), fallback)
      : fallback;
  }

  /** Returns the push-down of a query to a large source; undefined if no push-down reduces the list. */
  private planPushDown({
    nativeResource: native,
    pushDownQuery,
    traits,
  }: SourceListRequest): PushDownRequest | undefined {
    if (pushDownQuery === undefined) return undefined;
    const { query, first, channelTitle } = pushDownQuery;
    if (query.channel !== undefined && channelTitle === undefined) return undefined;
    const plan = planSource(query, { availability: 'large', capability: this.capabilities.get(native), traits });
    if (plan.strategy !== 'push-down') return undefined;
    const { pushDown, sent, residual, isTopN, isCountOnly } = plan;
    const parameters = channelTitle === undefined ? sent : { ...sent, channel: channelTitle };
    const topRecordsPart = isTopN ? { topRecords: { order: pushDown.order, first: isCountOnly ? 0 : first } } : {};
    const pushed: PushedDownQuery = {
      exact: pushDown.exact,
      hasExactTotal: pushDown.guaranteed.total,
      ...topRecordsPart,
    };
    const needsSearchCheck = sent['q'] !== undefined && residual.includes('q');
    return {
      sourceQuery: { access: this.registration.access, resource: native, parameters, pushDown: pushed },
      isTopN,
      isCountOnly,
      needsSearchCheck,
    };
  }

  private noteSentParameters(outcome: Outcome<Snapshot>, { parameters }: SourceQuery): Outcome<Snapshot> {
    const snapshot = findSnapshot(outcome);
    if (snapshot !== undefined) this.sentParameters.set(snapshot.set, parameters);
    return outcome;
  }

  /** Removes the records that were received with a count: their positions in the order of the query are unknown. */
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

/** All resources that have snapshots. */
const LIST_RESOURCES: readonly Resource[] = [directoryTeams, dataTeams, news, newsItem, channels];

/** Returns the outcome of a list with the one record that has this public id, or none. */
function selectItem(outcome: Outcome<Snapshot>, id: number): Outcome<Snapshot> {
  const snapshot = findSnapshot(outcome);
  if (snapshot === undefined || !('snapshot' in outcome)) return outcome;
  const records = snapshot.set.records.filter((record) => record.id === String(id));
  return { ...outcome, snapshot: { ...snapshot, set: new RecordSet(newsItem, snapshot.set, records) } };
}
