import type { Draft } from '../model/record.js';
import type { Parameters } from '../source/dialect.js';
import { counted } from './finding.js';
import { keyOf, nameOf } from './known.js';
import type { Known } from './known.js';
import type { Answer, Cut } from './line.js';
import type { Subject } from './subject.js';

/** How the answer of a source to a question compares with the exact answer. */
export interface Comparison {
  readonly asked: readonly string[];
  /** Records that match. */
  readonly matches: number;
  /** Of these, what did not come. Of a sample, only what is missing from its first and its last page. */
  readonly missing: readonly Draft[];
  /** What came and does not match, or came twice. */
  readonly extra: readonly Draft[];
  /** What the source counted, where it did. */
  readonly total: number | undefined;
  /** Why it would not answer; all else is empty then. */
  readonly refused?: string;
  /** Whether what came stands in the order that was asked for with it. */
  readonly inOrder: boolean;
  /** Whether nothing is left behind what came. */
  readonly ended: boolean;
  /** Absent where every match was asked for; else how many were, of the first and of the last. */
  readonly sampled?: readonly [number, number];
  /** A page of a sample that had more or fewer records than there are matches in its place. */
  readonly misfit?: string;
}

/**
 * Matches up to which an answer is read to its end, whatever the page size. Of more than that the first page and the end are read: a question
 * must not depend on how large a page may be.
 */
export const READ_WHOLE = 50;

/** Matches of a sample that are asked for at the end. */
const TAIL = 10;

/** Requests of a comparison whose exact answer has so many records. */
export function comparisonCost({ pageSize }: Subject, matches: number): number {
  return cutsFor(matches, pageSize).length;
}

/**
 * The pages of a comparison: at least two where more than one record matches, so that an offset that is forgotten shows. The last one has room
 * for one record more than match.
 */
