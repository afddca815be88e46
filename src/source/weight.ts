import type { Drained } from './drain.js';
import { LEAST_WEIGHT } from './snapshot/weight.js';
import type { Proof } from './testimony.js';

/** Records in memory, folded text included, are at most this many times the bytes of their JSON (measured in bench/). */
export const HELD_PER_BYTE = 3;

/** Bytes that a record takes beside its text, however short that is. */
export const HELD_PER_RECORD = 500;

/** Of one source with more records than its drain-threshold, one list may take this part of `cache.memory` (docs/large-sources.md). */
export const SHARE_OF_ONE = 1 / 4;

/** Bytes that a page's address and validators take, about. */
const HELD_PER_PAGE = 1_024;

/** Bytes that what was drained takes in memory, with what it can be verified by. */
export function weightOf({ bytes, records }: Drained<unknown>, proof?: Proof): number {
  const pages = proof?.length ?? 0;
  return LEAST_WEIGHT + bytes * HELD_PER_BYTE + records.length * HELD_PER_RECORD + pages * HELD_PER_PAGE;
}
