import { createHash } from 'node:crypto';
import { parseDate, formatImfFixdate, formatIsoTimestamp } from '../../text/date.js';
import { removeParameter } from '../../text/url.js';
import type { RecordItem, RenderInput, ResponseFacts } from '../render-input.js';
import { summarizeSourcesInWords } from '../source-summary.js';
import { VocabularyWriter, formatXmlDeclaration } from '../xml.js';
import type { VocabularyElement } from '../xml.js';
import { concat } from './concat.js';
import { findWebAddress } from './web-address.js';

type FeedInput = Pick<RenderInput, 'items' | 'facts'>;

/** News (RFC 4287; decisions 3.18). The subtitle states on which sources the feed rests. */
export function* renderAtom({ items, facts }: FeedInput): Generator<string, void, undefined> {
  const self = findWebAddress(facts.address);
  yield formatXmlDeclaration();
  yield* new VocabularyWriter().element({
    name: 'feed',
    attributes: { xmlns: 'http://www.w3.org/2005/Atom' },
    content: concat(
      [
        { name: 'id', content: feedId(facts) },
        { name: 'title', content: feedTitle(facts) },
        { name: 'subtitle', content: describeBasis(facts) },
        { name: 'updated', content: formatIsoTimestamp(facts.newest ?? NO_DATE) },
        { name: 'generator', content: 'Rollcall' },
        ...(self === undefined ? [] : [{ name: 'link', attributes: { rel: 'self', href: self } }]),
      ],
      mapItems(items, createEntry),
    ),
  });
}

function createEntry(item: RecordItem): VocabularyElement {
  const { title, sourceName, summary, link, published } = readNewsItem(item);
  const date = formatIsoTimestamp(published ?? NO_DATE);
  return {
    name: 'entry',
    content: [
      { name: 'id', content: itemId(item) },
      { name: 'title', content: title },
      { name: 'updated', content: date },
      ...(published === undefined ? [] : [{ name: 'published', content: date }]),
      { name: 'author', content: [{ name: 'name', content: sourceName }] },
      { name: 'category', attributes: { term: sourceName } },
      // An entry needs a link or a content (RFC 4287, section 4.1.2).
      link === undefined
        ? { name: 'content', attributes: { type: 'text' }, content: summary ?? '' }
        : { name: 'link', attributes: { rel: 'alternate', href: link } },
      ...(summary === undefined ? [] : [{ name: 'summary', attributes: { type: 'text' }, content: summary }]),
    ],
  };
}

/** RSS 2.0. The description states on which sources the feed rests. */
export function* renderRss({ items, facts }: FeedInput): Generator<string, void, undefined> {
  const self = findWebAddress(facts.address);
  yield formatXmlDeclaration();
  yield* new VocabularyWriter().element({
    name: 'rss',
    attributes: {
      version: '2.0',
      'xmlns:atom': 'http://www.w3.org/2005/Atom',
      'xmlns:dc': 'http://purl.org/dc/elements/1.1/',
    },
    content: [
      {
        name: 'channel',
        content: concat(
          [
            { name: 'title', content: feedTitle(facts) },
            // The element is required and needs an absolute URI.
            { name: 'link', content: self ?? feedId(facts) },
            { name: 'description', content: describeBasis(facts), encode: escapeHtml },
            ...(facts.newest === undefined ? [] : [{ name: 'lastBuildDate', content: formatImfFixdate(facts.newest) }]),
            { name: 'generator', content: 'Rollcall' },
            ...(self === undefined
              ? []
              : [{ name: 'atom:link', attributes: { rel: 'self', type: 'application/rss+xml', href: self } }]),
          ],
          mapItems(items, createRssItem),
        ),
      },
    ],
  });
}

