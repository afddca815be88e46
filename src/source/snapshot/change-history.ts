import type { StoredRecord } from '../../model/record.js';
import { forEachTimeSliced } from '../../event-loop/time-slicing.js';
import type { RecordSet } from '../../records/record-set.js';
import type { SnapshotHistoryStore, StoredRevision, Revision } from './history-store.js';
import type { Snapshot } from './snapshot.js';

/** The part of a fetched snapshot that is compared. */
type FetchedRecords = Pick<Snapshot, 'set' | 'lastModified'>;

/** Fetched records, and since when they are unchanged. */
export type DatedRecords = FetchedRecords & Revision;

interface DatedRevision extends Revision {
  /** Last-Modified of the list; -Infinity if the source sent none. */
  readonly lastModified: number;
}

/** What is known of the last snapshot under a key. */
interface HistoryEntry extends DatedRevision {
  /** A weak reference instead of a fingerprint, because most snapshots are never compared. */
  readonly set?: WeakRef<RecordSet>;
  /** The entry that is stored across restarts. */
  readonly stored?: StoredRevision;
  /**
   * Whether something else was served since. Then the next snapshot counts as changed, even with the same records
   * (decisions 7.6).
   */
  readonly isSuperseded: boolean;
}

/** Maximum number of snapshots in one history. */
const MAX_ENTRIES = 10_000;

/**
 * Remembers the snapshots of a source after they are evicted, so that a snapshot that returns with other records is
 * recognised as changed.
 */
export class SnapshotHistory {
  private readonly entries = new Map<string, HistoryEntry>();
  private newestKey: string | undefined;
  /** Prefixes of keys under which something may have been served that this history does not know. */
  private readonly supersededPrefixes = new Set<string>();

  constructor(
    /** Contains what was served before a restart, and stores what is served now. */
    private readonly store?: SnapshotHistoryStore,
    /** Whether snapshots may have been served that this history no longer knows. */
    private forgotten = false,
  ) {}

  /**
   * Compares fetched records with the previous snapshot under the key. Returns a function that dates the new snapshot;
   * its parameter is the moment from which that is served, in milliseconds since 1970. Until this call the history
   * contains the previous snapshot.
   *
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
    // A Last-Modified that the source withdraws or sets back, with the same records, was served already and remains.
    const isUnchanged = isSameOrExtended && lastModified <= before.lastModified;
    const newest =
      before === undefined || (isUnchanged && !before.isSuperseded) ? undefined : await findNewestDate(before);
    const keptSet = isUnchanged ? chooseRecordSet(before, set, equal) : (equal ?? set);
    return (now) => {
      // Another request may have superseded the snapshot during the comparison.
      const same = isUnchanged && this.find(key)?.isSuperseded !== true;
      const { since, floor } = same ? before : this.revisionAfterChange(key, { before, newest, since: now });
      const entry = { lastModified: isUnchanged ? before.lastModified : lastModified, since, floor };
      this.setEntry(key, { set: keptSet, ...entry }, same ? before.stored : undefined);
      return toDatedRecords(entry, keptSet);
    };
  }

  /**
   * Dates the record set that was last served under the key, if the source sends no newer date. This is the usual case
   * and needs no comparison. Returns undefined if `compare` is needed.
   */
  dateUnchanged(key: string, { set, lastModified = -Infinity }: FetchedRecords): DatedRecords | undefined {
    const before = this.entries.get(key);
    if (before === undefined || before.isSuperseded || lastModified > before.lastModified) return undefined;
    if (before.set?.deref() !== set) return undefined;
    this.moveToNewest(key, before);
    return toDatedRecords(before, set);
  }

  /** Notes that something else than the known snapshot was served under the key. */
  supersede(key: string): void {
    const known = this.find(key);
    if (known === undefined || known.isSuperseded) return;
    this.moveToNewest(key, { ...known, isSuperseded: true });
    this.store?.set(key, { ...revisionOf(known), newest: known.stored?.newest ?? Infinity });
  }

  /**
   * Notes that something else was served under all keys with this prefix. The next snapshot under each of them counts
   * as changed, even the first.
   */
  supersedeAll(prefix: string): void {
    this.supersededPrefixes.add(prefix);
    for (const key of this.entries.keys()) if (key.startsWith(prefix)) this.supersede(key);
  }

  /** Takes over what the history of an earlier configuration knows (operation 6.2). */
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
    // An earlier release stored dates in the future, for which it served the time of its own clock.
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
    // An earlier process may have served the same records under a key that is not stored (decisions 5.10).
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

  /** Moves the key to the end of the order in which entries are forgotten. */
  private moveToNewest(key: string, known: HistoryEntry): void {
    if (key !== this.newestKey) this.entries.delete(key);
    this.entries.set(key, known);
    this.newestKey = key;
  }

  /** Stores at once that the snapshot was served, and later its fingerprint. */
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
 * Returns the newest date, of a record or of the list, that may have been the Last-Modified of the snapshot. Dates that
 * were in the future when it was first served do not count (decisions 7.8). For an evicted set without a stored date
 * the result is Infinity, so that no date counts as newer.
 */
async function findNewestDate({ set, lastModified, since, stored }: HistoryEntry): Promise<number> {
  const dates = await set?.deref()?.dateColumn();
  const newest = dates?.reduce((late, at) => (at > late && at <= since ? at : late), lastModified);
  return newest ?? stored?.newest ?? Infinity;
}

/**
 * Chooses the record set of an unchanged snapshot. Records that are equal to those from before a restart keep the
 * moment of reading: a date that was in the future then, and has passed since, is not a change.
 */
function chooseRecordSet(before: HistoryEntry, set: RecordSet, equal: RecordSet | undefined): RecordSet {
  const isRestored = equal === set && before.set?.deref() !== set;
  return isRestored ? set.withReadAt(before.since) : (equal ?? set);
}

/** Whether the set contains the same top records as the previous one, and more of them. */
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

/**
 * Returns a set with the same records as the fetched one: the previous set while it is in memory, else the fetched one.
 * Undefined if the records differ.
 */
async function findEqualSet(before: HistoryEntry, set: RecordSet): Promise<RecordSet | undefined> {
  const known = before.set?.deref();
  if (known === set) return set;
  const fingerprint = before.stored?.fingerprint ?? (await known?.fingerprint());
  if (fingerprint === undefined || fingerprint !== (await set.fingerprint())) return undefined;
  return known ?? set;
}
