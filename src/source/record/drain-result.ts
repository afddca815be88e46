import type { PartialReason } from '../../model/outcome.js';
import type { FindingCounts } from './findings.js';

/** All that a source has, as far as it could be had. */
export interface DrainResult<T> {
  /** In the source's own order. Empty when the source is too large. */
  readonly records: readonly T[];
  /** Records that were sent, those that could not be read included. */
  readonly receivedCount: number;
  /** Positions in `records` at which a page begins, ascending; absent where that is not known. */
  readonly pageStarts?: readonly number[];
  /** What the source counts. */
  readonly total?: number;
  /** Newest that the source said, in milliseconds since 1970. */
  readonly lastModified?: number;
  /** Decoded bytes of all pages. */
  readonly bytes: number;
  /** Why this may not be all; absent when it is. */
  readonly partialReason?: PartialReason;
  /** What was odd about its records, and how it departs from the interface in its paging. */
  readonly findings: FindingCounts;
}
