import { checkList, listTopics } from './checks.js';
import type { CheckedList } from './checks.js';
import { TOO_LARGE } from './drain-list.js';
import type { ProbedList } from './drain-list.js';
import { pluralize } from './finding.js';
import type { CheckResult } from './finding.js';

export async function examineList(list: ProbedList): Promise<readonly CheckResult[]> {
  const { reference, obstacle } = list;
  const { results, totals }: CheckedList =
    reference === undefined
      ? { results: listTopics(list.resource).map((topic) => openResult(topic, obstacle)), totals: [] }
      : await checkList({ ...list, reference });
  return [
    describeRecords(list),
    ...describePaging(list),
    describeLimit(list),
    ...(reference === undefined ? [] : [concludeTotal(list, reference.size, totals)]),
    ...results,
  ];
}

function openResult(topic: string, evidence: string): CheckResult {
  return { topic, verdict: 'open', evidence: evidence.startsWith(TOO_LARGE) ? TOO_LARGE : evidence };
}

function notedResult(topic: string, evidence: string): CheckResult {
  return { topic, verdict: 'noted', evidence };
}

function describeRecords({ reference, obstacle, pages: [first] }: ProbedList): CheckResult {
  if (reference !== undefined) return notedResult('records', `all ${reference.size} read`);
  const total = first?.page.total;
  return notedResult('records', `${total === undefined ? 'no total' : `total ${total}`}; ${obstacle}`);
}

function describeLimit({ pages, reference, pageSize }: ProbedList): CheckResult {
  const ignored = pages.find(({ page, range }) => page.receivedCount > range.limit);
  if (ignored !== undefined) {
    const { page, range } = ignored;
    return {
      topic: 'limit',
      verdict: 'refuted',
      evidence: `${page.receivedCount} records received where at most ${range.limit} were requested`,
    };
  }
  const largest = Math.max(...pages.map(({ page }) => page.receivedCount));
  return notedResult(
    'limit',
    reference !== undefined && reference.size <= largest
      ? 'all records are on one page'
      : `pages of ${Math.min(pageSize, largest)} records`,
  );
}

/** Every total of the list, and of the filtered lists that were right, is the number of records. */
function concludeTotal({ pages }: ProbedList, size: number, totals: CheckedList['totals']): CheckResult {
  const topic = 'total';
  const all = [...pages.map(({ page }) => ({ reported: page.total, expected: size })), ...totals];
  const wrong = all.find(({ reported, expected }) => reported !== expected);
  if (wrong !== undefined) {
    const { reported, expected } = wrong;
    const evidence =
      reported === undefined ? 'no total reported' : `total ${reported}, but ${pluralize(expected, 'record')}`;
    return { topic, verdict: 'refuted', evidence };
  }
  if (totals.length === 0) return openResult(topic, 'no page with a part of the records was right');
  return { topic, verdict: 'proved', evidence: `right on ${pluralize(all.length, 'page')}`, grant: { total: true } };
}

const PAGING_RULES = ['offset-ignored', 'limit-ignored', 'wrong-total', 'drift'];

function describePaging({ findings }: ProbedList): readonly CheckResult[] {
  const found = [...findings].filter(([key]) => PAGING_RULES.includes(key.split(' ', 1)[0] ?? ''));
  const evidence = found.map(([key, times]) => `${key} (${times})`).join(', ');
  return found.length === 0 ? [] : [{ topic: 'paging', verdict: 'refuted', evidence }];
}
