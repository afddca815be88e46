import type { SearchIndex } from '../index/search-index.js';

/** The scores of the records of one source, in thousandths: 0 for a record that is no hit. */
export class ScoreSheet {
  readonly scores: Uint16Array;
  /** Number of records that may be hits. */
  readonly allowedSize: number;

  constructor(
    readonly index: SearchIndex,
    /** For each record, 1 if it may be a hit, else 0. Absent: each may. */
    private readonly allowed?: Uint8Array,
  ) {
    this.scores = new Uint16Array(index.size);
    this.allowedSize = allowed?.reduce((sum, one) => sum + one, 0) ?? index.size;
  }

  /** Whether the record may be a hit. */
  allows(position: number): boolean {
    return this.allowed === undefined || this.allowed[position] === 1;
  }

  /** Number of records that may be hits and have a term as a word, not only as two words that are written as one. */
  countSpelled(term: number): number {
    let count = 0;
    this.index.forEachPosting(term, (position, _fields, isSpelled) => {
      if (isSpelled && this.allows(position)) count += 1;
    });
    return count;
  }

  /** Gives a record a score, unless it has a better one. Returns whether the record may be a hit. */
  raise(position: number, score: number): boolean {
    if (!this.allows(position)) return false;
    if (score > (this.scores[position] ?? 0)) this.scores[position] = score;
    return true;
  }

  /** Gives a score to all records with a term. Returns whether any of them may be a hit. */
  raiseAll(term: number | undefined, score: number): boolean {
    let isHit = false;
    if (term !== undefined)
      this.index.forEachPosting(term, (position) => {
        if (this.raise(position, score)) isHit = true;
      });
    return isHit;
  }
}
