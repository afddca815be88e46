import type { PartialReason } from '../../model/reasons.js';
import type { DraftRecord } from '../../model/record.js';
import { forEachTimeSliced } from '../../event-loop/time-slicing.js';
import { createTotalContradiction } from './believed-capabilities.js';
import { isSameRecord } from './same-record.js';
import { FindingCounter } from '../record/findings.js';
import type { FetchPage, SourcePage } from '../body/page.js';
import type { TopRecords, TopRecordsOptions } from './top-records.js';
import { readFurtherPages, missingPageIfRefused } from './read-sample-pages.js';
import { MAX_PAGES, MAX_RECORDS } from '../drain/page-walk.js';

/** Known records that an extension requests again if the page has room (decisions 5.15). More reveal more changes. */
const FIRST_OVERLAP = 10;

/** Records of a first page that is filled for checks (decisions 5.17). */
const CHECK_PAGE_SIZE = 100;

/**
 * Of the unfiltered total; a filtered total from it on is suspicious, and is compared with a new unfiltered one,
 * because the known one may be outdated.
 */
const SUSPICIOUS_TOTAL_SHARE = 0.95;

interface PageRange {
  readonly offset: number;
  readonly limit: number;
  /** Records at its start that were received already. */
  readonly overlap: number;
}

/** From the start of the list, or from the end of known top records. */
export class TopRecordsPageWalk {
  private readonly records: DraftRecord[];
  private readonly pageStarts: number[];
  private readonly findings = new FindingCounter();
  private receivedCount: number;
  private total: number | undefined;
  private bytes: number;
  private pagesRead = 0;
  private lastModified: number | undefined;
  /** Last-Modified changed during the reading. */
  hasDateChanged = false;
  /** Records of a page of the source, as observed. */
  private pageCapacity: number;
  private comparableTail: number;
  /** It had no room for more records. */
  private isLastPageFull = false;
  private hasEndedEarly = false;
  /** With the unfiltered one. If the filtered total is suspicious, `readsToEnd` becomes true. */
  private isTotalCompared: boolean;
  private readsToEnd = false;
  private checkedRecords: readonly DraftRecord[] = [];
  /** Of the first record of `fetchPage` in the list. Beyond a window it is not 0. */
  private windowOffset = 0;

  constructor(
    private fetchPage: FetchPage<DraftRecord>,
    private readonly options: TopRecordsOptions,
    private readonly previous?: TopRecords,
  ) {
    this.records = [...(previous?.records ?? [])];
    this.pageStarts = [...(previous?.pageStarts ?? [])];
    this.receivedCount = previous?.receivedCount ?? 0;
    this.total = previous?.total;
    this.bytes = previous?.bytes ?? 0;
    this.lastModified = previous?.lastModified;
    this.comparableTail = previous?.comparableTail ?? 0;
    this.isTotalCompared = previous !== undefined;
    if (previous !== undefined) this.findings.addAll(previous.findings);
    this.pageCapacity = options.pageSize;
  }

  /** False if the source changed meanwhile. Rejects with a `CapabilityContradiction` if the total is wrong. */
  async read(): Promise<boolean> {
    while (this.needsMore) {
      if (this.isTooLarge) return true;
      const ranges = this.nextPageRanges();
      const pages = await Promise.all(
        ranges.map(({ offset, limit }) => this.fetchPage(offset - this.windowOffset, limit)),
      );
      this.pagesRead += pages.length;
      if (!this.takePages(pages, ranges)) return false;
      if (this.hasEndedEarly && !(await this.continueBeyondWindow())) return true;
      await this.compareTotals();
    }
    return (await this.isAtEnd()) && (await this.checkFurtherPages());
  }

  /** Of pages that continue each other. False if one shows that the source changed. */
  private takePages(pages: readonly SourcePage<DraftRecord>[], ranges: readonly PageRange[]): boolean {
    for (const [at, page] of pages.entries()) {
      const range = ranges[at];
      // An earlier page was shorter or had dropped entries, so this one does not continue the received records.
      if (
        range === undefined ||
        range.offset + range.overlap !== this.receivedCount ||
        range.overlap > this.comparableTail
      )
        break;
      if (!this.isContinuation(page, range.overlap)) return false;
      if (range.overlap > 0 && page.receivedCount <= range.overlap && page.receivedCount < range.limit) {
        // Pages may be so short that no further record fits after the overlap.
        this.pageCapacity = range.overlap > 1 ? Math.max(1, page.receivedCount) : 1;
        break;
      }
      this.takePage(page, range);
    }
    return true;
  }

  /** One until the total is known. */
  private nextPageRanges(): readonly PageRange[] {
    const ranges = [this.pageRangeAt(this.receivedCount, this.pagesRead === 0 ? FIRST_OVERLAP : 1)];
    if (this.total === undefined) return ranges;
    for (let last = ranges[0]; last !== undefined && ranges.length < this.options.concurrency; last = ranges.at(-1)) {
      const from = last.offset + last.limit;
      if (from >= this.total || !this.needsPageAfter(from)) break;
      ranges.push(this.pageRangeAt(from, 1));
    }
    return ranges;
  }

