import type { Doubt } from '../model/outcome.js';
import type { Draft } from '../model/record.js';
import { inTurns } from '../model/slices.js';
import { contradictedTotal, isSame } from './stream-compare.js';
import { FindingCounter } from './findings.js';
import type { FetchPage, Page } from './page.js';
import type { Front, Reach } from './stream-types.js';
import { lookFurther, unlessRefused } from './stream-look.js';
import { MOST_PAGES, MOST_RECORDS } from './walk.js';

/** Records at the end of a known front that are requested again, where the page has room: more of them show more changes. */
const OVERLAP = 10;

/** Records of a first page that is filled for the sake of checks, at most. */
const FILLED = 100;

/** From this share of the known unfiltered total on, a filtered total is compared with a new one: the known one is of another moment. */
const SUSPICIOUS = 0.95;

/** A page request. */
interface Cut {
  readonly offset: number;
  readonly limit: number;
  /** Records at its start that were received already. */
  readonly overlap: number;
}

/** One attempt to read the front of a stream, from its start or from the end of a known front. */
export class Stream {
  private readonly records: Draft[];
  private readonly starts: number[];
  private readonly findings = new FindingCounter();
  private received: number;
  private total: number | undefined;
  private bytes: number;
  private pages = 0;
  private lastModified: number | undefined;
  /** Whether Last-Modified changed while it was read. */
  moved = false;
  /** Records that a page holds, as far as was seen. */
  private cap: number;
  private tail: number;
  /** Whether the last page had no room for more. */
  private full = false;
  /** Whether nothing came behind what was received, though the total says that there is more. */
  private hasStopped = false;
  /** Whether the filtered total was compared with the unfiltered one; and whether it is therefore read to the end. */
  private compared: boolean;
  private toTheEnd = false;
  private looked: readonly Draft[] = [];
  /** Position in the stream of the first record that `fetchPage` gives: not 0 behind a window. */
  private base = 0;

  constructor(
    private fetchPage: FetchPage<Draft>,
    private readonly reach: Reach,
    private readonly known?: Front,
  ) {
    this.records = [...(known?.records ?? [])];
    this.starts = [...(known?.starts ?? [])];
    this.received = known?.received ?? 0;
    this.total = known?.total;
    this.bytes = known?.bytes ?? 0;
    this.lastModified = known?.lastModified;
    this.tail = known?.tail ?? 0;
    this.compared = known !== undefined;
    if (known !== undefined) this.findings.addAll(known.findings);
    this.cap = reach.pageSize;
  }

  /** Reads as far as is wanted. Returns whether the source was the same all the time. Rejects with a `Contradiction` where a total is wrong. */
  async read(): Promise<boolean> {
    while (this.goesOn) {
      if (this.isTooLarge) return true;
      const cuts = this.cuts();
      const pages = await Promise.all(cuts.map(({ offset, limit }) => this.fetchPage(offset - this.base, limit)));
      this.pages += pages.length;
      if (!this.takeAll(pages, cuts)) return false;
      if (this.hasStopped && !(await this.continuesBeyond())) return true;
      await this.compareTotals();
    }
    return (await this.isAtEnd()) && (await this.looksRight());
  }

  /** Takes pages as far as each follows the one before. Returns false where one shows that the source has changed. */
  private takeAll(pages: readonly Page<Draft>[], cuts: readonly Cut[]): boolean {
    for (const [at, page] of pages.entries()) {
      const cut = cuts[at];
      // A page before it was smaller, or not wholly readable: it does not begin where this one is compared.
      if (cut === undefined || cut.offset + cut.overlap !== this.received || cut.overlap > this.tail) break;
      if (!this.follows(page, cut.overlap)) return false;
      if (cut.overlap > 0 && page.received <= cut.overlap && page.received < cut.limit) {
        // It may give so few records a page that there is no room for others behind the overlap.
        this.cap = cut.overlap > 1 ? Math.max(1, page.received) : 1;
        break;
      }
      this.take(page, cut);
    }
    return true;
  }

  /** The next pages: one until it is known how many there are. */
  private cuts(): readonly Cut[] {
    const cuts = [this.cutAt(this.received, this.pages === 0 ? OVERLAP : 1)];
    if (this.total === undefined) return cuts;
    for (let last = cuts[0]; last !== undefined && cuts.length < this.reach.concurrency; last = cuts.at(-1)) {
      const from = last.offset + last.limit;
      if (from >= this.total || !this.lacks(from)) break;
      cuts.push(this.cutAt(from, 1));
    }
    return cuts;
  }

