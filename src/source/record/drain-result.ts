import type { PartialReason } from '../../model/outcome.js';
import type { FindingCounts } from './findings.js';

/** The result of reading all pages of a list. */
export interface DrainResult<T> {
  /** The records in the order of the source. Empty if the source is too large. */
  readonly records: readonly T[];
  /** Number of records that the source sent, including those that could not be read. */
  readonly receivedCount: number;
  /** Positions in `records` at which the pages begin, ascending. Absent if unknown. */
  readonly pageStarts?: readonly number[];
  /** Total that the source reports. */
  readonly total?: number;
  /** Newest Last-Modified that the source reports, in milliseconds since 1970. */
  readonly lastModified?: number;
  /** Of a document: number of records for which an expression gave a value, by property. Absent for other sources. */
  readonly valueCounts?: ReadonlyMap<string, number>;
  /** Decoded bytes of all pages. */
  readonly bytes: number;
  /** Why the result may be incomplete. Absent if it is complete. */
  readonly partialReason?: PartialReason;
  /** Findings about the records, and about paging that does not follow the interface. */
  readonly findings: FindingCounts;
}
