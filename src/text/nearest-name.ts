import { distance } from 'fastest-levenshtein';

/**
 * The known name that was probably meant by a mistyped one, for hints such as `did you mean "limit"?`
 * (decisions.md, section 2; operation.md, Configuration). Case does not count. Near is: at most one edit for each three
 * characters begun, and never a change of the whole name. Of equally near names the first known one wins.
 *
 * @returns undefined when no known name is reasonably near
 */
export function findNearestName(name: string, known: Iterable<string>): string | undefined {
  const asked = name.toLowerCase();
  let best: string | undefined;
  let bound = Math.ceil(asked.length / 3) + 1;
  for (const candidate of known) {
    const edits = editDistanceUpTo(bound, asked, candidate.toLowerCase());
    if (edits >= bound) continue;
    best = candidate;
    bound = edits;
  }
  return best;
}

/** Infinity without measuring where the lengths alone decide, so that a name of many kilobytes costs nothing. */
function editDistanceUpTo(bound: number, asked: string, candidate: string): number {
  if (Math.abs(asked.length - candidate.length) >= bound) return Infinity;
  const edits = distance(asked, candidate);
  return edits < Math.max(asked.length, candidate.length) ? edits : Infinity;
}