  private cutAt(received: number, mostOverlap: number): Cut {
    const wanted = this.wanted(received);
    // Where the last records could not be read, or a page has one record, there is nothing to compare.
    const room = this.cap > 1 ? Math.max(1, this.cap - wanted) : 0;
    const overlap = Math.min(mostOverlap, this.tail, room, received - this.base);
    const least = this.reach.checks?.fills === true ? FILLED : 0;
    return { overlap, offset: received - overlap, limit: Math.min(this.cap, Math.max(least, wanted + overlap)) };
  }

  /** Why less was read than is wanted, or why the number of records behind it is unknown. */
  get doubt(): Doubt | undefined {
    if (this.hasStopped) return 'window';
    if (this.goesOn) return 'too-large';
    // As many as its window holds are counted by a source that counts no further, too.
    if (this.total === this.reach.window?.size) return 'total';
    // How many of those behind are no records either is unknown before the end.
    return this.received < (this.total ?? 0) && this.records.length < this.received ? 'total' : undefined;
  }

  /** Whether it is what another one saw, as far as both were read. */
  async sees({ total, records }: Stream): Promise<boolean> {
    let at = 0;
    let same = total === this.total;
    await inTurns(this.records, (record) => {
      const other = records[at];
      same &&= other === undefined || isSame(record, other);
      at += 1;
    });
    return same;
  }

  /** What was read. */
  get facts(): Omit<Front, 'doubt' | 'undated'> {
    const { records, starts, received, bytes, tail, looked, lastModified, total = 0 } = this;
    const { findings } = this.findings;
    const date = lastModified === undefined ? {} : { lastModified };
    return { records, starts, received, total, bytes, tail, looked, findings, ...date };
  }

  private get goesOn(): boolean {
    return this.total === undefined || (this.lacks(this.received) && this.received < this.total);
  }

  /** The bounds of a drain are those of a front: it is wanted for one page, and made of all before that. */
  private get isTooLarge(): boolean {
    const records = Math.max(this.received, Math.min(this.first, this.total ?? 0));
    return records > MOST_RECORDS || this.pages >= MOST_PAGES || this.bytes > this.reach.bytes;
  }

  /** Whether there must be another page when so many were received: for the one record more alone there need not. */
  private lacks(received: number): boolean {
    return this.wanted(received) > 1;
  }

  /** Records that are wanted when so many were received, the one more among them. */
  private wanted(received: number): number {
    return this.first + 1 - this.records.length - (received - this.received);
  }

  private get first(): number {
    return this.toTheEnd ? Infinity : this.reach.first;
  }

  private follows(page: Page<Draft>, overlap: number): boolean {
    if (this.total !== undefined && page.total !== undefined && page.total + this.base !== this.total) return false;
    if (this.repeats(page, overlap))
      throw contradictedTotal(`it counts ${this.total ?? 0}, and gives the first page again behind ${this.received}`);
    const compared = Math.min(overlap, page.received);
    if (compared === 0) return true;
    const before = this.records.slice(this.records.length - overlap);
    return page.records.slice(0, compared).every((record, at) => {
      const other = before[at];
      return other !== undefined && isSame(record, other);
    });
  }

  /** Whether what comes is the start of the stream again. What comes or goes moves records by a few places, not by all that were received. */
  private repeats({ records }: Page<Draft>, overlap: number): boolean {
    const [first, second] = this.records;
    const last = this.records.at(-1);
    // Where all records are the same, no place can be recognised.
    if (first === undefined || second === undefined || last === undefined || isSame(first, last)) return false;
    const from = overlap < this.records.length ? 0 : overlap;
    const at = records.findIndex((record, nth) => nth >= from && isSame(record, first));
    const next = records[at + 1];
    return at >= 0 && (next === undefined || isSame(next, second));
  }

