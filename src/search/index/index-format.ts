import { countBlocks } from './compact-counts.js';
import type { CountSections } from './compact-counts.js';

/**
 * Form of an index: one block of memory that threads share. It begins with the numbers of `IndexLengths`; then follow, each
 * aligned to four bytes:
 *
 *     termLengths   number of bytes of each term; the terms are sorted by UTF-16 code units
 *     termPostings  number of each term's postings
 *     postings      Uint32  position of a record × 256 + the fields in which it has the term as bits + `SPELLED`
 *     positionsById Uint32  positions of the records in the order of their ids
 *     rangeOwners   Uint32  position of the record of each IP range
 *     rangeBounds   Uint32  first and last address of each IP range, four numbers each
 *     bytes         Uint8   the bytes of all terms (`unit-bytes.ts`)
 *     nameWords     Uint8   number of words in the names of each record
 *
 * The first two are three sections each (`compact-counts.ts`): most terms are short and have one posting.
 */
export interface IndexSections {
  readonly termLengths: CountSections;
  readonly termPostings: CountSections;
  readonly postings: Uint32Array;
  readonly positionsById: Uint32Array;
  readonly rangeOwners: Uint32Array;
  readonly rangeBounds: Uint32Array;
  readonly bytes: Uint8Array;
  readonly nameWords: Uint8Array;
}

/** In items. */
interface IndexLengths {
  readonly terms: number;
  readonly postings: number;
  readonly records: number;
  readonly ranges: number;
  readonly bytes: number;
  /** Of the sections of large numbers. */
  readonly largeLengths: number;
  readonly largePostings: number;
}

/** State the fields, and whether the record has the term by itself. */
export const POSTING_BITS = 8;

/** Set unless the term is only two neighbouring words. The bits below are the fields. */
export const SPELLED = 2 ** (POSTING_BITS - 1);

/** What the other bits of a posting can count. */
export const MAX_INDEXED_RECORDS = 2 ** (32 - POSTING_BITS);

/** Numbers of 32 bits, for the first and the last address. */
export const NUMBERS_PER_RANGE = 8;

/** Numbers of 32 bits, the highest first. */
export function splitAddress(address: bigint): readonly number[] {
  return [96n, 64n, 32n, 0n].map((shift) => Number((address >> shift) & 0xffffffffn));
}

/** At the beginning of an index, in this order. */
const HEADER = ['terms', 'postings', 'records', 'ranges', 'bytes', 'largeLengths', 'largePostings'] as const;

export function createSections(lengths: IndexLengths): { readonly memory: SharedArrayBuffer } & IndexSections {
  const memory = new SharedArrayBuffer(layOut(lengths).bytes);
  new Uint32Array(memory, 0, HEADER.length).set(HEADER.map((name) => lengths[name]));
  return { memory, ...openSections(memory) };
}

export function openSections(memory: SharedArrayBuffer): IndexSections {
  const [terms = 0, postings = 0, records = 0, ranges = 0, bytes = 0, largeLengths = 0, largePostings = 0] =
    new Uint32Array(memory, 0, HEADER.length);
  const lengths = { terms, postings, records, ranges, bytes, largeLengths, largePostings };
  const { starts } = layOut(lengths);
  const numbers = (nth: number, length: number): Uint32Array => new Uint32Array(memory, starts[nth] ?? 0, length);
  const small = (nth: number, length: number): Uint8Array => new Uint8Array(memory, starts[nth] ?? 0, length);
  const blocks = countBlocks(terms);
  return {
    termLengths: { sums: numbers(0, blocks), large: numbers(1, largeLengths), small: small(8, terms) },
    termPostings: { sums: numbers(2, blocks), large: numbers(3, largePostings), small: small(9, terms) },
    postings: numbers(4, postings),
    positionsById: numbers(5, records),
    rangeOwners: numbers(6, ranges),
    rangeBounds: numbers(7, ranges * NUMBERS_PER_RANGE),
    bytes: small(10, bytes),
    nameWords: small(11, records),
  };
}

function layOut({ terms, postings, records, ranges, bytes, largeLengths, largePostings }: IndexLengths): {
  readonly starts: readonly number[];
  readonly bytes: number;
} {
  const blocks = countBlocks(terms);
  const numbers = [blocks, largeLengths, blocks, largePostings, postings, records, ranges, ranges * NUMBERS_PER_RANGE];
  const starts: number[] = [];
  let end = HEADER.length * 4;
  for (const size of [...numbers.map((length) => length * 4), terms, terms, bytes, records]) {
    starts.push(end);
    end += Math.ceil(size / 4) * 4;
  }
  return { starts, bytes: end };
}
