import { distance } from 'fastest-levenshtein';

/**
 * Returns the known name that a mistyped name probably means, for hints such as `did you mean "limit"?`
 * (decisions 2.17; operation 2.1.3). Case is ignored. The nearest name differs by at most one edit for every three
 * characters or part of three, and keeps at least one character. Of equally near names the first known one is returned.
 *
 * @returns undefined if no known name is near enough
 */
export function findNearestName(name: string, known: Iterable<string>): string | undefined {
  const lowered = name.toLowerCase();
  let best: string | undefined;
  let bound = Math.ceil(lowered.length / 3) + 1;
  for (const candidate of known) {
    const edits = editDistanceUpTo(bound, lowered, candidate.toLowerCase());
    if (edits >= bound) continue;
    best = candidate;
    bound = edits;
  }
  return best;
}

/**
 * Returns Infinity without computing the distance if the lengths alone exceed the bound, so that a name of many
 * kilobytes costs nothing.
 */
function editDistanceUpTo(bound: number, name: string, candidate: string): number {
  if (Math.abs(name.length - candidate.length) >= bound) return Infinity;
  const edits = distance(name, candidate);
  return edits < Math.max(name.length, candidate.length) ? edits : Infinity;
}
