/**
 * The known name that a mistyped name probably means, for hints such as `did you mean "limit"?` (decisions 2.17;
 * operation 2.1.3); undefined if none is near enough. Case is ignored. The nearest name differs by at most one edit for
 * every three characters or part of three, and keeps at least one character. Of equally near names the first known one
 * is returned.
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

/** Infinity if no character is kept. Not computed if the lengths alone exceed the bound: long names cost nothing. */
function editDistanceUpTo(bound: number, name: string, candidate: string): number {
  if (Math.abs(name.length - candidate.length) >= bound) return Infinity;
  let row = Array.from({ length: candidate.length + 1 }, (_, at) => at);
  for (let at = 0; at < name.length; at += 1) {
    const next = [at + 1];
    for (let to = 0; to < candidate.length; to += 1) {
      const replaced = (row[to] ?? 0) + (name[at] === candidate[to] ? 0 : 1);
      next.push(Math.min(replaced, (row[to + 1] ?? 0) + 1, (next[to] ?? 0) + 1));
    }
    row = next;
  }
  const edits = row.at(-1) ?? 0;
  return edits < Math.max(name.length, candidate.length) ? edits : Infinity;
}
