import type { DrainResult } from '../source/record/drain-result.js';
import type { SnapshotValidators } from './reading/page-validators.js';

/** Besides its records. "No such item" takes them too, and clients can request any number of ids. */
export const MIN_LIST_BYTES = 1_024;

/** Upper bound per byte of JSON, folded text included (measured in `bench/`; decisions 5.10). */
export const MEMORY_PER_JSON_BYTE = 3;

/** Bytes in addition to a record's text, however short. */
export const MEMORY_PER_RECORD = 500;

/** Share of `cache.memory` for one list beyond its source's `drain-threshold`. */
export const LARGE_LIST_MEMORY_SHARE = 1 / 4;

/** Estimated, for the URL and the validators of a page. */
const MEMORY_PER_PAGE = 1_024;

/** In bytes, validators included. */
export function estimateDrainMemory({ bytes, records }: DrainResult<unknown>, validators?: SnapshotValidators): number {
  const pages = validators?.length ?? 0;
  return MIN_LIST_BYTES + bytes * MEMORY_PER_JSON_BYTE + records.length * MEMORY_PER_RECORD + pages * MEMORY_PER_PAGE;
}
