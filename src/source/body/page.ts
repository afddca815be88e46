import type { DocumentPageFacts, StatedPageFacts } from '../dialect/raw-page.js';
import type { FindingCounts, FindingExamples } from '../record/findings.js';

export interface SourcePage<T> extends StatedPageFacts {
  readonly records: readonly T[];
  /** Includes dropped records; of a feed, its items. Offsets advance by it. */
  readonly receivedCount: number;
  /** Equal for equal records, different for other pages, except for contrived data. */
  readonly fingerprint: string;
  /** With the identities of `records`. Absent for a page of an interface. */
  readonly document?: DocumentPageFacts;
  /** Decoded, of the body. */
  readonly bytes: number;
  /** By rule and field. */
  readonly findings: FindingCounts;
  /** For the operator. Absent: there are none. */
  readonly findingExamples?: FindingExamples;
}

/** In place of a page that the source does not have. */
export const MISSING_PAGE: SourcePage<never> = {
  records: [],
  receivedCount: 0,
  fingerprint: '0',
  bytes: 0,
  findings: new Map(),
};

/** The arguments are what is requested; the source may send anything. */
export type FetchPage<T> = (offset: number, limit: number) => Promise<SourcePage<T>>;
