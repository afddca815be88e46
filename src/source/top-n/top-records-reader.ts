import type { PartialReason } from '../../model/outcome.js';
import type { DraftRecord } from '../../model/record.js';
import { forEachTimeSliced } from '../../event-loop/time-slicing.js';
import { createTotalContradiction, isSameRecord } from './record-comparison.js';
import { FindingCounter } from '../record/findings.js';
import type { FetchPage, SourcePage } from '../body/page.js';
import type { TopRecords, TopRecordsOptions } from './top-records.js';
import { readFurtherPages, emptyPageIfRefused } from './further-pages.js';
import { MAX_PAGES, MAX_RECORDS } from '../drain/page-walk.js';

/** Records at the end of a known front that are requested again, where the page has room: more of them show more changes. */
const FIRST_OVERLAP = 10;

/** Records of a first page that is filled for the sake of checks, at most. */
const CHECK_PAGE_SIZE = 100;

/** From this share of the known unfiltered total on, a filtered total is compared with a new one: the known one is of another moment. */
const SUSPICIOUS_TOTAL_SHARE = 0.95;

/** A page request. */
interface PageRange {
  readonly offset: number;
  readonly limit: number;
  /** Records at its start that were received already. */
  readonly overlap: number;
}

/** One attempt to read the front of a stream, from its start or from the end of a known front. */
export class TopRecordsReader {
  private readonly records: DraftRecord[];
  private readonly pageStarts: number[];
  private readonly findings = new FindingCounter();
  private receivedCount: number;
  private total: number | undefined;
  private bytes: number;
  private pagesRead = 0;
  private lastModified: number | undefined;
  /** Whether Last-Modified changed while it was read. */
  hasDateChanged = false;
  /** Records that a page holds, as far as was seen. */
  private pageCapacity: number;
  private comparableTail: number;
  /** Whether the last page had no room for more. */
  private isLastPageFull = false;
  /** Whether nothing came behind what was received, though the total says that there is more. */
  private hasEndedEarly = false;
  /** Whether the filtered total was compared with the unfiltered one; and whether it is therefore read to the end. */
  private isTotalCompared: boolean;
  private readsToEnd = false;
  private checkedRecords: readonly DraftRecord[] = [];
  /** Position in the stream of the first record that `fetchPage` gives: not 0 behind a window. */
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

  /** Reads as far as is wanted. Returns whether the source was the same all the time. Rejects with a `CapabilityContradiction` where a total is wrong. */
  async read(): Promise<boolean> {
    while (this.needsMore) {
      if (this.isTooLarge) return true;
      const cuts = this.nextPageRanges();
      const pages = await Promise.all(
        cuts.map(({ offset, limit }) => this.fetchPage(offset - this.windowOffset, limit)),
      );
      this.pagesRead += pages.length;
      if (!this.takePages(pages, cuts)) return false;
      if (this.hasEndedEarly && !(await this.continueBeyondWindow())) return true;
      await this.compareTotals();
    }
    return (await this.isAtEnd()) && (await this.checkFurtherPages());
  }

  /** Takes pages as far as each follows the one before. Returns false where one shows that the source has changed. */
  private takePages(pages: readonly SourcePage<DraftRecord>[], cuts: readonly PageRange[]): boolean {
    for (const [at, page] of pages.entries()) {
      const cut = cuts[at];
      // A page before it was smaller, or not wholly readable: it does not begin where this one is compared.
      if (cut === undefined || cut.offset + cut.overlap !== this.receivedCount || cut.overlap > this.comparableTail)
        break;
      if (!this.isContinuation(page, cut.overlap)) return false;
      if (cut.overlap > 0 && page.receivedCount <= cut.overlap && page.receivedCount < cut.limit) {
        // It may give so few records a page that there is no room for others behind the overlap.
        this.pageCapacity = cut.overlap > 1 ? Math.max(1, page.receivedCount) : 1;
        break;
      }
      this.takePage(page, cut);
    }
    return true;
  }

