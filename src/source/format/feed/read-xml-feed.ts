import { SourceFailure } from '../../client/source-failure.js';
import type { AddressResolver } from './address-resolver.js';
import type { FeedElement, XmlFeedFormat } from './parse-feed-xml.js';
import { VOID_ELEMENTS } from './html-tokens.js';
import type { StatedFeed, StatedItem, StatedText } from './stated-feed.js';

/** Where values are: names of elements from a channel or an item, or from the root after `/`; an attribute after `@`. */
interface FeedPaths {
  readonly channel: Readonly<Record<'title' | 'summary' | 'copyright' | 'link' | 'image' | 'ttl', readonly string[]>>;
  readonly item: Readonly<
    Record<'guid' | 'title' | 'summary' | 'content' | 'link' | 'published' | 'updated', readonly string[]>
  >;
  /** Elements of Atom that link, where `link` has nothing. */
  readonly links: string;
}

const CREATED = ['dc:date', 'dcterms:created', 'dcterms:issued'];
const RIGHTS = ['dc:rights', 'dcterms:rights'];

const RSS: FeedPaths = {
  channel: {
    title: ['title'],
    summary: ['description'],
    copyright: ['copyright', ...RIGHTS],
    link: ['link'],
    image: ['image/url', '/image/url'],
    ttl: ['ttl'],
  },
  item: {
    guid: ['guid'],
    title: ['title'],
    summary: ['description'],
    content: ['content:encoded'],
    link: ['link'],
    published: ['pubdate', ...CREATED, 'atom:published'],
    updated: ['dcterms:modified', 'atom:updated'],
  },
  links: 'atom:link',
};

const PATHS: Readonly<Record<XmlFeedFormat, FeedPaths>> = {
  rss: RSS,
  rdf: {
    channel: { ...RSS.channel, copyright: RIGHTS, image: ['/image/url'], ttl: [] },
    item: { ...RSS.item, guid: ['@about'], published: [...CREATED, 'atom:published'] },
    links: 'atom:link',
  },
  atom: {
    channel: {
      title: ['title'],
      summary: ['subtitle', 'tagline'],
      copyright: ['rights', ...RIGHTS],
      link: [],
      image: ['logo', 'icon'],
      ttl: [],
    },
    item: {
      guid: ['id'],
      title: ['title'],
      summary: ['summary'],
      content: ['content'],
      link: [],
      published: ['published', 'issued', 'created', ...CREATED],
      updated: ['updated', 'modified', 'dcterms:modified'],
    },
    links: 'link',
  },
};

/**
 * Reads the values of a feed in XML. Throws a `SourceFailure` (`body`) if it has no channel, several lists of items, or
 * neither items nor what a channel has: then it is an error message in the form of a feed, and no empty one.
 */
export function stateXmlFeed(format: XmlFeedFormat, root: FeedElement, addresses: AddressResolver): StatedFeed {
  const channel = format === 'atom' ? root : childrenOf(root, 'channel')[0];
  const items = listItems(format, root);
  if (channel === undefined) throw new SourceFailure('body', 'a feed without a channel');
  for (const { base } of items) addresses.count(base);
  const reader = new ElementReader(format, root);
  const stated = reader.readChannel(channel);
  if (items.length === 0) {
    const { title, summary, link } = stated;
    if (title === undefined && summary === undefined && link === undefined)
      throw new SourceFailure('body', 'a feed with nothing in its channel');
    if (hasItem(root, format === 'rdf' ? ['item', 'entry', 'li'] : ['item', 'entry']))
      throw new SourceFailure('body', 'a feed with items where its format has none');
  }
  return { ...stated, items: items.map((item) => reader.readItem(item)) };
}

function listItems(format: XmlFeedFormat, root: FeedElement): readonly FeedElement[] {
  if (format === 'atom') return childrenOf(root, 'entry');
  const lists = [
    childrenOf(root, 'item'),
    ...(format === 'rss' ? childrenOf(root, 'channel').map((channel) => childrenOf(channel, 'item')) : []),
  ].filter(({ length }) => length > 0);
  if (lists.length > 1)
    throw new SourceFailure('body', 'a feed with several channels, or with items also beside its channel');
  return lists[0] ?? [];
}

function hasItem({ children }: FeedElement, names: readonly string[]): boolean {
  return children.some(
    (child) => typeof child !== 'string' && (names.includes(localName(child)) || hasItem(child, names)),
  );
}

class ElementReader {
  private readonly paths: FeedPaths;

  constructor(
    private readonly format: XmlFeedFormat,
    private readonly root: FeedElement,
  ) {
    this.paths = PATHS[format];
  }

  readChannel(channel: FeedElement): Omit<StatedFeed, 'items'> {
    const { title, summary, copyright, link, image, ttl } = this.paths.channel;
    return {
      title: this.textAt(channel, title),
      summary: this.textAt(channel, summary),
      copyright: this.textAt(channel, copyright),
      link: this.valueAt(channel, link) ?? this.findAlternate(channel),
      image: this.valueAt(channel, image),
      base: channel.base.href,
      ttl: toNumber(this.valueAt(channel, ttl)),
      updatePeriod: this.valueAt(channel, ['sy:updateperiod']),
      updateFrequency: toNumber(this.valueAt(channel, ['sy:updatefrequency'])),
    };
  }