function cutsFor(matches: number, pageSize: number): readonly Cut[] {
  if (matches < 2) return [{ offset: 0, limit: pageSize }];
  const first = { offset: 0, limit: Math.min(pageSize, Math.ceil(matches / 2)) };
  if (matches > READ_WHOLE && matches - first.limit >= pageSize) {
    const tail = Math.min(TAIL, Math.max(1, pageSize >> 1));
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
export async function compare(subject: Subject, known: Known, parameters: Parameters): Promise<Comparison> {
  const sort = sortWith(subject);
  const question = { ...parameters, ...(sort !== undefined && { sort }) };
  const expected = (await known.exact(question)) ?? [];
  const answers: Answer[] = [];
  for (const cut of cutsFor(expected.length, subject.pageSize)) {
    const answer = await subject.line.ask(subject.resource, question, cut);
    if ('refused' in answer) return refusal(expected.length, [...answers, answer], answer.refused);
    answers.push(answer);
  }
  return judged({ subject, known, expected, answers, sort });
}

/** Of values with the number of records that match them, the one to ask about: the most that are read whole, else the fewest. */
export function bestToAsk<T>(counts: Iterable<readonly [T, number]>): T | undefined {
  const ranked = [...counts].sort(([, a], [, b]) => (b <= READ_WHOLE ? b : -b) - (a <= READ_WHOLE ? a : -a));
  return ranked[0]?.[0];
}

/** A sort to ask for beside a filter: one that was heard before, and for which the records do not stand anyway. */
export function sortWith({ memory }: Subject): string | undefined {
  const agreed = [...memory.agreed];
  return (agreed.find(([, { natural }]) => !natural) ?? agreed[0])?.[0];
}

function refusal(matches: number, answers: readonly { target: string }[], refused: string): Comparison {
  const asked = answers.map(({ target }) => target);
  return { asked, matches, missing: [], extra: [], total: undefined, refused, inOrder: true, ended: true };
}

interface Judged {
  readonly subject: Subject;
  readonly known: Known;
  readonly expected: readonly number[];
  readonly answers: readonly Answer[];
  readonly sort: string | undefined;
}

async function judged({ subject, known, expected, answers, sort }: Judged): Promise<Comparison> {
  const drafts = answers.flatMap(({ page }) => page.records);
  const cuts = cutsFor(expected.length, subject.pageSize);
  const whole = cuts.reduce((sum, { limit }) => sum + limit, 0) >= expected.length;
  const { missing, extra } = differences(known, expected, drafts);
  const told = answers.map(({ page }) => page.total);
  const total = told.find((one) => one !== undefined && one !== expected.length) ?? told.at(-1);
  const misfit = whole ? undefined : misfitIn(answers, expected.length);
  // A wrong count refutes the filter: without one it may be right.
  for (const { target, page } of answers)
    if (page.total === expected.length)
      subject.memory.counts.push({ target, told: page.total, right: expected.length, received: page.received });
  const last = answers.at(-1);
  const [first, tail] = cuts;
  return {
    asked: answers.map(({ target }) => target),
    matches: expected.length,
    missing: whole ? missing : [],
    extra,
    total,
    inOrder: sort === undefined || extra.length > 0 || (await allInSequence(known, expected, { answers, sort })),
    ended: last === undefined || last.page.received < last.cut.limit || total === drafts.length,
    ...(!whole && first && tail && { sampled: [first.limit, expected.length - tail.offset] as const }),
    ...(misfit !== undefined && { misfit }),
  };
}

/** A page of a sample that does not have as many records as match from its offset on. */
function misfitIn(answers: readonly Answer[], matches: number): string | undefined {
  for (const { cut, page } of answers) {
    const due = Math.min(cut.limit, Math.max(0, matches - cut.offset));
    if (page.received !== due)
      return `${counted(page.received, 'record')} came from offset ${cut.offset} on where ${due} of ${matches} matches are`;
  }
  return undefined;
}

async function allInSequence(
  known: Known,
  expected: readonly number[],
  { answers, sort }: { readonly answers: readonly Answer[]; readonly sort: string },
): Promise<boolean> {
  for (const { page, cut } of answers) {
    const drafts = page.records;
    if (!(await inSequence(known, expected.slice(cut.offset), { drafts, sort }))) return false;
  }
  return true;
}

function differences(
  known: Known,
  expected: readonly number[],
  drafts: readonly Draft[],
): Pick<Comparison, 'missing' | 'extra'> {
  const open = new Map<string, Draft[]>();
  for (const at of expected) {
    const draft = known.drafts[at];
    if (draft !== undefined) open.set(keyOf(draft), [...(open.get(keyOf(draft)) ?? []), draft]);
  }
  const extra = drafts.filter((draft) => open.get(keyOf(draft))?.pop() === undefined);
  return { missing: [...open.values()].flat(), extra };
}

/** Whether records came in the sequence that is expected, but for those that are equal in the order. */
export async function inSequence(
  known: Known,
  expected: readonly number[],
  { drafts, sort }: { readonly drafts: readonly Draft[]; readonly sort: string },
): Promise<boolean> {
  const order = await known.order(sort);
  return drafts.every((draft, at) => {
    const [place, right] = [known.placeOf(draft), expected[at]];
    return place !== undefined && right !== undefined && order(place, right) === 0;
  });
}

/** What is wrong with an answer, in words; undefined where nothing is. */
export function faultOf({ resource }: Subject, comparison: Comparison): string | undefined {
  const { refused, missing, extra, matches, total, inOrder, misfit } = comparison;
  if (refused !== undefined) return `refused with ${refused}`;
  const names = (drafts: readonly Draft[]): string =>
    drafts
      .slice(0, 3)
      .map((draft) => nameOf(resource, draft))
      .join(', ');
  const lacks = missing.length > 0 ? [`${missing.length} of ${matches} did not come, such as ${names(missing)}`] : [];
  const more =
    extra.length > 0 ? [`${counted(extra.length, 'record')} came that do not match, such as ${names(extra)}`] : [];
  if (lacks.length + more.length > 0) return [...lacks, ...more].join('; ');
  if (total !== undefined && total !== matches) return `${matches} match and came, but ${total} were counted`;
  if (misfit !== undefined) return misfit;
  return inOrder ? undefined : `the ${matches} that match came, but not in the order that was asked for with it`;
}
