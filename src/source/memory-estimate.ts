import type { DrainResult } from './record/drain-result.js';
import { MIN_ENTRY_BYTES } from './snapshot/entry-size.js';
import type { SnapshotValidators } from './drain/page-validators.js';

/** Records in memory, folded text included, are at most this many times the bytes of their JSON (measured in bench/). */
export const MEMORY_PER_JSON_BYTE = 3;

/** Bytes that a record takes beside its text, however short that is. */
export const MEMORY_PER_RECORD = 500;

/** Of one source with more records than its drain-threshold, one list may take this part of `cache.memory` (docs/large-sources.md). */
export const LARGE_LIST_MEMORY_SHARE = 1 / 4;

/** Bytes that a page's address and validators take, about. */
const MEMORY_PER_PAGE = 1_024;

/** Bytes that what was drained takes in memory, with what it can be verified by. */
export function estimateDrainMemory({ bytes, records }: DrainResult<unknown>, proof?: SnapshotValidators): number {
  const pages = proof?.length ?? 0;
  return MIN_ENTRY_BYTES + bytes * MEMORY_PER_JSON_BYTE + records.length * MEMORY_PER_RECORD + pages * MEMORY_PER_PAGE;
}
