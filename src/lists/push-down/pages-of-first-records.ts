import type { PartialReason } from '../../model/reasons.js';
import type { DraftRecord } from '../../model/record.js';
import type { FetchPage, SourcePage } from '../../source/body/page.js';
import type { Pages, PagesEnd } from '../pages/drain.js';
import type { OffsetPagesOptions } from '../pages/pages-by-offset.js';
import { CapabilityContradiction, createTotalContradiction } from './believed-capabilities.js';
import { readFurtherPages } from './read-sample-pages.js';
import { isSameRecord } from './same-record.js';

/** Records of a first page that is filled for checks (decisions 5.17). */
const CHECK_PAGE_SIZE = 100;

/**
 * Of the unfiltered total; a filtered total from it on is suspicious, and is compared with a new unfiltered one,
 * because the known one may be outdated.
 */
const SUSPICIOUS_TOTAL_SHARE = 0.95;

interface FirstRecordsOptions extends Pick<OffsetPagesOptions, 'pageSize' | 'concurrency'> {
  /** Number of records. 0: only the total is wanted. */
  readonly first: number;
  readonly checks: FirstRecordsChecks;
  /** A source may count no further (decisions 5.9). Infinity: there is no window. */
  readonly windowSize: number;
}

/** In addition to those on paging, with the requests that they may send (decisions 5.17). */
export interface FirstRecordsChecks {
  /** So that more records than the requested ones are checked. */
  readonly fillsFirstPage: boolean;
  /** `end`: the page with the last record; `spread`: also pages across the whole list. */
  readonly furtherPages: 'none' | 'end' | 'spread';
  /** Does not affect the snapshot's validators and lifetime. */
  readonly fetchCheckPage: FetchPage<DraftRecord>;
  /** The last one. Absent: unknown, or the query has no filter. */
  readonly unfilteredTotal?: number;
  /** Undefined if the source reports no total. */
  readonly countUnfiltered: () => Promise<number | undefined>;
}

/**
 * The first records of an ordered list, with the source's count (decisions 5.15), as far as `open` pages through it. A
 * wrong total ends the reading with a contradiction; the source may also have changed between two pages.
 */
export async function* pagesOfFirstRecords(
  open: (options: OffsetPagesOptions) => Pages<DraftRecord>,
  options: FirstRecordsOptions,
): Pages<DraftRecord> {
  try {
    return yield* new FirstRecords(options).read(open);
  } catch (error) {
    if (error instanceof CapabilityContradiction) return { kind: 'changed', contradiction: error };
    throw error;
  }
}

class FirstRecords {
  private wantedRecords: number;
  private receivedCount = 0;
  private recordCount = 0;
  private total: number | undefined;
  private start: readonly DraftRecord[] = [];
  private last: DraftRecord | undefined;
  /** With the unfiltered one. */
  private isTotalCompared = false;

  constructor(private readonly options: FirstRecordsOptions) {
    this.wantedRecords = Math.max(1, options.first);
  }

  async *read(open: (options: OffsetPagesOptions) => Pages<DraftRecord>): Pages<DraftRecord> {
    const { first, pageSize, concurrency, checks } = this.options;
    const pages = open({
      pageSize: Math.min(pageSize, Math.max(first, checks.fillsFirstPage ? CHECK_PAGE_SIZE : 1)),
      concurrency,
      isWanted: (offset) => offset - this.droppedCount < this.wantedRecords,
    });
    try {
      for (;;) {
        const next = await pages.next();
        if (next.done === true) return await this.conclude(next.value);
        if (!this.takePage(next.value.page)) return { kind: 'changed' };
        if ((yield next.value) !== undefined) throw this.repeatsStart();
        await this.compareTotals();
      }
    } finally {
      await pages.return({ kind: 'enough' });
    }
  }

