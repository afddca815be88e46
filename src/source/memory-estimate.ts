import type { DrainResult } from './record/drain-result.js';
import { MIN_ENTRY_BYTES } from './snapshot/cache-entry-overhead.js';
import type { SnapshotValidators } from './drain/page-validators.js';

/**
 * Upper bound of the memory of records per byte of their JSON, folded text included (measured in `bench/`; decisions
 * 5.10).
 */
export const MEMORY_PER_JSON_BYTE = 3;

/** Bytes that a record takes in addition to its text, however short that is (decisions 5.10). */
export const MEMORY_PER_RECORD = 500;

/** Share of `cache.memory` that one list of a source with more records than its `drain-threshold` may take. */
export const LARGE_LIST_MEMORY_SHARE = 1 / 4;

/** Estimated bytes of the URL and the validators of one page. */
const MEMORY_PER_PAGE = 1_024;

/** Estimates the bytes that the records of a drain take in memory, together with their validators. */
export function estimateDrainMemory({ bytes, records }: DrainResult<unknown>, validators?: SnapshotValidators): number {
  const pages = validators?.length ?? 0;
  return MIN_ENTRY_BYTES + bytes * MEMORY_PER_JSON_BYTE + records.length * MEMORY_PER_RECORD + pages * MEMORY_PER_PAGE;
}
