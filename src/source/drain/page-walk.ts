import { ExpectedPages } from './expected-pages.js';
import { EMPTY_PAGE } from '../body/page.js';
import type { DrainLimits } from './drain-limits.js';
import type { FetchPage, SourcePage } from '../body/page.js';
import { isParameterRefusal, isOffsetBeyondEnd } from './refused-parameters.js';

/** Records that one source may give at most, whatever it says: a source that never ends must not end the process. */
export const MAX_RECORDS = 1_000_000;

/** Pages that one walk fetches at most: a source that gives one record a page must not be asked a million times. */
export const MAX_PAGES = 20_000;

/** Records from which on a page that was there before is the same page, and no page of records that are alike by chance. */
export const MIN_DISTINCTIVE_RECORDS = 10;

/** What one walk over the pages of a source came to. */
export interface PageWalkResult<T> {
  /** In the order of their offsets. */
  readonly pages: readonly SourcePage<T>[];
  /** `end`: nothing is left. `repeats`: the source answers later offsets with an earlier page. `too-large`: a bound was hit. */
  readonly endReason: 'end' | 'repeats' | 'too-large';
}

/**
 * Walks over a source's pages once, advancing by the records received (decisions.md, section 5): in parallel as long as the
 * source keeps to the total and the page size of its first page, in sequence from the first page that does not.
 */
export class PageWalk<T> {
  private readonly pages: SourcePage<T>[] = [];
  /** Fingerprints of the pages that are kept. */
  private readonly fingerprints = new Set<string>();
  private receivedCount = 0;
  private bytes = 0;

  constructor(
    private readonly fetchPage: FetchPage<T>,
    private readonly limits: DrainLimits,
  ) {}

  /** Fetches everything. Rejects when a page fails. */
  async walk(): Promise<PageWalkResult<T>> {
    const first = await this.fetchAt(0);
    const { receivedCount: received, total } = first;
    this.addPage(first);
    if (received === 0) return this.finish('end');
    if (total !== undefined && total > this.maxRecords) return this.finish('too-large');
    if (total === undefined || received > total || received > this.limits.pageSize) return this.walkInSequence();
    const outlook = new ExpectedPages(first, total);
    if (outlook.offsets.length >= MAX_PAGES) return this.finish('too-large');
    return this.walkInParallel(outlook);
  }

  private async fetchAt(offset: number): Promise<SourcePage<T>> {
    try {
      return await this.fetchPage(offset, this.limits.pageSize);
    } catch (error) {
      if (offset > 0 && this.isBeyondEnd(offset, error)) return EMPTY_PAGE;
      throw error;
    }
  }

  /**
   * To look behind the end is ours (docs/decisions/0002-end-of-a-drain.md): a source that refuses that has nothing there. Where it counts
   * nothing, only what it says tells its end from an offset that is larger than it likes.
   */
  private isBeyondEnd(offset: number, error: unknown): boolean {
    const total = this.pages.at(-1)?.total;
    return total === undefined ? isOffsetBeyondEnd(error) : offset >= total && isParameterRefusal(error);
  }

  private addPage(page: SourcePage<T>): void {
    this.pages.push(page);
    this.fingerprints.add(page.fingerprint);
    this.receivedCount += page.receivedCount;
    this.bytes += page.bytes;
  }

  private finish(ended: PageWalkResult<T>['endReason']): PageWalkResult<T> {
    return { pages: this.pages, endReason: ended };
  }

  private get isFull(): boolean {
    return this.bytes > this.limits.maxBytes || this.receivedCount > this.maxRecords || this.pages.length >= MAX_PAGES;
  }

  private get maxRecords(): number {
    return Math.min(this.limits.maxRecords, MAX_RECORDS);
  }

  /** Page after page until nothing comes: of a source that once gave something else than expected, the total is not believed either. */
  private async walkInSequence(): Promise<PageWalkResult<T>> {
    while (!this.isFull) {
      const page = await this.fetchAt(this.receivedCount);
      if (page.receivedCount === 0) return this.finish('end');
      if (await this.isRepeated(page)) return this.finish('repeats');
      this.addPage(page);
    }
    return this.finish('too-large');
  }

  /** One page equal to the one before it may be chance (many equal records, small pages); only a second one proves it. */
  private async isRepeated(page: SourcePage<T>): Promise<boolean> {
    if (this.wasSeen(page)) return true;
    if (!this.mayBeRepeated(page)) return false;
    const next = await this.fetchAt(this.receivedCount + page.receivedCount);
    return this.mayBeRepeated(next);
  }

  /** Whether it is the page before it again, or any earlier one. */
  private mayBeRepeated(page: SourcePage<T>): boolean {
    return page.fingerprint === this.pages.at(-1)?.fingerprint || this.wasSeen(page);
  }

  private wasSeen({ receivedCount: received, fingerprint }: SourcePage<T>): boolean {
    return received >= MIN_DISTINCTIVE_RECORDS && this.fingerprints.has(fingerprint);
  }

  /** All further pages, `concurrency` at a time, as far as each is what the first page let expect and none fails. */
  private async walkInParallel(outlook: ExpectedPages<T>): Promise<PageWalkResult<T>> {
    const pages = new Map<number, SourcePage<T>>();
    const offsets = outlook.offsets[Symbol.iterator]();
    let kept = true;
    let bytes = this.bytes;
    const worker = async (): Promise<void> => {
      for (let next = offsets.next(); kept && next.done !== true; next = offsets.next()) {
        const page = await this.fetchAt(next.value).catch((failure: unknown) => {
          kept = false;
          throw failure;
        });
        pages.set(next.value, page);
        bytes += page.bytes;
        kept &&= outlook.matches(page, next.value) && bytes <= this.limits.maxBytes;
      }
    };
    await Promise.all(Array.from({ length: this.limits.concurrency }, worker));
    return this.joinPages(outlook, pages);
  }

  private async joinPages(
    outlook: ExpectedPages<T>,
    pages: ReadonlyMap<number, SourcePage<T>>,
  ): Promise<PageWalkResult<T>> {
    for (const offset of outlook.offsets) {
      const page = pages.get(offset);
      if (page === undefined || !outlook.matches(page, offset) || this.wasSeen(page)) return this.walkInSequence();
      if (page.receivedCount > 0) this.addPage(page);
    }
    return this.finish('end');
  }
}
