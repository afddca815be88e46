import { writtenFeedUpstream, feedsUpstream } from '../../support/upstream/written-feeds.js';
import type { RequestHandler } from '../../support/upstream/upstream-server.js';
import type { OracleFeed } from '../model/feeds.js';

/** Handles the requests to the feeds of a source, by the paths of their addresses. */
export function serveFeeds(feeds: readonly OracleFeed[]): RequestHandler {
  const handlers = feeds.map(({ url, items, ...feed }) => {
    const written = items.map(({ content, ...item }) => ({ ...item, content: content?.html }));
    return [new URL(url).pathname, writtenFeedUpstream({ ...feed, items: written })] as const;
  });
  return feedsUpstream(new Map(handlers));
}

/** The registration of the feeds. */
export function registerFeeds(feeds: readonly OracleFeed[]): readonly object[] {
  return feeds.map(({ url, registeredTitle: title }) => ({ url, ...(title !== undefined && { title }) }));
}
