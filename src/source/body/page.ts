import type { FindingCounts } from '../record/findings.js';

/** One page of a source, its records read. */
export interface SourcePage<T> {
  /** What could be read. */
  readonly records: readonly T[];
  /** How many the source sent: offsets advance by it, also past records that were dropped. */
  readonly receivedCount: number;
  /** Equal for pages with equal records, unequal (but for contrived data) for others. */
  readonly fingerprint: string;
  /** Number of matches that the source counts, where it says. */
  readonly total?: number;
  /** The limit that the source says it applied. */
  readonly limit?: number;
  /** Milliseconds since 1970, where the source says. */
  readonly lastModified?: number;
  /** What its envelope has beside the records, by name, as far as a person would read it; absent where it has none. */
  readonly envelope?: readonly string[];
  /** Decoded bytes of the page's body. */
  readonly bytes: number;
  /** What was odd about its records. */
  readonly findings: FindingCounts;
}

/** What stands for a page where a source says that there is none. */
export const EMPTY_PAGE: SourcePage<never> = {
  records: [],
  receivedCount: 0,
  fingerprint: '0',
  bytes: 0,
  findings: new Map(),
};

/** Fetches the records from `offset` on, `limit` at most: what a source is asked; what it sends may be anything. */
export type FetchPage<T> = (offset: number, limit: number) => Promise<SourcePage<T>>;
