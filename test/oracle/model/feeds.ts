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
  const joined: { readonly identity: string; readonly item: ExpectedItem }[] = [];
  for (const feed of feeds) {
    const titles = [feed.registeredTitle ?? feed.title].flatMap((title) => title ?? []);
    for (const { identity, item } of identified(feed)) {
      if (!hasName(item)) continue;
      const at = joined.findIndex((other) => other.identity === identity && other.item.link === item.link);
      const known = joined[at]?.item;
      if (known === undefined) joined.push({ identity, item: { ...item, channels: titles } });
      else joined[at] = { identity, item: { ...known, channels: [...new Set([...known.channels, ...titles])] } };
    }
  }
  return joined.map(({ item }) => item);
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
function identified(feed: OracleFeed): readonly { readonly identity: string; readonly item: ReadItem['item'] }[] {
  const read = feed.items.map((item) => readItem(item, feed));
  const kept = read.filter((one, at) => {
    const same = read.filter(({ key, distinction }) => key === one.key && distinction === one.distinction);
    const last = Math.max(...same.map(({ changed }) => changed));
    return at === read.indexOf(same.find(({ changed }) => changed === last) ?? one);
  });
  return kept.map(({ key, distinction, item }) => {
    // Items with the same guid are compared by their links in any case. Those with the same link are distinguished by their titles.
    const isAlone = kept.filter((other) => other.key === key).length === 1;
    const needsTitle = item.link !== undefined && key === linkKey(item.link) && distinction !== '' && !isAlone;
    return { identity: JSON.stringify(needsTitle ? [key, distinction] : [key]), item };
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
  if (guid !== undefined) {
    const scope = /^[a-z]+:/i.test(guid) ? '' : new URL(url).host;
    return { key: JSON.stringify(['guid', scope, guid]), distinction: link ?? '' };
  }
  if (link !== undefined) return { key: linkKey(link), distinction: title ?? '' };
  const at = published === undefined ? '' : (parseDay(published)?.at ?? published);
  return { key: JSON.stringify(['text', url, title ?? ['', summary], at]), distinction: '' };
}

function linkKey(link: string): string {
  return JSON.stringify(['link', link]);
}
