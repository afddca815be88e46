/** Up to so many records a source may lose most of them without arousing suspicion (decisions.md, section 6). */
const SMALL = 20;

/** How many records a source gave: now, and when it was believed last, where it was. */
export interface Counts {
  readonly now: number;
  readonly before: number | undefined;
}

/** Whether a source gives under half of what it had, and had more than a few. */
export function isFarLess({ now, before = 0 }: Counts): boolean {
  return before > SMALL && now * 2 < before;
}

/** Numbers of records that are known across restarts, by what was asked for. */
export interface CountMemory {
  get(key: string): number | undefined;
  set(key: string, records: number): void;
}

/** What a source gave last that was believed; and what it gives instead since then, while that is doubted. */
interface Believed {
  readonly records: number;
  /** When it was, in milliseconds since 1970. */
  readonly at: number;
  readonly doubted?: { readonly since: number; readonly nothing: boolean };
}

/**
 * The shrink guard (decisions.md, section 6): a source that suddenly gives under half of what it was last believed to have, which was over 20
 * records, is not believed until it still does so `confirm` milliseconds later. A fall to nothing is never believed for that alone, and confirms
 * nothing else. What was believed is known for longer than any copy is held: what comes back from a long outage with nothing is not believed either.
 */
export class ShrinkGuard {
  /** By what was asked for: whole resources, and the few parts that are asked for one by one. */
  private readonly known = new Map<string, Believed>();

  constructor(
    /** Milliseconds. */
    private readonly confirm: number,
    /** Milliseconds for which what was believed may stand in for less; after them anything is better than that. */
    private readonly standsIn: number,
    /** What the process before believed, and the next one will; absent: nothing is known across restarts. */
    private readonly memory?: CountMemory,
  ) {}

  /** Records that what is asked for was last believed to have; undefined where it never was. */
  believed(key: string): number | undefined {
    return this.known.get(key)?.records ?? this.memory?.get(key);
  }

  /** Whether it is to be believed that so many records came for `key` at `at` (milliseconds since 1970). */
  believes(key: string, now: number, at: number): boolean {
    const before = this.known.get(key) ?? this.restored(key, at);
    const nothing = now === 0;
    const since = before?.doubted?.nothing === nothing ? before.doubted.since : at;
    const confirmed = at - since >= this.confirm || at - (before?.at ?? at) >= this.standsIn;
    const doubted =
      isFarLess({ now, before: before?.records }) && (nothing || !confirmed) ? { since, nothing } : undefined;
    if (before !== undefined && doubted !== undefined) {
      this.known.set(key, { records: before.records, at: before.at, doubted });
      return false;
    }
    this.known.set(key, { records: now, at });
    this.memory?.set(key, now);
    return true;
  }

  /** What is known from before this process: as good as believed when it is first held against something. */
  private restored(key: string, at: number): Believed | undefined {
    const records = this.memory?.get(key);
    return records === undefined ? undefined : { records, at };
  }
}
