import type { CacheLevel } from '../cache/cache-level.js';
import type { ChangeCounter } from '../cache/change-counter.js';
import type { FetchFinished, PublishOfSource } from '../events/event.js';
import { findSnapshot, getViaNames, isTooLarge } from '../model/outcome.js';
import type { Outcome } from '../model/outcome.js';
import type { Clock } from '../model/clock.js';
import type { Resource } from '../model/resource.js';
import { channels } from '../model/resources/channels.js';
import { feedEntries } from '../model/resources/feed-entries.js';
import { news } from '../model/resources/news.js';
import type { SnapshotAvailability } from '../plan/source-plan.js';
import type { ReplacedRecords } from '../records/record-set.js';
import { FeedTotals } from './feeds/feed-totals.js';
import { FeedRetrieval } from './feeds/feed-retrieval.js';
import { MEMORY_PER_RECORD, MIN_LIST_BYTES } from './memory-estimate.js';
import { FindingCounter } from '../source/record/findings.js';
import type { SourceRequestContext } from '../source/request/source-request-context.js';
import { completeListQuery, largeCompleteListQuery } from '../source/request/source-query.js';
import type { SourceQuery } from '../source/request/source-query.js';
import type { ListReader } from './reading/list-reader.js';
import type { SourceSettings } from '../source/source-settings.js';
import type { SourceActivity } from './status/source-activity.js';
import { BelievedCapabilities } from './push-down/believed-capabilities.js';
import { nextSecond } from './judge.js';
import type { JudgePolicy, Moment } from './judge.js';
import { LastVia } from './last-via-header.js';
import { List } from './list.js';
import type { ListOwner } from './list.js';
import { createListId, isDatedFromStart, isPerQuery, listKeyPrefix } from './list-id.js';
import type { ListId } from './list-id.js';
import { countListedRecords } from './count-listed-records.js';
import { lastOutcome } from './list-state.js';
import type { FailureOutcome, ListState } from './list-state.js';
import type { SharedLists, SharedRejection } from './shared-lists.js';
import { adoptDoubt, describeDoubt } from './shrink-guard.js';
import type { ShrinkDoubt, TrustedSize } from './shrink-guard.js';
import type { Snapshot } from './snapshot.js';
import type { ListDisk, StoredList } from './stored-list.js';

export interface ListsServices {
  readonly reader: Pick<ListReader, 'fetchSnapshot'>;
  /** Of the lists that a configuration has; `perQuery`: of the others, which are evicted before them. */
  readonly memory: { readonly kept: CacheLevel<List>; readonly perQuery: CacheLevel<List> };
  /** Counts what is put, for all lists of a level. */
  readonly changeCounter: ChangeCounter;
  /** Drops results built from old records. Without `replaced` the records are forgotten, never to be shown again. */
  readonly onChange: (sourceNumber: number, path: Resource['path'], replaced?: ReplacedRecords) => void;
  readonly clock: Clock;
  readonly publish: PublishOfSource;
  /** In memory, for one list of a source beyond its `drain-threshold` (decisions 5.10). */
  readonly maxLargeListBytes: number;
  /** Absent: a restart forgets the lists. */
  readonly disk?: ListDisk | undefined;
  /** An earlier process may have served lists that are not on the disk. */
  readonly hasLostLists: boolean;
  /** With other instances. Absent: each has its own. */
  readonly shared?: SharedLists | undefined;
  /** When the process stops, or another configuration has replaced this one and answered its last request. */
  readonly stop: AbortSignal;
}

/** Besides its characters, of a name in `Via`: a hostile source sends hundreds with each response. */
const BYTES_PER_NAME = 32;

