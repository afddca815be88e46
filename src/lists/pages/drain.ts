import type { PartialReason } from '../../model/reasons.js';
import type { SourcePage } from '../../source/body/page.js';
import { sumExpressionResults } from '../../source/body/expression-results.js';
import type { SourceFailure } from '../../source/client/source-failure.js';
import type { DrainResult } from '../../source/record/drain-result.js';
import { FindingCounter } from '../../source/record/findings.js';
import type { FindingCounts, FindingRule } from '../../source/record/findings.js';
import type { PagingFault } from './paging-faults.js';

/** Of one list (decisions 5.8). Bounds memory when a source never stops paging. */
export const MAX_RECORDS = 1_000_000;

/** Of one reading. Bounds the requests to a source with one record per page. */
export const MAX_PAGES = 20_000;

/** From so many records on, equal pages are the same page (decisions 5.6); shorter ones can be equal by chance. */
export const MIN_DISTINCTIVE_RECORDS = 10;

/** After changes of the source during the drain (decisions 5.7). */
const MAX_RESTARTS = 2;

/**
 * The pages of one list, in order, without empty ones at its end. `yield` returns undefined, or, once the pages repeat,
 * how many of the pages since the list began are kept; the generator then ends. Throws the failure of a page.
 */
export type Pages<T> = AsyncGenerator<YieldedPage<T>, PagesEnd<T>, number | undefined>;

export interface YieldedPage<T> {
  readonly page: SourcePage<T>;
  /**
   * `list`: the first page of a further list, with a total, a date and repetitions of its own; its records belong to
   * the same result. `anew`: replaces all pages before.
   */
  readonly begins?: 'list' | 'anew';
}

export interface PagesEnd<T = never> {
  /**
   * `end`: no records are left. `repeats`: later requests give an earlier page. `enough`: what else there is was not
   * requested, or cannot be. `too-large`: a bound was exceeded. `changed`: the source changed meanwhile.
   */
  readonly kind: 'end' | 'repeats' | 'enough' | 'too-large' | 'changed';
  /** Known from the paging alone. */
  readonly partialReason?: PartialReason | undefined;
  readonly findings?: readonly FindingRule[];
  readonly fault?: PagingFault | undefined;
  /** With `changed`: what a second reading must show again to be believed. */
  readonly contradiction?: SourceFailure;
  /** Of news: the source refused an offset, or ended after as many items as the window has. */
  readonly isWindowProven?: boolean;
  /** Read further down the list, only for checks. */
  readonly checkedRecords?: readonly T[];
}

/** Of all pages of one list. */
export interface ReadingLimits {
  /** Decoded. */
  readonly maxBytes: number;
  /** A source that has or counts more is too large. */
  readonly maxRecords: number;
  /** Of its records only so many are requested. Absent: all. */
  readonly first?: number;
}

/**
 * Reads all pages, again if the source changes meanwhile, at most `MAX_RESTARTS` times (decisions 5.6 to 5.8). Rejects
 * with the failure of a page, and with a contradiction that a second reading shows again.
 */
export async function drain<T>(open: () => Pages<T>, limits: ReadingLimits): Promise<DrainResult<T>> {
  let before: string | undefined;
  let isContradicted = false;
  for (let restarts = 0; ; restarts += 1) {
    const reading = new PageReading<T>(limits);
    const end = await reading.readAll(open());
    if (end.contradiction !== undefined && isContradicted) throw end.contradiction;
    isContradicted ||= end.contradiction !== undefined;
    // Some sources date every response with the current time. Two readings in a row with the same pages and totals agree.
    const seen = end.kind === 'changed' ? undefined : reading.seen;
    if (end.kind === 'too-large') return reading.conclude(end);
    if (seen !== undefined && (!reading.hasDrifted || seen === before)) return reading.conclude(end);
    if (restarts === MAX_RESTARTS) return reading.concludeDrift(end);
    before = seen;
  }
}