  /** The next pages: one until it is known how many there are. */
  private nextPageRanges(): readonly PageRange[] {
    const cuts = [this.pageRangeAt(this.receivedCount, this.pagesRead === 0 ? FIRST_OVERLAP : 1)];
    if (this.total === undefined) return cuts;
    for (let last = cuts[0]; last !== undefined && cuts.length < this.options.concurrency; last = cuts.at(-1)) {
      const from = last.offset + last.limit;
      if (from >= this.total || !this.needsPageAfter(from)) break;
      cuts.push(this.pageRangeAt(from, 1));
    }
    return cuts;
  }

  private pageRangeAt(received: number, mostOverlap: number): PageRange {
    const wanted = this.countWanted(received);
    // Where the last records could not be read, or a page has one record, there is nothing to compare.
    const room = this.pageCapacity > 1 ? Math.max(1, this.pageCapacity - wanted) : 0;
    const overlap = Math.min(mostOverlap, this.comparableTail, room, received - this.windowOffset);
    const least = this.options.checks?.fillsFirstPage === true ? CHECK_PAGE_SIZE : 0;
    return {
      overlap,
      offset: received - overlap,
      limit: Math.min(this.pageCapacity, Math.max(least, wanted + overlap)),
    };
  }

  /** Why less was read than is wanted, or why the number of records behind it is unknown. */
  get partialReason(): PartialReason | undefined {
    if (this.hasEndedEarly) return 'window';
    if (this.needsMore) return 'too-large';
    // As many as its window holds are counted by a source that counts no further, too.
    if (this.total === this.options.window?.size) return 'total';
    // How many of those behind are no records either is unknown before the end.
    return this.receivedCount < (this.total ?? 0) && this.records.length < this.receivedCount ? 'total' : undefined;
  }

  /** Whether it is what another one saw, as far as both were read. */
  async hasSameRecords({ total, records }: TopRecordsReader): Promise<boolean> {
    let at = 0;
    let same = total === this.total;
    await forEachTimeSliced(this.records, (record) => {
      const other = records[at];
      same &&= other === undefined || isSameRecord(record, other);
      at += 1;
    });
    return same;
  }

  /** What was read. */
  get result(): Omit<TopRecords, 'partialReason' | 'isDateUnreliable'> {
    const {
      records,
      pageStarts: starts,
      receivedCount: received,
      bytes,
      comparableTail: tail,
      checkedRecords: looked,
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
      comparableTail: tail,
      checkedRecords: looked,
      findings,
      ...date,
    };
  }

  private get needsMore(): boolean {
    return this.total === undefined || (this.needsPageAfter(this.receivedCount) && this.receivedCount < this.total);
  }

  /** The bounds of a drain are those of a front: it is wanted for one page, and made of all before that. */
  private get isTooLarge(): boolean {
    const records = Math.max(this.receivedCount, Math.min(this.wantedRecords, this.total ?? 0));
    return records > MAX_RECORDS || this.pagesRead >= MAX_PAGES || this.bytes > this.options.maxBytes;
  }

  /** Whether there must be another page when so many were received: for the one record more alone there need not. */
  private needsPageAfter(received: number): boolean {
    return this.countWanted(received) > 1;
  }

