import type { RequestHandler } from './upstream-server.js';
import { writeElements } from './written-feeds.js';

/** An item of an RSS feed. What is absent is not written. */
export interface RssItem {
  readonly guid?: string;
  readonly title?: string;
  readonly link?: string;
  readonly description?: string;
  readonly pubDate?: string;
}

/** Writes an RSS feed: values of the channel by the names of their elements, and its items. */
export function writeRss(items: readonly RssItem[], channel: Readonly<Record<string, string>> = {}): string {
  const all = { title: 'Advisories', link: 'https://cert.example.org/', ...channel };
  const list = items.map(writeItem).join('\n');
  return `<?xml version="1.0"?><rss version="2.0"><channel>${writeElements(Object.entries(all))}${list}</channel></rss>`;
}

function writeItem({ guid, title, link, description, pubDate }: RssItem): string {
  return `<item>${writeElements([
    ['guid', guid],
    ['title', title],
    ['link', link],
    ['description', description],
    ['pubDate', pubDate],
  ])}</item>`;
}

/** A number of items without faults, one each day, the newest first: that of 28 October 2026. */
export function listItems(count: number): readonly RssItem[] {
  return Array.from({ length: count }, (_, at) => ({
    guid: `tag:cert.example.org,2026:${at}`,
    title: `Advisory ${at}`,
    link: `https://cert.example.org/${at}`,
    description: `Text ${at}`,
    pubDate: new Date(Date.UTC(2026, 9, 28 - at, 8)).toUTCString(),
  }));
}

/** A feed with an entity tag, which revalidates itself. */
export function feedUpstream(body: string): RequestHandler {
  return ({ headers }, response) => {
    if (headers['if-none-match'] === TAG) response.writeHead(304, { etag: TAG }).end();
    else response.writeHead(200, { 'content-type': 'application/rss+xml', etag: TAG }).end(body);
  };
}

const TAG = '"first"';