/** Counts and joins the pages of one list, and notices where they repeat or drift. */
export class PageReading<T> {
  pages: SourcePage<T>[] = [];
  /** Total or Last-Modified changed between two pages of a list. */
  hasDrifted = false;
  bytes = 0;
  private receivedCount = 0;
  /** Of `pages`, where the list began that is being read. */
  private listStart = 0;
  private fingerprints = new Set<string>();

  constructor(private readonly limits: ReadingLimits) {}

  /** Rejects when a page fails. */
  async readAll(pages: Pages<T>): Promise<PagesEnd<T>> {
    let suspect: YieldedPage<T> | undefined;
    try {
      for (let kept: number | undefined; ;) {
        const next = await pages.next(kept);
        kept = undefined;
        if (next.done === true) {
          if (suspect !== undefined) this.add(suspect);
          return next.value;
        }
        const isSuspect = next.value.begins === undefined && this.mayRepeat(next.value.page);
        if (isSuspect && (suspect !== undefined || this.isRepetition(next.value.page))) {
          suspect = undefined;
          kept = this.pages.length - this.listStart;
          continue;
        }
        if (suspect !== undefined) this.add(suspect);
        // One page equal to the one before may be chance (equal records, small pages); a second one proves repetition.
        suspect = isSuspect ? next.value : undefined;
        if (suspect === undefined) this.add(next.value);
        if (this.isTooLarge) return { kind: 'too-large' };
      }
    } finally {
      await pages.return({ kind: 'enough' });
    }
  }

  /** Equal for readings of the same pages with the same totals. */
  get seen(): string {
    return this.pages.map(({ fingerprint, total }) => `${fingerprint} ${total ?? ''}`).join('\n');
  }

  conclude(end: PagesEnd<T>): DrainResult<T> {
    if (end.kind === 'too-large') return { ...this.result('too-large', []), records: [] };
    return withPagingFault(this.concludePages(end), end.fault);
  }

  concludeDrift({ fault }: PagesEnd<T>): DrainResult<T> {
    return withPagingFault(this.result('drift', ['drift']), fault);
  }

  private concludePages({ kind, partialReason, findings = [], checkedRecords }: PagesEnd<T>): DrainResult<T> {
    if (kind === 'enough' || partialReason !== undefined)
      return { ...this.result(partialReason, findings), ...(checkedRecords && { checkedRecords }) };
    return kind === 'repeats' && !this.mayHaveEnded
      ? this.result('offset', [...findings, 'offset-ignored'])
      : this.compareWithTotal(findings);
  }

  /**
   * Before it repeated a page, the source sent a page shorter than the first, or no more records than its total. Else it
   * may ignore offsets that large, and its total may count only one page.
   */
  private get mayHaveEnded(): boolean {
    const [first, last, total] = [this.pages[0], this.pages.at(-1), this.total];
    const isShort = first !== undefined && last !== undefined && last.receivedCount < first.receivedCount;
    return isShort || (total !== undefined && this.receivedCount <= total);
  }

  /** Too few: records are missing, or the total is wrong; the responses do not show which. Too many: the total is wrong. */
  private compareWithTotal(findings: readonly FindingRule[]): DrainResult<T> {
    const { total } = this;
    // Of a document, entries that `only` leaves out count: a source counts them.
    const listed = sum(this.pages, ({ document, receivedCount }) => document?.entryCount ?? receivedCount);
    if (total === undefined || total === listed) return this.result(undefined, findings);
    return this.result(listed < total ? 'total' : undefined, [...findings, 'wrong-total']);
  }

  private add({ page, begins }: YieldedPage<T>): void {
    if (begins === 'anew') [this.pages, this.receivedCount, this.bytes] = [[], 0, 0];
    if (begins !== undefined) [this.listStart, this.fingerprints] = [this.pages.length, new Set()];
    this.pages.push(page);
    this.fingerprints.add(page.fingerprint);
    this.receivedCount += page.receivedCount;
    this.bytes += page.bytes;
    const first = this.pages[this.listStart];
    this.hasDrifted ||= page.total !== first?.total || page.lastModified !== first?.lastModified;
  }

