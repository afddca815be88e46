import type { DraftRecord } from '../../model/record.js';
import type { SourceParameters } from '../../source/dialect/request-url.js';
import { pluralize } from '../findings/finding.js';
import { recordKey, recordDisplayName } from '../resource/reference-records.js';
import type { ReferenceRecords } from '../resource/reference-records.js';
import type { ProbeResponse, PageRange } from '../client/probe-client.js';
import type { ProbedResource } from '../resource/probed-resource.js';

/** Comparison of a source's responses to a query with the exact result. */
export interface ReferenceComparison {
  readonly targets: readonly string[];
  /** Number of matching records. */
  readonly expectedCount: number;
  /** Matching records that were not received. Empty for a sample, where `pageSizeMismatch` shows what is missing. */
  readonly missing: readonly DraftRecord[];
  /** Records received that do not match, or were received twice. */
  readonly extra: readonly DraftRecord[];
  /** Total reported by the source, if any. */
  readonly reportedTotal: number | undefined;
  /** Why the source refused the request; the other properties are then empty. */
  readonly refused?: string;
  /** Whether the records received are in the order that was requested with the filter. */
  readonly isInOrder: boolean;
  /** Whether no records follow those received. */
  readonly hasReachedEnd: boolean;
  /**
   * For a sample: the number of matches requested at the start and at the end; absent where all matches were
   * requested.
   */
  readonly sampled?: readonly [number, number];
  /** A page of a sample whose number of records differs from the number of matches in its range. */
  readonly pageSizeMismatch?: string;
}

/**
 * Number of matches up to which a result is read completely, whatever the page size. Of a larger result, the first
 * page and the end are read. So the checks do not depend on the maximum page size.
 */
export const MAX_COMPLETE_COMPARISON = 50;

/** Number of matches requested at the end of a sample. */
const TAIL_RECORDS = 10;

/** Number of requests for a comparison with this number of matches. */
export function comparisonCost({ pageSize }: ProbedResource, matches: number): number {
  return pageRanges(matches, pageSize).length;
}

/**
 * Page ranges of a comparison. At least two pages if several records match, so that an ignored `offset` shows. The
 * last page has room for one record more than match.
 */
function pageRanges(matches: number, pageSize: number): readonly PageRange[] {
  if (matches < 2) return [{ offset: 0, limit: pageSize }];
  const first = { offset: 0, limit: Math.min(pageSize, Math.ceil(matches / 2)) };
  if (matches > MAX_COMPLETE_COMPARISON && matches - first.limit >= pageSize) {
    const tail = Math.min(TAIL_RECORDS, Math.max(1, pageSize >> 1));
    return [first, { offset: matches - tail, limit: 2 * tail }];
  }
  const pages = Math.ceil((matches - first.limit + 1) / pageSize);
  return [
    first,
    ...Array.from({ length: pages }, (_, at) => ({ offset: first.limit + at * pageSize, limit: pageSize })),
  ];
}

/**
 * Requests a filtered list and compares it with the exact result. A `sort` that was right so far is requested together
 * with the filter, because a source may ignore it there.
 */
export async function compareWithReference(
  subject: ProbedResource,
  known: ReferenceRecords,
  parameters: SourceParameters,
): Promise<ReferenceComparison> {
  const sort = sortBesideFilter(subject);
  const question = { ...parameters, ...(sort !== undefined && { sort }) };
  const expected = (await known.matchingIndexes(question)) ?? [];
  const answers: ProbeResponse[] = [];
  for (const cut of pageRanges(expected.length, subject.pageSize)) {
    const answer = await subject.client.tryFetchPage(subject.resource, question, cut);
    if ('refused' in answer) return refusedComparison(expected.length, [...answers, answer], answer.refused);
    answers.push(answer);
  }
  return buildComparison({ subject, known, expected, answers, sort });
}

/**
 * Selects the value to test from values with their numbers of matches: the value with most matches among those that
 * are read completely, otherwise the one with fewest.
 */
export function selectTestValue<T>(counts: Iterable<readonly [T, number]>): T | undefined {
  const ranked = [...counts].sort(
    ([, a], [, b]) => (b <= MAX_COMPLETE_COMPARISON ? b : -b) - (a <= MAX_COMPLETE_COMPARISON ? a : -a),
  );
  return ranked[0]?.[0];
}

/** A sort to request together with a filter: one that was right before, preferably not the source's own order. */
export function sortBesideFilter({ state: memory }: ProbedResource): string | undefined {
  const agreed = [...memory.consistentSorts];
  return (agreed.find(([, { isNaturalOrder: natural }]) => !natural) ?? agreed[0])?.[0];
}

function refusedComparison(
  matches: number,
  answers: readonly { target: string }[],
  refused: string,
): ReferenceComparison {
  const asked = answers.map(({ target }) => target);
  return {
    targets: asked,
    expectedCount: matches,
    missing: [],
    extra: [],
    reportedTotal: undefined,
    refused,
    isInOrder: true,
    hasReachedEnd: true,
  };
}