  /** Records that are wanted when so many were received, the one more among them. */
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
        `it counts ${this.total ?? 0}, and gives the first page again behind ${this.receivedCount}`,
      );
    const compared = Math.min(overlap, page.receivedCount);
    if (compared === 0) return true;
    const before = this.records.slice(this.records.length - overlap);
    return page.records.slice(0, compared).every((record, at) => {
      const other = before[at];
      return other !== undefined && isSameRecord(record, other);
    });
  }

  /** Whether what comes is the start of the stream again. What comes or goes moves records by a few places, not by all that were received. */
  private repeatsStart({ records }: SourcePage<DraftRecord>, overlap: number): boolean {
    const [first, second] = this.records;
    const last = this.records.at(-1);
    // Where all records are the same, no place can be recognised.
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
    if (total === undefined) throw createTotalContradiction('it does not say how many there are');
    this.total = total;
    this.hasEndedEarly = received <= overlap && this.receivedCount < total;
    const begun = this.receivedCount > 0 && this.previous?.isDateUnreliable !== true;
    this.hasDateChanged ||= begun && received > 0 && lastModified !== this.lastModified;
    if (received < limit) this.pageCapacity = Math.min(this.pageCapacity, Math.max(1, received));
    if (received > overlap) this.addRecords(page, overlap);
    this.isLastPageFull = received >= (page.limit ?? received);
    this.receivedCount += Math.max(0, received - overlap);
    this.bytes += page.bytes;
    this.findings.addAll(page.findings);
    if (lastModified !== undefined) this.lastModified = Math.max(lastModified, this.lastModified ?? lastModified);
    if (this.receivedCount > total)
      throw createTotalContradiction(`it counts ${total}, and gives ${this.receivedCount}`);
  }

  /** The total, where a page says none: an empty one need not. */
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
   * Whether there is a way past the source's window, where its pages end before its total: from here on they come by it. Rejects with a
   * `CapabilityContradiction` where the source is not known to have a window: then its total is wrong.
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
      const page = await emptyPageIfRefused(beyond.fetchPage(beyond.overlap - 1, limit));
      const [again] = page.records;
      if (
        again !== undefined &&
        isSameRecord(again, last) &&
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
    throw createTotalContradiction(`it counts ${this.total ?? 0}, and gives nothing behind ${this.receivedCount}`);
  }

  /** A filter that is ignored leaves the total as it is without filters: such a total is believed only of a stream that was read to its end. */
  private async compareTotals(): Promise<void> {
    const { unfilteredTotal: unfiltered, countUnfiltered: countAll } = this.options.checks ?? {};
    const { total, receivedCount: received } = this;
    if (this.isTotalCompared || unfiltered === undefined || total === undefined) return;
    this.isTotalCompared = true;
    if (received >= total || total < unfiltered * SUSPICIOUS_TOTAL_SHARE) return;
    const now = await countAll?.();
    this.readsToEnd = now === undefined || total >= now;
  }

  /** Whether there is nothing behind the end, which is requested where it is one: a source that counts less than it has is found out there. */
  private async isAtEnd(): Promise<boolean> {
    const { receivedCount: received, total, isLastPageFull: full } = this;
    if (received !== total || total === 0 || !full) return true;
    // To look behind the end is ours: a source that refuses that has nothing there (docs/decisions/0002-end-of-a-drain.md).
    const page = await emptyPageIfRefused(this.fetchPage(total - this.windowOffset, 1));
    if (page.receivedCount === 0) return true;
    // One that counts more than before has grown meanwhile.
    if ((page.total ?? 0) + this.windowOffset <= total)
      throw createTotalContradiction(`it counts ${total}, and gives more`);
    return false;
  }

  /** Reads pages further behind to check them. Returns false where they show that the source has changed. */
  private async checkFurtherPages(): Promise<boolean> {
    const { checks, window, pageSize } = this.options;
    const { receivedCount: received, total = 0, previous: known } = this;
    if (checks === undefined || checks.furtherPages === 'none' || known !== undefined || received >= total) return true;
    // What lies behind a window cannot be requested by its offset.
    if (window !== undefined && total > window.size) return true;
    const looked = await readFurtherPages(checks.fetchCheckPage, {
      receivedCount: received,
      total,
      pageSize: Math.min(this.pageCapacity, pageSize, CHECK_PAGE_SIZE),
      firstRecord: this.records[0],
      isSpread: checks.furtherPages === 'spread',
    });
    this.checkedRecords = looked ?? [];
    return looked !== undefined;
  }
}
