import { createHash } from 'node:crypto';
import { withValidators } from './conditional-responses.js';
import type { RequestHandler } from './upstream-server.js';

/** The formats in which a feed is written: RSS 2.0, RSS 1.0 (RDF), Atom 1.0, JSON Feed 1.1. */
export const FEED_FORMS = ['rss', 'rdf', 'atom', 'json'] as const;

/** One of these formats. */
export type FeedForm = (typeof FEED_FORMS)[number];

/** An item before it is written. Texts are plain, `content` is HTML, links and dates are as the publisher writes them. */
export interface WrittenItem {
  readonly guid?: string | undefined;
  readonly title?: string | undefined;
  readonly summary?: string | undefined;
  readonly link?: string | undefined;
  readonly published?: string | undefined;
  readonly updated?: string | undefined;
  readonly content?: string | undefined;
}

/** A feed before it is written. */
export interface WrittenFeed {
  readonly form: FeedForm;
  readonly title?: string | undefined;
  readonly link?: string | undefined;
  readonly summary?: string | undefined;
  readonly items: readonly WrittenItem[];
}

/** Media type of each format. */
export const FEED_MEDIA_TYPES: Readonly<Record<FeedForm, string>> = {
  rss: 'application/rss+xml',
  rdf: 'application/rdf+xml',
  atom: 'application/atom+xml',
  json: 'application/feed+json',
};

/** Writes a feed in its format. */
export function writeFeed(feed: WrittenFeed): string {
  return WRITERS[feed.form](feed);
}

/** Handles requests as the server of one feed, which may change with each request. Its entity tag is a hash of the body. */
export function writtenFeedUpstream(feed: WrittenFeed | (() => WrittenFeed)): RequestHandler {
  return (request, response) => {
    const current = typeof feed === 'function' ? feed() : feed;
    const body = writeFeed(current);
    const etag = `"${createHash('sha256').update(body).digest('hex').slice(0, 16)}"`;
    const send: RequestHandler = () => {
      response.writeHead(200, { 'Content-Type': FEED_MEDIA_TYPES[current.form] }).end(body);
    };
    withValidators(send, () => ({ etag }))(request, response);
  };
}

/** Handles requests to several feeds of one server, by path. Other paths are 404. */
export function feedsUpstream(handlers: ReadonlyMap<string, RequestHandler>): RequestHandler {
  return (request, response) => {
    const handler = handlers.get(request.path);
    if (handler === undefined) response.writeHead(404).end();
    else handler(request, response);
  };
}

const NAMESPACES =
  'xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/" ' +
  'xmlns:dcterms="http://purl.org/dc/terms/"';

const WRITERS: Readonly<Record<FeedForm, (feed: WrittenFeed) => string>> = {
  rss: ({ items, ...channel }) =>
    `<?xml version="1.0" encoding="UTF-8"?><rss version="2.0" ${NAMESPACES}><channel>${writeElements(channelTexts(channel))}` +
    `${items.map((item) => `<item>${writeGuid(item)}${writeElements(rssTexts(item, 'pubDate'))}</item>`).join('')}</channel></rss>`,
  rdf: ({ items, ...channel }) =>
    '<?xml version="1.0"?><rdf:RDF xmlns="http://purl.org/rss/1.0/" ' +
    `xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" ${NAMESPACES}><channel>${writeElements(channelTexts(channel))}` +
    `</channel>${items.map(writeRdfItem).join('')}</rdf:RDF>`,
  atom: ({ items, title, link, summary }) =>
    `<feed xmlns="http://www.w3.org/2005/Atom">${writeElements([
      ['title', title],
      ['subtitle', summary],
    ])}${writeAtomLink(link)}${items.map(writeEntry).join('')}</feed>`,
  json: ({ items, title, link, summary }) =>
    JSON.stringify({
      version: 'https://jsonfeed.org/version/1.1',
      title,
      home_page_url: link,
      description: summary,
      items: items.map((item) => ({
        id: item.guid,
        title: item.title,
        summary: item.summary,
        url: item.link,
        date_published: item.published,
        date_modified: item.updated,
        content_html: item.content,
      })),
    }),
};

/** Names of elements, and their texts. An element whose text is undefined is not written. */
type Texts = readonly (readonly [name: string, value: string | undefined])[];

/** Writes elements of XML. */
export function writeElements(texts: Texts): string {
  return texts.map(([name, value]) => (value === undefined ? '' : `<${name}>${escapeXml(value)}</${name}>`)).join('');
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

function channelTexts({ title, link, summary }: Omit<WrittenFeed, 'items'>): Texts {
  return [
    ['title', title],
    ['link', link],
    ['description', summary],
  ];
}

function rssTexts({ title, link, summary, published, updated, content }: WrittenItem, date: string): Texts {
  return [
    ['title', title],
    ['link', link],
    ['description', summary],
    [date, published],
    ['dcterms:modified', updated],
    ['content:encoded', content],
  ];
}

function writeGuid({ guid }: WrittenItem): string {
  return guid === undefined ? '' : `<guid isPermaLink="false">${escapeXml(guid)}</guid>`;
}

function writeRdfItem(item: WrittenItem): string {
  const about = item.guid === undefined ? '' : ` rdf:about="${escapeXml(item.guid)}"`;
  return `<item${about}>${writeElements(rssTexts(item, 'dc:date'))}</item>`;
}

function writeEntry({ guid, title, link, summary, published, updated, content }: WrittenItem): string {
  const html = content === undefined ? '' : `<content type="html">${escapeXml(content)}</content>`;
  return `<entry>${writeElements([
    ['id', guid],
    ['title', title],
    ['summary', summary],
    ['published', published],
    ['updated', updated],
  ])}${writeAtomLink(link)}${html}</entry>`;
}

function writeAtomLink(link: string | undefined): string {
  return link === undefined ? '' : `<link href="${escapeXml(link)}"/>`;
}
