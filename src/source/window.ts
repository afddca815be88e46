import type { Draft } from '../model/record.js';
import { news } from '../model/resources/news.js';
import { positionOf } from '../model/resource.js';
import { isoTimestamp, readDate } from '../text/date.js';
import type { Doubt } from '../model/outcome.js';
import type { Parameters } from './dialect.js';
import { drain } from './drain.js';
import type { Drained } from './drain.js';
import { FindingCounter } from './findings.js';
import type { Findings } from './findings.js';
import { NO_PAGE } from './page.js';
import type { DrainBounds, FetchPage } from './page.js';
import { refusesParameter } from './refusal.js';

/** Pages of a source's news, narrowed by parameters. */
type NewsPages = (parameters: Parameters) => FetchPage<Draft>;

/** What one drain within the source's window gave, and whether the window may have cut it. */
interface Part {
  readonly drained: Drained<Draft>;
  readonly cut: boolean;
}

/** All parts so far, the newest items first. */
interface Joined {
  readonly parts: readonly Drained<Draft>[];
  readonly records: readonly Draft[];
  /** Records that were sent, each counted once. */
  readonly received: number;
  /** Whether there is no way to what the window holds back. */
  readonly stuck: boolean;
}

const PUBLISHED = positionOf(news, 'published');
const ID = positionOf(news, 'id');

const WINDOW = news.window;

/** In milliseconds: dates of news are exact to the second. */
const SECOND = 1_000;

/**
 * Drains news past the window that an upstream gives of them (decisions.md, section 5): when its pages end before its total, on with
 * `before`, the oldest second seen and one more, leaving out the items that are known. Where that leads nowhere: reason `window`.
 */
export async function drainPastWindow(pages: NewsPages, bounds: DrainBounds): Promise<Drained<Draft>> {
  const first = await part(pages({}), bounds);
  const { drained } = first;
  if (!first.cut) return drained;
  const seen = new Set(drained.records.map(idOf));
  let joined: Joined = { parts: [drained], records: drained.records, received: drained.received, stuck: false };
  // Without an unseen item there is no older second: one holds more than the window, and the same `before` brings the same again.
  for (let oldest = oldestOf(drained.records); oldest !== undefined;) {
    const before = oldest + SECOND;
    const next = await older(pages({ before: isoTimestamp(before) }), before, bounds);
    if (next === undefined) break;
    const unseen = next.drained.records.filter((draft) => !seen.has(idOf(draft)));
    for (const draft of unseen) seen.add(idOf(draft));
    joined = join(joined, next.drained, unseen);
    if (!next.cut || isTooLarge(joined, bounds)) return concluded(joined, bounds);
    oldest = oldestOf(unseen);
  }
  return concluded({ ...joined, stuck: true }, bounds);
}

/** What a source that may have a window gives of its news. */
export interface NewsWindow {
  /** Items that sources let through, where they have the window of the interface. A source may count no further, too. */
  readonly size: number;
  /** Offsets that the source refused. */
  readonly refused: readonly number[];
  /** The way past the window when these records were read; undefined where there is none. */
  beyond(records: readonly Draft[]): Beyond | undefined;
}

/** Pages of what was published up to the oldest second that was read. */
export interface Beyond {
  readonly fetchPage: FetchPage<Draft>;
  /** How many of the last records that were read come first there once more. */
  readonly known: number;
}

/** Pages of a stream of news, and the window that its source may have; past it leads `before`, where the stream has the newest first. */
export function windowed(
  pages: NewsPages,
  newestFirst: boolean,
): { readonly fetchPage: FetchPage<Draft>; readonly window: NewsWindow } {
  const refused: number[] = [];
  const beyond = (records: readonly Draft[]): Beyond | undefined => {
    const oldest = newestFirst ? publishedAt(records.at(-1)) : undefined;
    if (oldest === undefined) return undefined;
    const known = records.length - 1 - records.findLastIndex((record) => publishedAt(record) !== oldest);
    return { fetchPage: withinWindow(pages({ before: isoTimestamp(oldest + SECOND) }), refused), known };
  };
  return { fetchPage: withinWindow(pages({}), refused), window: { size: WINDOW, refused, beyond } };
}

