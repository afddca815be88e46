import type { StoredRecord } from '../../model/record.js';
import { forEachTimeSliced } from '../../event-loop/time-slicing.js';
import type { RecordSet } from '../../records/record-set.js';
import type { SnapshotHistoryStore, StoredRevision, Revision } from './history-store.js';
import type { Snapshot } from './snapshot.js';

type FetchedRecords = Pick<Snapshot, 'set' | 'lastModified'>;

/** With the time since which they are unchanged. */
export type DatedRecords = FetchedRecords & Revision;

interface DatedRevision extends Revision {
  /** Of the list; -Infinity if the source sent none. */
  readonly lastModified: number;
}

/** About the last snapshot under a key. */
interface HistoryEntry extends DatedRevision {
  /** A weak reference instead of a fingerprint, because most snapshots are never compared. */
  readonly set?: WeakRef<RecordSet>;
  /** Across restarts. */
  readonly stored?: StoredRevision;
  /** Something else was served since: the next snapshot counts as changed, even with equal records (decisions 7.6). */
  readonly isSuperseded: boolean;
}

const MAX_ENTRIES = 10_000;

/** Remembers snapshots after eviction, so that one that returns with other records is recognised as changed. */
export class SnapshotHistory {
  private readonly entries = new Map<string, HistoryEntry>();
  private newestKey: string | undefined;
  /** Of keys under which something may have been served that this history does not know. */
  private readonly supersededPrefixes = new Set<string>();

  constructor(
    /** Has what was served before a restart, and stores what is served now. */
    private readonly store?: SnapshotHistoryStore,
    /** Snapshots may have been served that this history no longer knows. */
    private forgotten = false,
  ) {}

  /**
   * Compares fetched records with the previous snapshot. The returned function dates the new one from the moment at
   * which it is served (milliseconds since 1970); until then the history has the previous one.
   * - Records that cannot be compared count as changed.
   * - Equal records keep the previous record set, so that results computed from it stay valid.
   * - Extended top records have not changed: the added records were not served before.
   */
  async compare(
    key: string,
    { set, lastModified = -Infinity }: FetchedRecords,
  ): Promise<(now: number) => DatedRecords> {
    const before = this.find(key);
    const equal = before && (await findEqualSet(before, set));
    const isSameOrExtended = before !== undefined && (equal !== undefined || (await isExtension(before, set)));
    // A Last-Modified withdrawn or set back, with the same records, was served already and remains.
    const isUnchanged = isSameOrExtended && lastModified <= before.lastModified;
    const newest =
      before === undefined || (isUnchanged && !before.isSuperseded) ? undefined : await findNewestDate(before);
    const keptSet = isUnchanged ? chooseRecordSet(before, set, equal) : (equal ?? set);
    return (now) => {
      // The snapshot may have been superseded during the comparison.
      const same = isUnchanged && this.find(key)?.isSuperseded !== true;
      const { since, floor } = same ? before : this.revisionAfterChange(key, { before, newest, since: now });
      const entry = { lastModified: isUnchanged ? before.lastModified : lastModified, since, floor };
      this.setEntry(key, { set: keptSet, ...entry }, same ? before.stored : undefined);
      return toDatedRecords(entry, keptSet);
    };
  }

  /** For the set last served under the key, without a newer date: the usual case. Undefined if `compare` is needed. */
  dateUnchanged(key: string, { set, lastModified = -Infinity }: FetchedRecords): DatedRecords | undefined {
    const before = this.entries.get(key);
    if (before === undefined || before.isSuperseded || lastModified > before.lastModified) return undefined;
    if (before.set?.deref() !== set) return undefined;
    this.moveToNewest(key, before);
    return toDatedRecords(before, set);
  }

  /** Something else than the known snapshot was served. */
  supersede(key: string): void {
    const known = this.find(key);
    if (known === undefined || known.isSuperseded) return;
    this.moveToNewest(key, { ...known, isSuperseded: true });
    this.store?.set(key, { ...revisionOf(known), newest: known.stored?.newest ?? Infinity });
  }

  /** Something else was served under all keys with this prefix: the next ones count as changed, even the first. */
  supersedeAll(prefix: string): void {
    this.supersededPrefixes.add(prefix);
    for (const key of this.entries.keys()) if (key.startsWith(prefix)) this.supersede(key);
  }

  /** After a reload (operation 6.2). */
  continueFrom(previous: SnapshotHistory): void {
    for (const [key, known] of previous.entries) this.moveToNewest(key, known);
    for (const prefix of previous.supersededPrefixes) this.supersededPrefixes.add(prefix);
    this.forgotten ||= previous.forgotten;
  }

  private find(key: string): HistoryEntry | undefined {
    const known = this.entries.get(key);
    if (known !== undefined) return known;
    const stored = this.store?.get(key);
    if (stored === undefined) return undefined;
    // An earlier release stored future dates, for which it served its own clock's time.
    if (stored.lastModified > stored.since)
      return { ...revisionOf(stored), lastModified: -Infinity, stored, isSuperseded: true };
    const isSuperseded = stored.fingerprint === undefined || this.isPrefixSuperseded(key);
    return { ...revisionOf(stored), stored, isSuperseded };
  }