/** The lists of one source at one access level. `put` is the only way in. */
export class Lists implements ListOwner {
  readonly code: string;
  readonly policy: JudgePolicy;
  readonly capabilities: BelievedCapabilities;
  readonly lastVia: LastVia;
  /** Undefined unless the source consists of feeds (decisions 4.32). */
  readonly feeds: FeedRetrieval | undefined;
  private readonly feedTotals: FeedTotals;
  /** `completeListQuery` gives one object per resource, looked up with every request. */
  private readonly ids = new WeakMap<SourceQuery, ListId>();
  private readonly kept = new Map<string, List>();
  /** With a refresh in progress. */
  private readonly active = new Map<string, List>();
  /** By what was requested (`ListId.sizeKey`). They outlive all snapshots. */
  private readonly sizes = new Map<string, TrustedSize>();
  /** The last failure while the source is suspended; of feeds, which may be suspended alone, by URL. */
  private readonly suspensions = new Map<string, FailureOutcome>();
  /** What was served of lists without a state is not known. */
  private hasForgotten: boolean;
  private latestInstant = -Infinity;

  constructor(
    readonly registration: SourceSettings,
    readonly services: ListsServices,
    private readonly activity: SourceActivity,
  ) {
    const { code, ttl, staleWhileRevalidate, staleIfError, confirmShrink, drainThreshold } = registration;
    this.code = code;
    this.policy = { ttl, staleWhileRevalidate, staleIfError, confirmShrink, drainThreshold };
    this.hasForgotten = services.hasLostLists;
    this.capabilities = new BelievedCapabilities(registration, services);
    this.lastVia = new LastVia(services.clock);
    this.feeds = this.createFeedRetrieval();
    this.feedTotals = new FeedTotals(new Set(this.feeds?.queries.map(({ parameters }) => parameters['feed'] ?? '')));
    services.shared?.onForget(() => {
      services.publish({ type: 'source forgotten, because another instance forgot it' });
      this.forgetHere();
    }, services.stop);
  }

  /** By several instances. */
  get isShared(): boolean {
    return this.services.shared !== undefined;
  }

  find(query: SourceQuery): List {
    const id = this.idOf(query);
    const known = this.peek(id);
    if (known !== undefined) return known;
    const isInterrupted = isDatedFromStart(id) || this.hasForgotten;
    const list = new List(id, this, isInterrupted);
    if (!isPerQuery(id)) this.kept.set(id.key, list);
    return list;
  }

  /** One of a query is not found any more. */
  noteEvicted({ id }: List): void {
    if (isPerQuery(id)) this.hasForgotten = true;
  }

  isCurrent(list: List): boolean {
    return this.peek(list.id) === list;
  }

  private peek(id: ListId): List | undefined {
    const { kept, perQuery } = this.services.memory;
    const list = this.kept.get(id.key);
    // Marks it as used, so that it is evicted later than others.
    if (list !== undefined) kept.get(id.key);
    return list ?? this.active.get(id.key) ?? perQuery.get(id.key);
  }

  private idOf(query: SourceQuery): ListId {
    const known = this.ids.get(query);
    if (known !== undefined) return known;
    const id = createListId(this.code, query);
    this.ids.set(query, id);
    return id;
  }

  /** A list becomes this: from its source, the disk, another instance or the configuration before. */
  put(list: List, state: ListState): void {
    const { changeCounter } = this.services;
    const before = list.state;
    list.state = state;
    const weight = weigh(state);
    const { kept, perQuery } = this.services.memory;
    const isStored = (isPerQuery(list.id) ? perQuery : kept).put(list.id.key, list, weight);
    if (!isStored) this.reportTooLarge(list, state, weight);
    if (isSameContent(before, list.state)) changeCounter.renewals += 1;
    else if (list.id.kind !== 'item') changeCounter.changes += 1;
    this.notifyChange(list.id, before, list.state);
    this.save(list);
  }

  /** A list that does not fit into memory is not empty, and the operator reads which it is. */
  private reportTooLarge(list: List, state: ListState, weight: number): void {
    const { kind, query } = list.id;
    const { resource, parameters } = query;
    const named = { resource: resource.name, list: kind, parameters, weight };
    this.services.publish({ type: 'snapshot does not fit into cache.memory and is not cached', ...named });
    const now = this.services.clock.now();
    const outcome = lastOutcome(state);
    const total = outcome && findSnapshot(outcome)?.set.totalCount;
    if (isPerQuery(list.id) || total === undefined) return list.evict();
    const retryAt = now + this.policy.ttl;
    const tooLarge = { state: 'partial', reason: 'too-large', total } as const;
    const trouble = { outcome: tooLarge, at: now, retryAt, until: retryAt, replacesSnapshot: true, weight: 0 };
    list.state = { at: now, trouble, isInterrupted: true, weight: 0 };
    this.services.memory.kept.put(list.id.key, list, MIN_LIST_BYTES);
  }

