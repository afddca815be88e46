import type { PartialReason } from '../../model/reasons.js';
import type { DraftRecord } from '../../model/record.js';
import { CapabilityContradiction } from './believed-capabilities.js';
import type { FetchPage } from '../body/page.js';
import type { TopRecords, TopRecordsOptions } from './top-records.js';
import { TopRecordsPageWalk } from './top-records-page-walk.js';

/** After changes of the source during the reading (decisions 5.15). */
const MAX_RESTARTS = 2;

/** Readings with another Last-Modified and the same records until the date is ignored: a change may be further on. */
const UNRELIABLE_DATE_THRESHOLD = 3;

/**
 * Fetches or extends the first records of an ordered list. Each page begins with the last record of the one before.
 * - Another record in the overlap, another total or another Last-Modified means that the source changed. The reading
 *   restarts, at most twice; then the reason is `drift`.
 * - Two readings in a row with the same records and total agree, whatever Last-Modified says.
 * - A wrong total restarts too, because the source may have changed between two pages. When a new reading shows one
 *   again, the promise rejects with a `CapabilityContradiction` (decisions 5.16).
 * - Beyond the bounds of a drain the reason is `too-large`, without records.
 *
 * Rejects with the failure of a page that fails.
 */
export async function fetchTopRecords(
  fetchPage: FetchPage<DraftRecord>,
  options: TopRecordsOptions,
  previous?: TopRecords,
): Promise<TopRecords> {
  let walk = new TopRecordsPageWalk(fetchPage, options, previous);
  let previousWalk: TopRecordsPageWalk | undefined;
  let contradicted = false;
  for (let restarts = 0; ; restarts += 1) {
    const readResult = await walk.read().catch(returnContradiction);
    const isConfirmed = readResult === true && previousWalk !== undefined && (await walk.hasSameRecords(previousWalk));
    const { partialReason } = walk;
    const isSteady = isConfirmed || !walk.hasDateChanged || partialReason === 'too-large';
    if (readResult === true && isSteady) return buildTopRecords(walk, { partialReason, previous, isConfirmed });
    if (readResult instanceof CapabilityContradiction && contradicted) throw readResult;
    contradicted ||= readResult instanceof CapabilityContradiction;
    if (restarts === MAX_RESTARTS) return buildTopRecords(walk, { partialReason: 'drift', previous });
    previousWalk = readResult === true ? walk : undefined;
    walk = new TopRecordsPageWalk(fetchPage, options);
  }
}

function returnContradiction(error: unknown): CapabilityContradiction {
  if (error instanceof CapabilityContradiction) return error;
  throw error;
}

interface ReadEnd {
  readonly partialReason: PartialReason | undefined;
  readonly previous: TopRecords | undefined;
  /** By two readings in a row with the same records. */
  readonly isConfirmed?: boolean;
}

function buildTopRecords(
  walk: TopRecordsPageWalk,
  { partialReason, previous, isConfirmed = false }: ReadEnd,
): TopRecords {
  const { records, pageStarts: starts, ...facts } = walk.result;
  const dateOnlyChanges = (previous?.dateOnlyChanges ?? 0) + (isConfirmed ? 1 : 0);
  const isDateUnreliable =
    previous?.isDateUnreliable === true ||
    (isConfirmed && walk.hasDateChanged) ||
    dateOnlyChanges >= UNRELIABLE_DATE_THRESHOLD;
  const read =
    partialReason === 'too-large'
      ? { records: [], pageStarts: [], checkedRecords: [] }
      : { records, pageStarts: starts };
  return {
    ...facts,
    ...read,
    ...(dateOnlyChanges > 0 && { dateOnlyChanges }),
    ...(isDateUnreliable && { isDateUnreliable }),
    ...(partialReason && { partialReason }),
  };
}

/** For ids, because an extension assigns all ids again. */
export function cloneDrafts(records: readonly DraftRecord[]): DraftRecord[] {
  return records.map((record) => record.withoutId());
}