  private pageRangeAt(received: number, mostOverlap: number): PageRange {
    const wanted = this.countWanted(received);
    // Nothing to compare if the last entries were dropped or a page holds one record.
    const room = this.pageCapacity > 1 ? Math.max(1, this.pageCapacity - wanted) : 0;
    const overlap = Math.min(mostOverlap, this.comparableTail, room, received - this.windowOffset);
    const least = this.options.checks?.fillsFirstPage === true ? CHECK_PAGE_SIZE : 0;
    return {
      overlap,
      offset: received - overlap,
      limit: Math.min(this.pageCapacity, Math.max(least, wanted + overlap)),
    };
  }

  /** Fewer records than requested were read, or the number of those not read is unknown. */
  get partialReason(): PartialReason | undefined {
    if (this.hasEndedEarly) return 'window';
    if (this.needsMore) return 'too-large';
    // The source may count no further than its window (decisions 5.9).
    if (this.total === this.options.window?.size) return 'total';
    // How many of the unread entries will be dropped is unknown before the end.
    return this.receivedCount < (this.total ?? 0) && this.records.length < this.receivedCount ? 'total' : undefined;
  }

  /** And the same total, as far as both readings go. */
  async hasSameRecords({ total, records }: TopRecordsPageWalk): Promise<boolean> {
    let at = 0;
    let same = total === this.total;
    await forEachTimeSliced(this.records, (record) => {
      const other = records[at];
      same &&= other === undefined || isSameRecord(record, other);
      at += 1;
    });
    return same;
  }

  get result(): Omit<TopRecords, 'partialReason' | 'isDateUnreliable'> {
    const {
      records,
      pageStarts: starts,
      receivedCount: received,
      bytes,
      comparableTail,
      checkedRecords,
      lastModified,
      total = 0,
    } = this;
    const { findings } = this.findings;
    const date = lastModified === undefined ? {} : { lastModified };
    return {
      records,
      pageStarts: starts,
      receivedCount: received,
      total,
      bytes,
      comparableTail,
      checkedRecords,
      findings,
      ...date,
    };
  }

  private get needsMore(): boolean {
    return this.total === undefined || (this.needsPageAfter(this.receivedCount) && this.receivedCount < this.total);
  }

  /** Decisions 5.8, 5.15. */
  private get isTooLarge(): boolean {
    const records = Math.max(this.receivedCount, Math.min(this.wantedRecords, this.total ?? 0));
    return records > MAX_RECORDS || this.pagesRead >= MAX_PAGES || this.bytes > this.options.maxBytes;
  }

  /** The one additional record alone does not justify a page. */
  private needsPageAfter(received: number): boolean {
    return this.countWanted(received) > 1;
  }

  private countWanted(received: number): number {
    return this.wantedRecords + 1 - this.records.length - (received - this.receivedCount);
  }

  private get wantedRecords(): number {
    return this.readsToEnd ? Infinity : this.options.first;
  }

  private isContinuation(page: SourcePage<DraftRecord>, overlap: number): boolean {
    if (this.total !== undefined && page.total !== undefined && page.total + this.windowOffset !== this.total)
      return false;
    if (this.repeatsStart(page, overlap))
      throw createTotalContradiction(
        `total is ${this.total ?? 0}, but the first page repeats at offset ${this.receivedCount}`,
      );
    const compared = Math.min(overlap, page.receivedCount);
    if (compared === 0) return true;
    const before = this.records.slice(this.records.length - overlap);
    return page.records.slice(0, compared).every((record, at) => {
      const other = before[at];
      return other !== undefined && isSameRecord(record, other);
    });
  }

  /** Changes of the source shift records by a few positions, not by all that were received. */
  private repeatsStart({ records }: SourcePage<DraftRecord>, overlap: number): boolean {
    const [first, second] = this.records;
    const last = this.records.at(-1);
    // Among equal records no position can be recognised.
    if (first === undefined || second === undefined || last === undefined || isSameRecord(first, last)) return false;
    const from = overlap < this.records.length ? 0 : overlap;
    const at = records.findIndex((record, nth) => nth >= from && isSameRecord(record, first));
    const next = records[at + 1];
    return at >= 0 && (next === undefined || isSameRecord(next, second));
  }