  private notifyChange({ kind, query: { resource } }: ListId, { snapshot, weight }: ListState, state: ListState): void {
    const set = snapshot?.set;
    if (set === undefined || set === state.snapshot?.set || kind === 'pushed' || kind === 'item') return;
    const { onChange } = this.services;
    const { number } = this.registration;
    // A feed is part of the lists of news and of channels.
    if (kind === 'feed') for (const { path } of [news, channels]) onChange(number, path);
    else onChange(number, resource.path, { set, bytes: weight });
  }

  private save(list: List): void {
    const { disk } = this.services;
    if (disk === undefined || isPerQuery(list.id)) return;
    const stored = list.store();
    if (stored !== undefined) disk.save(stored);
  }

  beginRefresh(list: List): () => void {
    const { changeCounter } = this.services;
    const { key } = list.id;
    if (isPerQuery(list.id)) this.active.set(key, list);
    changeCounter.renewals += 1;
    return () => {
      if (this.active.get(key) === list) this.active.delete(key);
      changeCounter.renewals += 1;
    };
  }

  get moment(): Moment {
    const now = this.services.clock.now();
    this.latestInstant = Math.max(this.latestInstant, now);
    return { now, instant: this.latestInstant };
  }

  sizeOf({ sizeKey }: ListId): TrustedSize | undefined {
    return sizeKey === undefined ? undefined : this.sizes.get(sizeKey);
  }

  setSize({ sizeKey }: ListId, size: TrustedSize | undefined): void {
    if (sizeKey !== undefined && size !== undefined) this.sizes.set(sizeKey, size);
  }

  trustSize(id: ListId, { set, verifiedAt }: StoredList): void {
    const known = this.sizeOf(id);
    const trusted = { records: countListedRecords(set), trustedAt: verifiedAt };
    if (id.kind === 'pushed') return;
    this.setSize(id, (known?.doubt && adoptDoubt(trusted, { ...trusted, doubt: known.doubt })) ?? trusted);
  }

  adoptDoubt(id: ListId, { outcome, doubt }: SharedRejection): boolean {
    if (doubt?.doubt === undefined) return true;
    const before = this.sizeOf(id);
    const adopted = adoptDoubt(before, doubt);
    this.setSize(id, adopted);
    return adopted !== before || outcome.state !== 'failed' || outcome.reason !== 'shrunk';
  }

  suspensionOf({ query }: ListId): FailureOutcome | undefined {
    return this.suspensions.get(suspensionKey(query));
  }

  noteSuspension({ query }: ListId, failure: FailureOutcome): void {
    this.suspensions.set(suspensionKey(query), failure);
  }

  endSuspension({ query }: ListId): void {
    this.suspensions.delete(suspensionKey(query));
  }

  private createFeedRetrieval(): FeedRetrieval | undefined {
    const { dialects, code, number } = this.registration;
    const paging = dialects.data?.paging;
    if (paging?.kind !== 'feeds') return undefined;
    return new FeedRetrieval({
      source: { code, number },
      feeds: paging.feeds,
      getFeed: (query, context) => this.get(query, context),
      publish: this.services.publish,
    });
  }

  reportFeeds(query: SourceQuery, event: FetchFinished): void {
    if (this.feeds === undefined) return;
    const { queries, collisions } = this.feeds;
    const counter = new FindingCounter();
    for (const feed of queries)
      counter.addAll(this.activity.list(feedEntries, feed.parameters['feed']).findings.counts);
    if (collisions > 0) counter.addAll(new Map([['id-collision id', collisions]]));
    const total = this.feedTotals.note(query.parameters['feed'] ?? '', event);
    const { isAdopted } = event;
    this.services.publish({ type: 'feeds combined', resource: news, ...total, findings: counter.findings, isAdopted });
  }

