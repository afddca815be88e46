import type { DraftRecord } from '../../model/record.js';
import type { SourceParameters } from '../../source/dialect/request-url.js';
import { pluralize } from '../findings/finding.js';
import { recordKey, recordDisplayName } from '../resource/reference-records.js';
import type { ReferenceRecords } from '../resource/reference-records.js';
import type { PageRange } from '../../source/dialect/dialect.js';
import type { ProbeResponse } from '../client/probe-client.js';
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
    const tailSize = Math.min(TAIL_RECORDS, Math.max(1, pageSize >> 1));
    return [first, { offset: matches - tailSize, limit: 2 * tailSize }];
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
  reference: ReferenceRecords,
  parameters: SourceParameters,
): Promise<ReferenceComparison> {
  const sort = sortBesideFilter(subject);
  const query = { ...parameters, ...(sort !== undefined && { sort }) };
  const expected = (await reference.matchingIndexes(query)) ?? [];
  const responses: ProbeResponse[] = [];
  for (const range of pageRanges(expected.length, subject.pageSize)) {
    const response = await subject.client.tryFetchPage(subject.resource, query, range);
    if ('refused' in response) return refusedComparison(expected.length, [...responses, response], response.refused);
    responses.push(response);
  }
  return buildComparison({ subject, reference, expected, responses, sort });
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
export function sortBesideFilter({ observations }: ProbedResource): string | undefined {
  const consistent = [...observations.consistentSorts];
  return (consistent.find(([, { isNaturalOrder }]) => !isNaturalOrder) ?? consistent[0])?.[0];
}

function refusedComparison(
  matches: number,
  responses: readonly { target: string }[],
  refused: string,
): ReferenceComparison {
  const targets = responses.map(({ target }) => target);
  return {
    targets,
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
  readonly reference: ReferenceRecords;
  readonly expected: readonly number[];
  readonly responses: readonly ProbeResponse[];
  readonly sort: string | undefined;
}

async function buildComparison({
  subject,
  reference,
  expected,
  responses,
  sort,
}: ComparisonInput): Promise<ReferenceComparison> {
  const drafts = responses.flatMap(({ page }) => page.records);
  const ranges = pageRanges(expected.length, subject.pageSize);
  const isComplete = ranges.reduce((sum, { limit }) => sum + limit, 0) >= expected.length;
  const { missing, extra } = missingAndExtra(reference, expected, drafts);
  const totals = responses.map(({ page }) => page.total);
  const total = totals.find((candidate) => candidate !== undefined && candidate !== expected.length) ?? totals.at(-1);
  const mismatch = isComplete ? undefined : findPageSizeMismatch(responses, expected.length);
  // Only right totals are recorded: a wrong total refutes the filter, not the capability `total`.
  for (const { target, page } of responses)
    if (page.total === expected.length)
      subject.observations.totals.push({
        target,
        reported: page.total,
        expected: expected.length,
        received: page.receivedCount,
      });
  const last = responses.at(-1);
  const [first, lastRange] = ranges;
  return {
    targets: responses.map(({ target }) => target),
    expectedCount: expected.length,
    missing: isComplete ? missing : [],
    extra,
    reportedTotal: total,
    isInOrder:
      sort === undefined || extra.length > 0 || (await arePagesInSequence(reference, expected, { responses, sort })),
    hasReachedEnd: last === undefined || last.page.receivedCount < last.range.limit || total === drafts.length,
    ...(!isComplete && first && lastRange && { sampled: [first.limit, expected.length - lastRange.offset] as const }),
    ...(mismatch !== undefined && { pageSizeMismatch: mismatch }),
  };
}

/** Describes a page of a sample whose number of records differs from the number of matches in its range. */
function findPageSizeMismatch(responses: readonly ProbeResponse[], matches: number): string | undefined {
  for (const { range, page } of responses) {
    const expectedCount = Math.min(range.limit, Math.max(0, matches - range.offset));
    if (page.receivedCount !== expectedCount)
      return `${pluralize(page.receivedCount, 'record')} at offset ${range.offset}, expected ${expectedCount} of ${matches} matches`;
  }
  return undefined;
}

async function arePagesInSequence(
  reference: ReferenceRecords,
  expected: readonly number[],
  { responses, sort }: { readonly responses: readonly ProbeResponse[]; readonly sort: string },
): Promise<boolean> {
  for (const { page, range } of responses) {
    const drafts = page.records;
    if (!(await isInSequence(reference, expected.slice(range.offset), { drafts, sort }))) return false;
  }
  return true;
}

function missingAndExtra(
  reference: ReferenceRecords,
  expected: readonly number[],
  drafts: readonly DraftRecord[],
): Pick<ReferenceComparison, 'missing' | 'extra'> {
  const remaining = new Map<string, DraftRecord[]>();
  for (const at of expected) {
    const draft = reference.records[at];
    if (draft !== undefined) remaining.set(recordKey(draft), [...(remaining.get(recordKey(draft)) ?? []), draft]);
  }
  const extra = drafts.filter((draft) => remaining.get(recordKey(draft))?.pop() === undefined);
  return { missing: [...remaining.values()].flat(), extra };
}

/** Whether records were received in the expected sequence, except among records that are equal in the order. */
export async function isInSequence(
  reference: ReferenceRecords,
  expected: readonly number[],
  { drafts, sort }: { readonly drafts: readonly DraftRecord[]; readonly sort: string },
): Promise<boolean> {
  const compare = await reference.comparator(sort);
  return drafts.every((draft, at) => {
    const [index, expectedIndex] = [reference.indexOf(draft), expected[at]];
    return index !== undefined && expectedIndex !== undefined && compare(index, expectedIndex) === 0;
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
    isInOrder,
    pageSizeMismatch: mismatch,
  } = comparison;
  if (refused !== undefined) return `refused with ${refused}`;
  const names = (drafts: readonly DraftRecord[]): string =>
    drafts
      .slice(0, 3)
      .map((draft) => recordDisplayName(resource, draft))
      .join(', ');
  const missingText =
    missing.length > 0
      ? [`missing ${missing.length} of ${pluralize(matches, 'matching record')}, such as ${names(missing)}`]
      : [];
  const extraText =
    extra.length > 0 ? [`received ${pluralize(extra.length, 'non-matching record')}, such as ${names(extra)}`] : [];
  if (missingText.length + extraText.length > 0) return [...missingText, ...extraText].join('; ');
  if (total !== undefined && total !== matches)
    return `received ${pluralize(matches, 'matching record')}, but the total is ${total}`;
  if (mismatch !== undefined) return mismatch;
  return isInOrder ? undefined : `received ${pluralize(matches, 'matching record')}, but not in the requested order`;
}
