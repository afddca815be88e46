import { forEachTimeSliced } from '../../event-loop/time-slicing.js';
import type { ExtraProperty, StoredRecord } from '../../model/record.js';
import type { PropertyValue } from '../../model/property-value.js';
import { findPropertyPosition, listStoredProperties } from '../../model/resource.js';
import type { Resource } from '../../model/resource.js';
import { channels } from '../../model/resources/channels.js';
import { feedEntries } from '../../model/resources/feed-entries.js';
import { news, newsItem } from '../../model/resources/news.js';
import { RecordPacker } from '../../records/packed-records.js';
import { RecordSet } from '../../records/record-set.js';
import { foldText } from '../../text/text-folding.js';
import { assignNumbers } from '../../source/record/hash-textual-ids.js';
import { ID_FACTOR } from '../../source/record/record-reader.js';
import { FeedItemIndex, isChannel } from './feed-items.js';

/** The source to which feeds belong. */
export interface FeedOwner {
  readonly code: string;
  readonly number: number;
}

/** The records of one feed: its channel and its items. */
export interface FeedRecords {
  readonly set: RecordSet;
  /** Title of the channel by the registration. Undefined: the one that the feed states. */
  readonly title: string | undefined;
}

/** Position of each property of a feed entry. */
const AT = {
  title: findPropertyPosition(feedEntries, 'title'),
  summary: findPropertyPosition(feedEntries, 'summary'),
  link: findPropertyPosition(feedEntries, 'link'),
  published: findPropertyPosition(feedEntries, 'published'),
  updated: findPropertyPosition(feedEntries, 'updated'),
  content: findPropertyPosition(feedEntries, 'content'),
  rss: findPropertyPosition(feedEntries, 'rss'),
  image: findPropertyPosition(feedEntries, 'image'),
  copyright: findPropertyPosition(feedEntries, 'copyright'),
  sourceName: findPropertyPosition(feedEntries, 'source-name'),
} as const;

type Values = Readonly<Record<string, PropertyValue | undefined>>;

/** An item of one or more feeds. */
interface FeedItemEntry {
  /** The values of the item: of the first feed that has it. */
  readonly entry: StoredRecord;
  /** Titles of the channels whose feeds have the item. */
  readonly channelTitles: Set<string>;
  /** What its number is computed from. */
  identity: string;
}

/** The lists of a source that consists of feeds. */
export interface FeedLists {
  readonly news: RecordSet;
  readonly channels: RecordSet;
  /** Number of items and channels whose first number another one has, too. */
  readonly collisions: number;
  /** Returns the public id of a record of one of the feeds: of its channel, or of the item that it is, or is part of. */
  idOf(entry: StoredRecord): string;
  /** Returns the item with a public id in detail form, as a set of one record or none. */
  selectItem(id: string): RecordSet;
  /** Returns the items of all channels with a folded title. */
  selectChannel(folded: string): Promise<RecordSet>;
}

/**
 * Builds the lists of news and of channels from the records of all feeds of a source, in the order of its registration
 * (decisions 4.32.3). An item that several feeds have is one item on several channels, with the values of the first feed.
 */
export async function buildFeedLists(feeds: readonly FeedRecords[], source: FeedOwner): Promise<FeedLists> {
  const titled = feeds.map(findChannel);
  const index = await collectItems(titled);
  const items = await distinguishItems(index);
  const { numbers, collisions } = await assignNumbers([
    ...items.map(({ identity }) => identity),
    ...titled.flatMap(({ channel }) => channel?.id ?? []),
  ]);
  const publicId = (identity: string): number => {
    const number = numbers.get(identity);
    if (number === undefined) throw new Error('an entry of another feed');
    return number * ID_FACTOR + source.number;
  };
  const itemsById = new Map<string, FeedItemEntry>();
  const packer = new RecordPacker(news);
  await forEachTimeSliced(items, (item) => {
    const id = publicId(item.identity);
    itemsById.set(String(id), item);
    addRecord(packer, news, toNewsValues(item, id), updatedProperty(item, source.code));
  });
  const channelPacker = new RecordPacker(channels);
  for (const { channel, title } of titled)
    if (channel !== undefined)
      addRecord(channelPacker, channels, toChannelValues(channel, title, publicId(channel.id)));
  const [first] = feeds.map(({ set }) => set);
  if (first === undefined) throw new Error('a source of feeds without a feed');
  const readAt = Math.min(...feeds.map(({ set }) => set.readAt));
  const newsSet = new RecordSet(news, first, packer.records, { readAt });
  return {
    news: newsSet,
    channels: new RecordSet(channels, first, channelPacker.records, { readAt }),
    collisions,
    idOf: (entry) => String(publicId(index.get(entry)?.identity ?? entry.id)),
    selectItem: (id) => {
      const itemPacker = new RecordPacker(newsItem);
      const item = itemsById.get(id);
      if (item !== undefined)
        addRecord(itemPacker, newsItem, toDetailValues(item, Number(id)), updatedProperty(item, source.code));
      return new RecordSet(newsItem, first, itemPacker.records, { readAt });
    },
    selectChannel: (folded) =>
      newsSet.computeOnceBounded(`channel ${folded}`, async () => {
        const selected: StoredRecord[] = [];
        await forEachTimeSliced(newsSet.records, (record) => {
          const { channelTitles = [] } = itemsById.get(record.id) ?? {};
          if ([...channelTitles].some((title) => foldText(title) === folded)) selected.push(record);
        });
        return new RecordSet(news, first, selected, { readAt });
      }),
  };
}

