import type { PartialReason } from '../../model/outcome.js';
import type { DraftRecord } from '../../model/record.js';
import { CapabilityContradiction } from './believed-capabilities.js';
import type { FetchPage } from '../body/page.js';
import type { TopRecords, TopRecordsOptions } from './top-records.js';
import { TopRecordsReader } from './top-records-reader.js';

export type { TopRecords, TopRecordsOptions } from './top-records.js';

/** A stream that is seen to change begins again, twice at most, as a drain does (decisions.md, section 5). */
const MAX_RESTARTS = 2;

/** A Last-Modified that was another one so often, while nothing else was, is the date of the answer; before that it may be of a change further behind. */
const UNRELIABLE_DATE_THRESHOLD = 3;

/**
 * Fetches the front of a stream page by page, or what a known front lacks. Each page begins with the last record of the one before: where that
 * is another record, records have come or gone meanwhile, and which are missing is unknown; the same where total or Last-Modified is
 * another one. Two readings in a row that saw the same agree, for some sources date their pages by the moment. Rejects with the failure of
 * the page that failed, and with a `CapabilityContradiction` where the source does not count as it should: seen once, that may be a change between two
 * pages; seen again in a stream that was just begun, it is none. What reaches further than one source may give ends as `too-large`, without
 * records, as a drain does.
 */
export async function fetchTopRecords(
  fetchPage: FetchPage<DraftRecord>,
  reach: TopRecordsOptions,
  known?: TopRecords,
): Promise<TopRecords> {
  let stream = new TopRecordsReader(fetchPage, reach, known);
  let before: TopRecordsReader | undefined;
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
    stream = new TopRecordsReader(fetchPage, reach);
  }
}

function returnContradiction(error: unknown): CapabilityContradiction {
  if (error instanceof CapabilityContradiction) return error;
  throw error;
}

interface ReadEnd {
  readonly partialReason: PartialReason | undefined;
  readonly previous: TopRecords | undefined;
  /** Whether another reading saw the same. */
  readonly isConfirmed?: boolean;
}

function buildTopRecords(
  stream: TopRecordsReader,
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

/** The records once more, to be given ids: a front that reaches further gives all of them ids anew. */
export function cloneDrafts(records: readonly DraftRecord[]): DraftRecord[] {
  return records.map((record) => record.withoutId());
}
