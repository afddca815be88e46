import type { DraftRecord } from '../../model/record.js';
import type { RecordSet } from '../../records/record-set.js';
import type { DrainResult } from '../record/drain-result.js';
import type { IdentifiedRecords } from '../record/record-ids.js';
import { MIN_DISTINCTIVE_RECORDS } from './page-walk.js';

/**
 * How often the very same record came on two pages: they may have moved while they were read, and what moved out of sight is missing. One that comes
 * twice on a page does so because its source lists it twice.
 */
export function countDuplicatesAcrossPages(
  alike: IdentifiedRecords['identicalPairs'],
  { records, pageStarts: starts }: DrainResult<DraftRecord>,
): number {
  if (starts === undefined || alike.length === 0) return 0;
  const pages = new Uint32Array(records.length);
  for (const [page, start] of starts.entries()) pages.fill(page, start, starts[page + 1]);
  return alike.filter(([one, other]) => pages[one] !== pages[other]).length;
}

/**
 * The same of a drain that was done once more for that (docs/decisions/0002-end-of-a-drain.md): a few that come so in the same set again are twins, and
 * nothing moved.
 */
export async function countMovedRecords(twice: number, before: RecordSet, now: RecordSet): Promise<number> {
  if (twice === 0 || twice >= MIN_DISTINCTIVE_RECORDS) return twice;
  return (await before.fingerprint()) === (await now.fingerprint()) ? 0 : twice;
}

/** A drain of which so many records came more than once. */
export function withRepeatedIdFinding(drained: DrainResult<DraftRecord>, times: number): DrainResult<DraftRecord> {
  if (times === 0) return drained;
  return { ...drained, findings: new Map([...drained.findings, ['repeated-id (record)', times]]) };
}