/** A feed with the record of its channel, which is undefined where it could not be read, and the title of that. */
interface TitledFeed {
  readonly set: RecordSet;
  readonly channel: StoredRecord | undefined;
  readonly title: PropertyValue | undefined;
}

function findChannel({ set, title }: FeedRecords): TitledFeed {
  const channel = set.records.find(isChannel);
  return { set, channel, title: title ?? channel?.valueAt(AT.title) };
}

/** The items of all feeds, those of the first feed first. */
async function collectItems(feeds: readonly TitledFeed[]): Promise<FeedItemIndex<FeedItemEntry>> {
  const items = new FeedItemIndex<FeedItemEntry>();
  for (const { set, title } of feeds) {
    const channelTitle = title === undefined ? undefined : String(title);
    await forEachTimeSliced(set.records, (entry) => {
      if (!isChannel(entry)) addToItem(items, entry, channelTitle);
    });
  }
  return items;
}

function addToItem(items: FeedItemIndex<FeedItemEntry>, entry: StoredRecord, channelTitle: string | undefined): void {
  const known = items.get(entry);
  const item = known ?? { entry, channelTitles: new Set<string>(), identity: '' };
  if (known === undefined) items.set(entry, item);
  if (channelTitle !== undefined) item.channelTitles.add(channelTitle);
}

/** Sets the identities of all items. An identity that several items have contains what distinguishes them. */
async function distinguishItems(index: FeedItemIndex<FeedItemEntry>): Promise<readonly FeedItemEntry[]> {
  const items: FeedItemEntry[] = [];
  await index.forEach((identity, same) => {
    for (const [distinction, item] of same) {
      item.identity = same.size === 1 ? identity : JSON.stringify([identity, distinction]);
      items.push(item);
    }
  });
  return items;
}

function addRecord(
  packer: RecordPacker,
  resource: Resource,
  values: Values,
  extra: readonly ExtraProperty[] = [],
): void {
  const row = { values: listStoredProperties(resource).map(({ name }) => values[name]), extraProperties: extra };
  packer.add(row, String(values['id']));
}

function toNewsValues({ entry }: FeedItemEntry, id: number): Values {
  const link = entry.valueAt(AT.link);
  return {
    id,
    title: entry.valueAt(AT.title),
    summary: entry.valueAt(AT.summary),
    link,
    published: entry.valueAt(AT.published),
    'source-name': entry.valueAt(AT.sourceName),
    '(link)': link,
  };
}

function toDetailValues(item: FeedItemEntry, id: number): Values {
  const { entry, channelTitles } = item;
  return {
    ...toNewsValues(item, id),
    content: entry.valueAt(AT.content),
    ...(channelTitles.size > 0 && { channels: [...channelTitles] }),
  };
}

function toChannelValues(entry: StoredRecord, title: PropertyValue | undefined, id: number): Values {
  const [link, rss] = [entry.valueAt(AT.link), entry.valueAt(AT.rss)];
  return {
    id,
    title,
    link,
    rss,
    image: entry.valueAt(AT.image),
    summary: entry.valueAt(AT.summary),
    copyright: entry.valueAt(AT.copyright),
    'source-name': entry.valueAt(AT.sourceName),
    '(link)': link,
    '(rss)': rss,
  };
}

/** The property that only items of feeds have, under a name of the source (decisions 4.12, 4.32.3). */
function updatedProperty({ entry }: FeedItemEntry, code: string): readonly ExtraProperty[] {
  const updated = entry.valueAt(AT.updated);
  return updated === undefined ? [] : [[`-${code}-updated`, updated]];
}