  private takePage(page: SourcePage<DraftRecord>, { overlap, limit }: PageRange): void {
    const { receivedCount: received, lastModified } = page;
    const total =
      page.total === undefined ? this.totalWithoutReport(received <= overlap) : page.total + this.windowOffset;
    if (total === undefined) throw createTotalContradiction('the response has no total');
    this.total = total;
    this.hasEndedEarly = received <= overlap && this.receivedCount < total;
    const isDateComparable = this.receivedCount > 0 && this.previous?.isDateUnreliable !== true;
    this.hasDateChanged ||= isDateComparable && received > 0 && lastModified !== this.lastModified;
    if (received < limit) this.pageCapacity = Math.min(this.pageCapacity, Math.max(1, received));
    if (received > overlap) this.addRecords(page, overlap);
    this.isLastPageFull = received >= (page.limit ?? received);
    this.receivedCount += Math.max(0, received - overlap);
    this.bytes += page.bytes;
    this.findings.addAll(page.findings);
    if (lastModified !== undefined) this.lastModified = Math.max(lastModified, this.lastModified ?? lastModified);
    if (this.receivedCount > total)
      throw createTotalContradiction(`total is ${total}, but ${this.receivedCount} records were returned`);
  }

  /** Only an empty page may report none. */
  private totalWithoutReport(isEmpty: boolean): number | undefined {
    return isEmpty ? this.total : undefined;
  }

  private addRecords({ records, receivedCount: received }: SourcePage<DraftRecord>, overlap: number): void {
    const isClean = records.length === received;
    this.comparableTail = isClean ? this.comparableTail + received - overlap : 0;
    this.pageStarts.push(this.records.length);
    for (const record of records.slice(overlap)) this.records.push(record);
  }

  /**
   * With `before`, where the pages ended before the total. False if that does not work. Rejects with a
   * `CapabilityContradiction` if nothing shows that the source has a window: then its total is wrong.
   */
  private async continueBeyondWindow(): Promise<boolean> {
    const { window, pageSize } = this.options;
    const beyond = window?.beyond(this.records);
    const base = this.receivedCount - (beyond?.overlap ?? 0);
    const last = this.records.at(-1);
    if (
      beyond !== undefined &&
      last !== undefined &&
      beyond.overlap <= this.comparableTail &&
      base > this.windowOffset
    ) {
      const limit = Math.min(pageSize, this.countWanted(this.receivedCount) + 1);
      const page = await missingPageIfRefused(beyond.fetchPage(beyond.overlap - 1, limit));
      const [firstRecord] = page.records;
      if (
        firstRecord !== undefined &&
        isSameRecord(firstRecord, last) &&
        page.receivedCount > 1 &&
        page.total === (this.total ?? 0) - base
      ) {
        this.fetchPage = beyond.fetchPage;
        this.windowOffset = base;
        this.pageCapacity = pageSize;
        this.takePage(page, { offset: this.receivedCount - 1, overlap: 1, limit });
        return true;
      }
    }
    if (window !== undefined && (window.refusedOffsets.length > 0 || this.receivedCount >= window.size)) return false;
    throw createTotalContradiction(
      `total is ${this.total ?? 0}, but there is no record at offset ${this.receivedCount}`,
    );
  }

  /** A source that ignores the filter reports the unfiltered total; a suspicious one is accepted if all are read. */
  private async compareTotals(): Promise<void> {
    const { unfilteredTotal: unfiltered, countUnfiltered: countAll } = this.options.checks ?? {};
    const { total, receivedCount: received } = this;
    if (this.isTotalCompared || unfiltered === undefined || total === undefined) return;
    this.isTotalCompared = true;
    if (received >= total || total < unfiltered * SUSPICIOUS_TOTAL_SHARE) return;
    const now = await countAll?.();
    this.readsToEnd = now === undefined || total >= now;
  }

  /** A record after the last one by the total shows that the total is too low. */
  private async isAtEnd(): Promise<boolean> {
    const { receivedCount: received, total, isLastPageFull: full } = this;
    if (received !== total || total === 0 || !full) return true;
    // Sources need not accept this extra request; a refusal means that there are no records (decision record 0002).
    const page = await missingPageIfRefused(this.fetchPage(total - this.windowOffset, 1));
    if (page.receivedCount === 0) return true;
    // With a larger total the source has grown meanwhile.
    if ((page.total ?? 0) + this.windowOffset <= total)
      throw createTotalContradiction(`total is ${total}, but more records follow`);
    return false;
  }

  /** Further down the list. False if they show that the source changed. */
  private async checkFurtherPages(): Promise<boolean> {
    const { checks, window, pageSize } = this.options;
    const { receivedCount: received, total = 0, previous } = this;
    if (checks === undefined || checks.furtherPages === 'none' || previous !== undefined || received >= total)
      return true;
    // Records beyond a window cannot be requested by offset.
    if (window !== undefined && total > window.size) return true;
    const checkedRecords = await readFurtherPages(checks.fetchCheckPage, {
      receivedCount: received,
      total,
      pageSize: Math.min(this.pageCapacity, pageSize, CHECK_PAGE_SIZE),
      firstRecord: this.records[0],
      isSpread: checks.furtherPages === 'spread',
    });
    this.checkedRecords = checkedRecords ?? [];
    return checkedRecords !== undefined;
  }
}