  /** False if the source reports another total by now. */
  private takePage(page: SourcePage<DraftRecord>): boolean {
    const { total, records, receivedCount: received } = page;
    if (total === undefined) throw createTotalContradiction('the response has no total');
    this.total ??= total;
    if (total !== this.total) return false;
    if (this.containsStart(records)) throw this.repeatsStart();
    if (this.receivedCount === total && received > 0)
      throw createTotalContradiction(`total is ${total}, but more records follow`);
    if (this.start.length < 2) this.start = [...this.start, ...records.slice(0, 2)];
    this.last = records.at(-1) ?? this.last;
    this.recordCount += records.length;
    this.receivedCount += received;
    if (this.receivedCount > total)
      throw createTotalContradiction(`total is ${total}, but ${this.receivedCount} records were returned`);
    return true;
  }

  /** Entries that are no records. */
  private get droppedCount(): number {
    return this.receivedCount - this.recordCount;
  }

  /** Changes of the source shift records by a few positions, not by all that were received. */
  private containsStart(records: readonly DraftRecord[]): boolean {
    const [[first, second], last] = [this.start, this.last];
    // Among equal records no position can be recognised.
    if (first === undefined || second === undefined || last === undefined || isSameRecord(first, last)) return false;
    const at = records.findIndex((record) => isSameRecord(record, first));
    const next = records[at + 1];
    return at >= 0 && (next === undefined || isSameRecord(next, second));
  }

  private repeatsStart(): CapabilityContradiction {
    const { total = 0, receivedCount } = this;
    return createTotalContradiction(`total is ${total}, but the first page repeats at offset ${receivedCount}`);
  }

  /** A source that ignores the filter reports the unfiltered total; a suspicious one is accepted if all are read. */
  private async compareTotals(): Promise<void> {
    const { unfilteredTotal: unfiltered, countUnfiltered } = this.options.checks;
    const { total = 0, receivedCount: received } = this;
    if (this.isTotalCompared || unfiltered === undefined) return;
    this.isTotalCompared = true;
    if (received >= total || total < unfiltered * SUSPICIOUS_TOTAL_SHARE) return;
    const now = await countUnfiltered();
    if (now === undefined || total >= now) this.wantedRecords = Infinity;
  }

  private async conclude({
    kind,
    isWindowProven = false,
    partialReason,
  }: PagesEnd<DraftRecord>): Promise<PagesEnd<DraftRecord>> {
    if (kind === 'too-large') return { kind };
    const { total = 0, receivedCount: received } = this;
    const hasEndedEarly = received < total && (kind !== 'enough' || partialReason === 'window');
    if (hasEndedEarly && isWindowProven) return { kind: 'enough', partialReason: 'window' };
    if (hasEndedEarly)
      throw createTotalContradiction(`total is ${total}, but there is no record at offset ${received}`);
    const checkedRecords = await this.checkFurtherPages();
    return checkedRecords === undefined
      ? { kind: 'changed' }
      : { kind: 'enough', partialReason: this.totalDoubt, checkedRecords };
  }

  /** The source may count no further than its window. How many of the unread entries will be dropped is unknown. */
  private get totalDoubt(): PartialReason | undefined {
    const { total = 0, receivedCount: received } = this;
    return total === this.options.windowSize || (received < total && this.droppedCount > 0) ? 'total' : undefined;
  }

  /** Undefined if they show that the source changed. */
  private async checkFurtherPages(): Promise<readonly DraftRecord[] | undefined> {
    const { checks, windowSize, pageSize } = this.options;
    const { receivedCount, total = 0 } = this;
    // Records beyond a window cannot be requested by offset.
    if (checks.furtherPages === 'none' || receivedCount >= total || total > windowSize) return [];
    return readFurtherPages(checks.fetchCheckPage, {
      receivedCount,
      total,
      pageSize: Math.min(pageSize, CHECK_PAGE_SIZE),
      firstRecord: this.start[0],
      isSpread: checks.furtherPages === 'spread',
    });
  }
}
