import type { Drained } from './drain.js';
import type { Proof } from './testimony.js';

/** Records in memory, folded text included, are at most this many times the bytes of their JSON (measured in bench/). */
export const HELD_PER_BYTE = 3;

/** Bytes that a record takes beside its text, however short that is. */
export const HELD_PER_RECORD = 500;

/** Of one source with more records than its drain-threshold, one list may take this part of `cache.memory` (docs/large-sources.md). */
export const SHARE_OF_ONE = 1 / 4;

/** Bytes that a page's address and validators take, about. */
const HELD_PER_PAGE = 1_024;

/** Bytes that anything held takes beside its records: also that there is no such item, which anybody can ask for any number of ids. */
export const HELD_AT_LEAST = 1_024;

/** Bytes that what was drained takes in memory, with what it can be verified by. */
export function weightOf({ bytes, records }: Drained<unknown>, proof?: Proof): number {
  const pages = proof?.length ?? 0;
  return HELD_AT_LEAST + bytes * HELD_PER_BYTE + records.length * HELD_PER_RECORD + pages * HELD_PER_PAGE;
}

/** Bytes that a gateway's name takes beside its characters. */
const PER_NAME = 32;

/** Bytes that the names of the gateways behind a source take: a hostile one sends hundreds with each answer. */
export function weightOfNames(via: readonly string[]): number {
  return via.reduce((sum, hop) => sum + hop.length + PER_NAME, 0);
}
