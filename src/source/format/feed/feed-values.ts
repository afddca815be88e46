import { hasWebProtocol, parseUrl } from '../../../text/url.js';
import { cutText } from '../../../text/visible-text.js';
import { hasUnsafeScheme } from '../../record/check-value.js';
import type { FindingSink } from '../../record/findings.js';
import type { AddressResolver } from './address-resolver.js';
import type { Feed, FeedItem } from './feed.js';
import { normalizeFeedDate } from './feed-dates.js';
import {
  collapseParagraphs,
  convertHtmlToText,
  convertTextToHtml,
  convertTitleToText,
  hasMarkup,
  sanitizeHtml,
  toOneLine,
} from './feed-html.js';
import { removeNotAllowed } from '../xml-syntax.js';
import type { StatedFeed, StatedItem, StatedText } from './stated-feed.js';

/**
 * Reads the values of a feed: texts, URLs, dates (decisions 4.32.2). Counts each link that is no URL of the web in
 * `findings`. Throws a `SourceFailure` (`size`) where the bases of its addresses are too long.
 */
export function readFeedValues(stated: StatedFeed, addresses: AddressResolver, findings: FindingSink): Feed {
  const reader = new FeedValueReader(addresses, findings);
  const items = stated.items.map((item) => reader.readItem(item));
  return { ...reader.readChannel(stated), items };
}

class FeedValueReader {
  constructor(
    private readonly addresses: AddressResolver,
    private readonly findings: FindingSink,
  ) {}

  readChannel(stated: StatedFeed): Omit<Feed, 'items'> {
    const base = this.parseBase(stated.base);
    const title = readTitle(stated.title);
    const link = this.readUrl('link', stated.link, base);
    const image = this.readUrl('image', stated.image, base);
    const summary = readSummary(stated.summary);
    const copyright = readTitle(stated.copyright);
    const lifetime = readLifetime(stated);
    return {
      ...(title && { title }),
      ...(link && { link }),
      ...(image && { image }),
      ...(summary && { summary }),
      ...(copyright && { copyright }),
      ...(lifetime && { lifetime }),
    };
  }

  readItem(item: StatedItem): FeedItem {
    const base = this.parseBase(item.base);
    const title = readTitle(item.title);
    const summary = readSummary(item.summary) ?? cutSummary(readSummary(item.content));
    const link = item.link === undefined ? readPermalink(item.permalink) : this.readUrl('link', item.link, base);
    const content = this.readContent(item, base);
    return {
      ...(item.guid && { guid: item.guid }),
      ...(title && { title }),
      ...(summary && { summary }),
      ...(link && { link }),
      ...(item.published && { published: normalizeFeedDate(item.published) }),
      ...(item.updated && { updated: normalizeFeedDate(item.updated) }),
      ...(content && { content }),
    };
  }

  private readUrl(field: string, text: string | undefined, base: URL): string | undefined {
    if (text === undefined) return undefined;
    const url = this.parseWebUrl(text, base);
    if (url === undefined) this.findings.add(field, hasUnsafeScheme(text) ? 'unsafe-url' : 'not-a-url');
    return url;
  }

  private parseWebUrl(text: string, base: URL): string | undefined {
    const url = text.length > MAX_URL_LENGTH ? undefined : this.addresses.resolve(text, base);
    return url !== undefined && hasWebProtocol(url) ? url.href : undefined;
  }

  /** The content, else a summary in HTML. */
  private readContent({ content, summary }: StatedItem, base: URL): string | undefined {
    const text = content ?? (summary !== undefined && isHtml(summary) ? summary : undefined);
    if (text === undefined) return undefined;
    const value = removeNotAllowed(text.value);
    if (text.kind === 'text') return convertTextToHtml(value);
    const textBase = this.parseBase(text.base, base);
    return sanitizeHtml(value, (href) => this.addresses.resolve(href, textBase));
  }

  /** `base` is absolute, and was counted when it was written. */
  private parseBase(base: string | undefined, otherwise = this.addresses.address): URL {
    return (base === undefined ? undefined : parseUrl(base)) ?? otherwise;
  }
}

/** Maximum length of a URL in characters, as that of the URLs of records (decisions 4.5). */
const MAX_URL_LENGTH = 65_536;

/** The identifier of an item if it is an absolute URL of the web. */
function readPermalink(identifier: string | undefined): string | undefined {
  if (identifier === undefined || !/^https?:\/\/[^/\\\s]/i.test(identifier)) return undefined;
  return identifier.length > MAX_URL_LENGTH ? undefined : parseUrl(identifier)?.href;
}

function readTitle(text: StatedText | undefined): string | undefined {
  if (text === undefined) return undefined;
  if (text.kind === 'text') return toOneLine(text.value);
  return text.kind === 'html' ? toOneLine(convertHtmlToText(text.value)) : convertTitleToText(text.value);
}

function readSummary(text: StatedText | undefined): string | undefined {
  if (text === undefined) return undefined;
  return (text.kind === 'text' ? collapseParagraphs(text.value) : convertHtmlToText(text.value)) || undefined;
}

/** Maximum length of a summary that is the beginning of the content, in characters without the ellipsis. */
const MAX_BEGINNING = 500;

/** Cuts a text that is too long at the end of a word, or within one that is very long. */
function cutSummary(text: string | undefined): string | undefined {
  const cut = text === undefined ? undefined : cutText(text, MAX_BEGINNING);
  if (text === undefined || cut === undefined) return text;
  const endsWord = /\s/.test(text.charAt(cut.length));
  const end = endsWord ? cut.length : cut.search(/\s\S*$/);
  return `${cut.slice(0, end > 0 ? end : undefined).trimEnd()}…`;
}

function isHtml({ kind, value }: StatedText): boolean {
  return kind !== 'text' && hasMarkup(value);
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Longest lifetime that is believed. */
const MAX_LIFETIME = 366 * DAY;

const PERIODS: ReadonlyMap<string, number> = new Map([
  ['hourly', HOUR],
  ['daily', DAY],
  ['weekly', 7 * DAY],
  ['monthly', 30 * DAY],
  ['yearly', 365 * DAY],
]);

function readLifetime({ ttl = 0, updatePeriod = '', updateFrequency = 1 }: StatedFeed): number | undefined {
  const period = PERIODS.get(updatePeriod.toLowerCase()) ?? 0;
  const stated = [ttl * MINUTE, updateFrequency >= 1 ? period / updateFrequency : 0];
  const lifetimes = stated.map(Math.round).filter((one) => one > 0 && one <= MAX_LIFETIME);
  return lifetimes.length === 0 ? undefined : Math.min(...lifetimes);
}
