import { showHiddenCharacters } from '../../text/visible-text.js';
import type { FindingCounts, FindingExamples } from '../record/findings.js';
import type { FindingStatus } from './source-status.js';

/** Kinds of findings. */
const MAX_FINDINGS = 200;

/** The most frequent first. */
export function createFindingStatuses({
  counts,
  examples,
}: {
  readonly counts: FindingCounts;
  readonly examples: FindingExamples;
}): readonly FindingStatus[] {
  const findings = Array.from(counts, ([key, count]): FindingStatus => {
    const space = key.indexOf(' ');
    const field = showHiddenCharacters(key.slice(space + 1));
    return { rule: key.slice(0, space), field, count, examples: examples.get(key) ?? [] };
  });
  return findings.sort((a, b) => b.count - a.count).slice(0, MAX_FINDINGS);
}
