/** Source and record are positions, the score is in thousandths. */
export interface Hit {
  readonly source: number;
  readonly position: number;
  readonly score: number;
}

interface SourceHits {
  /** Positions of the hits, the best first. */
  readonly ranked: Uint32Array;
  /** By the positions of the records. */
  readonly scores: Uint16Array;
}

/** Hits of a source in one round. */
const ROUND = 10;

/**
 * No source buries the hits of another one (decisions 2.40): the first ten of each source, then the next ten of each,
 * and so on, in each round the best first. Of equal scores, the first hit of each source comes before the second of
 * any.
 */
export function takeTurns(
  sources: readonly SourceHits[],
  { offset, limit }: { readonly offset: number; readonly limit: number },
): readonly Hit[] {
  const hits: Hit[] = [];
  const longest = sources.reduce((most, { ranked }) => Math.max(most, ranked.length), 0);
  let skipped = offset;
  for (let from = 0; from < longest && hits.length < limit; from += ROUND) {
    const size = sources.reduce((sum, { ranked }) => sum + ranked.subarray(from, from + ROUND).length, 0);
    if (skipped < size) hits.push(...listRound(sources, from).slice(skipped));
    skipped = Math.max(0, skipped - size);
  }
  return hits.slice(0, limit);
}

function listRound(sources: readonly SourceHits[], from: number): readonly Hit[] {
  const hits = sources.flatMap(({ ranked, scores }, source) => {
    const round = [...ranked.subarray(from, from + ROUND)].map((position) => ({
      position,
      score: scores[position] ?? 0,
    }));
    return round.map(({ position, score }, at) => {
      const turn = at - round.findIndex((hit) => hit.score === score);
      return { source, position, score, turn };
    });
  });
  hits.sort((a, b) => b.score - a.score || a.turn - b.turn || a.source - b.source);
  return hits.map(({ source, position, score }) => ({ source, position, score }));
}
