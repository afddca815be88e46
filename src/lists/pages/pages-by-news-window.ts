import type { DraftRecord } from '../../model/record.js';
import { news } from '../../model/resources/news.js';
import { findPropertyPosition } from '../../model/resource.js';
import { formatIsoTimestamp, parseDate } from '../../text/date.js';
import { MISSING_PAGE } from '../../source/body/page.js';
import type { FetchPage, SourcePage } from '../../source/body/page.js';
import type { SourceParameters } from '../../source/dialect/request-url.js';
import type { Pages, PagesEnd, YieldedPage } from './drain.js';
import { pagesByOffset } from './pages-by-offset.js';
import type { OffsetPagesOptions } from './pages-by-offset.js';
import { isParameterRefusal } from './parameter-refusal-status.js';

/** With additional parameters. */
export type NewsPageFetcher = (parameters: SourceParameters) => FetchPage<DraftRecord>;

export interface NewsPagesOptions extends OffsetPagesOptions {
  /** As the source was requested to sort. `unknown`: all items are read. */
  readonly order: 'newest-first' | 'other' | 'unknown';
}

interface WindowEnd {
  readonly end: PagesEnd<DraftRecord>;
  /** The window may have cut the list off. */
  readonly isTruncated: boolean;
}

const PUBLISHED_POSITION = findPropertyPosition(news, 'published');
const ID_POSITION = findPropertyPosition(news, 'id');

const WINDOW_SIZE = news.pagingWindow;

/** In milliseconds; dates of news are exact to the second. */
const SECOND = 1_000;

/**
 * By offset, and where the pages end before the total, with `before` set to the oldest second seen plus one second,
 * without known items (decisions 5.9). Without an unseen item there is no older second: one second has more items than
 * the window, and the same `before` returns the same.
 */
export async function* pagesByNewsWindow(fetcher: NewsPageFetcher, options: NewsPagesOptions): Pages<DraftRecord> {
  const list = new NewsList(options);
  const first = yield* list.readWindow(fetcher({}));
  if (first?.isTruncated !== true) return first?.end ?? { kind: 'enough' };
  for (let oldest = list.findOldest(); oldest !== undefined && options.order !== 'other'; oldest = list.findOldest()) {
    const before = oldest + SECOND;
    const next = yield* list.readWindow(fetcher({ before: formatIsoTimestamp(before) }), before);
    if (next === undefined) break;
    if (next.end.kind === 'enough' || next.end.kind === 'too-large') return next.end;
    if (!next.isTruncated) return list.conclude(first.end, false);
  }
  return list.conclude(first.end, true);
}

class NewsList {
  /** Ids of the items of all windows before the one that is being read. */
  private readonly known = new Set<unknown>();
  /** Publication times of these, in milliseconds since 1970. */
  private readonly dates: number[] = [];
  /** Of the last window, without known ones. */
  private unseen: readonly DraftRecord[] = [];
  /** Known items count once. */
  private received = 0;
  /** As reported first. */
  private total: number | undefined;
  private isWindowProven = false;

  constructor(private readonly options: NewsPagesOptions) {}