  private mayRepeat(page: SourcePage<T>): boolean {
    return this.isRepetition(page) || (this.pages.length > this.listStart && this.isLikeLast(page));
  }

  private isLikeLast({ fingerprint, document }: SourcePage<T>): boolean {
    return document === undefined && fingerprint === this.pages.at(-1)?.fingerprint;
  }

  /** Pages of a document lead from one to the next: an equal one shows that they ignore its number, or form a circle. */
  private isRepetition({ document, receivedCount, fingerprint }: SourcePage<T>): boolean {
    const isDistinctive = document === undefined ? receivedCount >= MIN_DISTINCTIVE_RECORDS : document.entryCount !== 0;
    return isDistinctive && this.fingerprints.has(fingerprint);
  }

  private get isTooLarge(): boolean {
    const { maxBytes, maxRecords, first = Infinity } = this.limits;
    const records = Math.max(this.receivedCount, Math.min(this.pages[0]?.total ?? 0, first));
    return this.bytes > maxBytes || records > Math.min(maxRecords, MAX_RECORDS) || this.pages.length >= MAX_PAGES;
  }

  /** The largest of all pages: some sources report it on the first page only, others what is left. */
  private get total(): number | undefined {
    return this.pages.reduce<number | undefined>(
      (most, { total }) => (total === undefined ? most : Math.max(total, most ?? total)),
      undefined,
    );
  }

  private result(partialReason: PartialReason | undefined, findings: readonly FindingRule[]): DrainResult<T> {
    const { pages, total, bytes, receivedCount } = this;
    const dates = pages.map(({ lastModified }) => lastModified).filter((date) => date !== undefined);
    return {
      ...joinPages(pages),
      receivedCount,
      bytes,
      ...(total !== undefined && { total }),
      ...(dates.length > 0 && { lastModified: Math.max(...dates) }),
      ...(partialReason && { partialReason }),
      findings: collectFindings(pages, findings),
      ...sumExpressionResults(pages),
    };
  }
}

/**
 * Adds why pages are not the whole list, unless a reason is known. Drift and a wrong total may be tolerated: beside
 * them, unread pages are judged by themselves.
 */
export function withPagingFault<T>(drained: DrainResult<T>, fault: PagingFault | undefined): DrainResult<T> {
  const { partialReason: known = 'total' } = drained;
  if (fault === undefined || (known !== 'total' && known !== 'drift')) return drained;
  const { reason: partialReason, detail: partialDetail, field, rule } = fault;
  const counter = new FindingCounter();
  counter.addAll(drained.findings);
  counter.add(field, rule);
  const staysKnown = drained.partialReason !== undefined && partialReason === 'paging';
  return { ...drained, ...(!staysKnown && { partialReason }), partialDetail, findings: counter.findings };
}

function sum<T>(items: readonly T[], count: (item: T) => number): number {
  return items.reduce((before, item) => before + count(item), 0);
}

/** In a loop: a list has up to thousands of pages, and `flatMap` takes ten times as long. */
function joinPages<T>(pages: readonly SourcePage<T>[]): Required<Pick<DrainResult<T>, 'records' | 'pageStarts'>> {
  const [records, starts]: [T[], number[]] = [[], []];
  for (const page of pages) {
    starts.push(records.length);
    for (const record of page.records) records.push(record);
  }
  return { records, pageStarts: starts };
}

function collectFindings(pages: readonly SourcePage<unknown>[], pagingFindings: readonly FindingRule[]): FindingCounts {
  const counter = new FindingCounter();
  for (const page of pages) counter.addAll(page.findings);
  for (const rule of pagingFindings) counter.add('(paging)', rule);
  return counter.findings;
}
