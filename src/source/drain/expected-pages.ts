import type { SourcePage } from '../body/page.js';

/**
 * The further pages of a list, computed from the total and the effective page size of the first page, so that they can
 * be requested in parallel (decisions 5.5).
 */
export class ExpectedPages<T> {
  /** Offsets of all further pages, ascending. */
  readonly offsets: readonly number[];

  constructor(
    private readonly firstPage: SourcePage<T>,
    private readonly total: number,
  ) {
    const step = firstPage.receivedCount;
    // If the last page is as long as the first one, the page after the total is requested too: its content reveals a
    // total that counts only the page, or that is too low. It is not requested if the envelope shows that the first
    // page had room for more records.
    const beyond = total % step === 0 && !(firstPage.limit !== undefined && step < firstPage.limit);
    const pages = Math.ceil(total / step) + (beyond ? 1 : 0);
    this.offsets = Array.from({ length: pages - 1 }, (_, page) => (page + 1) * step);
  }

  /** Whether a page has the expected number of records and is not the first page again. */
  matches(page: SourcePage<T>, offset: number): boolean {
    const expected = Math.min(this.firstPage.receivedCount, this.total - offset);
    return page.receivedCount === expected && (expected === 0 || page.fingerprint !== this.firstPage.fingerprint);
  }
}