  /** Undefined if the source refuses `before`, returns later items anyway, or does not continue an ordered list. */
  async *readWindow(
    fetchPage: FetchPage<DraftRecord>,
    before?: number,
  ): AsyncGenerator<YieldedPage<DraftRecord>, WindowEnd | undefined, number | undefined> {
    const refused: number[] = [];
    const base = before === undefined ? 0 : this.received - this.dates.filter((date) => date < before).length;
    const isWanted = (offset: number): boolean => this.options.isWanted?.(base + offset) ?? true;
    const pages = pagesByOffset(withinWindow(fetchPage, refused), { ...this.options, isWanted });
    const read: { readonly page: SourcePage<DraftRecord>; readonly unseen: SourcePage<DraftRecord> }[] = [];
    const endAs = (end: WindowEnd['end']): WindowEnd => {
      const received = read.reduce((sum, { page }) => sum + page.receivedCount, 0);
      const totals = new Set(read.flatMap(({ page }) => page.total ?? []));
      const total = Math.max(...totals);
      this.isWindowProven ||= refused.length > 0 || received >= WINDOW_SIZE;
      for (const { unseen } of read) this.received += unseen.receivedCount;
      // A total of exactly the window's size may mean that the source counts no further.
      const isUncounted = received === WINDOW_SIZE || (refused.length > 0 && totals.size === 0);
      // With several totals the source changes, and the list is read again.
      const isShort = totals.size === 1 && received < total;
      const mayContinue = isShort || (isUncounted && this.options.order === 'unknown');
      const isTruncated = mayContinue && (end.kind === 'end' || end.kind === 'repeats');
      if (isTruncated) this.note(read.flatMap(({ unseen }) => unseen.records));
      return { end, isTruncated };
    };
    try {
      for (let kept: number | undefined; ;) {
        const next = await pages.next(kept);
        if (next.done === true) return endAs(next.value);
        const { page, begins } = next.value;
        if (before !== undefined && !this.continues(page, { before, base, isFirst: read.length === 0 }))
          return undefined;
        if (begins === 'anew') read.length = 0;
        this.total ??= page.total;
        const unseen = before === undefined ? page : this.withoutKnown(page, base);
        const isFurther = before !== undefined && read.length === 0;
        read.push({ page, unseen });
        kept = yield { page: unseen, ...(isFurther ? { begins: 'list' } : begins && { begins }) };
        if (kept === undefined) continue;
        read.length = kept;
        if (before !== undefined) return endAs({ kind: 'repeats' });
      }
    } catch (error) {
      if (before !== undefined && read.length === 0 && isParameterRefusal(error)) return undefined;
      throw error;
    } finally {
      await pages.return({ kind: 'enough' });
    }
  }

  /** In the last window, among unseen items. */
  findOldest(): number | undefined {
    const dates = this.unseen.map(publishedAt).filter((at) => at !== undefined);
    return dates.length === 0 ? undefined : dates.reduce((oldest, at) => Math.min(oldest, at));
  }

  /** `isBlocked`: items beyond the window cannot be reached. A part may end before its own total: the first one counts. */
  conclude({ findings = [] }: WindowEnd['end'], isBlocked: boolean): PagesEnd {
    const { total, received, isWindowProven } = this;
    const isShort = received < (total ?? 0);
    const mayBeShort = isBlocked && (total === undefined || total === WINDOW_SIZE);
    return {
      kind: 'enough',
      findings: isShort ? [...findings, 'wrong-total'] : findings,
      ...((isShort || mayBeShort) && { partialReason: 'window' }),
      isWindowProven,
    };
  }

  private note(unseen: readonly DraftRecord[]): void {
    this.unseen = unseen;
    for (const draft of unseen) {
      this.known.add(idOf(draft));
      this.dates.push(publishedAt(draft) ?? Infinity);
    }
  }

  /** No item is later than requested, and an ordered list counts what is left of the total. */
  private continues(
    { records, total }: SourcePage<DraftRecord>,
    { before, base, isFirst }: { readonly before: number; readonly base: number; readonly isFirst: boolean },
  ): boolean {
    if (records.some((draft) => (publishedAt(draft) ?? before) > before)) return false;
    return this.options.order === 'unknown' || !isFirst || (total ?? NaN) + base === this.total;
  }

  private withoutKnown(page: SourcePage<DraftRecord>, base: number): SourcePage<DraftRecord> {
    const records = page.records.filter((draft) => !this.known.has(idOf(draft)));
    const receivedCount = page.receivedCount - page.records.length + records.length;
    return { ...page, records, receivedCount, ...(page.total !== undefined && { total: page.total + base }) };
  }
}

/**
 * For a source that may have a window. A refused offset becomes an empty page and is added to `refused`. A refused page
 * across the interface's window end is requested again up to that end, because only responses show how far the source's
 * window reaches.
 */
function withinWindow(fetchPage: FetchPage<DraftRecord>, refused: number[]): FetchPage<DraftRecord> {
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

function publishedAt(draft: DraftRecord): number | undefined {
  return parseDate(String(draft.valueAt(PUBLISHED_POSITION)))?.epochMs;
}