  /** See `List.get`. Never rejects. */
  get(query: SourceQuery, context: SourceRequestContext): Promise<Outcome<Snapshot>> {
    return this.find(query).get(context);
  }

  /** From an earlier process (operation 2.5.3). Never rejects. */
  async restore(): Promise<void> {
    for await (const stored of this.services.disk?.load() ?? []) {
      const id = this.idOf(stored.query);
      // The clock may have been set back: no later change gets a date that was given before.
      this.latestInstant = Math.max(this.latestInstant, stored.verifiedAt, stored.changedAt ?? 0);
      if (id.kind === 'feed' && !this.isRegisteredFeed(stored.query)) continue;
      if (this.sizeOf(id) === undefined) this.trustSize(id, stored);
      // Also where the clock was set back since then.
      this.latestInstant = Math.max(this.latestInstant, stored.changedAt ?? -Infinity);
      this.find(stored.query).restore(stored);
    }
  }

  private isRegisteredFeed({ parameters }: SourceQuery): boolean {
    return this.feeds?.queries.some((query) => query.parameters['feed'] === parameters['feed']) === true;
  }

  /**
   * After a reload (operation 6.2): every list counts as changed. `previous`: the lists that the source goes on with.
   * `isStale`: requests to the source, or the reading of records, may give something else now. Capabilities that responses
   * contradicted are believed again (decisions 5.16).
   */
  replace(previous: Lists | undefined, isStale: boolean): void {
    if (previous !== undefined) this.continueFrom(previous, isStale ? this.services.clock.now() : Infinity);
    this.hasForgotten = true;
    const changedAt = nextSecond(this.moment.instant);
    for (const list of [...this.kept.values(), ...this.listPerQuery()]) list.countAsChanged(changedAt);
  }

  private continueFrom(previous: Lists, latest: number): void {
    this.latestInstant = Math.max(this.latestInstant, previous.latestInstant);
    for (const [key, size] of previous.sizes) this.sizes.set(key, size);
    for (const [key, failure] of previous.suspensions) this.suspensions.set(key, failure);
    this.feedTotals.continueFrom(previous.feedTotals);
    for (const before of [...previous.kept.values(), ...(latest === Infinity ? previous.listPerQuery() : [])])
      if (before.id.kind !== 'feed' || this.isRegisteredFeed(before.id.query))
        this.find(before.id.query).continueFrom(before, latest);
  }

  private listPerQuery(): readonly List[] {
    const prefix = listKeyPrefix(this.code);
    const lists = [...this.services.memory.perQuery.list()].filter(({ key }) => key.startsWith(prefix));
    return lists.map(({ value }) => value);
  }

  /** Of a complete list. */
  availability(native: Resource): SnapshotAvailability {
    if (this.feeds !== undefined) return findLeast(this.feeds.queries.map((query) => this.find(query).availability));
    const whole = this.find(completeListQuery(native));
    const small = whole.availability;
    if (small === 'fresh') return small;
    const large = this.find(largeCompleteListQuery(native)).availability;
    if (large === 'fresh' || small === 'stale') return large === 'fresh' ? large : small;
    if (large !== 'none') return large;
    if (small !== 'too-large') return small;
    return this.exceedsMemory(whole.state.trouble?.outcome) ? 'too-large' : 'large';
  }

  /** More records than fit into the memory of one large list, whatever their size. */
  exceedsMemory(sizeCheck: Outcome<Snapshot> | undefined): boolean {
    const total = sizeCheck !== undefined && 'total' in sizeCheck ? sizeCheck.total : undefined;
    return total !== undefined && total * MEMORY_PER_RECORD > this.services.maxLargeListBytes;
  }

  /** For the operator: of a large source its complete list, if there is one. */
  findShown(native: Resource): List {
    const whole = this.find(completeListQuery(native));
    if (whole.availability === 'fresh') return whole;
    const large = this.find(largeCompleteListQuery(native));
    return large.state.snapshot === undefined && !large.isRefreshing ? whole : large;
  }

