import type { Draft } from '../model/record.js';
import type { Parameters } from '../source/dialect.js';
import { counted } from './finding.js';
import { keyOf, nameOf } from './known.js';
import type { Known } from './known.js';
import type { Answer } from './line.js';
import type { Subject } from './subject.js';

/** How what a source gave for a question compares with the exact answer. */
export interface Comparison {
  readonly asked: readonly string[];
  /** Records that match. */
  readonly matches: number;
  /** Of these, what did not come. */
  readonly missing: readonly Draft[];
  /** What came and does not match. */
  readonly extra: readonly Draft[];
  /** What the source counted, where it did. */
  readonly total: number | undefined;
  /** Why it would not answer; all else is empty then. */
  readonly refused?: string;
  /** Whether what came stands in the order that was asked for with it. */
  readonly inOrder: boolean;
  /** Whether nothing is left behind what came. */
  readonly ended: boolean;
}

/** Requests of one comparison at most. */
export const COMPARISON = 2 as const;

/**
 * Asks with parameters and compares with the exact answer, `expected`, which must fit into a page. Asked for in two pages, a total that counts
 * only the page, or an offset that is forgotten, shows. A sort whose answers were right so far is asked for with it, for it may not be heard
 * beside a filter.
 */
export async function compare(
  subject: Subject,
  known: Known,
  parameters: Parameters,
  pages: 1 | 2 = COMPARISON,
): Promise<Comparison> {
  const sort = sortWith(subject);
  const question = { ...parameters, ...(sort !== undefined && { sort }) };
  const expected = (await known.exact(question)) ?? [];
  const answers: Answer[] = [];
  const half = Math.max(1, Math.ceil(expected.length / 2));
  for (const limit of [half, subject.pageSize].slice(-pages)) {
    const offset = answers.reduce((sum, { page }) => sum + page.received, 0);
    const answer = await subject.line.ask(subject.resource, question, { offset, limit });
    if ('refused' in answer) return refusal(expected.length, [...answers, answer], answer.refused);
    answers.push(answer);
    if (answer.page.received === 0 || offset + answer.page.received > expected.length) break;
  }
  return judged({ subject, known, expected, answers, sort });
}

/** The largest number of records that an answer may have to be compared. */
export function mostMatches({ pageSize }: Subject, known: Known): number {
  return Math.min(pageSize, known.size - 1);
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
  const { missing, extra } = differences(known, expected, drafts);
  const last = answers.at(-1);
  const told = answers.map(({ page }) => page.total);
  const total = told.find((one) => one !== undefined && one !== expected.length) ?? told.at(-1);
  // A wrong count refutes the filter: without one it may be right.
  for (const { target, page } of answers)
    if (page.total === expected.length)
      subject.memory.counts.push({ target, told: page.total, right: expected.length, received: page.received });
  return {
    asked: answers.map(({ target }) => target),
    matches: expected.length,
    missing,
    extra,
    total,
    inOrder: sort === undefined || extra.length > 0 || (await inSequence(known, expected, { drafts, sort })),
    ended: last === undefined || last.page.received < last.cut.limit || total === drafts.length,
  };
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
  const { refused, missing, extra, matches, total, inOrder } = comparison;
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
  return inOrder ? undefined : `the ${matches} that match came, but not in the order that was asked for with it`;
}