async function part(fetchPage: FetchPage<Draft>, bounds: DrainBounds): Promise<Part> {
  const refused: number[] = [];
  const drained = await drain(withinWindow(fetchPage, refused), bounds);
  const { doubt, received, total } = drained;
  // As many as its window holds are counted by a source that counts no further, too.
  const ended = received === WINDOW || (refused.length > 0 && total === undefined);
  return { drained, cut: doubt === 'total' || (doubt === undefined && ended) };
}

/** The items published before a time; undefined where the source does not know `before`: it refuses it, or sends later ones all the same. */
async function older(fetchPage: FetchPage<Draft>, before: number, bounds: DrainBounds): Promise<Part | undefined> {
  try {
    const found = await part(fetchPage, bounds);
    const ignored = found.drained.records.some((draft) => (publishedAt(draft) ?? before) > before);
    return ignored ? undefined : found;
  } catch (error) {
    if (refusesParameter(error)) return undefined;
    throw error;
  }
}

function join({ parts, records, received, stuck }: Joined, next: Drained<Draft>, unseen: readonly Draft[]): Joined {
  const dropped = next.received - next.records.length;
  return {
    parts: [...parts, next],
    records: [...records, ...unseen],
    received: received + unseen.length + dropped,
    stuck,
  };
}

function concluded(joined: Joined, bounds: DrainBounds): Drained<Draft> {
  const { parts, records, received } = joined;
  const [first] = parts;
  const total = first?.total;
  const dates = parts.map(({ lastModified }) => lastModified).filter((date) => date !== undefined);
  const doubt = doubtOf(joined, total, bounds);
  return {
    records: doubt === 'too-large' ? [] : records,
    received,
    bytes: bytesOf(joined),
    findings: findingsOf(parts, doubt),
    ...(total !== undefined && { total }),
    ...(dates.length > 0 && { lastModified: Math.max(...dates) }),
    ...(doubt && { doubt }),
  };
}

/** That a part ends before its total is what a window is; what counts is whether all parts together reach the total of the first. */
function doubtOf(joined: Joined, total: number | undefined, bounds: DrainBounds): Doubt | undefined {
  const { parts, received, stuck } = joined;
  if (isTooLarge(joined, bounds)) return 'too-large';
  const other = parts.map(({ doubt }) => doubt).find((doubt) => doubt !== undefined && doubt !== 'total');
  if (other !== undefined) return other;
  // A total of as many as the window holds proves no end, for some sources count no further.
  const mayLack = stuck && (total === undefined || total === WINDOW);
  return mayLack || received < (total ?? 0) ? 'window' : undefined;
}

function findingsOf(parts: Joined['parts'], doubt: Doubt | undefined): Findings {
  const counter = new FindingCounter();
  for (const { findings } of parts) counter.addAll(findings);
  return new Map([...counter.findings].filter(([key]) => doubt !== undefined || !key.startsWith('wrong-total ')));
}

function isTooLarge(joined: Joined, bounds: DrainBounds): boolean {
  return bytesOf(joined) > bounds.bytes || joined.received > bounds.records;
}

function bytesOf({ parts }: Joined): number {
  return parts.reduce((sum, { bytes }) => sum + bytes, 0);
}

/**
 * A source with a window may say so with an error instead of an empty page: the offsets that it refuses are entered in `refused`. How far
 * its window reaches only its answers show: one that refuses a page across the end of the interface's window is asked for the part before that end.
 */
export function withinWindow(fetchPage: FetchPage<Draft>, refused: number[] = []): FetchPage<Draft> {
  return async (offset, limit) => {
    const room = WINDOW - offset;
    try {
      return await fetchPage(offset, limit).catch((error: unknown) => {
        if (room <= 0 || limit <= room || !refusesParameter(error)) throw error;
        return fetchPage(offset, room);
      });
    } catch (error) {
      if (offset === 0 || !refusesParameter(error)) throw error;
      refused.push(offset);
      return NO_PAGE;
    }
  };
}

function idOf(draft: Draft): unknown {
  return draft.value(ID);
}

function publishedAt(draft: Draft | undefined): number | undefined {
  return readDate(String(draft?.value(PUBLISHED)))?.at;
}

function oldestOf(drafts: readonly Draft[]): number | undefined {
  const dates = drafts.map(publishedAt).filter((at) => at !== undefined);
  return dates.length === 0 ? undefined : dates.reduce((oldest, at) => Math.min(oldest, at));
}