  readItem(item: FeedElement): StatedItem {
    const { guid, title, summary, content, link, published, updated } = this.paths.item;
    const identifier = this.valueAt(item, guid);
    const changed = this.valueAt(item, updated);
    const isPermalink =
      this.format === 'rdf' ||
      (this.format === 'rss' && this.valueAt(item, ['guid/@ispermalink'])?.toLowerCase() !== 'false');
    return {
      guid: identifier,
      title: this.textAt(item, title),
      summary: this.textAt(item, summary),
      content: this.textAt(item, content),
      link: this.valueAt(item, link) ?? this.findAlternate(item),
      permalink: isPermalink ? identifier : undefined,
      published: this.valueAt(item, published) ?? (this.format === 'atom' ? changed : undefined),
      updated: changed,
      base: item.base.href,
    };
  }

  /** The first value that is not blank. */
  private valueAt(from: FeedElement, paths: readonly string[]): string | undefined {
    for (const path of paths)
      for (const value of valuesAt(path.startsWith('/') ? this.root : from, path.replace(/^\//, '').split('/')))
        if (value.trim() !== '') return value.trim();
    return undefined;
  }

  private textAt(from: FeedElement, paths: readonly string[]): StatedText | undefined {
    for (const path of paths)
      for (const element of childrenOf(from, path)) {
        const text = this.format === 'atom' ? readTypedText(element) : readText(element);
        if (text !== undefined && text.value !== '') return text;
      }
    return undefined;
  }

  /** The link to the alternate version, an HTML page if there is one. */
  private findAlternate(from: FeedElement): string | undefined {
    const alternates = childrenOf(from, this.paths.links)
      .map(({ attributes }) => attributes)
      .filter((one) => (one.get('rel') ?? 'alternate').trim().toLowerCase() === 'alternate' && one.get('href')?.trim());
    const page = alternates.find((one) => PAGE_TYPE.test(one.get('type')?.trim() ?? ''));
    return (page ?? alternates[0])?.get('href')?.trim();
  }
}

const PAGE_TYPE = /^(?:text\/html|application\/xhtml\+xml)\s*(?:;|$)/i;
const HTML_TYPE = /^(?:html|text\/html)\s*(?:;|$)/i;
const XHTML_TYPE = /^(?:xhtml|application\/xhtml\+xml)\s*(?:;|$)/i;
const TEXT_TYPE = /^(?:text|text\/plain)\s*(?:;|$)/i;

function readText(element: FeedElement): StatedText {
  const kind = element.name === 'content:encoded' ? 'html' : 'either';
  return { value: toText(element).trim(), kind, base: element.base.href };
}

/** Undefined for content of another media type, and for content that is at another address. */
function readTypedText(element: FeedElement): StatedText | undefined {
  const type = element.attributes.get('type')?.trim() ?? 'text';
  const base = element.base.href;
  if (XHTML_TYPE.test(type)) {
    const content = findDivision(element) ?? element;
    return { value: toMarkup(content).trim(), kind: 'html', base: content.base.href };
  }
  if (HTML_TYPE.test(type)) return { value: toText(element).trim(), kind: 'html', base };
  return TEXT_TYPE.test(type) ? { value: toText(element).trim(), kind: 'text', base } : undefined;
}

/** The only element of a text in XHTML, which is no part of it (RFC 4287, section 3.1.1.3). */
function findDivision({ children }: FeedElement): FeedElement | undefined {
  const [first, ...others] = children.filter((child) => typeof child !== 'string' || /\S/.test(child));
  return typeof first === 'object' && others.length === 0 && localName(first) === 'div' ? first : undefined;
}

function childrenOf(element: FeedElement, name: string): readonly FeedElement[] {
  return element.children.filter((child) => typeof child !== 'string').filter((child) => child.name === name);
}

function valuesAt(element: FeedElement, [step = '', ...inner]: readonly string[]): readonly string[] {
  if (step.startsWith('@')) return [element.attributes.get(step.slice(1)) ?? ''];
  const children = childrenOf(element, step);
  return inner.length === 0 ? children.map(toText) : children.flatMap((child) => valuesAt(child, inner));
}

/** The text of an element, with the tags of elements in it. */
function toText({ children }: FeedElement): string {
  return children.map((child) => (typeof child === 'string' ? child : writeTags(child, toText(child)))).join('');
}

/** HTML of the children of an element. */
function toMarkup({ children }: FeedElement): string {
  return children
    .map((child) => (typeof child === 'string' ? escapeText(child) : writeTags(child, toMarkup(child))))
    .join('');
}

function writeTags(element: FeedElement, inner: string): string {
  const name = localName(element);
  const attributes = Array.from(element.attributes, ([key, value]) => ` ${key}="${escapeText(value)}"`).join('');
  return `<${name}${attributes}>${VOID_ELEMENTS.has(name) ? '' : `${inner}</${name}>`}`;
}

function localName({ name }: FeedElement): string {
  return name.slice(name.indexOf(':') + 1);
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

function toNumber(text: string | undefined): number | undefined {
  const number = Number(text ?? NaN);
  return Number.isNaN(number) ? undefined : number;
}
