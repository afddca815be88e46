import type { Memory } from './memory.js';

/** Up to so many records a source may lose most of them without arousing suspicion (decisions.md, section 6). */
const SMALL = 20;

/** Whether a source gives less than half of the records that it had, and had more than a few. */
export function isFarLess(now: number, before = 0): boolean {
  return before > SMALL && now * 2 < before;
}

/** The number of records that was last believed; and since when another one is doubted. */
interface Believed {
  readonly records: number;
  /** When it was believed, in milliseconds since 1970. */
  readonly at: number;
  readonly doubted?: { readonly since: number; readonly nothing: boolean };
}

/**
 * The shrink guard (decisions.md, section 6): less than half of more than 20 records is not believed until the source still gives that few
 * `confirm` milliseconds later. No records at all are never believed for that alone, and confirm no other number. The guard knows a number for longer
 * than any snapshot is stored: a source that returns from a long outage without records is not believed either.
 */
export class ShrinkGuard {
  /** By what was requested: whole resources, and the few parts that are requested one by one. */
  private readonly known = new Map<string, Believed>();

  constructor(
    /** Milliseconds. */
    private readonly confirm: number,
    /** Milliseconds for which a snapshot may stand in for fewer records; after them any records are better. */
    private readonly standsIn: number,
    /** Keeps the numbers across restarts; absent: they are not kept. */
    private readonly memory?: Pick<Memory, 'records' | 'setRecords'>,
    /** Prefix of the keys in the memory. */
    private readonly address = '',
  ) {}

  /** The number that was last believed; undefined where there is none. */
  believed(key: string): number | undefined {
    return this.known.get(key)?.records ?? this.memory?.records(this.address + key);
  }

  /** Whether the number `now` is believed that a source gave at `at` (milliseconds since 1970). */
  believes(key: string, now: number, at: number): boolean {
    const before = this.known.get(key) ?? this.restored(key, at);
    const nothing = now === 0;
    const since = before?.doubted?.nothing === nothing ? before.doubted.since : at;
    const confirmed = at - since >= this.confirm || at - (before?.at ?? at) >= this.standsIn;
    const doubted = isFarLess(now, before?.records) && (nothing || !confirmed) ? { since, nothing } : undefined;
    if (before !== undefined && doubted !== undefined) {
      this.known.set(key, { records: before.records, at: before.at, doubted });
      return false;
    }
    this.known.set(key, { records: now, at });
    this.memory?.setRecords(this.address + key, now);
    return true;
  }

  /** The number that an earlier process believed, as if that were now. */
  private restored(key: string, at: number): Believed | undefined {
    const records = this.memory?.records(this.address + key);
    return records === undefined ? undefined : { records, at };
  }
}