  private take(page: Page<Draft>, { overlap, limit }: Cut): void {
    const { received, lastModified } = page;
    const total = page.total === undefined ? this.totalWithout(received <= overlap) : page.total + this.base;
    if (total === undefined) throw contradictedTotal('it does not say how many there are');
    this.total = total;
    this.hasStopped = received <= overlap && this.received < total;
    const begun = this.received > 0 && this.known?.undated !== true;
    this.moved ||= begun && received > 0 && lastModified !== this.lastModified;
    if (received < limit) this.cap = Math.min(this.cap, Math.max(1, received));
    if (received > overlap) this.enter(page, overlap);
    this.full = received >= (page.limit ?? received);
    this.received += Math.max(0, received - overlap);
    this.bytes += page.bytes;
    this.findings.addAll(page.findings);
    if (lastModified !== undefined) this.lastModified = Math.max(lastModified, this.lastModified ?? lastModified);
    if (this.received > total) throw contradictedTotal(`it counts ${total}, and gives ${this.received}`);
  }

  /** The total, where a page says none: an empty one need not. */
  private totalWithout(isEmpty: boolean): number | undefined {
    return isEmpty ? this.total : undefined;
  }

  private enter({ records, received }: Page<Draft>, overlap: number): void {
    const isClean = records.length === received;
    this.tail = isClean ? this.tail + received - overlap : 0;
    this.starts.push(this.records.length);
    for (const record of records.slice(overlap)) this.records.push(record);
  }

  /**
   * Whether there is a way past the source's window, where its pages end before its total: from here on they come by it. Rejects with a
   * `Contradiction` where the source is not known to have a window: then its total is wrong.
   */
  private async continuesBeyond(): Promise<boolean> {
    const { window, pageSize } = this.reach;
    const beyond = window?.beyond(this.records);
    const base = this.received - (beyond?.known ?? 0);
    const last = this.records.at(-1);
    if (beyond !== undefined && last !== undefined && beyond.known <= this.tail && base > this.base) {
      const limit = Math.min(pageSize, this.wanted(this.received) + 1);
      const page = await unlessRefused(beyond.fetchPage(beyond.known - 1, limit));
      const [again] = page.records;
      if (again !== undefined && isSame(again, last) && page.received > 1 && page.total === (this.total ?? 0) - base) {
        this.fetchPage = beyond.fetchPage;
        this.base = base;
        this.cap = pageSize;
        this.take(page, { offset: this.received - 1, overlap: 1, limit });
        return true;
      }
    }
    if (window !== undefined && (window.refused.length > 0 || this.received >= window.size)) return false;
    throw contradictedTotal(`it counts ${this.total ?? 0}, and gives nothing behind ${this.received}`);
  }

  /** A filter that is ignored leaves the total as it is without filters: such a total is believed only of a stream that was read to its end. */
  private async compareTotals(): Promise<void> {
    const { unfiltered, countAll } = this.reach.checks ?? {};
    const { total, received } = this;
    if (this.compared || unfiltered === undefined || total === undefined) return;
    this.compared = true;
    if (received >= total || total < unfiltered * SUSPICIOUS) return;
    const now = await countAll?.();
    this.toTheEnd = now === undefined || total >= now;
  }

  /** Whether there is nothing behind the end, which is requested where it is one: a source that counts less than it has is found out there. */
  private async isAtEnd(): Promise<boolean> {
    const { received, total, full } = this;
    if (received !== total || total === 0 || !full) return true;
    // To look behind the end is ours: a source that refuses that has nothing there (docs/decisions/0002-end-of-a-drain.md).
    const page = await unlessRefused(this.fetchPage(total - this.base, 1));
    if (page.received === 0) return true;
    // One that counts more than before has grown meanwhile.
    if ((page.total ?? 0) + this.base <= total) throw contradictedTotal(`it counts ${total}, and gives more`);
    return false;
  }

  /** Reads pages further behind to check them. Returns false where they show that the source has changed. */
  private async looksRight(): Promise<boolean> {
    const { checks, window, pageSize } = this.reach;
    const { received, total = 0, known } = this;
    if (checks === undefined || checks.looks === 'none' || known !== undefined || received >= total) return true;
    // What lies behind a window cannot be requested by its offset.
    if (window !== undefined && total > window.size) return true;
    const looked = await lookFurther(checks.look, {
      received,
      total,
      size: Math.min(this.cap, pageSize, FILLED),
      first: this.records[0],
      spread: checks.looks === 'spread',
    });
    this.looked = looked ?? [];
    return looked !== undefined;
  }
}