interface ComparisonInput {
  readonly subject: ProbedResource;
  readonly known: ReferenceRecords;
  readonly expected: readonly number[];
  readonly answers: readonly ProbeResponse[];
  readonly sort: string | undefined;
}

async function buildComparison({
  subject,
  known,
  expected,
  answers,
  sort,
}: ComparisonInput): Promise<ReferenceComparison> {
  const drafts = answers.flatMap(({ page }) => page.records);
  const cuts = pageRanges(expected.length, subject.pageSize);
  const whole = cuts.reduce((sum, { limit }) => sum + limit, 0) >= expected.length;
  const { missing, extra } = missingAndExtra(known, expected, drafts);
  const told = answers.map(({ page }) => page.total);
  const total = told.find((one) => one !== undefined && one !== expected.length) ?? told.at(-1);
  const misfit = whole ? undefined : findPageSizeMismatch(answers, expected.length);
  // Only right totals are recorded: a wrong total refutes the filter, not the capability `total`.
  for (const { target, page } of answers)
    if (page.total === expected.length)
      subject.state.totals.push({
        target,
        reported: page.total,
        expected: expected.length,
        received: page.receivedCount,
      });
  const last = answers.at(-1);
  const [first, tail] = cuts;
  return {
    targets: answers.map(({ target }) => target),
    expectedCount: expected.length,
    missing: whole ? missing : [],
    extra,
    reportedTotal: total,
    isInOrder: sort === undefined || extra.length > 0 || (await arePagesInSequence(known, expected, { answers, sort })),
    hasReachedEnd: last === undefined || last.page.receivedCount < last.range.limit || total === drafts.length,
    ...(!whole && first && tail && { sampled: [first.limit, expected.length - tail.offset] as const }),
    ...(misfit !== undefined && { pageSizeMismatch: misfit }),
  };
}

/** Describes a page of a sample whose number of records differs from the number of matches in its range. */
function findPageSizeMismatch(answers: readonly ProbeResponse[], matches: number): string | undefined {
  for (const { range: cut, page } of answers) {
    const due = Math.min(cut.limit, Math.max(0, matches - cut.offset));
    if (page.receivedCount !== due)
      return `${pluralize(page.receivedCount, 'record')} at offset ${cut.offset}, expected ${due} of ${matches} matches`;
  }
  return undefined;
}

async function arePagesInSequence(
  known: ReferenceRecords,
  expected: readonly number[],
  { answers, sort }: { readonly answers: readonly ProbeResponse[]; readonly sort: string },
): Promise<boolean> {
  for (const { page, range: cut } of answers) {
    const drafts = page.records;
    if (!(await isInSequence(known, expected.slice(cut.offset), { drafts, sort }))) return false;
  }
  return true;
}

function missingAndExtra(
  known: ReferenceRecords,
  expected: readonly number[],
  drafts: readonly DraftRecord[],
): Pick<ReferenceComparison, 'missing' | 'extra'> {
  const open = new Map<string, DraftRecord[]>();
  for (const at of expected) {
    const draft = known.records[at];
    if (draft !== undefined) open.set(recordKey(draft), [...(open.get(recordKey(draft)) ?? []), draft]);
  }
  const extra = drafts.filter((draft) => open.get(recordKey(draft))?.pop() === undefined);
  return { missing: [...open.values()].flat(), extra };
}

/** Whether records were received in the expected sequence, except among records that are equal in the order. */
export async function isInSequence(
  known: ReferenceRecords,
  expected: readonly number[],
  { drafts, sort }: { readonly drafts: readonly DraftRecord[]; readonly sort: string },
): Promise<boolean> {
  const order = await known.comparator(sort);
  return drafts.every((draft, at) => {
    const [place, right] = [known.indexOf(draft), expected[at]];
    return place !== undefined && right !== undefined && order(place, right) === 0;
  });
}

/** Describes the mismatch of a comparison; undefined if there is none. */
export function describeMismatch({ resource }: ProbedResource, comparison: ReferenceComparison): string | undefined {
  const {
    refused,
    missing,
    extra,
    expectedCount: matches,
    reportedTotal: total,
    isInOrder: inOrder,
    pageSizeMismatch: misfit,
  } = comparison;
  if (refused !== undefined) return `refused with ${refused}`;
  const names = (drafts: readonly DraftRecord[]): string =>
    drafts
      .slice(0, 3)
      .map((draft) => recordDisplayName(resource, draft))
      .join(', ');
  const lacks =
    missing.length > 0
      ? [`missing ${missing.length} of ${pluralize(matches, 'matching record')}, such as ${names(missing)}`]
      : [];
  const more =
    extra.length > 0 ? [`received ${pluralize(extra.length, 'non-matching record')}, such as ${names(extra)}`] : [];
  if (lacks.length + more.length > 0) return [...lacks, ...more].join('; ');
  if (total !== undefined && total !== matches)
    return `received ${pluralize(matches, 'matching record')}, but the total is ${total}`;
  if (misfit !== undefined) return misfit;
  return inOrder ? undefined : `received ${pluralize(matches, 'matching record')}, but not in the requested order`;
}
