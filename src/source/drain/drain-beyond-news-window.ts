import type { DraftRecord } from '../../model/record.js';
import { news } from '../../model/resources/news.js';
import { findPropertyPosition } from '../../model/resource.js';
import { formatIsoTimestamp, parseDate } from '../../text/date.js';
import type { PartialReason } from '../../model/reasons.js';
import type { SourceParameters } from '../dialect/request-url.js';
import { drain } from './drain.js';
import type { DrainResult } from '../record/drain-result.js';
import { FindingCounter } from '../record/findings.js';
import type { FindingCounts } from '../record/findings.js';
import { MISSING_PAGE } from '../body/page.js';
import type { DrainLimits } from './drain-limits.js';
import type { FetchPage } from '../body/page.js';
import { isParameterRefusal } from './parameter-refusal-status.js';

/** With additional parameters. */
type NewsPageFetcher = (parameters: SourceParameters) => FetchPage<DraftRecord>;

/** The window may have cut the drain off. */
interface WindowDrain {
  readonly drainResult: DrainResult<DraftRecord>;
  readonly isTruncated: boolean;
}

/** The newest items first. */
interface JoinedDrains {
  readonly drainResults: readonly DrainResult<DraftRecord>[];
  readonly records: readonly DraftRecord[];
  /** Repeated items count once. */
  readonly receivedCount: number;
  /** Items beyond the window cannot be reached. */
  readonly isBlocked: boolean;
}

const PUBLISHED_POSITION = findPropertyPosition(news, 'published');
const ID_POSITION = findPropertyPosition(news, 'id');

const WINDOW_SIZE = news.pagingWindow;

/** In milliseconds; dates of news are exact to the second. */
const SECOND = 1_000;

/**
 * Where pages end before the total, continues with `before` set to the oldest second seen plus one second, leaving out
 * known items (decisions 5.9). If that does not work, the reason is `window`.
 */
export async function drainBeyondWindow(
  pages: NewsPageFetcher,
  limits: DrainLimits,
): Promise<DrainResult<DraftRecord>> {
  const first = await drainWindow(pages({}), limits);
  const { drainResult: drained } = first;
  if (!first.isTruncated) return drained;
  const seen = new Set(drained.records.map(idOf));
  let joined: JoinedDrains = {
    drainResults: [drained],
    records: drained.records,
    receivedCount: drained.receivedCount,
    isBlocked: false,
  };
  // Without an unseen item there is no older second: one second has more items than the window, and the same `before`
  // returns the same.
  for (let oldest = oldestOf(drained.records); oldest !== undefined;) {
    const before = oldest + SECOND;
    const next = await drainOlder(pages({ before: formatIsoTimestamp(before) }), before, limits);
    if (next === undefined) break;
    const unseen = next.drainResult.records.filter((draft) => !seen.has(idOf(draft)));
    for (const draft of unseen) seen.add(idOf(draft));
    joined = joinDrains(joined, next.drainResult, unseen);
    if (!next.isTruncated || isTooLarge(joined, limits)) return concludeDrains(joined, limits);
    oldest = oldestOf(unseen);
  }
  return concludeDrains({ ...joined, isBlocked: true }, limits);
}

export interface NewsWindow {
  /** Of the interface's window. A source may also count no further. */
  readonly size: number;
  /** Refused by the source. */
  readonly refusedOffsets: readonly number[];
  /** Given the records read so far; undefined if further pages cannot be requested. */
  beyond(records: readonly DraftRecord[]): BeyondWindow | undefined;
}

/** Items published up to the oldest second that was read. */
interface BeyondWindow {
  readonly fetchPage: FetchPage<DraftRecord>;
  /** Records read last that are repeated at the start of these pages. */
  readonly overlap: number;
}

/** For an ordered list of news. Pages beyond the window need `before`, which works in the order newest first only. */
export function createNewsWindow(
  pages: NewsPageFetcher,
  newestFirst: boolean,
): { readonly fetchPage: FetchPage<DraftRecord>; readonly window: NewsWindow } {
  const refused: number[] = [];
  const beyond = (records: readonly DraftRecord[]): BeyondWindow | undefined => {
    const oldest = newestFirst ? publishedAt(records.at(-1)) : undefined;
    if (oldest === undefined) return undefined;
    const known = records.length - 1 - records.findLastIndex((record) => publishedAt(record) !== oldest);
    return { fetchPage: withinWindow(pages({ before: formatIsoTimestamp(oldest + SECOND) }), refused), overlap: known };
  };
  return {
    fetchPage: withinWindow(pages({}), refused),
    window: { size: WINDOW_SIZE, refusedOffsets: refused, beyond },
  };
}

