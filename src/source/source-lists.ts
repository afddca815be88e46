import type { PublishOfSource } from '../events/event.js';
import { ChangeCounter } from '../cache/change-counter.js';
import { isTooLarge } from '../model/outcome.js';
import type { Outcome } from '../model/outcome.js';
import type { Resource } from '../model/resource.js';
import { channels } from '../model/resources/channels.js';
import { feedEntries } from '../model/resources/feed-entries.js';
import { dataTeams } from '../model/resources/data-teams.js';
import { directoryTeams } from '../model/resources/directory-teams.js';
import { news, newsItem } from '../model/resources/news.js';
import type { SnapshotAvailability } from '../plan/source-plan.js';
import { FeedRetrieval } from './feeds/feed-retrieval.js';
import { FeedTotals } from './feeds/feed-totals.js';
import { FindingCounter } from './record/findings.js';
import { MEMORY_PER_RECORD } from './memory-estimate.js';
import { snapshotKeyPrefixes } from './request/snapshot-key.js';
import { allKeysQuery, completeListQuery, isListQuery, largeCompleteListQuery } from './request/source-query.js';
import type { SourceQuery } from './request/source-query.js';
import { SnapshotCache } from './snapshot-cache.js';
import type { SnapshotFetcher } from './snapshot-fetcher.js';
import type { SavedSnapshot } from './snapshot-persistence.js';
import { ShrinkGuard } from './snapshot/shrink-guard.js';
import { copySnapshots } from './snapshot/snapshot-handover.js';
import type { SnapshotHandover } from './snapshot/snapshot-handover.js';
import type { Snapshot } from './snapshot/snapshot.js';
import type { SourceServices, SourceSettings } from './source-settings.js';
import type { ListInspection } from './status/list-status.js';
import type { SourceActivity } from './status/source-activity.js';
import { BelievedCapabilities } from './top-n/believed-capabilities.js';

/**
 * Snapshots, believed capabilities and numbers of records. They survive a restart (`restore`) and a reload
 * (`continueFrom`); the operator may inspect, refresh and forget them.
 */
export class SourceLists {
  /** Up to the `drain-threshold`, and parts that several queries need: keys, and the items of a channel. */
  readonly small: SnapshotCache;
  /** Complete lists beyond the `drain-threshold`. */
  readonly large: SnapshotCache;
  readonly pushed: SnapshotCache;
  readonly items: SnapshotCache;
  readonly capabilities: BelievedCapabilities;
  private readonly shrinkGuard: ShrinkGuard;
  /** Undefined unless the source consists of feeds (decisions 4.32). */
  readonly feeds: FeedRetrieval | undefined;
  private readonly feedTotals: FeedTotals;

