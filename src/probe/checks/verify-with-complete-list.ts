import type { CheckResult } from '../findings/finding.js';
import type { ReferenceRecords } from '../resource/reference-records.js';
import { findPageOrderFault } from './sort-order.js';
import type { ProbedResource } from '../resource/probed-resource.js';

/**
 * Compares responses received before the drain with the complete list: sums and sampled pages may hide a fault that
 * the complete list reveals. Sends no request.
 */
export async function verifyWithCompleteList(
  subject: ProbedResource,
  known: ReferenceRecords,
): Promise<readonly CheckResult[]> {
  return [...(await findWrongCounts(subject, known)), ...(await findWrongPages(subject, known))];
}

async function findWrongCounts(
  { state: memory }: ProbedResource,
  known: ReferenceRecords,
): Promise<readonly CheckResult[]> {
  const wrong: CheckResult[] = [];
  for (const { topics, parameters, total, target } of memory.filterCounts) {
    const matches = (await known.matchingIndexes(parameters))?.length;
    if (matches === undefined || matches === total) continue;
    const evidence = `total ${total}, but ${matches} of ${known.size} records match`;
    for (const topic of topics) wrong.push({ topic, verdict: 'refuted', evidence, asked: [target] });
  }
  return wrong;
}

async function findWrongPages(subject: ProbedResource, known: ReferenceRecords): Promise<readonly CheckResult[]> {
  const wrong: CheckResult[] = [];
  for (const [sort, answers] of subject.state.sortedPages) {
    for (const answer of answers) {
      const fault = await findPageOrderFault(known, sort, answer);
      if (fault === undefined) continue;
      wrong.push({ topic: `sort ${sort}`, verdict: 'refuted', evidence: fault, asked: [answer.target] });
      break;
    }
  }
  return wrong;
}
