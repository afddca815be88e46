import type { DraftRecord } from '../../model/record.js';
import type { SourceParameters } from '../../source/dialect/request-url.js';
import { pluralize } from '../findings/finding.js';
import { recordKey, recordDisplayName } from '../resource/reference-records.js';
import type { ReferenceRecords } from '../resource/reference-records.js';
import type { ProbeResponse, PageRange } from '../client/probe-client.js';
import type { ProbedResource } from '../resource/probed-resource.js';

/** How the answer of a source to a question compares with the exact answer. */
export interface ReferenceComparison {
  readonly targets: readonly string[];
  /** Records that match. */
  readonly expectedCount: number;
  /** Of these, what did not come. Of a sample, only what is missing from its first and its last page. */
  readonly missing: readonly DraftRecord[];
  /** What came and does not match, or came twice. */
  readonly extra: readonly DraftRecord[];
  /** What the source counted, where it did. */
  readonly reportedTotal: number | undefined;
  /** Why it would not answer; all else is empty then. */
  readonly refused?: string;
  /** Whether what came stands in the order that was asked for with it. */
  readonly isInOrder: boolean;
  /** Whether nothing is left behind what came. */
  readonly hasReachedEnd: boolean;
  /** Absent where every match was asked for; else how many were, of the first and of the last. */
  readonly sampled?: readonly [number, number];
  /** A page of a sample that had more or fewer records than there are matches in its place. */
  readonly pageSizeMismatch?: string;
}

/**
 * Matches up to which an answer is read to its end, whatever the page size. Of more than that the first page and the end are read: a question
 * must not depend on how large a page may be.
 */
export const MAX_COMPLETE_COMPARISON = 50;

/** Matches of a sample that are asked for at the end. */
const TAIL_RECORDS = 10;

/** Requests of a comparison whose exact answer has so many records. */
export function comparisonCost({ pageSize }: ProbedResource, matches: number): number {
  return pageRanges(matches, pageSize).length;
}

/**
 * The pages of a comparison: at least two where more than one record matches, so that an offset that is forgotten shows. The last one has room
 * for one record more than match.
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
 * Asks with parameters and compares with the exact answer. A sort whose answers were right so far is asked for with it, for it may be ignored
 * beside a filter.
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

/** Of values with the number of records that match them, the one to ask about: the most that are read whole, else the fewest. */
export function selectTestValue<T>(counts: Iterable<readonly [T, number]>): T | undefined {
  const ranked = [...counts].sort(
    ([, a], [, b]) => (b <= MAX_COMPLETE_COMPARISON ? b : -b) - (a <= MAX_COMPLETE_COMPARISON ? a : -a),
  );
  return ranked[0]?.[0];
}

/** A sort to ask for beside a filter: one that was heard before, and for which the records do not stand anyway. */
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
  // A wrong count refutes the filter: without one it may be right.
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

/** A page of a sample that does not have as many records as match from its offset on. */
function findPageSizeMismatch(answers: readonly ProbeResponse[], matches: number): string | undefined {
  for (const { range: cut, page } of answers) {
    const due = Math.min(cut.limit, Math.max(0, matches - cut.offset));
    if (page.receivedCount !== due)
      return `${pluralize(page.receivedCount, 'record')} came from offset ${cut.offset} on where ${due} of ${matches} matches are`;
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

/** Whether records came in the sequence that is expected, but for those that are equal in the order. */
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

/** What is wrong with an answer, in words; undefined where nothing is. */
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
  const lacks = missing.length > 0 ? [`${missing.length} of ${matches} did not come, such as ${names(missing)}`] : [];
  const more =
    extra.length > 0 ? [`${pluralize(extra.length, 'record')} came that do not match, such as ${names(extra)}`] : [];
  if (lacks.length + more.length > 0) return [...lacks, ...more].join('; ');
  if (total !== undefined && total !== matches) return `${matches} match and came, but ${total} were counted`;
  if (misfit !== undefined) return misfit;
  return inOrder ? undefined : `the ${matches} that match came, but not in the order that was asked for with it`;
}
