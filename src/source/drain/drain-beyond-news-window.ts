import type { DraftRecord } from '../../model/record.js';
import { news } from '../../model/resources/news.js';
import { findPropertyPosition } from '../../model/resource.js';
import { formatIsoTimestamp, parseDate } from '../../text/date.js';
import type { PartialReason } from '../../model/outcome.js';
import type { SourceParameters } from '../dialect/request-url.js';
import { drain } from './drain.js';
import type { DrainResult } from '../record/drain-result.js';
import { FindingCounter } from '../record/findings.js';
import type { FindingCounts } from '../record/findings.js';
import { MISSING_PAGE } from '../body/page.js';
import type { DrainLimits } from './drain-limits.js';
import type { FetchPage } from '../body/page.js';
import { isParameterRefusal } from './parameter-refusal-status.js';

/** Creates a page fetcher for the news of a source with additional parameters. */
type NewsPageFetcher = (parameters: SourceParameters) => FetchPage<DraftRecord>;

/** Result of one drain within the source's window, and whether the window may have cut it off. */
interface WindowDrain {
  readonly drainResult: DrainResult<DraftRecord>;
  readonly isTruncated: boolean;
}

/** The parts of a list that were drained so far, the newest items first. */
interface JoinedDrains {
  readonly drainResults: readonly DrainResult<DraftRecord>[];
  readonly records: readonly DraftRecord[];
  /** Number of received entries; repeated items count once. */
  readonly receivedCount: number;
  /** Whether the items beyond the window cannot be reached. */
  readonly isBlocked: boolean;
}

const PUBLISHED_POSITION = findPropertyPosition(news, 'published');
const ID_POSITION = findPropertyPosition(news, 'id');

const WINDOW_SIZE = news.pagingWindow;

/** In milliseconds. Dates of news are exact to the second. */
const SECOND = 1_000;

/**
 * Drains news beyond the window of the source (decisions 5.9). Where the pages end before the total, draining continues
 * with `before` set to the oldest second seen plus one second, and known items are left out. If that does not work, the
 * reason is `window`.
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
  // Without an unseen item there is no older second to continue with: one second has more items than the window, and
  // the same `before` returns the same items.
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

/** The window that a source of news may have. */
export interface NewsWindow {
  /** Number of items in the window of the interface. A source may also count no further than that. */
  readonly size: number;
  /** Offsets that the source refused. */
  readonly refusedOffsets: readonly number[];
  /**
   * Returns the pages beyond the window, given the records that were read so far; undefined if they cannot be
   * requested.
   */
  beyond(records: readonly DraftRecord[]): BeyondWindow | undefined;
}

/** Pages of the items published up to the oldest second that was read. */
export interface BeyondWindow {
  readonly fetchPage: FetchPage<DraftRecord>;
  /** Number of records read last that are repeated at the start of these pages. */
  readonly overlap: number;
}

/**
 * Creates the page fetcher of an ordered list of news, and the window that its source may have. Pages beyond the window
 * are requested with `before`, which works in the order newest first only.
 */
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
  // A total of exactly the window's size may be that of a source that counts no further.
  const ended = received === WINDOW_SIZE || (refused.length > 0 && total === undefined);
  return { drainResult: drained, isTruncated: partialReason === 'total' || (partialReason === undefined && ended) };
}

/**
 * Drains the items published before a time, in milliseconds since 1970. Returns undefined if the source does not know
 * `before`: it refuses the parameter, or returns later items all the same.
 */
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

/**
 * Returns the partial reason of all parts together. A part that ends before its own total is expected with a window;
 * what counts is whether all parts reach the total of the first one.
 */
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
  // A total of exactly the window's size does not prove the end, because some sources count no further.
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
 * Wraps a page fetcher of a source that may have a window. A refused offset becomes an empty page and is added to
 * `refused`. A refused page that crosses the end of the interface's window is requested again up to that end, because
 * only its responses show how far the window of a source reaches.
 */
export function withinWindow(fetchPage: FetchPage<DraftRecord>, refused: number[] = []): FetchPage<DraftRecord> {
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