  constructor(
    private readonly registration: SourceSettings,
    collector: SnapshotFetcher,
    private readonly services: SourceServices,
    private readonly activity: SourceActivity,
  ) {
    this.feeds = this.createFeedRetrieval();
    this.feedTotals = new FeedTotals(new Set(this.feeds?.queries.map(({ parameters }) => parameters['feed'] ?? '')));
    this.capabilities = new BelievedCapabilities(registration, services);
    const onContradiction = this.capabilities.disprove.bind(this.capabilities);
    this.shrinkGuard = this.createShrinkGuard();
    const shared = { onContradiction, shrinkGuard: this.shrinkGuard };
    const unboundedOptions = { ...shared, store: services.unboundedStore, isUnbounded: true };
    const feedServices = { ...services, onChange: this.onFeedChange, publish: this.publishFeed };
    const listServices = this.feeds === undefined ? services : feedServices;
    const listOptions = { ...shared, store: services.store, isUnbounded: false };
    // Results built from items or pushed-down queries are reused only for the same record sets, so nothing has to be
    // dropped when one changes.
    const withoutChangeCallback: SourceServices = { ...services, onChange: () => undefined };
    const supersedeOthers = (kind: 'small' | 'large' | 'pushed') => (resource: Resource) => {
      if (kind !== 'small') this.small.supersedeAll(resource, completeListQuery(resource));
      if (kind !== 'large') this.large.supersedeAll(resource, largeCompleteListQuery(resource));
      if (kind !== 'pushed') this.pushed.supersedeAll(resource);
    };
    services.sharing?.onForget(() => {
      services.publish({ type: 'source forgotten, because another instance forgot it' });
      this.forgetHere();
    });
    this.small = new SnapshotCache(registration, collector, listServices, {
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

  private createShrinkGuard(): ShrinkGuard {
    const { confirmShrink, ttl, staleIfError, dialects } = this.registration;
    // The guard's numbers are stored by address: another address under the same code is another source (decisions 7.9).
    // Each feed has its own key.
    const addresses = this.feeds === undefined ? Object.values(dialects) : [];
    const address = `${addresses.flatMap((dialect) => dialect?.addresses ?? '').join(' ')} `;
    return new ShrinkGuard(confirmShrink, ttl + staleIfError, this.services.historyStore, address);
  }

  private createFeedRetrieval(): FeedRetrieval | undefined {
    const { dialects, code, number } = this.registration;
    const paging = dialects.data?.paging;
    if (paging?.kind !== 'feeds') return undefined;
    return new FeedRetrieval({
      source: { code, number },
      feeds: paging.feeds,
      getFeed: (query, context) => this.small.get(query, context),
      publish: this.services.publish,
    });
  }

  /** What its feeds give together is the source's list of news. */
  private readonly publishFeed: PublishOfSource = (event) => {
    const { publish } = this.services;
    publish(event);
    if (event.type !== 'fetch finished' || event.list !== 'feed' || this.feeds === undefined) return;
    const { parameters, isAdopted } = event;
    const { queries, collisions } = this.feeds;
    const counter = new FindingCounter();
    for (const query of queries)
      counter.addAll(this.activity.list(feedEntries, query.parameters['feed']).findings.counts);
    if (collisions > 0) counter.addAll(new Map([['id-collision id', collisions]]));
    const total = this.feedTotals.note(parameters['feed'] ?? '', event);
    publish({ type: 'feeds combined', resource: news, ...total, findings: counter.findings, isAdopted });
  };

  /** A feed is part of the lists of news and of channels. */
  private readonly onFeedChange: SourceServices['onChange'] = (number) => {
    for (const { path } of [news, channels]) this.services.onChange(number, path);
  };

  /** From an earlier process (operation 2.5.3). Never rejects. */
  async restore(saved: SavedSnapshot): Promise<void> {
    const { query } = saved;
    if (query.resource === feedEntries && !this.isRegisteredFeed(query)) return;
    const cache = query.completeAtAnySize === true && isListQuery(query) ? this.large : this.small;
    await cache.restore(query, saved);
  }

  private isRegisteredFeed({ parameters }: SourceQuery): boolean {
    return this.feeds?.queries.some((query) => query.parameters['feed'] === parameters['feed']) === true;
  }

  /** After a reload (operation 6.2). Capabilities that responses contradicted are believed again (decisions 5.16). */
  continueFrom(previous: SourceLists, handover: SnapshotHandover): void {
    for (const cache of ['small', 'large', 'pushed', 'items'] as const) this[cache].continueFrom(previous[cache]);
    if (handover === 'none') return;
    this.shrinkGuard.continueFrom(previous.shrinkGuard);
    this.feedTotals.continueFrom(previous.feedTotals);
    const { services, registration } = this;
    const { code } = registration;
    const options = { ...snapshotKeyPrefixes(code), handover, times: registration, now: services.clock.now() };
    copySnapshots(previous.services.store, services.store, options);
    for (const cache of ['small', 'large'] as const) this[cache].continueSharing(previous[cache]);
    if (handover === 'everything') copySnapshots(previous.services.unboundedStore, services.unboundedStore, options);
  }

  /** Of a complete list, in either cache. */
  availability(native: Resource): SnapshotAvailability {
    if (this.feeds !== undefined) return findLeast(this.feeds.queries.map((query) => this.small.availability(query)));
    const small = this.small.availability(completeListQuery(native));
    if (small === 'fresh') return small;
    const large = this.large.availability(largeCompleteListQuery(native));
    if (large === 'fresh' || small === 'stale') return large === 'fresh' ? large : small;
    if (large !== 'none') return large;
    if (small !== 'too-large') return small;
    return this.exceedsMemory(this.small.getRejected(completeListQuery(native))) ? 'too-large' : 'large';
  }

  /** More records than fit into the memory of one large list, whatever their size. */
  exceedsMemory(sizeCheck: Outcome<Snapshot> | undefined): boolean {
    const total = sizeCheck !== undefined && 'total' in sizeCheck ? sizeCheck.total : undefined;
    return total !== undefined && total * MEMORY_PER_RECORD > this.services.maxLargeListBytes;
  }

  /** For the operator: of a large source its complete list, if there is one. */
  inspect(native: Resource): ListInspection {
    const small = this.small.inspect(completeListQuery(native));
    if (small.state === 'fresh') return small;
    const large = this.large.inspect(largeCompleteListQuery(native));
    return large.last === undefined && !large.isRefreshing ? small : { ...large, doubt: small.doubt };
  }

  /**
   * Although the list may be fresh (operation 3.5). Beyond the `drain-threshold` only checks the size, unless the
   * complete list is cached, or no capability is declared that would save it. Never rejects.
   */
  async refreshNow(native: Resource): Promise<Outcome<Snapshot>> {
    const sizeCheck = await this.small.refreshNow(completeListQuery(native));
    const isNeeded =
      this.registration.supports[native.path] === undefined ||
      this.large.availability(largeCompleteListQuery(native)) !== 'none';
    return isTooLarge(sizeCheck) && isNeeded && !this.exceedsMemory(sizeCheck)
      ? this.large.refreshNow(largeCompleteListQuery(native))
      : sizeCheck;
  }

  /** Trusts the numbers doubted by any instance (decisions 6.11; operation 3.5). Returns whether there were any. */
  async confirmShrink(resources: readonly Resource[]): Promise<boolean> {
    const keys = resources.includes(dataTeams) ? [allKeysQuery] : [];
    const lists = this.feeds?.queries ?? resources.map(completeListQuery);
    const queries = [...lists, ...keys];
    await Promise.all(queries.map((query) => this.small.learnDoubt(query)));
    return this.shrinkGuard.acceptDoubted(this.services.clock.now());
  }

  /** In all instances. Returns false where the others cannot be reached, and keep what they have. Never rejects. */
  async forget(): Promise<boolean> {
    // First in the shared memory, from which it could come back.
    const isForgottenByAll = (await this.services.sharing?.forget()) ?? true;
    this.forgetHere();
    return isForgottenByAll;
  }

  /** Snapshots, trusted numbers and disproved capabilities. The next fetch counts as changed (decisions 7.6). */
  private forgetHere(): void {
    const { code, number } = this.registration;
    const { store, unboundedStore, changeCounter, onChange } = this.services;
    const { prefix, rejectedPrefix } = snapshotKeyPrefixes(code);
    const isOfSource = (key: string): boolean => key.startsWith(prefix) || key.startsWith(rejectedPrefix);
    for (const cache of [this.small, this.large, this.pushed, this.items]) cache.restartRefreshes();
    for (const resource of LIST_RESOURCES) {
      this.small.supersedeAll(resource, completeListQuery(resource));
      this.large.supersedeAll(resource, largeCompleteListQuery(resource));
      for (const cache of [this.pushed, this.items]) cache.supersedeAll(resource);
    }
    for (const one of [store, unboundedStore]) one.removeWhere(isOfSource);
    this.shrinkGuard.forget();
    this.services.persistence?.forget();
    this.capabilities.reset();
    changeCounter.changes += 1;
    for (const path of new Set(LIST_RESOURCES.map((resource) => resource.path))) onChange(number, path);
  }
}

const LIST_RESOURCES: readonly Resource[] = [directoryTeams, dataTeams, news, newsItem, channels, feedEntries];

/** For lists that are needed together. */
export function findLeast(availabilities: readonly SnapshotAvailability[]): SnapshotAvailability {
  const least = (['too-large', 'large', 'none', 'stale'] as const).find((one) => availabilities.includes(one));
  return least ?? 'fresh';
}
