import type { DraftRecord } from '../../model/record.js';
import type { SourcePage } from '../../source/body/page.js';
import type { PageResponse } from '../../source/body/source-fetch-types.js';
import { isUniversalGuid } from '../../source/dialect/feed/feed-item-identity.js';
import type { IdentifiedItem } from '../../source/dialect/feed/feed-item-identity.js';
import { freshnessLifetime } from '../../lists/reading/freshness-lifetime.js';
import type { FeedFormatName } from '../../source/format/feed/feed-format.js';
import type { Feed, FeedItem } from '../../source/format/feed/read-feed.js';
import { formatIsoDate, parseDate } from '../../text/date.js';
import type { DateWithPrecision } from '../../text/date.js';
import { pluralize } from '../finding.js';
import type { CheckResult } from '../finding.js';

/** A feed that a probe has read. */
export interface ProbedFeed {
  readonly url: URL;
  readonly feed: Feed;
  /** Its items as far as they become records, with their identities. */
  readonly items: readonly IdentifiedItem[];
  readonly reply: PageResponse;
  readonly page: SourcePage<DraftRecord>;
  readonly format: FeedFormatName | undefined;
}

/** Describes a feed without a further request (operation 1.5.5). `ttl` is that of the source, in milliseconds. */
export function describeFeed(probed: ProbedFeed, ttl: number): readonly CheckResult[] {
  return [
    describeContents(probed),
    concludeIds(probed),
    concludeDates(probed.feed.items),
    describeLifetime(probed, ttl),
    ...describeData(probed),
  ];
}

function describeContents({ format, feed: { items, title } }: ProbedFeed): CheckResult {
  const dates = items
    .flatMap(({ published = '' }) => parseDate(published) ?? [])
    .sort((one, other) => one.epochMs - other.epochMs);
  const [oldest, newest] = [dates[0], dates.at(-1)];
  const range = oldest && newest ? `, the oldest of ${formatDay(oldest)}, the newest of ${formatDay(newest)}` : '';
  const name = title === undefined ? '; the channel has no title' : '';
  return {
    topic: 'feed',
    verdict: 'proved',
    evidence: `${format ?? 'a feed'}, ${pluralize(items.length, 'item')}${range}${name}`,
  };
}

function formatDay({ epochMs }: DateWithPrecision): string {
  return formatIsoDate({ epochMs, precision: 'day' });
}

/** Whether ids are stable: every item has a guid of its own (decisions 4.32.3). */
function concludeIds({ feed: { items } }: ProbedFeed): CheckResult {
  const topic = 'ids';
  if (items.length === 0) return { topic, verdict: 'open', evidence: 'the feed has no items' };
  const guids = items.flatMap(({ guid }) => guid ?? []);
  const byLink = items.filter(({ guid, link }) => guid === undefined && link !== undefined).length;
  const byText = items.length - guids.length - byLink;
  const repeated = guids.length - new Set(guids).size;
  const consequences = [
    ...(byLink > 0 ? [`${byLink} without a guid: their ids come from their links, and change with them`] : []),
    ...(byText > 0
      ? [`${byText} with neither guid nor link: their ids come from title and date, and change with them`]
      : []),
    ...(repeated > 0
      ? [
          `${repeated} with the guid of another item: with another link they are items of their own, whose ids change ` +
            'with the link; with the same link only the newest is used',
        ]
      : []),
  ];
  if (consequences.length > 0) {
    const evidence = `of ${pluralize(items.length, 'item')}, ${consequences.join('; ')}`;
    return { topic, verdict: 'refuted', evidence };
  }
  const isOfHost = guids.some((guid) => !isUniversalGuid(guid));
  const condition = isOfHost ? '; some guids are no URIs, so these ids change if the feed moves to another host' : '';
  return {
    topic,
    verdict: 'proved',
    evidence: `each of ${pluralize(items.length, 'item')} has a guid of its own${condition}`,
  };
}

function concludeDates(items: readonly FeedItem[]): CheckResult {
  const topic = 'dates';
  if (items.length === 0) return { topic, verdict: 'open', evidence: 'the feed has no items' };
  const missing = items.filter(({ published }) => published === undefined).length;
  const unreadable = items.filter(
    ({ published }) => published !== undefined && parseDate(published) === undefined,
  ).length;
  if (missing + unreadable === 0)
    return { topic, verdict: 'proved', evidence: `each of ${pluralize(items.length, 'item')} has a readable date` };
  const counts = [
    ...(missing > 0 ? [`${missing} without a date of publication`] : []),
    ...(unreadable > 0 ? [`${unreadable} with an unreadable one`] : []),
  ];
  const evidence = `of ${pluralize(items.length, 'item')}, ${counts.join(' and ')}: these come last, and before and after select none of them`;
  return { topic, verdict: 'refuted', evidence };
}

/** How long a copy is used (decisions 7.1, 4.32.4), compared with the `ttl` of the source. */
function describeLifetime({ feed: { lifetime }, reply }: ProbedFeed, ttl: number): CheckResult {
  const allowed = findStatedLifetime(reply);
  const stated = lifetime === undefined ? 'the feed states none' : `the feed states ${toSeconds(lifetime)} s`;
  const headers = allowed === undefined ? 'its header fields none' : `its header fields ${toSeconds(allowed)} s`;
  const least = Math.min(lifetime ?? Infinity, allowed ?? Infinity);
  const comparison =
    least === Infinity || least === ttl
      ? ''
      : least < ttl
        ? ', which is longer than the source allows and is not used in full'
        : '; a longer one would save requests';
  const evidence = `${stated}, ${headers}; the ttl of the source is ${toSeconds(ttl)} s${comparison}`;
  return { topic: 'lifetime', verdict: 'noted', evidence };
}

/**
 * The lifetime that header fields state, in milliseconds. `freshnessLifetime` gives a response whose fields state none, such as
 * one with `Vary` only, all the time since 1970.
 */
function findStatedLifetime(reply: PageResponse): number | undefined {
  const allowed = freshnessLifetime(reply, reply.readAt);
  return allowed === undefined || allowed > MAX_LIFETIME ? undefined : allowed;
}

/** Ten years, in milliseconds. */
const MAX_LIFETIME = 10 * 366 * 86_400_000;

function toSeconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1_000);
}

/** Findings that `ids` and `dates` describe. */
const DESCRIBED: ReadonlySet<string> = new Set(['repeated-id guid', 'unreadable-date published']);

/** Maximum number of different findings in the evidence. */
const MAX_FINDINGS = 8;

function describeData({ page: { findings } }: ProbedFeed): readonly CheckResult[] {
  const others = [...findings].filter(([key]) => !DESCRIBED.has(key));
  if (others.length === 0) return [];
  const evidence = others.slice(0, MAX_FINDINGS).map(([key, count]) => `${key} (${count})`);
  return [{ topic: 'data', verdict: 'noted', evidence: evidence.join(', ') }];
}
