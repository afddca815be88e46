import type { FeedItem } from '../../format/feed/read-feed.js';
import type { FindingSink } from '../../record/findings.js';
import { parseDate } from '../../../text/date.js';

/** An item with what its id is computed from (decisions 4.32.3). */
export interface IdentifiedItem {
  readonly item: FeedItem;
  /** No other item of the feed has it. */
  readonly identity: string;
}

/** What identifies an item, and what distinguishes it from others for which a publisher uses the same. */
interface ItemKey {
  readonly key: string;
  readonly distinction: string;
}

/** A guid that is a URI means the same item in every feed; any other one only in the feeds of the same server. */
const URI = /^[a-z][a-z0-9+.-]*:\S+$/i;

/**
 * Identifies the items of the feed at an address (decisions 4.32.3): by guid, else by link, else by their texts. Items with
 * the same guid and different links are different items, and so are items without a guid with the same link and different
 * titles. Of the others that occur again, the newest is kept. Every item beyond the first of a guid is counted.
 */
export function identifyItems(
  items: readonly FeedItem[],
  address: URL,
  findings: FindingSink,
): readonly IdentifiedItem[] {
  const versions = new Map<string, Map<string, FeedItem>>();
  for (const item of items) {
    const { key, distinction } = keyOf(item, address);
    const sameKey = versions.get(key);
    if (sameKey === undefined) {
      versions.set(key, new Map([[distinction, item]]));
      continue;
    }
    findings.add('guid', 'repeated-id');
    const known = sameKey.get(distinction);
    if (known === undefined || isNewer(item, known)) sameKey.set(distinction, item);
  }
  return [...versions].flatMap(([key, sameKey]) =>
    [...sameKey].map(([distinction, item]) => ({
      item,
      identity: sameKey.size === 1 ? key : `${key} ${distinction}`,
    })),
  );
}

const GUID = 'guid ';

/**
 * Returns what the identity of an item would be if no other item of its feed had the same guid: without the link that
 * distinguishes them. So an item is recognised in a feed that uses the guid once (decisions 4.32.3).
 */
export function removeDistinction(identity: string, link: string): string {
  const suffix = ` ${link}`;
  const hasLink = link !== '' && identity.startsWith(GUID) && identity.endsWith(suffix);
  // An identity that is the guid alone, and the guid is the link, contains nothing else.
  return hasLink && identity.length >= GUID.length + suffix.length ? identity.slice(0, -suffix.length) : identity;
}

function keyOf({ guid, link = '', title = '', summary = '', published = '' }: FeedItem, address: URL): ItemKey {
  if (guid !== undefined)
    return { key: `${GUID}${URI.test(guid) ? '' : `${address.host} `}${guid}`, distinction: link };
  if (link !== '') return { key: `link ${link}`, distinction: title };
  return { key: `text ${address.href} ${[title, published, title === '' ? summary : ''].join('\n')}`, distinction: '' };
}

/** Whether an item was changed later than another version of it. Without dates the first one in the feed counts as newer. */
function isNewer(one: FeedItem, other: FeedItem): boolean {
  return dateOf(one) > dateOf(other);
}

function dateOf({ updated, published }: FeedItem): number {
  return parseDate(updated ?? published ?? '')?.epochMs ?? -Infinity;
}
