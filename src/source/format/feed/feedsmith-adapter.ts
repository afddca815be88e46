import { createRequire } from 'node:module';
import type * as feedsmith from 'feedsmith';
import { SourceFailure } from '../../client/source-failure.js';
import type { XmlFeedFormat } from './normalize-feed-xml.js';
import type { StatedFeed, StatedItem, StatedText } from './stated-feed.js';

type RssFeed = ReturnType<typeof feedsmith.parseRssFeed<string>>;
type RssItem = NonNullable<RssFeed['items']>[number];
type RdfFeed = ReturnType<typeof feedsmith.parseRdfFeed<string>>;
type RdfItem = NonNullable<RdfFeed['items']>[number];
type AtomFeed = ReturnType<typeof feedsmith.parseAtomFeed<string>>;
type AtomEntry = NonNullable<AtomFeed['entries']>[number];
type AtomLink = NonNullable<AtomEntry['links']>[number];
type AtomText = NonNullable<AtomEntry['content']>;
type JsonFeed = ReturnType<typeof feedsmith.parseJsonFeed<string>>;
type JsonItem = NonNullable<JsonFeed['items']>[number];

/** Loaded at the first use: it takes 15 MB and 100 ms, also in processes that never read a feed. */
let loaded: typeof feedsmith | undefined;

function loadFeedsmith(): typeof feedsmith {
  loaded ??= createRequire(import.meta.url)('feedsmith') as typeof feedsmith;
  return loaded;
}

/**
 * Reads the text of a feed that `normalizeFeedXml` returned. Items in which feedsmith finds nothing are missing in the
 * result. Throws a `SourceFailure` (`body`) if it has no channel, or nothing in it.
 */
export function parseXmlFeed(format: XmlFeedFormat, text: string): StatedFeed {
  const library = loadFeedsmith();
  try {
    if (format === 'atom') return stateAtomFeed(library.parseAtomFeed(text));
    if (format === 'rdf') return stateRdfFeed(library.parseRdfFeed(text));
    return stateRssFeed(library.parseRssFeed(text));
  } catch (error) {
    throw new SourceFailure('body', 'a feed without a channel, or with nothing in it', { cause: error });
  }
}

/**
 * Reads the parsed JSON of a JSON Feed. Items in which feedsmith finds nothing are missing in the result. Throws a
 * `SourceFailure` (`body`) if it is none.
 */
export function parseJsonFeedValue(value: unknown): StatedFeed {
  try {
    return stateJsonFeed(loadFeedsmith().parseJsonFeed(value));
  } catch (error) {
    throw new SourceFailure('body', 'JSON that is no JSON Feed', { cause: error });
  }
}

function stateText(value: string | undefined, kind: StatedText['kind']): StatedText | undefined {
  return value === undefined ? undefined : { value, kind };
}

function stateRssFeed(feed: RssFeed): StatedFeed {
  return {
    ...stateChannel(feed),
    copyright: stateText(feed.copyright ?? findRights(feed), 'either'),
    ttl: feed.ttl,
    items: (feed.items ?? []).map(stateRssItem),
  };
}

function stateRdfFeed(feed: RdfFeed): StatedFeed {
  const copyright = stateText(findRights(feed), 'either');
  return { ...stateChannel(feed), copyright, items: (feed.items ?? []).map(stateRdfItem) };
}

function findRights({ dc, dcterms }: Pick<RssFeed, 'dc' | 'dcterms'>): string | undefined {
  return dc?.rights?.[0] ?? dcterms?.rights?.[0];
}

function stateChannel(feed: RssFeed | RdfFeed): Omit<StatedFeed, 'items'> {
  return {
    title: stateText(feed.title, 'either'),
    summary: stateText(feed.description, 'either'),
    link: feed.link ?? findAlternate(feed.atom?.links),
    image: feed.image?.url,
    base: feed.xml?.base,
    updatePeriod: feed.sy?.updatePeriod,
    updateFrequency: feed.sy?.updateFrequency,
  };
}

