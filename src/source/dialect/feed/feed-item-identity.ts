import { parseDate } from '../../../text/date.js';
import type { FeedItem } from '../../format/feed/read-feed.js';
import type { FindingSink } from '../../record/findings.js';

/** An item with what its id is computed from (decisions 4.32.3). No two items of a feed are equal in both. */
export interface IdentifiedItem {
  readonly item: FeedItem;
  /** Its guid, link or texts, as JSON. */
  readonly identity: string;
  /** What distinguishes it from other items with this identity. */
  readonly distinction: string;
}

/** A guid that is a URI means the same item in every feed; any other one only in the feeds of the same server. */
const URI = /^[a-z][a-z0-9+.-]*:\S+$/i;

/** Whether a guid identifies its item on every server. */
export function isUniversalGuid(guid: string): boolean {
  return URI.test(guid);
}

/**
 * Identifies the items of the feed at an address (decisions 4.32.3): by guid, else by link, else by their texts. Of several
 * versions of an item the newest is kept. Every item beyond the first with an identity is counted.
 */
export function identifyItems(
  items: readonly FeedItem[],
  address: URL,
  findings: FindingSink,
): readonly IdentifiedItem[] {
  const identified = new Map<string, Map<string, IdentifiedItem>>();
  const nameless: IdentifiedItem[] = [];
  for (const item of items) {
    const found = identify(item, address);
    if (!isNamed(item)) {
      nameless.push(found);
      continue;
    }
    const same = identified.get(found.identity);
    if (same === undefined) {
      identified.set(found.identity, new Map([[found.distinction, found]]));
      continue;
    }
    findings.add('guid', 'repeated-id');
    const known = same.get(found.distinction);
    if (known === undefined || dateOf(item) > dateOf(known.item)) same.set(found.distinction, found);
  }
  return [...[...identified.values()].flatMap((same) => [...same.values()]), ...nameless];
}

/** Whether an item can be shown. Others are passed on, one by one, to the reader of records, which counts them. */
function isNamed({ title, summary, link }: FeedItem): boolean {
  return (title ?? summary ?? link) !== undefined;
}

function identify(item: FeedItem, address: URL): IdentifiedItem {
  const { guid, link, title = '', summary = '', published = '' } = item;
  const date = parseDate(published)?.epochMs ?? published;
  if (guid !== undefined) {
    const identity = JSON.stringify(['guid', isUniversalGuid(guid) ? '' : address.host, guid]);
    return { item, identity, distinction: JSON.stringify(link === undefined ? ['title', title] : ['link', link]) };
  }
  if (link !== undefined)
    return { item, identity: JSON.stringify(['link', link]), distinction: JSON.stringify([title, date]) };
  return { item, identity: JSON.stringify(['text', address.href, title, date, summary]), distinction: '' };
}

/** When an item was last changed, in milliseconds since 1970. Of versions without a date the first one in the feed is kept. */
function dateOf({ updated, published }: FeedItem): number {
  return parseDate(updated ?? published ?? '')?.epochMs ?? -Infinity;
}
