import type { SourcePage } from '../body/page.js';

/** What the first page of a source lets expect of the others: a total and an effective page size, so pages can be asked for in parallel. */
export class ExpectedPages<T> {
  /** Offsets of all further pages, ascending. */
  readonly offsets: readonly number[];

  constructor(
    private readonly firstPage: SourcePage<T>,
    private readonly total: number,
  ) {
    const step = firstPage.receivedCount;
    // Where the last page is as large as the first, the one behind the total is asked for too: a total that counts only the page,
    // or lies low, is told from a true one by what comes there. Not where the source says that its page had room for more.
    const beyond = total % step === 0 && !(firstPage.limit !== undefined && step < firstPage.limit);
    const pages = Math.ceil(total / step) + (beyond ? 1 : 0);
    this.offsets = Array.from({ length: pages - 1 }, (_, page) => (page + 1) * step);
  }

  /** Whether the page at an offset is as expected: so many records, and not the first page again. */
  matches(page: SourcePage<T>, offset: number): boolean {
    const expected = Math.min(this.firstPage.receivedCount, this.total - offset);
    return page.receivedCount === expected && (expected === 0 || page.fingerprint !== this.firstPage.fingerprint);
  }
}
