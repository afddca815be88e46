import type { SourcePage } from '../body/page.js';

/** From the first page's total and effective size, for parallel requests (decisions 5.5). */
export class ExpectedPages<T> {
  /** Of all further pages, ascending. */
  readonly offsets: readonly number[];

  constructor(
    private readonly firstPage: SourcePage<T>,
    private readonly total: number,
  ) {
    const step = firstPage.receivedCount;
    // If the last page is as long as the first one, the page after the total is requested too: it reveals a total that
    // counts only the page, or is too low; not if the envelope shows that the first page had room for more.
    const beyond = total % step === 0 && !(firstPage.limit !== undefined && step < firstPage.limit);
    const pages = Math.ceil(total / step) + (beyond ? 1 : 0);
    this.offsets = Array.from({ length: pages - 1 }, (_, page) => (page + 1) * step);
  }

  /** The page has the expected number of records and is not the first page again. */
  matches(page: SourcePage<T>, offset: number): boolean {
    const expected = Math.min(this.firstPage.receivedCount, this.total - offset);
    return page.receivedCount === expected && (expected === 0 || page.fingerprint !== this.firstPage.fingerprint);
  }
}