  doubtOf(id: ListId): ShrinkDoubt | undefined {
    return describeDoubt(this.sizeOf(id), this.policy);
  }

  /**
   * Although the list may be fresh (operation 3.5). Beyond the `drain-threshold` only checks the size, unless the
   * complete list is cached, or no capability is declared that would save it. Never rejects.
   */
  async refreshNow(native: Resource): Promise<Outcome<Snapshot>> {
    const sizeCheck = await this.find(completeListQuery(native)).refresh({ isRequested: true });
    const large = this.find(largeCompleteListQuery(native));
    const isNeeded = this.registration.supports[native.path] === undefined || large.availability !== 'none';
    return isTooLarge(sizeCheck) && isNeeded && !this.exceedsMemory(sizeCheck)
      ? large.refresh({ isRequested: true })
      : sizeCheck;
  }

  /** Trusts the numbers that are doubted, even a fall to zero (decisions 6.11; operation 3.5). Returns whether any was. */
  confirmShrink(): boolean {
    const trustedAt = this.services.clock.now();
    const doubted = [...this.sizes].flatMap(([key, { doubt }]) => (doubt === undefined ? [] : [[key, doubt] as const]));
    for (const [key, { records }] of doubted) this.sizes.set(key, { records, trustedAt });
    return doubted.length > 0;
  }

  /** In all instances. Returns false where the others cannot be reached, and keep what they have. Never rejects. */
  async forget(): Promise<boolean> {
    // First in the shared memory, from which it could come back.
    const isForgottenByAll = (await this.services.shared?.forget()) ?? true;
    this.forgetHere();
    return isForgottenByAll;
  }

  /** Snapshots, trusted numbers and disproved capabilities. The next reading counts as changed (decisions 7.6). */
  private forgetHere(): void {
    const { memory, changeCounter, onChange, disk } = this.services;
    const prefix = listKeyPrefix(this.code);
    const paths = new Set(
      [...this.kept.values()].map(({ id }) => (id.kind === 'feed' ? news : id.query.resource).path),
    );
    this.hasForgotten = true;
    this.kept.clear();
    this.active.clear();
    for (const level of [memory.kept, memory.perQuery]) level.removeWhere((_list, key) => key.startsWith(prefix));
    this.sizes.clear();
    disk?.forget();
    this.capabilities.reset();
    changeCounter.changes += 1;
    for (const path of paths) onChange(this.registration.number, path);
    if (this.feeds !== undefined) onChange(this.registration.number, channels.path);
  }
}

/** The source, or one of its feeds. */
function suspensionKey({ parameters }: SourceQuery): string {
  return parameters['feed'] ?? '';
}

/** Responses built from the two are equal, except for their times. */
function isSameContent(before: ListState, { snapshot, trouble }: ListState): boolean {
  const { snapshot: known } = before;
  if (known === undefined || snapshot === undefined || before.trouble !== undefined || trouble !== undefined)
    return false;
  const isSame = known.set === snapshot.set && known.via.join() === snapshot.via.join();
  const sameDates = known.changedAt === snapshot.changedAt && known.lastModified === snapshot.lastModified;
  return isSame && sameDates && known.unreadProperties?.join() === snapshot.unreadProperties?.join();
}

/** In estimated bytes. */
function weigh({ snapshot, trouble, weight }: ListState): number {
  const names = trouble === undefined ? (snapshot?.via ?? []) : getViaNames(trouble.outcome);
  const own = names.reduce((sum, name) => sum + name.length + BYTES_PER_NAME, 0);
  return Math.max(MIN_LIST_BYTES, weight + (trouble?.weight ?? 0) + own);
}

/** For lists that are needed together. */
export function findLeast(availabilities: readonly SnapshotAvailability[]): SnapshotAvailability {
  const least = (['too-large', 'large', 'none', 'stale'] as const).find((one) => availabilities.includes(one));
  return least ?? 'fresh';
}