function createRssItem(item: RecordItem): VocabularyElement {
  const { title, sourceName, summary, link, published } = readNewsItem(item);
  return {
    name: 'item',
    content: [
      { name: 'title', content: title },
      ...(link === undefined ? [] : [{ name: 'link', content: link }]),
      ...(summary === undefined ? [] : [{ name: 'description', content: summary, encode: escapeHtml }]),
      { name: 'dc:creator', content: sourceName },
      { name: 'category', content: sourceName },
      { name: 'guid', attributes: { isPermaLink: 'false' }, content: itemId(item) },
      ...(published === undefined ? [] : [{ name: 'pubDate', content: formatImfFixdate(published) }]),
    ],
  };
}

const TITLE = 'News of incident response teams';

/** 1970-01-01: Atom needs a date that does not change. */
const NO_DATE = 0;

/** In plain words for readers of the feed, with what is missing. */
function describeBasis(facts: ResponseFacts): string {
  const { basis, shortfall } = summarizeSourcesInWords(facts);
  return shortfall === undefined ? basis : `${shortfall} ${basis}`;
}

interface NewsItemTexts {
  readonly title: string;
  readonly sourceName: string;
  /** Ends with the date of publication as the source writes it, where that cannot be read as a date. */
  readonly summary: string | undefined;
  readonly link: string | undefined;
  /** In milliseconds since 1970. */
  readonly published: number | undefined;
}

function readNewsItem({ title, sourceName, properties }: RecordItem): NewsItemTexts {
  const textOf = (name: string): string | undefined => {
    const value = properties.get(name);
    return value === undefined || typeof value === 'object' ? undefined : String(value);
  };
  const date = textOf('published') ?? '';
  const published = parseDate(date)?.epochMs;
  const unreadDate = published === undefined && date !== '' ? `Published: ${date}` : undefined;
  return {
    title,
    sourceName,
    summary: joinParagraphs(textOf('summary'), unreadDate),
    link: findWebAddress(textOf('link') ?? ''),
    published,
  };
}

function joinParagraphs(...texts: readonly (string | undefined)[]): string | undefined {
  const paragraphs = texts.filter((text) => text !== undefined);
  return paragraphs.length === 0 ? undefined : paragraphs.join('\n\n');
}

/**
 * The address without the page, else a URN of that: the same for all pages, and when sources are registered or the
 * default of `limit` changes.
 */
function feedId(facts: ResponseFacts): string {
  const list = listAddress(facts);
  return findWebAddress(list) ?? createUrn([list]);
}

/** Without the part of the page. */
function listAddress({ address }: ResponseFacts): string {
  return ['limit', 'offset'].reduce(removeParameter, address);
}

/** States the query, so that people who read several feeds of the gateway can distinguish them. */
function feedTitle(facts: ResponseFacts): string {
  const [, query = ''] = listAddress(facts).split('?');
  const parameters = Array.from(new URLSearchParams(query), ([name, value]) => `${name}=${value}`);
  return [TITLE, ...parameters].join(', ');
}

/**
 * The address of the item, else a URN of its source and id. Two gateways number their items independently, so the
 * number alone would give two items one id.
 */
function itemId({ id, address, sourceName }: RecordItem): string {
  return address ?? createUrn([sourceName, id]);
}

/** UUID of version 8 (RFC 9562, section 5.8). */
function createUrn(texts: readonly string[]): string {
  const digits = createHash('sha256').update(JSON.stringify(texts)).digest('hex');
  const variant = ((parseInt(digits.charAt(16), 16) & 0x3) | 0x8).toString(16);
  const groups = [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `8${digits.slice(13, 16)}`,
    `${variant}${digits.slice(17, 20)}`,
  ];
  return `urn:uuid:${[...groups, digits.slice(20, 32)].join('-')}`;
}

/** Descriptions of RSS are HTML to its readers. */
function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function* mapItems(
  items: Iterable<RecordItem>,
  create: (item: RecordItem) => VocabularyElement,
): Generator<VocabularyElement, void, undefined> {
  for (const item of items) yield create(item);
}
