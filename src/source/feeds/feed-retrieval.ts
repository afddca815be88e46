import type { AccessLevel } from '../../model/access-level.js';
import { findSnapshot } from '../../model/outcome.js';
import type { Outcome } from '../../model/outcome.js';
import type { Resource } from '../../model/resource.js';
import { channels } from '../../model/resources/channels.js';
import type { RecordSet } from '../../records/record-set.js';
import type { FeedAddress } from '../dialect/dialect.js';
import { leastCompleteOutcome } from '../dialect/news-of-one-channel.js';
import { feedQuery } from '../request/source-query.js';
import type { SourceQuery } from '../request/source-query.js';
import type { SourceRequestContext } from '../request/source-request-context.js';
import { combineSnapshotTimes } from '../snapshot/snapshot.js';
import type { Snapshot } from '../snapshot/snapshot.js';
import { buildFeedLists } from './feed-lists.js';
import type { FeedLists, FeedOwner, FeedRecords } from './feed-lists.js';

/** Where the feeds come from, and who learns what they give together. */
export interface FeedRetrievalOptions {
  readonly source: FeedOwner & { readonly access: AccessLevel };
  /** At least one. */
  readonly feeds: readonly Pick<FeedAddress, 'url' | 'title'>[];
  /** Returns the snapshot of one feed. Never rejects. */
  readonly getFeed: (query: SourceQuery, context: SourceRequestContext) => Promise<Outcome<Snapshot>>;
  /** Called with the list of news after any feed was fetched. */
  readonly onFetched: (fetched: FetchedFeeds) => void;
}

/** What all feeds of a source give together. */
export interface FetchedFeeds {
  readonly outcome: Outcome<Snapshot>;
  /** Number of items and channels whose first number another one has, too (decisions 4.32.3). */
  readonly collisions: number;
}

/** The lists of a source that consists of feeds (decisions 4.32). */
export class FeedRetrieval {
  /** One for each feed, in the order of the registration. */
  readonly queries: readonly SourceQuery[];
  /** Titles of the registration, in the same order. */
  private readonly titles: readonly (string | undefined)[];
  /** The lists of the last combination of snapshots, which all queries share until a feed changes. */
  private built: { readonly feeds: readonly FeedRecords[]; readonly lists: Promise<FeedLists> } | undefined;

  /** What the feeds gave when the lists were last reported. */
  private reported: readonly Outcome<Snapshot>[] = [];

  constructor(private readonly options: FeedRetrievalOptions) {
    const { source, feeds } = options;
    this.queries = feeds.map(({ url }) => feedQuery(source.access, url.href));
    this.titles = feeds.map(({ title }) => title);
  }

  /** Returns the list of news or of channels. Never rejects. */
  get(resource: Resource, context: SourceRequestContext): Promise<Outcome<Snapshot>> {
    return this.select(context, (lists) => (resource === channels ? lists.channels : lists.news));
  }

  /** Returns the items of all channels with a folded title (decisions 2.32). Never rejects. */
  getChannel(folded: string, context: SourceRequestContext): Promise<Outcome<Snapshot>> {
    return this.select(context, (lists) => lists.selectChannel(folded));
  }

  /** Returns the item with a public id in detail form: a snapshot with one record or none. Never rejects. */
  getItem(id: string, context: SourceRequestContext): Promise<Outcome<Snapshot>> {
    return this.select(context, (lists) => lists.selectItem(id));
  }

  private async select(
    context: SourceRequestContext,
    selectFrom: (lists: FeedLists) => RecordSet | Promise<RecordSet>,
  ): Promise<Outcome<Snapshot>> {
    const outcomes = await Promise.all(this.queries.map((query) => this.options.getFeed(query, context)));
    const feeds = outcomes.flatMap((outcome, at) => {
      const snapshot = findSnapshot(outcome);
      return snapshot === undefined ? [] : [{ snapshot, title: this.titles[at] }];
    });
    const [first, ...others] = feeds.map(({ snapshot }) => snapshot);
    if (first === undefined) return this.report(outcomes, { outcome: findFailure(outcomes), collisions: 0 });
    const lists = await this.listsOf(feeds.map(({ snapshot: { set }, title }) => ({ set, title })));
    const isComplete = feeds.length === outcomes.length;
    const missing: readonly Outcome<Snapshot>[] = isComplete
      ? []
      : [{ state: 'partial', reason: 'feed', snapshot: first }];
    const snapshot = combineFeeds(lists.news, [first, ...others]);
    const outcome = { ...leastCompleteOutcome([...missing, ...outcomes]), snapshot };
    this.report(outcomes, { outcome, collisions: lists.collisions });
    return { ...outcome, snapshot: { ...snapshot, set: await selectFrom(lists) } };
  }

  /** Reports what the feeds give, once after each fetch. */
  private report(outcomes: readonly Outcome<Snapshot>[], fetched: FetchedFeeds): Outcome<Snapshot> {
    const isReported = outcomes.every((outcome, at) => outcome === this.reported[at]);
    this.reported = outcomes;
    if (!isReported) this.options.onFetched(fetched);
    return fetched.outcome;
  }

  private listsOf(feeds: readonly FeedRecords[]): Promise<FeedLists> {
    const { built } = this;
    const isSame = built?.feeds.length === feeds.length && built.feeds.every(({ set }, at) => set === feeds[at]?.set);
    if (isSame) return built.lists;
    const lists = buildFeedLists(feeds, this.options.source);
    this.built = { feeds, lists };
    return lists;
  }
}

/** The outcome of a source none of whose feeds could be read: that of the first one that failed. */
function findFailure(outcomes: readonly Outcome<Snapshot>[]): Outcome<Snapshot> {
  const failed = outcomes.find(({ state }) => state === 'failed' || state === 'suspended') ?? outcomes[0];
  if (failed === undefined) throw new Error('a source of feeds without a feed');
  return failed;
}

/** The snapshot of a list that is built from the snapshots of feeds. */
function combineFeeds(set: RecordSet, snapshots: readonly [Snapshot, ...Snapshot[]]): Snapshot {
  const dates = snapshots.flatMap(({ lastModified }) => lastModified ?? []);
  return {
    set,
    fetchedAt: Math.min(...snapshots.map(({ fetchedAt }) => fetchedAt)),
    via: [...new Set(snapshots.flatMap(({ via }) => via))],
    ...(dates.length > 0 && { lastModified: Math.max(...dates) }),
    ...combineSnapshotTimes(snapshots),
  };
}
