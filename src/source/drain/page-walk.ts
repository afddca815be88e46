import { ExpectedPages } from './expected-pages.js';
import { MISSING_PAGE } from '../body/page.js';
import type { DrainLimits } from './drain-limits.js';
import type { FetchPage, SourcePage } from '../body/page.js';
import { isParameterRefusal, isOffsetBeyondEnd } from './parameter-refusal-status.js';

/** Of one source (decisions 5.8). Bounds memory when a source never stops paging. */
export const MAX_RECORDS = 1_000_000;

/** Of one walk. Bounds the requests to a source with one record per page. */
export const MAX_PAGES = 20_000;

/** From so many records on, equal pages are the same page (decisions 5.6); shorter ones can be equal by chance. */
export const MIN_DISTINCTIVE_RECORDS = 10;

/** Of one walk over a list. */
export interface PageWalkResult<T> {
  /** By offsets. */
  readonly pages: readonly SourcePage<T>[];
  /**
   * `end`: no records are left. `repeats`: later offsets give an earlier page. `too-large`: a bound was exceeded. Of
   * linked pages also `overlaps`: a page begins within the one before it; `first-page`: no more was requested.
   */
  readonly endReason: 'end' | 'repeats' | 'too-large' | 'overlaps' | 'first-page';
}

/** Advances by records received (decisions 5.5): in parallel while pages match the first one, else in sequence. */
export class PageWalk<T> {
  private readonly pages: SourcePage<T>[] = [];
  private readonly fingerprints = new Set<string>();
  private receivedCount = 0;
  private bytes = 0;

  constructor(
    private readonly fetchPage: FetchPage<T>,
    private readonly limits: DrainLimits,
  ) {}

  /** Rejects when a page fails. */
  async walk(): Promise<PageWalkResult<T>> {
    const first = await this.fetchAt(0);
    const { receivedCount: received, total } = first;
    this.addPage(first);
    if (received === 0) return this.finish('end');
    if (total !== undefined && total > this.maxRecords) return this.finish('too-large');
    if (total === undefined || received > total || received > this.limits.pageSize) return this.walkInSequence();
    const expectedPages = new ExpectedPages(first, total);
    if (expectedPages.offsets.length >= MAX_PAGES) return this.finish('too-large');
    return this.walkInParallel(expectedPages);
  }

  private async fetchAt(offset: number): Promise<SourcePage<T>> {
    try {
      return await this.fetchPage(offset, this.limits.pageSize);
    } catch (error) {
      if (offset > 0 && this.isBeyondEnd(offset, error)) return MISSING_PAGE;
      throw error;
    }
  }

  /**
   * Sources need not accept a request after the total (decision record 0002). Without a total, only 404 and 416 mean
   * the end; other statuses may refuse an offset that is too large.
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

  private finish(endReason: PageWalkResult<T>['endReason']): PageWalkResult<T> {
    return { pages: this.pages, endReason };
  }

  private get isFull(): boolean {
    return this.bytes > this.limits.maxBytes || this.receivedCount > this.maxRecords || this.pages.length >= MAX_PAGES;
  }

  private get maxRecords(): number {
    return Math.min(this.limits.maxRecords, MAX_RECORDS);
  }

  /** Until an empty page. Ignores the total: a source whose pages deviate may count wrongly too. */
  private async walkInSequence(): Promise<PageWalkResult<T>> {
    while (!this.isFull) {
      const page = await this.fetchAt(this.receivedCount);
      if (page.receivedCount === 0) return this.finish('end');
      if (await this.isRepeated(page)) return this.finish('repeats');
      this.addPage(page);
    }
    return this.finish('too-large');
  }

  /** One page equal to the one before may be chance (equal records, small pages); a second one proves repetition. */
  private async isRepeated(page: SourcePage<T>): Promise<boolean> {
    if (this.wasSeen(page)) return true;
    if (!this.mayBeRepeated(page)) return false;
    const next = await this.fetchAt(this.receivedCount + page.receivedCount);
    return this.mayBeRepeated(next);
  }

  /** It equals the one before it, or is any earlier one. */
  private mayBeRepeated(page: SourcePage<T>): boolean {
    return page.fingerprint === this.pages.at(-1)?.fingerprint || this.wasSeen(page);
  }

  private wasSeen({ receivedCount: received, fingerprint }: SourcePage<T>): boolean {
    return received >= MIN_DISTINCTIVE_RECORDS && this.fingerprints.has(fingerprint);
  }

  /** `concurrency` at a time, until one fails or does not match the first page. */
  private async walkInParallel(expectedPages: ExpectedPages<T>): Promise<PageWalkResult<T>> {
    const pages = new Map<number, SourcePage<T>>();
    const offsets = expectedPages.offsets[Symbol.iterator]();
    let isConsistent = true;
    let bytes = this.bytes;
    const worker = async (): Promise<void> => {
      for (let next = offsets.next(); isConsistent && next.done !== true; next = offsets.next()) {
        const page = await this.fetchAt(next.value).catch((failure: unknown) => {
          isConsistent = false;
          throw failure;
        });
        pages.set(next.value, page);
        bytes += page.bytes;
        isConsistent &&= expectedPages.matches(page, next.value) && bytes <= this.limits.maxBytes;
      }
    };
    await Promise.all(Array.from({ length: this.limits.concurrency }, worker));
    return this.joinPages(expectedPages, pages);
  }

  private async joinPages(
    expectedPages: ExpectedPages<T>,
    pages: ReadonlyMap<number, SourcePage<T>>,
  ): Promise<PageWalkResult<T>> {
    for (const offset of expectedPages.offsets) {
      const page = pages.get(offset);
      if (page === undefined || !expectedPages.matches(page, offset) || this.wasSeen(page))
        return this.walkInSequence();
      if (page.receivedCount > 0) this.addPage(page);
    }
    return this.finish('end');
  }
}
