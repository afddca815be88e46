/** Bounds of one drain. */
export interface DrainLimits {
  /** Records asked for in a page. */
  readonly pageSize: number;
  /** Pages asked for at a time once total and cap are known. */
  readonly concurrency: number;
  /** Decoded bytes of all pages together. */
  readonly maxBytes: number;
  /** Records of all pages together: a source that has more is too large to be drained. */
  readonly maxRecords: number;
}
