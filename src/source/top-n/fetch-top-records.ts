import type { PartialReason } from '../../model/outcome.js';
import type { DraftRecord } from '../../model/record.js';
import { CapabilityContradiction } from './believed-capabilities.js';
import type { FetchPage } from '../body/page.js';
import type { TopRecords, TopRecordsOptions } from './top-records.js';
import { TopRecordsPageWalk } from './top-records-page-walk.js';

/** Maximum number of restarts because the source changes while it is read (decisions 5.15). */
const MAX_RESTARTS = 2;

/**
 * Number of readings with another Last-Modified and the same records after which the date is ignored (decisions 5.15).
 * Until then it may belong to a change further down the list.
 */
const UNRELIABLE_DATE_THRESHOLD = 3;

/**
 * Fetches the first records of an ordered list page by page, or extends top records that are known (decisions 5.15).
 * Each page begins with the last record of the one before.
 *
 * - Another record in the overlap, another total or another Last-Modified means that the source changed. The reading
 *   restarts, at most twice; then the reason is `drift`.
 * - Two readings in a row with the same records and total agree, whatever Last-Modified says.
 * - A wrong total restarts the reading too, because the source may have changed between two pages. When a new reading
 *   shows one again, the promise rejects with a `CapabilityContradiction` (decisions 5.16).
 * - Beyond the bounds of a drain the reason is `too-large`, without records.
 *
 * Rejects with the failure of a page that fails.
 */
export async function fetchTopRecords(
  fetchPage: FetchPage<DraftRecord>,
  reach: TopRecordsOptions,
  known?: TopRecords,
): Promise<TopRecords> {
  let stream = new TopRecordsPageWalk(fetchPage, reach, known);
  let before: TopRecordsPageWalk | undefined;
  let contradicted = false;
  for (let restarts = 0; ; restarts += 1) {
    const seen = await stream.read().catch(returnContradiction);
    const again = seen === true && before !== undefined && (await stream.hasSameRecords(before));
    const { partialReason: doubt } = stream;
    const isSteady = again || !stream.hasDateChanged || doubt === 'too-large';
    if (seen === true && isSteady)
      return buildTopRecords(stream, { partialReason: doubt, previous: known, isConfirmed: again });
    if (seen instanceof CapabilityContradiction && contradicted) throw seen;
    contradicted ||= seen instanceof CapabilityContradiction;
    if (restarts === MAX_RESTARTS) return buildTopRecords(stream, { partialReason: 'drift', previous: known });
    before = seen === true ? stream : undefined;
    stream = new TopRecordsPageWalk(fetchPage, reach);
  }
}

function returnContradiction(error: unknown): CapabilityContradiction {
  if (error instanceof CapabilityContradiction) return error;
  throw error;
}

interface ReadEnd {
  readonly partialReason: PartialReason | undefined;
  readonly previous: TopRecords | undefined;
  /** Whether two readings in a row saw the same records. */
  readonly isConfirmed?: boolean;
}

function buildTopRecords(
  stream: TopRecordsPageWalk,
  { partialReason: doubt, previous: known, isConfirmed: again = false }: ReadEnd,
): TopRecords {
  const { records, pageStarts: starts, ...facts } = stream.result;
  const redated = (known?.dateOnlyChanges ?? 0) + (again ? 1 : 0);
  const undated =
    known?.isDateUnreliable === true || (again && stream.hasDateChanged) || redated >= UNRELIABLE_DATE_THRESHOLD;
  const read =
    doubt === 'too-large' ? { records: [], pageStarts: [], checkedRecords: [] } : { records, pageStarts: starts };
  return {
    ...facts,
    ...read,
    ...(redated > 0 && { dateOnlyChanges: redated }),
    ...(undated && { isDateUnreliable: undated }),
    ...(doubt && { partialReason: doubt }),
  };
}

/** Copies records so that ids can be assigned to the copies: an extension assigns all ids again. */
export function cloneDrafts(records: readonly DraftRecord[]): DraftRecord[] {
  return records.map((record) => record.withoutId());
}
