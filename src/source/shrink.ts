/** Up to so many records a source may lose most of them without arousing suspicion (decisions.md, section 6). */
const SMALL = 20;

/** How many records a source gave: now, and in its last good copy, where there is one. */
export interface Counts {
  readonly now: number;
  readonly before: number | undefined;
}

/** Whether a source gives under half of what it had, and had more than a few. */
export function isFarLess({ now, before = 0 }: Counts): boolean {
  return before > SMALL && now * 2 < before;
}

/**
 * The shrink guard (decisions.md, section 6): a source that suddenly gives under half of its last good copy, which had over 20 records, is
 * not believed until it still does so `confirm` milliseconds later. A fall to nothing is never believed for that alone, not even when the
 * last good copy is gone.
 */
export class ShrinkGuard {
  /** When what is asked for first gave too little, in milliseconds since 1970; only while it is doubted. */
  private readonly suspicions = new Map<string, number>();

  constructor(
    /** Milliseconds. */
    private readonly confirm: number,
  ) {}

  /** Whether what came for `key` at `at` (milliseconds since 1970) is to be believed. */
  believes(key: string, { now, before }: Counts, at: number): boolean {
    const since = this.suspicions.get(key);
    const doubtful = before === undefined ? since !== undefined && now === 0 : isFarLess({ now, before });
    const confirmed = now > 0 && since !== undefined && at - since >= this.confirm;
    if (!doubtful || confirmed) this.suspicions.delete(key);
    else this.suspicions.set(key, since ?? at);
    return !doubtful || confirmed;
  }
}
