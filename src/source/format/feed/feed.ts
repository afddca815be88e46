/** A feed, in whichever format it was written. A property that it does not state is absent (decisions 4.32.2). */
export interface Feed {
  /** Plain text on one line, like the copyright. */
  readonly title?: string;
  /** Absolute URL, like the image. */
  readonly link?: string;
  readonly image?: string;
  /** Plain text. */
  readonly summary?: string;
  readonly copyright?: string;
  /** Milliseconds for which the publisher wants copies to be used. */
  readonly lifetime?: number;
  /** In the order of the feed, also those without any property. */
  readonly items: readonly FeedItem[];
}

/** An item of RSS and JSON Feed, or an entry of Atom. */
export interface FeedItem {
  /** `guid`, `atom:id`, `rdf:about` or the id of JSON Feed, as written without surrounding white space. */
  readonly guid?: string;
  /** Plain text on one line. */
  readonly title?: string;
  /** Plain text with a line for each paragraph. */
  readonly summary?: string;
  /** Absolute URL, `http` or `https`. */
  readonly link?: string;
  /** As written if `parseDate` reads it, or if it cannot be interpreted with certainty; else in ISO 8601. */
  readonly published?: string;
  readonly updated?: string;
  /** Sanitised HTML. */
  readonly content?: string;
}
