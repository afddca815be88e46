import { Outlook } from './outlook.js';
import { NO_PAGE } from './page.js';
import type { DrainBounds, FetchPage, Page } from './page.js';
import { refusesParameter, saysNothingThere } from './refusal.js';

/** Records that one source may give at most, whatever it says: a source that never ends must not end the process. */
export const MOST_RECORDS = 1_000_000;

/** Pages that one walk fetches at most: a source that gives one record a page must not be asked a million times. */
export const MOST_PAGES = 20_000;

/** Records from which on a page that was there before is the same page, and no page of records that are alike by chance. */
export const TELLING = 10;

/** What one walk over the pages of a source came to. */
export interface Walked<T> {
  /** In the order of their offsets. */
  readonly pages: readonly Page<T>[];
  /** `end`: nothing is left. `repeats`: the source answers later offsets with an earlier page. `too-large`: a bound was hit. */
  readonly ended: 'end' | 'repeats' | 'too-large';
}

/**
 * Walks over a source's pages once, advancing by the records received (decisions.md, section 5): in parallel as long as the
 * source keeps to the total and the page size of its first page, in sequence from the first page that does not.
 */
export class Walk<T> {
  private readonly pages: Page<T>[] = [];
  /** Fingerprints of the pages that are kept. */
  private readonly seen = new Set<string>();
  private received = 0;
  private bytes = 0;

  constructor(
    private readonly fetchPage: FetchPage<T>,
    private readonly bounds: DrainBounds,
  ) {}

  /** Fetches everything. Rejects when a page fails. */
  async toTheEnd(): Promise<Walked<T>> {
    const first = await this.fetch(0);
    const { received, total } = first;
    this.keep(first);
    if (received === 0) return this.end('end');
    if (total !== undefined && total > this.most) return this.end('too-large');
    if (total === undefined || received > total || received > this.bounds.pageSize) return this.inSequence();
    const outlook = new Outlook(first, total);
    if (outlook.offsets.length >= MOST_PAGES) return this.end('too-large');
    return this.inParallel(outlook);
  }

  private async fetch(offset: number): Promise<Page<T>> {
    try {
      return await this.fetchPage(offset, this.bounds.pageSize);
    } catch (error) {
      if (offset > 0 && this.isBehind(offset, error)) return NO_PAGE;
      throw error;
    }
  }

  /**
   * To look behind the end is ours (docs/decisions/0002-end-of-a-drain.md): a source that refuses that has nothing there. Where it counts
   * nothing, only what it says tells its end from an offset that is larger than it likes.
   */
  private isBehind(offset: number, error: unknown): boolean {
    const total = this.pages.at(-1)?.total;
    return total === undefined ? saysNothingThere(error) : offset >= total && refusesParameter(error);
  }

  private keep(page: Page<T>): void {
    this.pages.push(page);
    this.seen.add(page.fingerprint);
    this.received += page.received;
    this.bytes += page.bytes;
  }

  private end(ended: Walked<T>['ended']): Walked<T> {
    return { pages: this.pages, ended };
  }

  private get full(): boolean {
    return this.bytes > this.bounds.bytes || this.received > this.most || this.pages.length >= MOST_PAGES;
  }

  private get most(): number {
    return Math.min(this.bounds.records, MOST_RECORDS);
  }

  /** Page after page until nothing comes: of a source that once gave something else than expected, the total is not believed either. */
  private async inSequence(): Promise<Walked<T>> {
    while (!this.full) {
      const page = await this.fetch(this.received);
      if (page.received === 0) return this.end('end');
      if (await this.repeats(page)) return this.end('repeats');
      this.keep(page);
    }
    return this.end('too-large');
  }

  /** One page equal to the one before it may be chance (many equal records, small pages); only a second one proves it. */
  private async repeats(page: Page<T>): Promise<boolean> {
    if (this.wasThere(page)) return true;
    if (!this.isKnown(page)) return false;
    const next = await this.fetch(this.received + page.received);
    return this.isKnown(next);
  }

  /** Whether it is the page before it again, or any earlier one. */
  private isKnown(page: Page<T>): boolean {
    return page.fingerprint === this.pages.at(-1)?.fingerprint || this.wasThere(page);
  }

  private wasThere({ received, fingerprint }: Page<T>): boolean {
    return received >= TELLING && this.seen.has(fingerprint);
  }

  /** All further pages, `concurrency` at a time, as far as each is what the first page let expect and none fails. */
  private async inParallel(outlook: Outlook<T>): Promise<Walked<T>> {
    const pages = new Map<number, Page<T>>();
    const offsets = outlook.offsets[Symbol.iterator]();
    let kept = true;
    let bytes = this.bytes;
    const worker = async (): Promise<void> => {
      for (let next = offsets.next(); kept && next.done !== true; next = offsets.next()) {
        const page = await this.fetch(next.value).catch((failure: unknown) => {
          kept = false;
          throw failure;
        });
        pages.set(next.value, page);
        bytes += page.bytes;
        kept &&= outlook.holdsFor(page, next.value) && bytes <= this.bounds.bytes;
      }
    };
    await Promise.all(Array.from({ length: this.bounds.concurrency }, worker));
    return this.join(outlook, pages);
  }

  private async join(outlook: Outlook<T>, pages: ReadonlyMap<number, Page<T>>): Promise<Walked<T>> {
    for (const offset of outlook.offsets) {
      const page = pages.get(offset);
      if (page === undefined || !outlook.holdsFor(page, offset) || this.wasThere(page)) return this.inSequence();
      if (page.received > 0) this.keep(page);
    }
    return this.end('end');
  }
}
