import { recordsOf } from './records.js';

/** Records of one source in the benchmark of draining. */
export const RECORDS = 1_000;

/** Records in a page: the gateway's own default. */
const PAGE = 100;

/** Code of the source with this number. */
export function codeOf(number: number): string {
  return `s${number}`;
}

/** The pages of one source as it sends them: compact JSON in an envelope, and behind the last one a page without records. */
export function pagesOf(number: number): string[] {
  const records = recordsOf(codeOf(number), RECORDS, number * RECORDS);
  const offsets = Array.from({ length: RECORDS / PAGE + 1 }, (_, page) => page * PAGE);
  return offsets.map((offset) =>
    JSON.stringify({
      status: 'OK',
      status_code: 200,
      version: '1.0',
      total: RECORDS,
      'last-modified': 'Tue, 01 Sep 2026 06:00:00 GMT',
      limit: PAGE,
      offset,
      data: records.slice(offset, offset + PAGE),
    }),
  );
}
