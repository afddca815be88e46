/** Numbers of which most are small, as sections of an index. */
export interface CountSections {
  /** Before each block of `BLOCK` numbers. */
  readonly sums: Uint32Array;
  /** `LARGE` for the numbers that are in `large`. */
  readonly small: Uint8Array;
  /** Pairs of position and number, in the order of the positions. */
  readonly large: Uint32Array;
}

/** Numbers in a block. Positions of terms are multiples of it where a search leaps. */
export const BLOCK = 16;

const LARGE = 255;

export function countLarge(counts: Iterable<number>): number {
  let large = 0;
  for (const count of counts) if (count >= LARGE) large += 2;
  return large;
}

export function countBlocks(length: number): number {
  return Math.ceil(length / BLOCK);
}

export function writeCounts(counts: Iterable<number>, { sums, small, large }: CountSections): void {
  let [at, sum, used] = [0, 0, 0];
  for (const count of counts) {
    if (at % BLOCK === 0) sums[at / BLOCK] = sum;
    small[at] = Math.min(count, LARGE);
    if (count >= LARGE) {
      large[used] = at;
      large[used + 1] = count;
      used += 2;
    }
    sum += count;
    at += 1;
  }
}

export class CompactCounts {
  /** The last sum: most requests are for neighbours. */
  private lastAt = 0;
  private lastSum = 0;

  constructor(private readonly sections: CountSections) {}

  get length(): number {
    return this.sections.small.length;
  }

  get(at: number): number {
    const count = this.sections.small[at] ?? 0;
    return count < LARGE ? count : this.findLarge(at);
  }

  sumBefore(at: number): number {
    const block = Math.floor(at / BLOCK);
    const isNear = this.lastAt >= block * BLOCK && this.lastAt <= at;
    let sum = isNear ? this.lastSum : (this.sections.sums[block] ?? 0);
    for (let before = isNear ? this.lastAt : block * BLOCK; before < at; before += 1) sum += this.get(before);
    [this.lastAt, this.lastSum] = [at, sum];
    return sum;
  }

  private findLarge(at: number): number {
    const { large } = this.sections;
    let [low, high] = [0, large.length / 2 - 1];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((large[middle * 2] ?? 0) < at) low = middle + 1;
      else high = middle;
    }
    return large[low * 2 + 1] ?? 0;
  }
}
