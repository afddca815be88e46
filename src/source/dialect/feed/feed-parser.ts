import { formatImfFixdate, formatIsoTimestamp, parseDate } from '../../../text/date.js';
import { readFeed } from '../../format/feed/read-feed.js';
import type { Feed } from '../../format/feed/read-feed.js';
import type { PageParser } from '../raw-page.js';
import { identifyItems } from './feed-item-identity.js';
import type { IdentifiedItem } from './feed-item-identity.js';

/** What a feed is parsed with. A plain value. */
export interface FeedFormat {
  readonly kind: 'feed';
  /** URL of the feed as registered: the base of its links. */
  readonly address: string;
}

/** Sees a feed as it was read, with the items that become records, for a report to a person. */
export type FeedObserver = (feed: Feed, items: readonly IdentifiedItem[]) => void;

/**
 * Creates the parser of a feed (decisions 4.32). Its first record is the channel, the others are the items, with the
 * property names of `feedEntries`.
 */
export function createFeedParser({ address }: FeedFormat, observe?: FeedObserver): PageParser {
  return (body, { contentType }, findings) => {
    const url = new URL(address);
    const feed = readFeed(body, { contentType, address: url }, findings);
    const items = identifyItems(feed.items, url, findings);
    observe?.(feed, items);
    return {
      records: [toChannelRecord(feed, address), ...items.map(toItemRecord)],
      listedCount: items.length,
      ...(feed.lifetime !== undefined && { statedLifetime: feed.lifetime }),
    };
  };
}

function toChannelRecord({ title, link, image, summary, copyright }: Feed, address: string): unknown {
  return { identity: JSON.stringify(['channel', address]), rss: address, title, link, image, summary, copyright };
}

function toItemRecord({ item, identity, distinction }: IdentifiedItem): unknown {
  const { title, summary, link, published, updated, content } = item;
  const dates = { published: writeDate(published, formatImfFixdate), updated: writeDate(updated, formatIsoTimestamp) };
  return { identity, distinction, title, summary, link, ...dates, content };
}

/** Writes a date as `feedEntries` has it. Text that is not a date is unchanged; the reader of records counts it. */
function writeDate(text: string | undefined, write: (at: number) => string): string | undefined {
  const date = text === undefined ? undefined : parseDate(text);
  return date === undefined ? text : write(date.epochMs);
}
