import type { Listing, Subject } from './subjects/subject.js';

/** Records of one source in the benchmarks that drain. */
export const RECORDS = 1_000;

/** Records in a page: the gateway's own default. */
const PAGE = 100;

/** Code of the source with this number. */
export function codeOf(number: number): string {
  return `s${number}`;
}

/** The lists of the source with this number. */
export function listingsOf({ listings }: Subject, number: number): readonly Listing[] {
  return listings({ code: codeOf(number), count: RECORDS, from: number * RECORDS });
}

/** The pages of a list as a source sends them: compact JSON in an envelope, and behind a last one that is full a page without records. */
export function pagesOf({ envelope }: Subject, { records }: Listing): string[] {
  const total = records.length;
  const offsets = Array.from({ length: Math.floor(total / PAGE) + 1 }, (_, page) => page * PAGE);
  return offsets.map((offset) =>
    JSON.stringify(envelope({ total, limit: PAGE, offset, data: records.slice(offset, offset + PAGE) })),
  );
}
