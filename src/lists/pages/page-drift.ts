import type { DraftRecord } from '../../model/record.js';
import type { RecordSet } from '../../records/record-set.js';
import type { DrainResult } from '../../source/record/drain-result.js';
import type { IdentifiedRecords } from '../../source/record/record-ids.js';
import { MIN_DISTINCTIVE_RECORDS } from './drain.js';

/**
 * An identical record on two pages (decisions 5.7): the pages may have moved while they were read, and a record that
 * moved the other way is missing. On one page twice, it is listed twice by its source.
 */
export function countDuplicatesAcrossPages(
  identicalPairs: IdentifiedRecords['identicalPairs'],
  { records, pageStarts: starts }: DrainResult<DraftRecord>,
): number {
  if (starts === undefined || identicalPairs.length === 0) return 0;
  const pages = new Uint32Array(records.length);
  for (const [page, start] of starts.entries()) pages.fill(page, start, starts[page + 1]);
  return identicalPairs.filter(([one, other]) => pages[one] !== pages[other]).length;
}

/**
 * After a second drain (decision record 0002): if both have the same records, fewer than ten identical ones are
 * duplicates of the source.
 */
export async function countMovedRecords(duplicateCount: number, before: RecordSet, now: RecordSet): Promise<number> {
  if (duplicateCount === 0 || duplicateCount >= MIN_DISTINCTIVE_RECORDS) return duplicateCount;
  return (await before.fingerprint()) === (await now.fingerprint()) ? 0 : duplicateCount;
}

/** About the source's own ids. */
interface IdFindings {
  /** Left out because an equal record has their id. */
  readonly copies: number;
  /** Received more than once, where a record may be missing for it. */
  readonly repeated: number;
  /** With the id of another record. */
  readonly shared: number;
  /** Ids that another record is given, or could be given. */
  readonly collisions: number;
}

export function withIdFindings(
  drained: DrainResult<DraftRecord>,
  { copies, repeated, shared, collisions }: IdFindings,
): DrainResult<DraftRecord> {
  if (copies + repeated + shared + collisions === 0) return drained;
  const findings = new Map(drained.findings);
  if (repeated > 0) findings.set('repeated-id (record)', repeated);
  if (copies > 0) findings.set('repeated-id id', copies);
  if (shared > 0) findings.set('shared-id id', shared);
  if (collisions > 0) findings.set('id-collision id', collisions);
  return { ...drained, findings };
}
