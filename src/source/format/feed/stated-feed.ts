/** A text of a feed as it is stated. */
export interface StatedText {
  readonly value: string;
  /** `either`: HTML or plain text, which RSS does not distinguish. */
  readonly kind: 'text' | 'html' | 'either';
  /** Absolute base URL, if it is not that of the item. */
  readonly base?: string | undefined;
}

/** What all formats of feeds have in common, with URLs and dates as written. */
export interface StatedFeed {
  readonly title?: StatedText | undefined;
  readonly summary?: StatedText | undefined;
  readonly copyright?: StatedText | undefined;
  readonly link?: string | undefined;
  readonly image?: string | undefined;
  readonly base?: string | undefined;
  /** Minutes for which copies may be used (RSS `ttl`). */
  readonly ttl?: number | undefined;
  /** How often the feed is updated (RSS 1.0 module Syndication). */
  readonly updatePeriod?: string | undefined;
  readonly updateFrequency?: number | undefined;
  readonly items: readonly StatedItem[];
}

/** An item or entry, with URLs and dates as written. */
export interface StatedItem {
  readonly guid?: string | undefined;
  readonly title?: StatedText | undefined;
  readonly summary?: StatedText | undefined;
  readonly content?: StatedText | undefined;
  readonly link?: string | undefined;
  /** An identifier that is the link if it is a URL of the web, and the item has no link. */
  readonly permalink?: string | undefined;
  readonly published?: string | undefined;
  readonly updated?: string | undefined;
  readonly base?: string | undefined;
}
