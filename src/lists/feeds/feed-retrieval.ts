import type { PublishOfSource } from '../../events/event.js';
import { findSnapshot } from '../../model/outcome.js';
import type { Outcome } from '../../model/outcome.js';
import type { Resource } from '../../model/resource.js';
import { channels } from '../../model/resources/channels.js';
import type { RecordSet } from '../../records/record-set.js';
import type { FeedAddress } from '../../source/dialect/dialect.js';
import { feedQuery } from '../../source/request/source-query.js';
import type { SourceQuery } from '../../source/request/source-query.js';
import type { SourceRequestContext } from '../../source/request/source-request-context.js';
import { combineSnapshotFacts } from '../snapshot.js';
import type { Snapshot } from '../snapshot.js';
import { combineFeedOutcomes } from './combine-feed-outcomes.js';
import { buildFeedLists } from './feed-lists.js';
import type { FeedLists, FeedOwner, FeedRecords } from './feed-lists.js';

/** Where the feeds come from. */
export interface FeedRetrievalOptions {
  readonly source: FeedOwner;
  /** At least one. */
  readonly feeds: readonly Pick<FeedAddress, 'url' | 'title'>[];
  /** Returns the snapshot of one feed. Never rejects. */
  readonly getFeed: (query: SourceQuery, context: SourceRequestContext) => Promise<Outcome<Snapshot>>;
  readonly publish: PublishOfSource;
}

/** Lists with the feeds from which they were built. */
interface BuiltLists {
  readonly feeds: readonly FeedRecords[];
  readonly lists: Promise<FeedLists>;
}

/** The lists of a source that consists of feeds (decisions 4.32). */
export class FeedRetrieval {
  /** One for each feed, in the order of the registration. */
  readonly queries: readonly SourceQuery[];
  /** Of ids, when the lists were last built (decisions 4.32.3). */
  collisions = 0;
  /** Titles of the registration, in the same order. */
  private readonly titles: readonly (string | undefined)[];
  /**
   * The last lists by the records of the first feed: they are shared by all queries until a feed changes, and kept in memory
   * no longer than that feed is.
   */
  private readonly built = new WeakMap<RecordSet, BuiltLists>();

  constructor(private readonly options: FeedRetrievalOptions) {
    const { feeds } = options;
    this.queries = feeds.map(({ url }) => feedQuery(url.href));
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
    const combined = combineFeedOutcomes(outcomes);
    const [first, ...others] = feeds.map(({ snapshot }) => snapshot);
    if (first === undefined || !('snapshot' in combined)) return combined;
    const lists = await this.listsOf(
      first.set,
      feeds.map(({ snapshot: { set }, title }) => ({ set, title })),
    );
    return { ...combined, snapshot: combineFeeds(await selectFrom(lists), [first, ...others]) };
  }

  private async listsOf(first: RecordSet, feeds: readonly FeedRecords[]): Promise<FeedLists> {
    const built = this.built.get(first);
    const isSame = built?.feeds.length === feeds.length && built.feeds.every(({ set }, at) => set === feeds[at]?.set);
    if (isSame) return built.lists;
    const { source, publish } = this.options;
    const lists = buildFeedLists(feeds, source);
    this.built.set(first, { feeds, lists });
    try {
      this.collisions = (await lists).collisions;
      if (this.collisions > 0) publish({ type: 'ids of news collide', collisions: this.collisions });
    } catch (error) {
      this.built.delete(first);
      throw error;
    }
    return lists;
  }
}

/** The snapshot of a list that is built from the snapshots of feeds. */
function combineFeeds(set: RecordSet, snapshots: readonly [Snapshot, ...Snapshot[]]): Snapshot {
  const dates = snapshots.flatMap(({ lastModified }) => lastModified ?? []);
  return {
    set,
    fetchedAt: Math.min(...snapshots.map(({ fetchedAt }) => fetchedAt)),
    via: [...new Set(snapshots.flatMap(({ via }) => via))],
    ...(dates.length > 0 && { lastModified: Math.max(...dates) }),
    ...combineSnapshotFacts(snapshots),
  };
}
