import { SourceFailure } from '../../client/source-failure.js';
import type { FindingSink } from '../../record/findings.js';
import { parseBoundedJson } from '../json.js';
import { AddressResolver } from './address-resolver.js';
import { decodeFeed } from './decode-feed.js';
import type { Feed } from './feed.js';
import { describeLinkedFeeds } from './feed-discovery.js';
import { readFeedValues } from './feed-values.js';
import { parseFeedXml } from './parse-feed-xml.js';
import { isHtmlElement } from './html-tokens.js';
import { stateJsonFeed } from './read-json-feed.js';
import type { StatedFeed } from './stated-feed.js';
import { stateXmlFeed } from './read-xml-feed.js';

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
  const isJson = text.startsWith('{') || text.startsWith('[');
  const stated = isJson ? stateJsonFeed(parseBoundedJson(Buffer.from(text))) : readXml(text, addresses);
  return readFeedValues(stated, addresses, findings);
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

function readXml(text: string, addresses: AddressResolver): StatedFeed {
  if (text === '') throw new SourceFailure('body', 'an empty body and no feed');
  if (!text.startsWith('<')) throw new SourceFailure('body', 'no feed: neither XML nor JSON');
  if (isHtmlPage(text)) throw new SourceFailure('body', describePage(text, addresses.address));
  const { format, root } = parseFeedXml(text, addresses);
  return stateXmlFeed(format, root, addresses);
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
