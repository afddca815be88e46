import type { Resource } from '../../model/resource.js';
import type { FeedFormat } from './feed/feed-parser.js';
import type { PageFormat } from './page-parser.js';
import type { DocumentPageFacts } from './raw-page.js';
import type { SourceParameters } from './request-url.js';

/**
 * How a kind of sources is requested, paged and parsed (decisions 1.3, 4.27, 4.32). Page parsers return the property
 * names of this gateway, so records of all kinds are read alike.
 *
 * Implementations: `createDirectoryDialect`, `createDataDialect`, `createDocumentDialect` and `createFeedDialect`.
 */
export interface Dialect {
  /** A base URL, the URL of a document, or the URLs of feeds. Never empty. */
  readonly addresses: readonly string[];
  readonly accept: string;
  readonly paging: OffsetPaging | LinkedPaging | FeedPaging;
}

/** By `limit` and `offset` (interfaces 1.3). The source may evaluate parameters. */
export interface OffsetPaging {
  readonly kind: 'offset';
  readonly listFormat: PageFormat;
  readonly itemFormat: PageFormat;
  /** At most `limit` records from `offset` on. */
  pageUrl(resource: Resource, page: PageRange, parameters: SourceParameters): URL;
  /** By the source's own id. */
  itemUrl(resource: Resource, id: number): URL;
}

/** Offset of the first record, and maximum number of records. */
export interface PageRange {
  readonly offset: number;
  readonly limit: number;
}

/** One list, each of whose pages leads to the next one. The source evaluates nothing. */
export interface LinkedPaging {
  readonly kind: 'linked';
  readonly list: LinkedList;
  /** Read first, because the entries of `list` need it. Undefined: none. */
  readonly joined: LinkedList | undefined;
}

/** Pages lead from one to the next. */
export interface LinkedList {
  readonly firstPage: URL;
  readonly format: PageFormat;
  /** Added to counted pages' parameter for each page, also after the last (a source may refuse). Undefined: linked. */
  readonly step: number | undefined;
  /** Undefined after the last page. Throws a `SourceFailure` (`redirect`) for an address of another origin. */
  nextPage(current: URL, facts: DocumentPageFacts | undefined): URL | undefined;
}

/** Each feed is fetched and cached by itself; news and channels are built from all. The source evaluates nothing. */
export interface FeedPaging {
  readonly kind: 'feeds';
  /** At least one. */
  readonly feeds: readonly FeedAddress[];
}

export interface FeedAddress {
  readonly url: URL;
  /** Of its channel. Undefined: the one that the feed states. */
  readonly title: string | undefined;
  readonly format: FeedFormat;
}
