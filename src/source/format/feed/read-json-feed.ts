import { SourceFailure } from '../../client/source-failure.js';
import { isJsonFeedVersion } from './feed-format.js';
import type { StatedFeed, StatedItem, StatedText } from './stated-feed.js';

/** Reads the parsed JSON of a JSON Feed. Throws a `SourceFailure` (`body`) if it is none. */
export function stateJsonFeed(value: unknown): StatedFeed {
  const feed = asObject(value);
  const { version, items } = feed;
  if (typeof version !== 'string' || !isJsonFeedVersion(version))
    throw new SourceFailure('body', 'JSON that is no JSON Feed: it states no version of one');
  if (!Array.isArray(items)) throw new SourceFailure('body', 'a JSON Feed without a list of items');
  const title = stateText(feed['title'], 'text');
  const summary = stateText(feed['description'], 'text');
  const link = readText(feed['home_page_url']);
  if (items.length === 0 && title === undefined && summary === undefined && link === undefined)
    throw new SourceFailure('body', 'a JSON Feed with neither items nor a title, a description or a home page');
  return {
    title,
    summary,
    link,
    image: readText(feed['icon']) ?? readText(feed['favicon']),
    items: items.map(stateItem),
  };
}

function stateItem(value: unknown): StatedItem {
  const item = asObject(value);
  const updated = readText(item['date_modified']);
  return {
    guid: readText(item['id']),
    title: stateText(item['title'], 'text'),
    summary: stateText(item['summary'], 'text'),
    content: stateText(item['content_html'], 'html') ?? stateText(item['content_text'], 'text'),
    link: readText(item['url']) ?? readText(item['external_url']),
    published: readText(item['date_published']) ?? updated,
    updated,
  };
}

function stateText(value: unknown, kind: StatedText['kind']): StatedText | undefined {
  const text = readText(value);
  return text === undefined ? undefined : { value: text, kind };
}

/** A text or number that is not blank. */
function readText(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() || undefined : undefined;
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
