/** For one drain (decisions 5.8). */
export interface DrainLimits {
  /** `limit`. */
  readonly pageSize: number;
  /** Of pages, once the total and the effective page size are known. */
  readonly concurrency: number;
  /** Decoded, of all pages. */
  readonly maxBytes: number;
  /** Of all pages. A source with more is too large to be drained. */
  readonly maxRecords: number;
}
