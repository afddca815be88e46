/** Bounds of one drain (decisions 5.8). */
export interface DrainLimits {
  /** Number of records requested per page (`limit`). */
  readonly pageSize: number;
  /** Number of pages requested at a time, once the total and the effective page size are known. */
  readonly concurrency: number;
  /** Maximum number of decoded bytes of all pages together. */
  readonly maxBytes: number;
  /** Maximum number of records of all pages together. A source with more is too large to be drained. */
  readonly maxRecords: number;
}
