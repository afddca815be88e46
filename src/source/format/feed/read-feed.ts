import { SourceFailure } from '../../client/source-failure.js';
import type { FindingSink } from '../../record/findings.js';
import { parseBoundedJson } from '../json.js';
import { AddressResolver } from './address-resolver.js';
import { decodeFeed } from './decode-feed.js';
import type { Feed, FeedItem } from './feed.js';
import { describeLinkedFeeds } from './feed-discovery.js';
import { isJsonFeedVersion } from './feed-format.js';
import { readFeedValues } from './feed-values.js';
import { parseJsonFeedValue, parseXmlFeed } from './feedsmith-adapter.js';
import { isHtmlElement } from './html-tokens.js';
import { normalizeFeedXml } from './normalize-feed-xml.js';
import type { StatedFeed } from './stated-feed.js';

export type { Feed, FeedItem } from './feed.js';

/** Where a body comes from. */
export interface FeedOrigin {
  readonly contentType?: string | undefined;
  /** Address of the feed, against which its relative URLs are resolved. */
  readonly address: URL;
}

/**
 * Reads a feed: RSS, Atom or JSON Feed (decisions 4.32). Counts what is odd but readable in `findings`. Throws a
 * `SourceFailure`: `body` if it is no feed, or only the beginning of one; `size` beyond the limits of (decisions 8.6).
 */
export function readFeed(body: Buffer, { contentType, address }: FeedOrigin, findings: FindingSink): Feed {
  const text = decodeFeed(body, contentType, findings).trimStart();
  const addresses = new AddressResolver(removeSecrets(address), text.length);
  const { stated, itemCount, isComplete } =
    text.startsWith('{') || text.startsWith('[') ? readJson(text) : readXml(text, addresses);
  // feedsmith reads the items of one place only, in the first channel or beside it.
  if (!isComplete)
    throw new SourceFailure('body', 'a feed with several channels, or with items also beside its channel');
  const feed = readFeedValues(stated, addresses, findings);
  return { ...feed, items: addEmptyItems(feed.items, itemCount) };
}

/** An address without what may be secret in it. A relative reference may adopt these parts. */
function removeSecrets(address: URL): URL {
  const base = new URL(address);
  base.username = '';
  base.password = '';
  base.search = '';
  base.hash = '';
  return base;
}

interface CountedFeed {
  readonly stated: StatedFeed;
  /** Number of items, including those in which there is nothing. */
  readonly itemCount: number;
  /** Whether all items that are not empty were read. */
  readonly isComplete: boolean;
}

/** feedsmith leaves out items of JSON in which there is nothing. The reader of records drops and counts them. */
function addEmptyItems(items: readonly FeedItem[], count: number): readonly FeedItem[] {
  const missing = Math.max(0, count - items.length);
  return missing === 0 ? items : [...items, ...Array.from({ length: missing }, (): FeedItem => ({}))];
}

function readJson(text: string): CountedFeed {
  const value = parseBoundedJson(Buffer.from(text));
  const items = requireJsonFeed(value);
  return { stated: parseJsonFeedValue(value), itemCount: items.length, isComplete: true };
}

/** Returns the items. */
function requireJsonFeed(value: unknown): readonly unknown[] {
  const { version, items } = asFeedObject(value);
  if (typeof version !== 'string' || !isJsonFeedVersion(version))
    throw new SourceFailure('body', 'JSON that is no JSON Feed: it states no version of one');
  if (!Array.isArray(items)) throw new SourceFailure('body', 'a JSON Feed without a list of items');
  return items;
}

function asFeedObject(value: unknown): { readonly version?: unknown; readonly items?: unknown } {
  return typeof value === 'object' && value !== null ? value : {};
}

function readXml(text: string, addresses: AddressResolver): CountedFeed {
  if (text === '') throw new SourceFailure('body', 'an empty body and no feed');
  if (!text.startsWith('<')) throw new SourceFailure('body', 'no feed: neither XML nor JSON');
  if (isHtmlPage(text)) throw new SourceFailure('body', describePage(text, addresses.address));
  const { format, text: xml, itemCount } = normalizeFeedXml(text, addresses);
  const stated = parseXmlFeed(format, xml);
  // `normalizeFeedXml` gives each item an attribute, so that none is empty.
  return { stated, itemCount, isComplete: stated.items.length === itemCount };
}

/** What may be before the root element, except for an internal subset of a document type declaration. */
const BEFORE_ROOT = /\s+|<\?[^]*?\?>|<!--[^]*?-->|<!doctype\s[^<>[\]]*>/iy;
const HTML_DECLARATION = /^<!doctype\s+html\b/i;
const ROOT = /<([a-z][a-z\d]*)[\s/>]/iy;

function isHtmlPage(text: string): boolean {
  let at = 0;
  for (let piece = matchAt(BEFORE_ROOT, text, at); piece !== undefined; piece = matchAt(BEFORE_ROOT, text, at)) {
    if (HTML_DECLARATION.test(piece[0])) return true;
    at += piece[0].length;
  }
  return isHtmlElement((matchAt(ROOT, text, at)?.[1] ?? '').toLowerCase());
}

/** `pattern` is sticky. */
function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
}

function describePage(html: string, base: URL): string {
  const feeds = describeLinkedFeeds(html, base);
  return feeds.length === 0
    ? 'an HTML page and no feed'
    : `an HTML page and no feed; it links these feeds: ${feeds.join(', ')}`;
}
