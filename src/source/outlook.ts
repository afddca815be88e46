import type { Page } from './page.js';

/** What the first page of a source lets expect of the others: a total and an effective page size, so pages can be asked for in parallel. */
export class Outlook<T> {
  /** Offsets of all further pages, ascending. */
  readonly offsets: readonly number[];

  constructor(
    private readonly first: Page<T>,
    private readonly total: number,
  ) {
    const step = first.received;
    // Where the last page is as large as the first, the one behind the total is asked for too: a total that counts only the page,
    // or lies low, is told from a true one by what comes there. Not where the source says that its page had room for more.
    const beyond = total % step === 0 && !(first.limit !== undefined && step < first.limit);
    const pages = Math.ceil(total / step) + (beyond ? 1 : 0);
    this.offsets = Array.from({ length: pages - 1 }, (_, page) => (page + 1) * step);
  }

  /** Whether the page at an offset is as expected: so many records, and not the first page again. */
  holdsFor(page: Page<T>, offset: number): boolean {
    const expected = Math.min(this.first.received, this.total - offset);
    return page.received === expected && (expected === 0 || page.fingerprint !== this.first.fingerprint);
  }
}
