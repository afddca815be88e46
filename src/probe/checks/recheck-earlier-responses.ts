import type { CheckResult } from '../findings/finding.js';
import type { ReferenceRecords } from '../resource/reference-records.js';
import { findPageOrderFault } from './sort-order.js';
import type { ProbedResource } from '../resource/probed-resource.js';

/**
 * Compares responses received before the drain with the complete list: sums and sampled pages may hide a fault that
 * the complete list reveals. Sends no request.
 */
export async function recheckEarlierResponses(
  subject: ProbedResource,
  reference: ReferenceRecords,
): Promise<readonly CheckResult[]> {
  return [...(await findWrongCounts(subject, reference)), ...(await findWrongPages(subject, reference))];
}

async function findWrongCounts(
  { observations }: ProbedResource,
  reference: ReferenceRecords,
): Promise<readonly CheckResult[]> {
  const wrong: CheckResult[] = [];
  for (const { topics, parameters, total, target } of observations.filterCounts) {
    const matches = (await reference.matchingIndexes(parameters))?.length;
    if (matches === undefined || matches === total) continue;
    const evidence = `total ${total}, but ${matches} of ${reference.size} records match`;
    for (const topic of topics) wrong.push({ topic, verdict: 'refuted', evidence, asked: [target] });
  }
  return wrong;
}

async function findWrongPages(subject: ProbedResource, reference: ReferenceRecords): Promise<readonly CheckResult[]> {
  const wrong: CheckResult[] = [];
  for (const [sort, responses] of subject.observations.sortedPages) {
    for (const response of responses) {
      const fault = await findPageOrderFault(reference, sort, response);
      if (fault === undefined) continue;
      wrong.push({ topic: `sort ${sort}`, verdict: 'refuted', evidence: fault, asked: [response.target] });
      break;
    }
  }
  return wrong;
}
