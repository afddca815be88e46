import type { SnapshotHistoryStore } from './history-store.js';

/** Up to so many records a source may lose most of them without arousing suspicion (decisions.md, section 6). */
const MIN_GUARDED_RECORDS = 20;

/** Whether a source gives less than half of the records that it had, and had more than a few. */
export function hasShrunk(now: number, before = 0): boolean {
  return before > MIN_GUARDED_RECORDS && now * 2 < before;
}

/** The number of records that was last believed; and since when another one is doubted. */
interface BelievedCount {
  readonly records: number;
  /** When it was believed, in milliseconds since 1970. */
  readonly believedAt: number;
  readonly doubted?: { readonly since: number; readonly nothing: boolean };
}

/**
 * The shrink guard (decisions.md, section 6): less than half of more than 20 records is not believed until the source still gives that few
 * `confirm` milliseconds later. No records at all are never believed for that alone, and confirm no other number. The guard knows a number for longer
 * than any snapshot is stored: a source that returns from a long outage without records is not believed either.
 */
export class ShrinkGuard {
  /** By what was requested: whole resources, and the few parts that are requested one by one. */
  private readonly counts = new Map<string, BelievedCount>();

  constructor(
    /** Milliseconds. */
    private readonly confirmAfter: number,
    /** Milliseconds for which a snapshot may stand in for fewer records; after them any records are better. */
    private readonly maxFallbackAge: number,
    /** Keeps the numbers across restarts; absent: they are not kept. */
    private readonly store?: Pick<SnapshotHistoryStore, 'recordCount' | 'setRecordCount'>,
    /** Prefix of the keys in the memory. */
    private readonly keyPrefix = '',
  ) {}

  /** The number that was last believed; undefined where there is none. */
  believedCount(key: string): number | undefined {
    return this.counts.get(key)?.records ?? this.store?.recordCount(this.keyPrefix + key);
  }

  /** Whether the number `now` is believed that a source gave at `at` (milliseconds since 1970). */
  confirmCount(key: string, now: number, at: number): boolean {
    const before = this.counts.get(key) ?? this.restoreCount(key, at);
    const nothing = now === 0;
    const since = before?.doubted?.nothing === nothing ? before.doubted.since : at;
    const confirmed = at - since >= this.confirmAfter || at - (before?.believedAt ?? at) >= this.maxFallbackAge;
    const doubted = hasShrunk(now, before?.records) && (nothing || !confirmed) ? { since, nothing } : undefined;
    if (before !== undefined && doubted !== undefined) {
      this.counts.set(key, { records: before.records, believedAt: before.believedAt, doubted });
      return false;
    }
    this.counts.set(key, { records: now, believedAt: at });
    this.store?.setRecordCount(this.keyPrefix + key, now);
    return true;
  }

  /** The number that an earlier process believed, as if that were now. */
  private restoreCount(key: string, at: number): BelievedCount | undefined {
    const records = this.store?.recordCount(this.keyPrefix + key);
    return records === undefined ? undefined : { records, believedAt: at };
  }
}
