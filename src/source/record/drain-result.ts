import type { PartialReason } from '../../model/reasons.js';
import type { FindingCounts } from './findings.js';

/** Evaluated for all entries; gives no property. */
export const SELECTION_FIELD = '(only)';

/** Of the expression `join.on`; gives no property. */
export const JOIN_FIELD = '(join)';

/** Its expression is evaluated for all entries, such as `only`, and gives no property. */
export function isEntryField(field: string): boolean {
  return field.startsWith('(');
}

/** Of all pages together (decisions 4.27). */
export interface ExpressionResults {
  /** Includes entries that `only` leaves out. */
  readonly entryCount: number;
  /** Entries that `only` selects. */
  readonly recordCount: number;
  /** Entries with a value, by field: a property, `id`, or `SELECTION_FIELD` with a path that the condition reads. */
  readonly valueCounts: ReadonlyMap<string, number>;
  /** Reasons with the first such entry, by field. */
  readonly failures: ReadonlyMap<string, string>;
}

/** Of all pages of a list. */
export interface DrainResult<T> {
  /** In the source's order. Empty if the source is too large. */
  readonly records: readonly T[];
  /** Includes records that could not be read. */
  readonly receivedCount: number;
  /** Positions in `records`, ascending. Absent if unknown. */
  readonly pageStarts?: readonly number[];
  /** As the source reports. */
  readonly total?: number;
  /** The newest that the source reports, in milliseconds since 1970. */
  readonly lastModified?: number;
  /** Absent unless the source is a document. */
  readonly expressions?: ExpressionResults;
  /** Decoded, of all pages. */
  readonly bytes: number;
  /** Absent if the result is complete. */
  readonly partialReason?: PartialReason;
  /** What shows that, and what to do, for the operator. It may name properties of the source. */
  readonly partialDetail?: string;
  /** Read further down the list only to check its filters and order (decisions 5.17). Absent: none. */
  readonly checkedRecords?: readonly T[];
  /** About records, and about paging that does not follow the interface. */
  readonly findings: FindingCounts;
}
