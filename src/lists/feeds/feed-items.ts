import { forEachTimeSliced } from '../../event-loop/time-slicing.js';
import type { StoredRecord } from '../../model/record.js';
import { findPropertyPosition } from '../../model/resource.js';
import { feedEntries } from '../../model/resources/feed-entries.js';

const IDENTITY = findPropertyPosition(feedEntries, 'identity');
const DISTINCTION = findPropertyPosition(feedEntries, 'distinction');
const CHANNEL_ADDRESS = findPropertyPosition(feedEntries, 'rss');

/** Whether a record of a feed is its channel; the others are items. */
export function isChannel(entry: StoredRecord): boolean {
  return entry.valueAt(CHANNEL_ADDRESS) !== undefined;
}

/** Items by identity, and by what distinguishes those with the same one. */
export class FeedItemIndex<Item> {
  private readonly items = new Map<string, Map<string, Item>>();

  get(entry: StoredRecord): Item | undefined {
    return this.items.get(identityOf(entry))?.get(distinctionOf(entry));
  }

  set(entry: StoredRecord, item: Item): void {
    const identity = identityOf(entry);
    const same = this.items.get(identity);
    if (same === undefined) this.items.set(identity, new Map([[distinctionOf(entry), item]]));
    else same.set(distinctionOf(entry), item);
  }

  /** Calls back with each identity and the items that have it, by their distinctions. */
  forEach(callback: (identity: string, same: ReadonlyMap<string, Item>) => void): Promise<void> {
    return forEachTimeSliced(this.items, ([identity, same]) => {
      callback(identity, same);
    });
  }
}

function identityOf(entry: StoredRecord): string {
  return String(entry.valueAt(IDENTITY));
}

function distinctionOf(entry: StoredRecord): string {
  return String(entry.valueAt(DISTINCTION) ?? '');
}
