import { resolveAgainst } from './feed-links.js';
import { asList, readPublished, readTimestamp } from './read-value.js';
import type { DisplayedValue } from './read-value.js';
import { parseDay } from './text.js';

/** An item as its publisher writes it. Texts are plain. */
export interface OracleItem {
  readonly guid?: string | undefined;
  readonly title?: string | undefined;
  readonly summary?: string | undefined;
  readonly link?: string | undefined;
  readonly published?: string | undefined;
  readonly updated?: string | undefined;
  readonly content?: OracleContent | undefined;
}

/** HTML as it is published, after sanitising, and as plain text. */
export interface OracleContent {
  readonly html: string;
  readonly clean: string;
  readonly text: string;
}

/** A feed as it is published and registered. */
export interface OracleFeed {
  readonly form: 'rss' | 'rdf' | 'atom' | 'json';
  readonly url: string;
  readonly registeredTitle: string | undefined;
  readonly title: string | undefined;
  readonly link: string;
  readonly summary: string | undefined;
  readonly items: readonly OracleItem[];
}

/** A news item of a source of feeds, without its id. */
export interface ExpectedItem {
  readonly title?: string | undefined;
  readonly summary?: string | undefined;
  readonly link?: string | undefined;
  readonly published?: string | undefined;
  readonly updated?: string | undefined;
  readonly content?: string | undefined;
  /** Titles, without repetitions. */
  readonly channels: readonly string[];
}

/** A channel of a source of feeds, without its id. */
export interface ExpectedChannel {
  readonly title?: string | undefined;
  readonly link?: string | undefined;
  readonly rss: string;
  readonly summary?: string | undefined;
}

/** The channels of a source, one for each feed (decisions 4.32). */
export function expectedChannels(feeds: readonly OracleFeed[]): readonly ExpectedChannel[] {
  return feeds.map(({ url, registeredTitle, title, link, summary }) => ({
    title: registeredTitle ?? title,
    link: resolveAgainst(link, url),
    rss: url,
    summary,
  }));
}

/** An item after reading, with what identifies it. */
interface ReadItem {
  readonly item: Omit<ExpectedItem, 'channels'>;
  readonly key: string;
  readonly distinction: string;
  readonly changed: number;
}

/** The items of all feeds of a source, each once (decisions 4.32.3). */
export function expectedItems(feeds: readonly OracleFeed[]): readonly ExpectedItem[] {
  const joined: { readonly read: ReadItem; readonly item: ExpectedItem }[] = [];
  for (const feed of feeds) {
    const titles = [feed.registeredTitle ?? feed.title].flatMap((title) => title ?? []);
    for (const read of identified(feed)) {
      if (!hasName(read.item)) continue;
      const at = joined.findIndex((other) => isSame(other.read, read));
      const known = joined[at]?.item;
      if (known === undefined) joined.push({ read, item: { ...read.item, channels: titles } });
      else joined[at] = { read, item: { ...known, channels: [...new Set([...known.channels, ...titles])] } };
    }
  }
  return joined.map(({ item }) => item);
}

function isSame(one: ReadItem, other: ReadItem): boolean {
  return one.key === other.key && one.distinction === other.distinction;
}

/** Whether half of the items of a feed or more would be records, so that it is not a failure. */
export function isReadable(feed: OracleFeed): boolean {
  const items = identified(feed);
  return items.filter(({ item }) => hasName(item)).length * 2 >= items.length;
}

function hasName({ title, summary, link }: Omit<ExpectedItem, 'channels'>): boolean {
  return [title, summary, link].some((value) => value !== undefined);
}

/** The items of one feed: of those that share key and distinction the one changed last, else the first one. */
function identified(feed: OracleFeed): readonly ReadItem[] {
  const read = feed.items.map((item) => readItem(item, feed));
  return read.filter((one, at) => {
    if (!hasName(one.item)) return true;
    const same = read.filter((other) => hasName(other.item) && isSame(one, other));
    const last = Math.max(...same.map(({ changed }) => changed));
    return at === read.indexOf(same.find(({ changed }) => changed === last) ?? one);
  });
}

function readItem(written: OracleItem, feed: OracleFeed): ReadItem {
  const { form, url } = feed;
  const { guid, title, updated, content } = written;
  const summary = written.summary ?? content?.text;
  // RSS and RDF do not state when an item without a date of publication was published.
  const published = written.published ?? (form === 'atom' || form === 'json' ? updated : undefined);
  // The renderer writes no guid of RSS as a permalink; `rdf:about` is one.
  const permalink = form === 'rdf' && guid !== undefined && /^https?:/.test(guid) ? new URL(guid).href : undefined;
  const link = written.link === undefined ? permalink : resolveAgainst(written.link, url);
  const date = (text: string | undefined): number => parseDay(text ?? '')?.at ?? -Infinity;
  return {
    item: {
      title,
      summary,
      link,
      published: asText(readPublished(published)),
      updated: asText(readTimestamp(updated)),
      content: content?.clean,
    },
    ...identify({ guid, link, title, summary, published }, url),
    changed: date(updated ?? published),
  };
}

function asText(value: DisplayedValue | undefined): string | undefined {
  return asList(value).map(String)[0];
}

function identify(
  { guid, link, title, summary, published }: Omit<OracleItem, 'content'>,
  url: string,
): Pick<ReadItem, 'key' | 'distinction'> {
  const at = published === undefined ? '' : (parseDay(published)?.at ?? published);
  if (guid !== undefined) {
    const scope = /^[a-z]+:/i.test(guid) ? '' : new URL(url).host;
    return { key: JSON.stringify(['guid', scope, guid]), distinction: link ?? `title ${title ?? ''}` };
  }
  if (link !== undefined) return { key: JSON.stringify(['link', link]), distinction: JSON.stringify([title, at]) };
  return { key: JSON.stringify(['text', url, title, summary, at]), distinction: '' };
}