  private revisionAfterChange(
    key: string,
    { before, newest, since }: { before: HistoryEntry | undefined; newest: number | undefined; since: number },
  ): Revision {
    if (before === undefined) return this.mayHaveBeenServed(key) ? { since, floor: Infinity } : { since };
    const newestShown = newest ?? Infinity;
    return { since, floor: before.floor === undefined ? newestShown : Math.max(newestShown, before.since) };
  }

  private mayHaveBeenServed(key: string): boolean {
    const { copies, items } = this.store?.forgotten ?? { copies: false, items: false };
    // Under a key that is not stored, an earlier process may have served the same records (decisions 5.10).
    return this.forgotten || copies || items || this.isPrefixSuperseded(key);
  }

  private isPrefixSuperseded(key: string): boolean {
    return [...this.supersededPrefixes].some((prefix) => key.startsWith(prefix));
  }

  private setEntry(key: string, entry: DatedRevision & { set: RecordSet }, stored: StoredRevision | undefined): void {
    const known = { set: new WeakRef(entry.set), isSuperseded: false, ...revisionOf(entry) };
    this.moveToNewest(key, stored === undefined ? known : { stored, ...known });
    if (this.store !== undefined && stored === undefined) this.persist(key, known, this.store);
    const [oldest] = this.entries.keys();
    if (this.entries.size <= MAX_ENTRIES || oldest === undefined) return;
    this.forgotten = true;
    this.entries.delete(oldest);
    this.store?.forget(oldest);
  }

  /** In the order in which entries are forgotten. */
  private moveToNewest(key: string, known: HistoryEntry): void {
    if (key !== this.newestKey) this.entries.delete(key);
    this.entries.set(key, known);
    this.newestKey = key;
  }

  /** That the snapshot was served at once, its fingerprint later. */
  private persist(key: string, known: HistoryEntry, store: SnapshotHistoryStore): void {
    store.set(key, { newest: Infinity, ...revisionOf(known) });
    store.addPendingWork(
      computeFingerprint(known).then((fingerprinted) => {
        if (fingerprinted === undefined || this.entries.get(key) !== known) return;
        const stored = { ...revisionOf(known), ...fingerprinted };
        this.entries.set(key, { ...known, stored });
        store.set(key, stored);
      }),
    );
  }
}

function revisionOf({ lastModified, since, floor }: DatedRevision): DatedRevision {
  return { lastModified, since, floor };
}

function toDatedRecords({ lastModified, since, floor }: DatedRevision, set: RecordSet): DatedRecords {
  return { set, since, floor, ...(lastModified > -Infinity && { lastModified }) };
}

async function computeFingerprint(
  known: HistoryEntry,
): Promise<Required<Pick<StoredRevision, 'newest' | 'fingerprint'>> | undefined> {
  const set = known.set?.deref();
  return set && { newest: await findNewestDate(known), fingerprint: await set.fingerprint() };
}

/**
 * Of a record or the list; it may have been the snapshot's Last-Modified. Dates that were in the future when it was
 * first served do not count (decisions 7.8). An evicted set without a stored date gives Infinity, so that no date
 * counts as newer.
 */
async function findNewestDate({ set, lastModified, since, stored }: HistoryEntry): Promise<number> {
  const dates = await set?.deref()?.dateColumn();
  const newest = dates?.reduce((late, at) => (at > late && at <= since ? at : late), lastModified);
  return newest ?? stored?.newest ?? Infinity;
}

/**
 * Records equal to those from before a restart keep the moment of reading: a future date that has passed is no change.
 */
function chooseRecordSet(before: HistoryEntry, set: RecordSet, equal: RecordSet | undefined): RecordSet {
  const isRestored = equal === set && before.set?.deref() !== set;
  return isRestored ? set.withReadAt(before.since) : (equal ?? set);
}

/** The set has the previous one's top records, and more. */
async function isExtension(before: HistoryEntry, { totalCount: size, records }: RecordSet): Promise<boolean> {
  const known = before.set?.deref();
  if (known?.totalCount !== size || known.records.length >= records.length) return false;
  let [at, same] = [0, true];
  await forEachTimeSliced(known.records, (record) => {
    same &&= recordText(record) === recordText(records[at]);
    at += 1;
  });
  return same;
}

function recordText(record: StoredRecord | undefined): string {
  return JSON.stringify([record?.id, record?.values, record?.extraProperties]);
}

/** The previous set while it is in memory, else the fetched one; undefined if the records differ. */
async function findEqualSet(before: HistoryEntry, set: RecordSet): Promise<RecordSet | undefined> {
  const known = before.set?.deref();
  if (known === set) return set;
  const fingerprint = before.stored?.fingerprint ?? (await known?.fingerprint());
  if (fingerprint === undefined || fingerprint !== (await set.fingerprint())) return undefined;
  return known ?? set;
}