async function drainWindow(fetchPage: FetchPage<DraftRecord>, limits: DrainLimits): Promise<WindowDrain> {
  const refused: number[] = [];
  const drained = await drain(withinWindow(fetchPage, refused), limits);
  const { partialReason, receivedCount: received, total } = drained;
  // A total of exactly the window's size may mean that the source counts no further.
  const ended = received === WINDOW_SIZE || (refused.length > 0 && total === undefined);
  return { drainResult: drained, isTruncated: partialReason === 'total' || (partialReason === undefined && ended) };
}

/** Before a time in milliseconds since 1970; undefined if the source refuses `before` or returns later items anyway. */
async function drainOlder(
  fetchPage: FetchPage<DraftRecord>,
  before: number,
  limits: DrainLimits,
): Promise<WindowDrain | undefined> {
  try {
    const found = await drainWindow(fetchPage, limits);
    const ignored = found.drainResult.records.some((draft) => (publishedAt(draft) ?? before) > before);
    return ignored ? undefined : found;
  } catch (error) {
    if (isParameterRefusal(error)) return undefined;
    throw error;
  }
}

function joinDrains(
  { drainResults: parts, records, receivedCount: received, isBlocked }: JoinedDrains,
  next: DrainResult<DraftRecord>,
  unseen: readonly DraftRecord[],
): JoinedDrains {
  const dropped = next.receivedCount - next.records.length;
  return {
    drainResults: [...parts, next],
    records: [...records, ...unseen],
    receivedCount: received + unseen.length + dropped,
    isBlocked,
  };
}

function concludeDrains(joined: JoinedDrains, limits: DrainLimits): DrainResult<DraftRecord> {
  const { drainResults: parts, records, receivedCount: received } = joined;
  const [first] = parts;
  const total = first?.total;
  const dates = parts.map(({ lastModified }) => lastModified).filter((date) => date !== undefined);
  const partialReason = partialReasonOf(joined, total, limits);
  return {
    records: partialReason === 'too-large' ? [] : records,
    receivedCount: received,
    bytes: bytesOf(joined),
    findings: collectFindings(parts, partialReason),
    ...(total !== undefined && { total }),
    ...(dates.length > 0 && { lastModified: Math.max(...dates) }),
    ...(partialReason && { partialReason }),
  };
}

/** Of all parts. A part may end before its own total; what counts is whether all reach the first one's total. */
function partialReasonOf(
  joined: JoinedDrains,
  total: number | undefined,
  limits: DrainLimits,
): PartialReason | undefined {
  const { drainResults: parts, receivedCount: received, isBlocked } = joined;
  if (isTooLarge(joined, limits)) return 'too-large';
  const other = parts
    .map(({ partialReason }) => partialReason)
    .find((partialReason) => partialReason !== undefined && partialReason !== 'total');
  if (other !== undefined) return other;
  // A total of exactly the window's size does not prove the end: some sources count no further.
  const mayBeIncomplete = isBlocked && (total === undefined || total === WINDOW_SIZE);
  return mayBeIncomplete || received < (total ?? 0) ? 'window' : undefined;
}

function collectFindings(parts: JoinedDrains['drainResults'], partialReason: PartialReason | undefined): FindingCounts {
  const counter = new FindingCounter();
  for (const { findings } of parts) counter.addAll(findings);
  return new Map(
    [...counter.findings].filter(([key]) => partialReason !== undefined || !key.startsWith('wrong-total ')),
  );
}

function isTooLarge(joined: JoinedDrains, limits: DrainLimits): boolean {
  return bytesOf(joined) > limits.maxBytes || joined.receivedCount > limits.maxRecords;
}

function bytesOf({ drainResults: parts }: JoinedDrains): number {
  return parts.reduce((sum, { bytes }) => sum + bytes, 0);
}

/**
 * For a source that may have a window. A refused offset becomes an empty page and is added to `refused`. A refused page
 * across the interface's window end is requested again up to that end, because only responses show how far the source's
 * window reaches.
 */
function withinWindow(fetchPage: FetchPage<DraftRecord>, refused: number[] = []): FetchPage<DraftRecord> {
  return async (offset, limit) => {
    const room = WINDOW_SIZE - offset;
    try {
      return await fetchPage(offset, limit).catch((error: unknown) => {
        if (room <= 0 || limit <= room || !isParameterRefusal(error)) throw error;
        return fetchPage(offset, room);
      });
    } catch (error) {
      if (offset === 0 || !isParameterRefusal(error)) throw error;
      refused.push(offset);
      return MISSING_PAGE;
    }
  };
}

function idOf(draft: DraftRecord): unknown {
  return draft.valueAt(ID_POSITION);
}

function publishedAt(draft: DraftRecord | undefined): number | undefined {
  return parseDate(String(draft?.valueAt(PUBLISHED_POSITION)))?.epochMs;
}

function oldestOf(drafts: readonly DraftRecord[]): number | undefined {
  const dates = drafts.map(publishedAt).filter((at) => at !== undefined);
  return dates.length === 0 ? undefined : dates.reduce((oldest, at) => Math.min(oldest, at));
}
