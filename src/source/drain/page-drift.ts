import type { DraftRecord } from '../../model/record.js';
import type { RecordSet } from '../../records/record-set.js';
import type { DrainResult } from '../record/drain-result.js';
import type { IdentifiedRecords } from '../record/record-ids.js';
import { MIN_DISTINCTIVE_RECORDS } from './page-walk.js';

/**
 * Returns how often an identical record was received on two pages (decisions 5.7). The pages may have moved while they
 * were read, and a record that moved the other way is missing. A record that is on one page twice is listed twice by
 * its source.
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
 * Returns how many of the identical records moved between pages, after a second drain (decisions 5.7; decision record
 * 0002). If both drains have the same records, fewer than ten identical ones are duplicates of the source.
 */
export async function countMovedRecords(duplicateCount: number, before: RecordSet, now: RecordSet): Promise<number> {
  if (duplicateCount === 0 || duplicateCount >= MIN_DISTINCTIVE_RECORDS) return duplicateCount;
  return (await before.fingerprint()) === (await now.fingerprint()) ? 0 : duplicateCount;
}

/** Numbers of findings about the source's own ids. */
interface IdFindings {
  /** Records that were left out because an equal one has their id. */
  readonly copies: number;
  /** Records that were received more than once, where one may be missing for it. */
  readonly repeated: number;
  /** Different records with the id of another one. */
  readonly shared: number;
  /** Ids that another record is given, or could be given. */
  readonly collisions: number;
}

/** Adds the findings about the source's own ids. */
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
