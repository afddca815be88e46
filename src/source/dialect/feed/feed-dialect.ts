import type { RegisteredFeed } from '../../../model/registration/published-feed.js';
import type { Dialect, FeedPaging } from '../dialect.js';

/** Media types of feeds. Many servers send them under another type. */
const ACCEPT_FEED =
  'application/rss+xml, application/atom+xml, application/feed+json, application/rdf+xml, application/xml, text/xml, ' +
  'application/json;q=0.9, */*;q=0.5';

/** Creates the dialect of a source that consists of feeds (decisions 4.32; operation 2.8.17). There is at least one. */
export function createFeedDialect(feeds: readonly RegisteredFeed[]): Dialect & { readonly paging: FeedPaging } {
  return {
    addresses: feeds.map(({ url }) => url),
    accept: ACCEPT_FEED,
    paging: {
      kind: 'feeds',
      feeds: feeds.map(({ url, title }) => ({ url: new URL(url), title, format: { kind: 'feed', address: url } })),
    },
  };
}
