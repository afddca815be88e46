import type { PartialReason } from '../../model/outcome.js';
import type { FindingCounts } from './findings.js';

/** Field of the condition `only`, which is evaluated for all entries and gives no property. */
export const SELECTION_FIELD = '(only)';

/** Field of the expression `join.on`, which gives no property of a record. */
export const JOIN_FIELD = '(join)';

/** Whether a field is of an expression that is evaluated for all entries, such as `only`, and gives no property. */
export function isEntryField(field: string): boolean {
  return field.startsWith('(');
}

/** What the expressions of a document gave on all pages together (decisions 4.27). */
export interface ExpressionResults {
  /** Number of entries, including those that `only` leaves out. */
  readonly entryCount: number;
  /** Number of records: the entries that `only` selects. */
  readonly recordCount: number;
  /**
   * Number of entries for which an expression gave a value, by its field: a property, `id`, or
   * `SELECTION_FIELD` with a path that the condition reads.
   */
  readonly valueCounts: ReadonlyMap<string, number>;
  /** Why an expression failed, with the first such entry, by its field. */
  readonly failures: ReadonlyMap<string, string>;
}

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
  /** Of a document: what its expressions gave. Absent for other sources. */
  readonly expressions?: ExpressionResults;
  /** Decoded bytes of all pages. */
  readonly bytes: number;
  /** Why the result may be incomplete. Absent if it is complete. */
  readonly partialReason?: PartialReason;
  /** What shows that, and what to do, for the operator. It may name properties of the source. */
  readonly partialDetail?: string;
  /** Findings about the records, and about paging that does not follow the interface. */
  readonly findings: FindingCounts;
}
