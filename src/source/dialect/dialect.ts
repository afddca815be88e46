import type { Resource } from '../../model/resource.js';
import type { FeedFormat } from './feed/feed-parser.js';
import type { PageFormat } from './page-parser.js';
import type { DocumentPageFacts } from './raw-page.js';
import type { SourceParameters } from './request-url.js';

/**
 * What differs between kinds of sources: how a list is requested, paged and parsed (decisions 1.3, 4.27, 4.32). Records that a
 * page parser returns have the property names of this gateway; they are read alike for all kinds.
 *
 * Implementations: `createDirectoryDialect`, `createDataDialect`, `createDocumentDialect` and `createFeedDialect`.
 */
export interface Dialect {
  /** Addresses of the source: a base URL, the URL of a document, or the URLs of feeds. Never empty. */
  readonly addresses: readonly string[];
  /** Value of Accept in requests. */
  readonly accept: string;
  readonly paging: OffsetPaging | LinkedPaging | FeedPaging;
}

/** The pages of a list are requested by `limit` and `offset` (interfaces 1.3). The source may evaluate parameters. */
export interface OffsetPaging {
  readonly kind: 'offset';
  /** How the body of a page is parsed. */
  readonly listFormat: PageFormat;
  /** How the body of a single item is parsed. */
  readonly itemFormat: PageFormat;
  /** URL of the page with at most `limit` records from `offset` on. */
  pageUrl(resource: Resource, page: PageRange, parameters: SourceParameters): URL;
  /** URL of one item, by the source's own id. */
  itemUrl(resource: Resource, id: number): URL;
}

/** Offset of the first record of a page, and maximum number of records. */
export interface PageRange {
  readonly offset: number;
  readonly limit: number;
}

/** The source has one list, each of whose pages leads to the next one. It evaluates nothing. */
export interface LinkedPaging {
  readonly kind: 'linked';
  readonly list: LinkedList;
  /** The second list, which is read first because the entries of `list` need it. Undefined: none. */
  readonly joined: LinkedList | undefined;
}

/** A list whose pages lead from one to the next. */
export interface LinkedList {
  readonly firstPage: URL;
  /** How the body of a page is parsed. */
  readonly format: PageFormat;
  /**
   * Number by which the parameter of counted pages is raised from page to page. Then there is a request for the page after
   * the last one, and a source may refuse it. Undefined: the pages are linked.
   */
  readonly step: number | undefined;
  /**
   * URL of the page after a received one; undefined if it was the last. Throws a `SourceFailure` (`redirect`) where the
   * page names an address of another origin.
   */
  nextPage(current: URL, facts: DocumentPageFacts | undefined): URL | undefined;
}

/**
 * The source consists of feeds. Each is fetched and cached by itself; the lists of news and channels are built from all
 * of them. It evaluates nothing.
 */
export interface FeedPaging {
  readonly kind: 'feeds';
  /** At least one. */
  readonly feeds: readonly FeedAddress[];
}

/** One feed of a source. */
export interface FeedAddress {
  readonly url: URL;
  /** Title of its channel. Undefined: the one that the feed states. */
  readonly title: string | undefined;
  /** How its body is parsed. */
  readonly format: FeedFormat;
}
