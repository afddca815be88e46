import type { Doubt } from '../model/outcome.js';
import type { Draft } from '../model/record.js';
import { inTurns } from '../model/slices.js';
import { Contradiction } from './claims.js';
import type { Drained } from './drain.js';
import { FindingCounter } from './findings.js';
import { NO_PAGE } from './page.js';
import type { FetchPage, Page } from './page.js';
import { refusesParameter } from './refusal.js';
import { MOST_PAGES, MOST_RECORDS } from './walk.js';

/** The front of a stream: the first records of a source in the order that it was asked for, and how many it counts. */
export interface Front extends Drained<Draft> {
  readonly total: number;
  /** Its Last-Modified was seen to change when nothing else did: that it changes says nothing. */
  readonly undated?: boolean;
}

/** How far a front is to reach. */
export interface Reach {
  /** Records that are wanted. One more is asked for where it comes on the same page: it tells whether the last one has equals behind it. */
  readonly first: number;
  /** Records of one page at most. */
  readonly pageSize: number;
  /** Pages asked for at a time once it is known how many there are. */
  readonly concurrency: number;
  /** From this offset on the source gives nothing; Infinity where it has no such window. */
  readonly window: number;
  /** Decoded bytes of all pages together. */
  readonly bytes: number;
}

/** A stream that is seen to change begins again, twice at most, as a drain does (decisions.md, section 5). */
const RESTARTS = 2;

/**
 * Fetches the front of a stream page by page, or what a front that is known lacks. Each page begins with the last record of the one before:
 * where that is another one, records have come or gone meanwhile, and nobody could tell which are missing; so they may have where total or
 * Last-Modified is another one. A source that dates its pages by the moment is known by two readings in a row that saw the same. Rejects
 * with the failure of the page that failed, and with a `Contradiction` where the source does not count as it should: seen once, that may be
 * a change between two pages; seen again in a stream that was just begun, it is none. What reaches further than one source may give ends as
 * `too-large`, without records, as a drain does.
 */
export async function fetchFront(fetchPage: FetchPage<Draft>, reach: Reach, known?: Front): Promise<Front> {
  let stream = new Stream(fetchPage, reach, known);
  let before: Stream | undefined;
  let contradicted = false;
  for (let restarts = 0; ; restarts += 1) {
    const seen = await stream.read().catch(unlessContradiction);
    const again = seen === true && before !== undefined && (await stream.sees(before));
    const isSteady = again || !stream.moved || stream.doubt === 'too-large';
    if (seen === true && isSteady) return stream.front(stream.doubt, again);
    if (seen instanceof Contradiction && contradicted) throw seen;
    contradicted ||= seen instanceof Contradiction;
    if (restarts === RESTARTS) return stream.front('drift');
    before = seen === true ? stream : undefined;
    stream = new Stream(fetchPage, reach);
  }
}

function unlessContradiction(error: unknown): Contradiction {
  if (error instanceof Contradiction) return error;
  throw error;
}

/** A page that is asked for. */
interface Cut {
  readonly offset: number;
  readonly limit: number;
  /** Records at its start that were received already. */
  readonly overlap: number;
}

class Stream {
  private readonly records: Draft[];
  private readonly findings = new FindingCounter();
  private received: number;
  private total: number | undefined;
  private bytes: number;
  private pages = 0;
  private lastModified: number | undefined;
  /** Whether Last-Modified says that something changed while it was read. */
  moved = false;
  /** Records that a page holds, as far as was seen. */
  private cap: number;
  /** Whether all of the last page could be read: then its last record is known again. */
  private clean = true;
  /** Whether the last page had no room for more. */
  private full = false;

  constructor(
    private readonly fetchPage: FetchPage<Draft>,
    private readonly reach: Reach,
    private readonly known?: Front,
  ) {
    this.records = [...(known?.records ?? [])];
    this.received = known?.received ?? 0;
    this.total = known?.total;
    this.bytes = known?.bytes ?? 0;
    this.lastModified = known?.lastModified;
    if (known !== undefined) this.findings.addAll(known.findings);
    this.cap = reach.pageSize;
  }

  /** Reads as far as is wanted. Returns whether the source was the same all the time. */
  async read(): Promise<boolean> {
    while (this.goesOn) {
      if (this.isTooLarge) return true;
      const cuts = this.cuts();
      const pages = await Promise.all(cuts.map(({ offset, limit }) => this.fetchPage(offset, limit)));
      for (const [at, page] of pages.entries()) {
        const cut = cuts[at];
        // A page before it was smaller, or not wholly read: what it begins with is not what was taken last.
        if (cut === undefined || cut.offset + cut.overlap !== this.received || (cut.overlap > 0 && !this.clean)) break;
        if (!this.follows(page, cut.overlap)) return false;
        if (cut.overlap > 0 && page.received <= cut.overlap && page.received < cut.limit) {
          // It may give one record a page: whether there is a next one, is seen without the overlap.
          this.cap = 1;
          break;
        }
        this.take(page, cut);
      }
      this.pages += pages.length;
    }
    return this.isAtEnd();
  }

  /** The next pages: one until it is known how many there are. */
  private cuts(): readonly Cut[] {
    const cuts = [this.cutAt(this.received)];
    if (this.total === undefined) return cuts;
    for (let last = cuts[0]; last !== undefined && cuts.length < this.reach.concurrency; last = cuts.at(-1)) {
      const from = last.offset + last.limit;
      if (from >= this.end || !this.lacks(from)) break;
      cuts.push(this.cutAt(from));
    }
    return cuts;
  }

