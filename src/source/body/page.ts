import type { DocumentPageFacts, StatedPageFacts } from '../dialect/raw-page.js';
import type { FindingCounts, FindingExamples } from '../record/findings.js';

/** One page of a source's list, with its records read. */
export interface SourcePage<T> extends StatedPageFacts {
  /** The records that could be read. */
  readonly records: readonly T[];
  /**
   * Number of records that the source sent, including those that were dropped; of a feed, its items. Offsets advance by it.
   */
  readonly receivedCount: number;
  /** Equal for pages with equal records. Different for other pages, except for contrived data. */
  readonly fingerprint: string;
  /** Of a document: what its expressions gave, with the identities of `records`. Absent for a page of an interface. */
  readonly document?: DocumentPageFacts;
  /** Decoded bytes of the page's body. */
  readonly bytes: number;
  /** Number of data-quality findings by rule and field. */
  readonly findings: FindingCounts;
  /** Records with findings, for the operator. Absent: there are none. */
  readonly findingExamples?: FindingExamples;
}

/** A page without records, used in place of a page that the source does not have. */
export const MISSING_PAGE: SourcePage<never> = {
  records: [],
  receivedCount: 0,
  fingerprint: '0',
  bytes: 0,
  findings: new Map(),
};

/**
 * Fetches at most `limit` records from `offset` on. The arguments are what is requested; the source may send anything.
 */
export type FetchPage<T> = (offset: number, limit: number) => Promise<SourcePage<T>>;
