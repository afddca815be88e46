/**
 * Form of an index: one block of memory that threads share. It begins with the numbers of `Header`; then follow, each
 * aligned to four bytes:
 *
 *     termEnds      Uint32  end of each term in `units`; the terms are sorted by UTF-16 code units
 *     postingEnds   Uint32  end of each term's postings
 *     letters       Uint32  the letters of each term as bits, by which unlike words are excluded quickly
 *     postings      Uint32  position of a record × 256 + the fields in which it has the term as bits
 *     positionsById Uint32  positions of the records in the order of their ids
 *     rangeOwners   Uint32  position of the record of each IP range
 *     rangeBounds   Uint32  first and last address of each IP range, four numbers each
 *     units         Uint16  the code units of all terms
 *     nameWords     Uint8   number of words in the names of each record
 */
export interface IndexSections {
  readonly termEnds: Uint32Array;
  readonly postingEnds: Uint32Array;
  readonly letters: Uint32Array;
  readonly postings: Uint32Array;
  readonly positionsById: Uint32Array;
  readonly rangeOwners: Uint32Array;
  readonly rangeBounds: Uint32Array;
  readonly units: Uint16Array;
  readonly nameWords: Uint8Array;
}

/** Lengths of the sections, in items. */
export interface IndexLengths {
  readonly terms: number;
  readonly postings: number;
  readonly records: number;
  readonly ranges: number;
  readonly units: number;
}

/** Bits of a posting that state the fields. */
export const FIELD_BITS = 8;

/** Maximum number of records of one index: what the other bits of a posting can count. */
export const MAX_INDEXED_RECORDS = 2 ** (32 - FIELD_BITS);

const HEADER_NUMBERS = 5;

/** Creates an empty index, and the views of its sections. */
export function createSections(lengths: IndexLengths): { readonly memory: SharedArrayBuffer } & IndexSections {
  const memory = new SharedArrayBuffer(layOut(lengths).bytes);
  const { terms, postings, records, ranges, units } = lengths;
  new Uint32Array(memory, 0, HEADER_NUMBERS).set([terms, postings, records, ranges, units]);
  return { memory, ...openSections(memory) };
}

/** Returns the views of the sections of an index. */
export function openSections(memory: SharedArrayBuffer): IndexSections {
  const [terms = 0, postings = 0, records = 0, ranges = 0, units = 0] = new Uint32Array(memory, 0, HEADER_NUMBERS);
  const { starts } = layOut({ terms, postings, records, ranges, units });
  const numbers = (nth: number, length: number): Uint32Array => new Uint32Array(memory, starts[nth] ?? 0, length);
  return {
    termEnds: numbers(0, terms),
    postingEnds: numbers(1, terms),
    letters: numbers(2, terms),
    postings: numbers(3, postings),
    positionsById: numbers(4, records),
    rangeOwners: numbers(5, ranges),
    rangeBounds: numbers(6, ranges * NUMBERS_PER_RANGE),
    units: new Uint16Array(memory, starts[7] ?? 0, units),
    nameWords: new Uint8Array(memory, starts[8] ?? 0, records),
  };
}

/** Numbers of 32 bits in the first and the last address of a range. */
export const NUMBERS_PER_RANGE = 8;

function layOut({ terms, postings, records, ranges, units }: IndexLengths): {
  readonly starts: readonly number[];
  readonly bytes: number;
} {
  const sizes = [terms, terms, terms, postings, records, ranges, ranges * NUMBERS_PER_RANGE].map(
    (length) => length * 4,
  );
  const starts: number[] = [];
  let bytes = HEADER_NUMBERS * 4;
  for (const size of [...sizes, units * 2, records]) {
    starts.push(bytes);
    bytes += Math.ceil(size / 4) * 4;
  }
  return { starts, bytes };
}
