import type { Answered } from './finding.js';
import type { Known } from './known.js';
import { faultInPage } from './sorting.js';
import type { Subject } from './subject.js';

/**
 * Compares what was answered before all records were read with what should have been: sums and sampled pages may have hidden a fault that all records show.
 * Needs no request.
 */
export async function recheck(subject: Subject, known: Known): Promise<readonly Answered[]> {
  return [...(await wrongSums(subject, known)), ...(await wrongPages(subject, known))];
}

async function wrongSums({ memory }: Subject, known: Known): Promise<readonly Answered[]> {
  const wrong: Answered[] = [];
  for (const { topics, parameters, total, target } of memory.sums) {
    const matches = (await known.exact(parameters))?.length;
    if (matches === undefined || matches === total) continue;
    const evidence = `${total} counted where ${matches} of ${known.size} match`;
    for (const topic of topics) wrong.push({ topic, verdict: 'refuted', evidence, asked: [target] });
  }
  return wrong;
}

async function wrongPages(subject: Subject, known: Known): Promise<readonly Answered[]> {
  const wrong: Answered[] = [];
  for (const [sort, answers] of subject.memory.pages) {
    for (const answer of answers) {
      const fault = await faultInPage(known, sort, answer);
      if (fault === undefined) continue;
      wrong.push({ topic: `sort ${sort}`, verdict: 'refuted', evidence: fault, asked: [answer.target] });
      break;
    }
  }
  return wrong;
}
