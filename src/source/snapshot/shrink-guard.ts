import type { SnapshotHistoryStore } from './history-store.js';

/** With no more, a source may lose most of its records without being suspect (decisions 6.11). */
const MIN_GUARDED_RECORDS = 20;

/** Less than half of more than 20 records. */
export function hasShrunk(now: number, before = 0): boolean {
  return before > MIN_GUARDED_RECORDS && now * 2 < before;
}

/** With the time since which another number is suspect. */
interface BelievedCount {
  readonly records: number;
  /** In milliseconds since 1970. */
  readonly believedAt: number;
  readonly doubted?: { readonly since: number; readonly nothing: boolean; readonly records: number };
}

/** Not trusted yet, as several instances share it (operation 2.5.4). */
export type DoubtedCount = Required<BelievedCount>;

/** About a number not trusted yet. Times are in milliseconds since 1970. */
export interface ShrinkDoubt {
  readonly records: number;
  readonly trustedRecords: number;
  readonly since: number;
  /** The number is trusted if it is returned from then on; undefined: never. */
  readonly acceptedFrom: number | undefined;
}

/**
 * Less than half of more than 20 records is not trusted until the source still returns that few `confirmAfter`
 * milliseconds later. A fall to zero is never confirmed by repetition, and confirms no other number. Trusted numbers
 * outlive all snapshots: a source without records after a long outage is suspect too.
 */
export class ShrinkGuard {
  /** By what was requested: complete lists, and the few parts that are requested separately. */
  private readonly counts = new Map<string, BelievedCount>();
  /** The stored numbers do not count any more. */
  private isStoreForgotten = false;

  constructor(
    /** Milliseconds for which a smaller number must persist (`confirm-shrink`). */
    private readonly confirmAfter: number,
    /**
     * Milliseconds after the last trusted number in which a snapshot may replace a smaller result; then any with
     * records is accepted.
     */
    private readonly maxFallbackAge: number,
    /** Across restarts. Absent: numbers are lost. */
    private readonly store?: Pick<SnapshotHistoryStore, 'recordCount' | 'setRecordCount'>,
    private readonly keyPrefix = '',
  ) {}

  believedCount(key: string): number | undefined {
    return this.counts.get(key)?.records ?? this.storedCount(key);
  }

  /** `at` is in milliseconds since 1970. A trusted number replaces the previous one. */
  confirmCount(key: string, now: number, at: number): boolean {
    const before = this.counts.get(key) ?? this.restoreCount(key, at);
    const nothing = now === 0;
    // From before the clock was set back.
    const since = before?.doubted?.nothing === nothing ? Math.min(before.doubted.since, at) : at;
    const confirmed = at - since >= this.confirmAfter || at - (before?.believedAt ?? at) >= this.maxFallbackAge;
    const doubted =
      hasShrunk(now, before?.records) && (nothing || !confirmed) ? { since, nothing, records: now } : undefined;
    if (before !== undefined && doubted !== undefined) {
      this.counts.set(key, { records: before.records, believedAt: before.believedAt, doubted });
      return false;
    }
    this.trust(key, now, at);
    return true;
  }

  /** From a snapshot that another instance admitted at `at`. */
  adopt(key: string, records: number, at: number): void {
    const before = this.sharedDoubtOf(key);
    this.trust(key, records, at);
    // The snapshot may be from before the doubt.
    if (before !== undefined) this.adoptDoubt(key, { ...before, records, believedAt: at });
  }

  /** As other instances adopt it. */
  sharedDoubtOf(key: string): DoubtedCount | undefined {
    const { records, believedAt, doubted } = this.counts.get(key) ?? {};
    return records === undefined || believedAt === undefined || doubted === undefined
      ? undefined
      : { records, believedAt, doubted };
  }

  /** Since the first instance doubted the number. Returns false if this instance has trusted it, or a later one. */
  adoptDoubt(key: string, { doubted, ...trusted }: DoubtedCount): boolean {
    const own = this.counts.get(key);
    const { records, believedAt } = own !== undefined && own.believedAt >= trusted.believedAt ? own : trusted;
    if (doubted.since < believedAt || !hasShrunk(doubted.records, records)) return false;
    const isSame = own?.doubted?.nothing === doubted.nothing && own.doubted.since >= believedAt;
    const since = isSame ? Math.min(own.doubted.since, doubted.since) : doubted.since;
    this.counts.set(key, { records, believedAt, doubted: { ...doubted, since } });
    return true;
  }

  private trust(key: string, records: number, at: number): void {
    this.counts.set(key, { records, believedAt: at });
    this.store?.setRecordCount(this.keyPrefix + key, records);
  }

  private storedCount(key: string): number | undefined {
    return this.isStoreForgotten ? undefined : this.store?.recordCount(this.keyPrefix + key);
  }

  /** Undefined if no number is doubted. */
  doubtOf(key: string): ShrinkDoubt | undefined {
    const { records: trustedRecords, believedAt, doubted } = this.counts.get(key) ?? {};
    if (trustedRecords === undefined || believedAt === undefined || doubted === undefined) return undefined;
    const { records, since, nothing } = doubted;
    const acceptedFrom = Math.min(since + this.confirmAfter, believedAt + this.maxFallbackAge);
    return { records, trustedRecords, since, acceptedFrom: nothing ? undefined : acceptedFrom };
  }

  /**
   * All at once, even a fall to zero: the operator confirms them (operation 3.5). Returns whether there were any. `at`
   * is in milliseconds since 1970.
   */
  acceptDoubted(at: number): boolean {
    const doubted = [...this.counts].flatMap(([key, { doubted: doubt }]) =>
      doubt === undefined ? [] : [{ key, doubt }],
    );
    for (const { key, doubt } of doubted) this.trust(key, doubt.records, at);
    return doubted.length > 0;
  }

  forget(): void {
    this.counts.clear();
    this.isStoreForgotten = true;
  }

  /** After a reload (operation 6.2). */
  continueFrom(previous: ShrinkGuard): void {
    for (const [key, count] of previous.counts) this.counts.set(key, count);
    this.isStoreForgotten = previous.isStoreForgotten;
  }

  /** From a snapshot of an earlier process, received at `at`, unless a newer number is known. */
  restore(key: string, records: number, at: number): void {
    if (this.believedCount(key) === undefined) this.counts.set(key, { records, believedAt: at });
  }

  /** As if the number had been trusted at `at`. */
  private restoreCount(key: string, at: number): BelievedCount | undefined {
    const records = this.storedCount(key);
    return records === undefined ? undefined : { records, believedAt: at };
  }
}
