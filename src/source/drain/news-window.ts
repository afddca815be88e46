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
import { EMPTY_PAGE } from '../body/page.js';
import type { DrainLimits } from './drain-limits.js';
import type { FetchPage } from '../body/page.js';
import { isParameterRefusal } from './refused-parameters.js';

/** Pages of a source's news, narrowed by parameters. */
type NewsPageFetcher = (parameters: SourceParameters) => FetchPage<DraftRecord>;

/** What one drain within the source's window gave, and whether the window may have cut it. */
interface WindowDrain {
  readonly drainResult: DrainResult<DraftRecord>;
  readonly isTruncated: boolean;
}

/** All parts so far, the newest items first. */
interface JoinedDrains {
  readonly drainResults: readonly DrainResult<DraftRecord>[];
  readonly records: readonly DraftRecord[];
  /** Records that were sent, each counted once. */
  readonly receivedCount: number;
  /** Whether there is no way to what the window holds back. */
  readonly isBlocked: boolean;
}

const PUBLISHED_POSITION = findPropertyPosition(news, 'published');
const ID_POSITION = findPropertyPosition(news, 'id');

const WINDOW_SIZE = news.pagingWindow;

/** In milliseconds: dates of news are exact to the second. */
const SECOND = 1_000;

/**
 * Drains news past the window that an upstream gives of them (decisions.md, section 5): when its pages end before its total, on with
 * `before`, the oldest second seen and one more, leaving out the items that are known. Where that leads nowhere: reason `window`.
 */
export async function drainBeyondWindow(
  pages: NewsPageFetcher,
  bounds: DrainLimits,
): Promise<DrainResult<DraftRecord>> {
  const first = await drainWindow(pages({}), bounds);
  const { drainResult: drained } = first;
  if (!first.isTruncated) return drained;
  const seen = new Set(drained.records.map(idOf));
  let joined: JoinedDrains = {
    drainResults: [drained],
    records: drained.records,
    receivedCount: drained.receivedCount,
    isBlocked: false,
  };
  // Without an unseen item there is no older second: one holds more than the window, and the same `before` brings the same again.
  for (let oldest = oldestOf(drained.records); oldest !== undefined;) {
    const before = oldest + SECOND;
    const next = await drainOlder(pages({ before: formatIsoTimestamp(before) }), before, bounds);
    if (next === undefined) break;
    const unseen = next.drainResult.records.filter((draft) => !seen.has(idOf(draft)));
    for (const draft of unseen) seen.add(idOf(draft));
    joined = joinDrains(joined, next.drainResult, unseen);
    if (!next.isTruncated || isTooLarge(joined, bounds)) return concludeDrains(joined, bounds);
    oldest = oldestOf(unseen);
  }
  return concludeDrains({ ...joined, isBlocked: true }, bounds);
}

/** What a source that may have a window gives of its news. */
export interface NewsWindow {
  /** Items that sources let through, where they have the window of the interface. A source may count no further, too. */
  readonly size: number;
  /** Offsets that the source refused. */
  readonly refusedOffsets: readonly number[];
  /** The way past the window when these records were read; undefined where there is none. */
  beyond(records: readonly DraftRecord[]): BeyondWindow | undefined;
}

/** Pages of what was published up to the oldest second that was read. */
export interface BeyondWindow {
  readonly fetchPage: FetchPage<DraftRecord>;
  /** How many of the last records that were read come first there once more. */
  readonly overlap: number;
}

/** Pages of a stream of news, and the window that its source may have; past it leads `before`, where the stream has the newest first. */
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

async function drainWindow(fetchPage: FetchPage<DraftRecord>, bounds: DrainLimits): Promise<WindowDrain> {
  const refused: number[] = [];
  const drained = await drain(withinWindow(fetchPage, refused), bounds);
  const { partialReason: doubt, receivedCount: received, total } = drained;
  // As many as its window holds are counted by a source that counts no further, too.
  const ended = received === WINDOW_SIZE || (refused.length > 0 && total === undefined);
  return { drainResult: drained, isTruncated: doubt === 'total' || (doubt === undefined && ended) };
}

/** The items published before a time; undefined where the source does not know `before`: it refuses it, or sends later ones all the same. */
async function drainOlder(
  fetchPage: FetchPage<DraftRecord>,
  before: number,
  bounds: DrainLimits,
): Promise<WindowDrain | undefined> {
  try {
    const found = await drainWindow(fetchPage, bounds);
    const ignored = found.drainResult.records.some((draft) => (publishedAt(draft) ?? before) > before);
    return ignored ? undefined : found;
  } catch (error) {
    if (isParameterRefusal(error)) return undefined;
    throw error;
  }
}

function joinDrains(
  { drainResults: parts, records, receivedCount: received, isBlocked: stuck }: JoinedDrains,
  next: DrainResult<DraftRecord>,
  unseen: readonly DraftRecord[],
): JoinedDrains {
  const dropped = next.receivedCount - next.records.length;
  return {
    drainResults: [...parts, next],
    records: [...records, ...unseen],
    receivedCount: received + unseen.length + dropped,
    isBlocked: stuck,
  };
}

function concludeDrains(joined: JoinedDrains, bounds: DrainLimits): DrainResult<DraftRecord> {
  const { drainResults: parts, records, receivedCount: received } = joined;
  const [first] = parts;
  const total = first?.total;
  const dates = parts.map(({ lastModified }) => lastModified).filter((date) => date !== undefined);
  const doubt = partialReasonOf(joined, total, bounds);
  return {
    records: doubt === 'too-large' ? [] : records,
    receivedCount: received,
    bytes: bytesOf(joined),
    findings: collectFindings(parts, doubt),
    ...(total !== undefined && { total }),
    ...(dates.length > 0 && { lastModified: Math.max(...dates) }),
    ...(doubt && { partialReason: doubt }),
  };
}

/** That a part ends before its total is what a window is; what counts is whether all parts together reach the total of the first. */
function partialReasonOf(
  joined: JoinedDrains,
  total: number | undefined,
  bounds: DrainLimits,
): PartialReason | undefined {
  const { drainResults: parts, receivedCount: received, isBlocked: stuck } = joined;
  if (isTooLarge(joined, bounds)) return 'too-large';
  const other = parts
    .map(({ partialReason: doubt }) => doubt)
    .find((doubt) => doubt !== undefined && doubt !== 'total');
  if (other !== undefined) return other;
  // A total of as many as the window holds proves no end, for some sources count no further.
  const mayLack = stuck && (total === undefined || total === WINDOW_SIZE);
  return mayLack || received < (total ?? 0) ? 'window' : undefined;
}

function collectFindings(parts: JoinedDrains['drainResults'], doubt: PartialReason | undefined): FindingCounts {
  const counter = new FindingCounter();
  for (const { findings } of parts) counter.addAll(findings);
  return new Map([...counter.findings].filter(([key]) => doubt !== undefined || !key.startsWith('wrong-total ')));
}

function isTooLarge(joined: JoinedDrains, bounds: DrainLimits): boolean {
  return bytesOf(joined) > bounds.maxBytes || joined.receivedCount > bounds.maxRecords;
}

function bytesOf({ drainResults: parts }: JoinedDrains): number {
  return parts.reduce((sum, { bytes }) => sum + bytes, 0);
}

/**
 * A source with a window may say so with an error instead of an empty page: the offsets that it refuses are entered in `refused`. How far
 * its window reaches only its answers show: one that refuses a page across the end of the interface's window is asked for the part before that end.
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
      return EMPTY_PAGE;
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