function stateRssItem(item: RssItem): StatedItem {
  const { guid } = item;
  return {
    ...stateChannelItem(item),
    guid: guid?.value,
    permalink: guid?.isPermaLink === false ? undefined : guid?.value,
    published: item.pubDate ?? findCreation(item),
  };
}

function stateRdfItem(item: RdfItem): StatedItem {
  const about = item.rdf?.about;
  return { ...stateChannelItem(item), guid: about, permalink: about, published: findCreation(item) };
}

function stateChannelItem(item: RssItem | RdfItem): StatedItem {
  return {
    title: stateText(item.title, 'either'),
    summary: stateText(item.description, 'either'),
    content: stateText(item.content?.encoded, 'html'),
    link: item.link ?? findAlternate(item.atom?.links),
    updated: item.dcterms?.modified?.[0] ?? item.atom?.updated,
    base: item.xml?.base,
  };
}

function findCreation({ dc, dcterms, atom }: Pick<RssItem, 'dc' | 'dcterms' | 'atom'>): string | undefined {
  return dc?.dates?.[0] ?? dcterms?.created?.[0] ?? dcterms?.issued?.[0] ?? atom?.published;
}

function stateAtomFeed(feed: AtomFeed): StatedFeed {
  return {
    title: stateAtomText(feed.title),
    summary: stateAtomText(feed.subtitle),
    copyright: stateAtomText(feed.rights) ?? stateText(findRights(feed), 'text'),
    link: findAlternate(feed.links),
    image: feed.logo ?? feed.icon,
    base: feed.xml?.base,
    updatePeriod: feed.sy?.updatePeriod,
    updateFrequency: feed.sy?.updateFrequency,
    items: (feed.entries ?? []).map(stateAtomEntry),
  };
}

function stateAtomEntry(entry: AtomEntry): StatedItem {
  const updated = entry.updated ?? entry.dcterms?.modified?.[0];
  return {
    guid: entry.id,
    title: stateAtomText(entry.title),
    summary: stateAtomText(entry.summary),
    content: stateAtomText(entry.content),
    link: findAlternate(entry.links),
    published: entry.published ?? findCreation(entry) ?? updated,
    updated,
    base: entry.xml?.base,
  };
}

const HTML_TYPE = /^(?:html|xhtml|text\/html|application\/xhtml\+xml)\s*(?:;|$)/i;
const TEXT_TYPE = /^(?:text|text\/plain)\s*(?:;|$)/i;

/** Undefined for content of another media type, and for content that is at another address. */
function stateAtomText(text: AtomText | undefined): StatedText | undefined {
  if (text?.value === undefined) return undefined;
  const type = text.type ?? 'text';
  const kind = HTML_TYPE.test(type) ? 'html' : 'text';
  return kind === 'html' || TEXT_TYPE.test(type) ? { value: text.value, kind, base: text.xml?.base } : undefined;
}

const PAGE_TYPE = /^(?:text\/html|application\/xhtml\+xml)\s*(?:;|$)/i;

/** The link to the alternate version, an HTML page if there is one. */
function findAlternate(links: readonly AtomLink[] = []): string | undefined {
  const alternates = links.filter(
    ({ rel = 'alternate', href }) => rel.toLowerCase() === 'alternate' && href !== undefined,
  );
  return (alternates.find(({ type = '' }) => PAGE_TYPE.test(type)) ?? alternates[0])?.href;
}

function stateJsonFeed(feed: JsonFeed): StatedFeed {
  return {
    title: stateText(feed.title, 'text'),
    summary: stateText(feed.description, 'text'),
    link: feed.home_page_url,
    image: feed.icon ?? feed.favicon,
    items: (feed.items ?? []).map(stateJsonItem),
  };
}

function stateJsonItem(item: JsonItem): StatedItem {
  return {
    guid: item.id,
    title: stateText(item.title, 'text'),
    summary: stateText(item.summary, 'text'),
    content: stateText(item.content_html, 'html') ?? stateText(item.content_text, 'text'),
    link: item.url ?? item.external_url,
    published: item.date_published ?? item.date_modified,
    updated: item.date_modified,
  };
}
