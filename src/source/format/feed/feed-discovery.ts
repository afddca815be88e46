import { parseUrl } from '../../../text/url.js';
import { cutText, showHiddenCharacters } from '../../../text/visible-text.js';
import { convertTitleToText } from './feed-html.js';

/** Length of the beginning of a page in which links to feeds are sought, in characters. */
const MAX_HEAD = 256 * 1024;

/** Maximum length of the description of one feed, in characters. */
const MAX_DESCRIPTION = 200;

/** Maximum number of feeds that are described. */
const MAX_FEEDS = 5;

const LINK = /<(link|base)\b([^<>]{0,2000})>/gi;
const ATTRIBUTE = /(?<name>[\w-]+)\s*=\s*(?:"(?<double>[^"]*)"|'(?<single>[^']*)'|(?<plain>[^\s"'>]+))/g;
const FEED_TYPE = /^application\/(?:(?:rss|atom|rdf|feed)\+xml|(?:feed\+)?json)\s*(?:;|$)/i;

/** Address of the interface of WordPress, to which its pages link in the same way as to a feed. */
const NO_FEED = /\/wp-json(?:\/|$)|[?&]rest_route=/;

/**
 * Describes up to five feeds that an HTML page links, each as its absolute URL and its title in parentheses, in at most
 * 200 characters without control characters (decisions 4.32.1). Reads the first 256 KiB of the page.
 */
export function describeLinkedFeeds(html: string, address: URL): readonly string[] {
  const head = html.slice(0, MAX_HEAD).replace(/<body[\s>][^]*$/i, '');
  const found = new Set<string>();
  let base = address;
  for (const [, name = '', attributes = ''] of head.matchAll(LINK)) {
    const values = readAttributes(attributes);
    if (name.toLowerCase() === 'base') base = parseUrl(values.get('href') ?? '', base) ?? base;
    else if (isFeedLink(values)) {
      const description = describeFeed(values, base);
      if (description !== undefined) found.add(description);
    }
    if (found.size === MAX_FEEDS) break;
  }
  return [...found];
}

/** Values by names in lower case. The first of several attributes of a name counts. */
function readAttributes(text: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const { groups = {} } of text.matchAll(ATTRIBUTE)) {
    const name = (groups['name'] ?? '').toLowerCase();
    if (!values.has(name)) values.set(name, groups['double'] ?? groups['single'] ?? groups['plain'] ?? '');
  }
  return values;
}

function isFeedLink(attributes: ReadonlyMap<string, string>): boolean {
  const relations = (attributes.get('rel') ?? '').toLowerCase().split(/\s+/);
  return relations.includes('alternate') && FEED_TYPE.test((attributes.get('type') ?? '').trim());
}

function describeFeed(attributes: ReadonlyMap<string, string>, base: URL): string | undefined {
  const url = parseUrl(convertTitleToText(attributes.get('href') ?? ''), base);
  const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:';
  if (url === undefined || !isWeb || NO_FEED.test(url.href) || url.href.length > MAX_DESCRIPTION) return undefined;
  const title = showHiddenCharacters(convertTitleToText(attributes.get('title') ?? ''));
  const text = title === '' ? url.href : `${url.href} (${title})`;
  const cut = cutText(text, MAX_DESCRIPTION - 2);
  return cut === undefined ? text : `${cut}…)`;
}
