import type { SnapshotHistoryStore } from './history-store.js';

/** A source with at most this number of records may lose most of them without being suspect (decisions 6.11). */
const MIN_GUARDED_RECORDS = 20;

/** Whether a source returns less than half of its previous records, and had more than 20 of them. */
export function hasShrunk(now: number, before = 0): boolean {
  return before > MIN_GUARDED_RECORDS && now * 2 < before;
}

/** The last trusted number of records, and since when another number is suspect. */
interface BelievedCount {
  readonly records: number;
  /** When the number was trusted, in milliseconds since 1970. */
  readonly believedAt: number;
  readonly doubted?: { readonly since: number; readonly nothing: boolean; readonly records: number };
}

/** A number of records that is not trusted yet, as several instances share it (operation 2.5.4). */
export type DoubtedCount = Required<BelievedCount>;

/** A number of records that is not trusted yet. Times are in milliseconds since 1970. */
export interface ShrinkDoubt {
  readonly records: number;
  readonly trustedRecords: number;
  readonly since: number;
  /** From this time on, the number is trusted where the source returns it again; undefined: never. */
  readonly acceptedFrom: number | undefined;
}

/**
 * The shrink guard. Less than half of more than 20 records is not trusted until the source still returns that few
 * `confirmAfter` milliseconds later. A fall to zero is never confirmed by repetition, and confirms no other number. The
 * trusted numbers outlive all snapshots, so a source that returns without records after a long outage is suspect too.
 */
export class ShrinkGuard {
  /** By the key of what was requested: complete lists, and the few parts that are requested separately. */
  private readonly counts = new Map<string, BelievedCount>();
  /** Whether the stored numbers do not count any more. */
  private isStoreForgotten = false;

  constructor(
    /** Milliseconds for which a smaller number must persist (`confirm-shrink`). */
    private readonly confirmAfter: number,
    /**
     * Milliseconds after the last trusted number for which a snapshot may replace a smaller result; afterwards any
     * result with records is accepted.
     */
    private readonly maxFallbackAge: number,
    /** Stores the numbers across restarts. Absent: they are lost. */
    private readonly store?: Pick<SnapshotHistoryStore, 'recordCount' | 'setRecordCount'>,
    /** Prefix of the keys in the store. */
    private readonly keyPrefix = '',
  ) {}

  /** Returns the last trusted number; undefined without one. */
  believedCount(key: string): number | undefined {
    return this.counts.get(key)?.records ?? this.storedCount(key);
  }

  /**
   * Whether the number `now`, received at `at` (milliseconds since 1970), is trusted. A trusted number replaces the
   * previous one.
   */
  confirmCount(key: string, now: number, at: number): boolean {
    const before = this.counts.get(key) ?? this.restoreCount(key, at);
    const nothing = now === 0;
    // A doubt with a later time is from before the clock was set back.
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

  /** Trusts the number of a snapshot that another instance of this gateway has admitted at `at`. */
  adopt(key: string, records: number, at: number): void {
    const before = this.sharedDoubtOf(key);
    this.trust(key, records, at);
    // The snapshot may be from before the doubt.
    if (before !== undefined) this.adoptDoubt(key, { ...before, records, believedAt: at });
  }

  /** Returns the doubt about the number of a key as other instances adopt it; undefined if there is none. */
  sharedDoubtOf(key: string): DoubtedCount | undefined {
    const { records, believedAt, doubted } = this.counts.get(key) ?? {};
    return records === undefined || believedAt === undefined || doubted === undefined
      ? undefined
      : { records, believedAt, doubted };
  }

  /**
   * Doubts a number that another instance doubts, since the first of them did. Returns false where this instance has
   * trusted it, or a later number.
   */
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

  /** Returns the number that is doubted under a key; undefined if none is. */
  doubtOf(key: string): ShrinkDoubt | undefined {
    const { records: trustedRecords, believedAt, doubted } = this.counts.get(key) ?? {};
    if (trustedRecords === undefined || believedAt === undefined || doubted === undefined) return undefined;
    const { records, since, nothing } = doubted;
    const acceptedFrom = Math.min(since + this.confirmAfter, believedAt + this.maxFallbackAge);
    return { records, trustedRecords, since, acceptedFrom: nothing ? undefined : acceptedFrom };
  }

  /**
   * Trusts all doubted numbers at once, because the operator confirms them (operation 3.5); also a fall to zero. Returns
   * whether there were any. `at` is in milliseconds since 1970.
   */
  acceptDoubted(at: number): boolean {
    const doubted = [...this.counts].flatMap(([key, { doubted: doubt }]) =>
      doubt === undefined ? [] : [{ key, doubt }],
    );
    for (const { key, doubt } of doubted) this.trust(key, doubt.records, at);
    return doubted.length > 0;
  }

  /** Forgets all trusted numbers. */
  forget(): void {
    this.counts.clear();
    this.isStoreForgotten = true;
  }

  /** Takes over the numbers that the guard of an earlier configuration of the source trusts (operation 6.2). */
  continueFrom(previous: ShrinkGuard): void {
    for (const [key, count] of previous.counts) this.counts.set(key, count);
    this.isStoreForgotten = previous.isStoreForgotten;
  }

  /** Trusts the number of a snapshot that an earlier process received at `at`, unless a newer number is known. */
  restore(key: string, records: number, at: number): void {
    if (this.believedCount(key) === undefined) this.counts.set(key, { records, believedAt: at });
  }

  /** Returns the number that an earlier process trusted, as if it had been trusted at `at`. */
  private restoreCount(key: string, at: number): BelievedCount | undefined {
    const records = this.storedCount(key);
    return records === undefined ? undefined : { records, believedAt: at };
  }
}
