import type { PartialReason } from '../../model/reasons.js';
import type { LinkedList } from '../../source/dialect/dialect.js';
import type { DocumentPageFacts } from '../../source/dialect/raw-page.js';
import type { StatedNext } from '../../source/dialect/document/paging-metadata.js';
import type { FindingRule } from '../../source/record/findings.js';
import type { SourcePage } from '../../source/body/page.js';

/** Why the pages read may not be the document's whole list (decisions 4.27.2). */
export interface PagingFault {
  readonly reason: PartialReason;
  readonly rule: FindingRule;
  /** Place of the property that shows it, `(link)` for the Link field, or `(paging)`. */
  readonly field: string;
  /** For the operator: what is wrong, and what to register. It may name properties of the source. */
  readonly detail: string;
}

type ReadList = Pick<LinkedList, 'firstPage' | 'step'>;

/**
 * A counted page begins within the one before: its parameter counts entries, in other steps than registered. Later
 * pages would be shown several times.
 */
export function doPagesOverlap(
  { step }: ReadList,
  before: DocumentPageFacts | undefined,
  page: DocumentPageFacts | undefined,
): boolean {
  if (step === undefined || before === undefined || page === undefined || page.entryCount === 0) return false;
  if (step > 1) return before.entryCount > step;
  const [first, ...others] = before.firstEntries ?? [];
  const isShifted = others.every((entry, at) => entry === page.firstEntries?.[at]);
  return isShifted && others.some((entry) => entry !== first);
}

/** Undefined if nothing shows that the pages are not the whole list. `end`: why no more pages are read. */
export function findPagingFault(
  list: ReadList,
  end: 'end' | 'repeats' | 'overlaps',
  pages: readonly SourcePage<unknown>[],
): PagingFault | undefined {
  const facts = pages.flatMap(({ document }) => document ?? []);
  if (end === 'overlaps') return describeOverlap(list, facts.at(-1));
  if (end === 'repeats') return findLargerCount(list, facts);
  return findGap(list, facts) ?? findUnreadPage(list, facts.at(-1)) ?? findLargerCount(list, facts);
}

/** `before`: the page in which the next one begins. */
function describeOverlap({ step = 1 }: ReadList, before: DocumentPageFacts | undefined): PagingFault {
  const entries = before?.entryCount ?? 0;
  const detail = `the pages overlap: a page has ${count(entries)}, and the parameter was raised by ${step}; write step: ${entries}`;
  return { reason: 'offset', rule: 'overlapping-pages', field: '(paging)', detail };
}

/** A page shorter than the step, with entries after it. */
function findGap({ step = 1 }: ReadList, pages: readonly DocumentPageFacts[]): PagingFault | undefined {
  const filled = pages.filter(({ entryCount }) => entryCount > 0);
  const short = filled.slice(0, -1).find(({ entryCount }) => entryCount < step);
  if (short === undefined) return undefined;
  const detail = `the parameter was raised by ${step} although a page has ${count(short.entryCount)}: entries between the pages may be missing; if all pages have so many, write step: ${short.entryCount}`;
  return unread('(paging)', detail);
}

/** After the last page that was read. Counted pages end at an empty one, whatever it links. */
function findUnreadPage({ firstPage, step }: ReadList, last: DocumentPageFacts | undefined): PagingFault | undefined {
  if (step !== undefined || last === undefined) return undefined;
  if (last.linkedNext !== undefined)
    return unread('(link)', 'the Link field names a next page at another origin, which is not requested');
  const { next } = last.stated ?? {};
  return next && unread(next.place, `the page names a next one (${next.place}); ${adviseOnNext(next, firstPage)}`);
}

function adviseOnNext({ place, isAddress }: StatedNext, { protocol }: URL): string {
  if (protocol === 'file:') return FILE_ADVICE;
  // In YAML a value that begins with a quotation mark ends at the next one.
  const written = place.startsWith('"') ? `'${place}'` : place;
  return isAddress ? `write next: ${written}` : PAGE_ADVICE;
}

const FILE_ADVICE = 'a file has one page: save the whole list in it';
const PAGE_ADVICE = 'write page: { parameter: … }, or next with an expression for the address of the next page';

/** Of entries or pages, than what was read. */
function findLargerCount({ firstPage }: ReadList, pages: readonly DocumentPageFacts[]): PagingFault | undefined {
  const entries = pages.reduce((sum, { entryCount }) => sum + entryCount, 0);
  const stated = pages.flatMap((page) => page.stated ?? []);
  const total = stated.flatMap(({ totals }) => totals).find((one) => one.count > entries);
  const pageCount = stated.flatMap(({ pageCounts }) => pageCounts).find((one) => one.count > pages.length);
  const advice = firstPage.protocol === 'file:' ? FILE_ADVICE : PAGE_ADVICE;
  if (total !== undefined)
    return unread(
      total.place,
      `the document counts ${count(total.count)} (${total.place}), and ${entries} were read; ${advice}`,
    );
  return (
    pageCount &&
    unread(
      pageCount.place,
      `the document has ${pageCount.count} pages (${pageCount.place}), and ${pages.length} were read; ${advice}`,
    )
  );
}

function unread(field: string, detail: string): PagingFault {
  return { reason: 'paging', rule: 'unread-pages', field, detail };
}

function count(entries: number): string {
  return entries === 1 ? '1 entry' : `${entries} entries`;
}