  private cutAt(received: number): Cut {
    // Where nothing that was received could be read, there is nothing to know again.
    const overlap = received > 0 && this.records.length > 0 && this.cap > 1 && this.clean ? 1 : 0;
    const offset = received - overlap;
    return { overlap, offset, limit: Math.min(this.cap, this.wanted(received) + overlap, this.reach.window - offset) };
  }

  /** Why what was read is not as much as is wanted, or nobody knows how much there is behind it. */
  get doubt(): Doubt | undefined {
    if (this.goesOn) return 'too-large';
    // As many as its window holds are counted by who counts no further, too.
    if (this.total === this.reach.window) return 'total';
    if (this.received >= (this.total ?? 0)) return undefined;
    if (this.records.length < this.reach.first) return 'window';
    // How many of those behind are no records either, nobody knows before the end.
    return this.records.length < this.received ? 'total' : undefined;
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

  /** What was read; `again`: as another one saw it. */
  front(doubt: Doubt | undefined, again = false): Front {
    const { records, received, bytes, lastModified, total = 0 } = this;
    const undated = again || this.known?.undated === true;
    return {
      records: doubt === 'too-large' ? [] : records,
      received,
      total,
      bytes,
      findings: this.findings.findings,
      ...(lastModified !== undefined && { lastModified }),
      ...(undated && { undated }),
      ...(doubt && { doubt }),
    };
  }

  private get goesOn(): boolean {
    return this.total === undefined || (this.lacks(this.received) && this.received < this.end);
  }

  /** The bounds of a drain are those of a front: it is wanted for one page, and made of all before that. */
  private get isTooLarge(): boolean {
    const records = Math.max(this.received, Math.min(this.reach.first, this.end));
    return records > MOST_RECORDS || this.pages >= MOST_PAGES || this.bytes > this.reach.bytes;
  }

  /** Whether there must be another page when so many were received: for the one record more alone there need not. */
  private lacks(received: number): boolean {
    return this.wanted(received) > 1;
  }

  /** Records that are wanted when so many were received, the one more among them. */
  private wanted(received: number): number {
    return this.reach.first + 1 - this.records.length - (received - this.received);
  }

  private get end(): number {
    return Math.min(this.total ?? 0, this.reach.window);
  }

  private follows(page: Page<Draft>, overlap: number): boolean {
    if (this.total !== undefined && page.total !== undefined && page.total !== this.total) return false;
    const [first, before, again] = [this.records[0], this.records.at(-1), page.records[0]];
    if (overlap === 0 || page.received === 0 || before === undefined) return true;
    if (again !== undefined && isSame(before, again)) return true;
    // What comes or goes moves records by a few places, not by all that were received.
    const repeats = first !== undefined && again !== undefined && isSame(first, again);
    if (repeats)
      throw contradicted(`it counts ${this.total ?? 0}, and gives the first page again behind ${this.received}`);
    return false;
  }

  private take(page: Page<Draft>, { overlap, limit }: Cut): void {
    const { received, lastModified, total = received <= overlap ? this.total : undefined } = page;
    if (total === undefined) throw contradicted('it does not say how many there are');
    this.total = total;
    if (received <= overlap && this.received < total) {
      throw contradicted(`it counts ${total}, and gives nothing behind ${this.received}`);
    }
    const begun = this.received > 0 && this.known?.undated !== true;
    this.moved ||= begun && received > 0 && lastModified !== this.lastModified;
    if (received < limit) this.cap = Math.min(this.cap, Math.max(1, received));
    this.clean = page.records.length === received;
    this.full = received >= (page.limit ?? received);
    for (const record of page.records.slice(overlap)) this.records.push(record);
    this.received += received - overlap;
    this.bytes += page.bytes;
    this.findings.addAll(page.findings);
    if (lastModified !== undefined) this.lastModified = Math.max(lastModified, this.lastModified ?? lastModified);
    if (this.received > total) throw contradicted(`it counts ${total}, and gives ${this.received}`);
  }

  /** Whether there is nothing behind the end, which is looked at where it is one: a source that counts less than it has is found out there. */
  private async isAtEnd(): Promise<boolean> {
    const { received, total, full } = this;
    if (received !== total || total === 0 || total >= this.reach.window || !full) return true;
    const page = await this.fetchPage(total, 1).catch(nothingWhereRefused);
    if (page.received === 0) return true;
    // One that counts more than before has grown meanwhile.
    if ((page.total ?? 0) <= total) throw contradicted(`it counts ${total}, and gives more`);
    return false;
  }
}

/** To look behind the end is ours: a source that refuses that has nothing there (docs/decisions/0002-end-of-a-drain.md). */
function nothingWhereRefused(error: unknown): Page<Draft> {
  if (refusesParameter(error)) return NO_PAGE;
  throw error;
}

function contradicted(evidence: string): Contradiction {
  return new Contradiction({ claim: 'total', evidence });
}

/** By what they hold: what could not be read is not there to be compared. */
function isSame(one: Draft, other: Draft): boolean {
  return JSON.stringify([one.values, one.further]) === JSON.stringify([other.values, other.further]);
}

/** The records once more, to be given ids: a front that reaches further gives all of them ids anew. */
export function fresh(records: readonly Draft[]): Draft[] {
  return records.map((record) => record.anew());
}
