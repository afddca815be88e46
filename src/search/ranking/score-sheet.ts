import type { SearchIndex } from '../index/search-index.js';

/** In thousandths, of the records of one source; 0 for a record that is no hit. */
export class ScoreSheet {
  readonly scores: Uint16Array;
  readonly allowedSize: number;

  constructor(
    readonly index: SearchIndex,
    /** 1 for a record that may be a hit, else 0. Absent: each may. */
    private readonly allowed?: Uint8Array,
  ) {
    this.scores = new Uint16Array(index.size);
    this.allowedSize = allowed?.reduce((sum, one) => sum + one, 0) ?? index.size;
  }

  allows(position: number): boolean {
    return this.allowed === undefined || this.allowed[position] === 1;
  }

  /** Of records that may be hits and have the term as a word, not only as two words that are written as one. */
  countSpelled(term: number): number {
    let count = 0;
    this.index.forEachPosting(term, (position, _fields, isSpelled) => {
      if (isSpelled && this.allows(position)) count += 1;
    });
    return count;
  }

  /** Unless the record has a better score. Returns whether it may be a hit. */
  raise(position: number, score: number): boolean {
    if (!this.allows(position)) return false;
    if (score > (this.scores[position] ?? 0)) this.scores[position] = score;
    return true;
  }

  /** Returns whether any record may be a hit. */
  raiseAll(term: number | undefined, score: number): boolean {
    let isHit = false;
    if (term !== undefined)
      this.index.forEachPosting(term, (position) => {
        if (this.raise(position, score)) isHit = true;
      });
    return isHit;
  }
}
