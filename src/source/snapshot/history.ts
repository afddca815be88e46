import type { StoredRecord } from '../../model/record.js';
import { forEachTimeSliced } from '../../event-loop/time-slicing.js';
import type { RecordSet } from '../../records/record-set.js';
import type { SnapshotHistoryStore, StoredRevision, Revision } from './history-store.js';
import type { Snapshot } from './snapshot.js';

/** What was fetched, as far as it is compared. */
type FetchedRecords = Pick<Snapshot, 'set' | 'lastModified'>;

/** What was fetched, with since when it is as it is. */
export type DatedRecords = FetchedRecords & Revision;

interface DatedRevision extends Revision {
  /** What the source said for all of it; -Infinity where it said nothing. */
  readonly lastModified: number;
}

/** What is known of the last snapshot under a key. */
interface HistoryEntry extends DatedRevision {
  /** Weak: most snapshots are never compared, and need no fingerprint. */
  readonly set?: WeakRef<RecordSet>;
  /** The same across restarts. */
  readonly stored?: StoredRevision;
  /** Whether something else was given since: the next snapshot is a change, even with the same records. */
  readonly isSuperseded: boolean;
}

/** Snapshots that are known at once, of each kind. */
const MAX_ENTRIES = 10_000;

/** Remembers the snapshots of a source after they are evicted: one that comes back with other records is seen to have changed (decisions.md, section 7). */
export class SnapshotHistory {
  private readonly entries = new Map<string, HistoryEntry>();
  private newestKey: string | undefined;
  /** Prefixes of keys under which something else may have been shown than what is known here. */
  private readonly supersededPrefixes = new Set<string>();

  constructor(
    /** What was shown before a restart; what is seen is kept in it. */
    private readonly store?: SnapshotHistoryStore,
    /** Whether something may have been shown that is not known any more. */
    private forgotten = false,
  ) {}

  /**
   * Compares what was fetched under a key with the snapshot before it. What cannot be compared has changed. The result dates the snapshot, given
   * the moment (milliseconds since 1970) from which on it is shown; until then the one before is. Equal records stay the set that they were.
   * A front that only reaches further has not changed: its new records were not shown before.
   */
  async compare(
    key: string,
    { set, lastModified = -Infinity }: FetchedRecords,
  ): Promise<(now: number) => DatedRecords> {
    const before = this.find(key);
    const equal = before && (await findEqualSet(before, set));
    const goesOn = before !== undefined && (equal !== undefined || (await isExtension(before, set)));
    // A date that the source takes back while its records stay the same was shown, and is shown on.
    const holds = goesOn && lastModified <= before.lastModified;
    const newest = before === undefined || (holds && !before.isSuperseded) ? undefined : await findNewestDate(before);
    const kept = holds ? chooseRecordSet(before, set, equal) : (equal ?? set);
    return (now) => {
      // It may have been superseded while it was compared.
      const same = holds && this.find(key)?.isSuperseded !== true;
      const { since, floor } = same ? before : this.revisionAfterChange(key, { before, newest, since: now });
      const entry = { lastModified: holds ? before.lastModified : lastModified, since, floor };
      this.setEntry(key, { set: kept, ...entry }, same ? before.stored : undefined);
      return toDatedRecords(entry, kept);
    };
  }

  /**
   * Dates the very set that was shown last under a key, where the source says no newer date: the usual case, which takes no comparison. Undefined
   * where `compare` is needed.
   */
  dateUnchanged(key: string, { set, lastModified = -Infinity }: FetchedRecords): DatedRecords | undefined {
    const before = this.entries.get(key);
    if (before === undefined || before.isSuperseded || lastModified > before.lastModified) return undefined;
    if (before.set?.deref() !== set) return undefined;
    this.moveToNewest(key, before);
    return toDatedRecords(before, set);
  }

  /** Something else was shown than what is known under the key. */
  supersede(key: string): void {
    const known = this.find(key);
    if (known === undefined || known.isSuperseded) return;
    this.moveToNewest(key, { ...known, isSuperseded: true });
    this.store?.set(key, { ...revisionOf(known), newest: known.stored?.newest ?? Infinity });
  }

  /** Something else was shown than what is known under all keys with this prefix: the next snapshot under each is a change, even the first. */
  supersedeAll(prefix: string): void {
    this.supersededPrefixes.add(prefix);
    for (const key of this.entries.keys()) if (key.startsWith(prefix)) this.supersede(key);
  }

  private find(key: string): HistoryEntry | undefined {
    const known = this.entries.get(key);
    if (known !== undefined) return known;
    const remembered = this.store?.get(key);
    if (remembered === undefined) return undefined;
    // An earlier release remembered dates that were in the future, and showed the time of its own clock instead of them.
    if (remembered.lastModified > remembered.since)
      return { ...revisionOf(remembered), lastModified: -Infinity, stored: remembered, isSuperseded: true };
    return { ...revisionOf(remembered), stored: remembered, isSuperseded: remembered.fingerprint === undefined };
  }

  private revisionAfterChange(
    key: string,
    { before, newest, since }: { before: HistoryEntry | undefined; newest: number | undefined; since: number },
  ): Revision {
    if (before === undefined) return this.mayHaveBeenServed(key) ? { since, floor: Infinity } : { since };
    const shown = newest ?? Infinity;
    return { since, floor: before.floor === undefined ? shown : Math.max(shown, before.since) };
  }

  private mayHaveBeenServed(key: string): boolean {
    if (this.forgotten || this.store?.forgotten.copies === true) return true;
    return [...this.supersededPrefixes].some((prefix) => key.startsWith(prefix));
  }

  private setEntry(
    key: string,
    entry: DatedRevision & { set: RecordSet },
    remembered: StoredRevision | undefined,
  ): void {
    const known = { set: new WeakRef(entry.set), isSuperseded: false, ...revisionOf(entry) };
    this.moveToNewest(key, remembered === undefined ? known : { stored: remembered, ...known });
    if (this.store !== undefined && remembered === undefined) this.persist(key, known, this.store);
    const [oldest] = this.entries.keys();
    if (this.entries.size <= MAX_ENTRIES || oldest === undefined) return;
    this.forgotten = true;
    this.entries.delete(oldest);
    this.store?.forget(oldest);
  }

  /** Makes it the last to be forgotten. */
  private moveToNewest(key: string, known: HistoryEntry): void {
    if (key !== this.newestKey) this.entries.delete(key);
    this.entries.set(key, known);
    this.newestKey = key;
  }

  /** Remembers at once that it was shown, and its fingerprint when that is computed. */
  private persist(key: string, known: HistoryEntry, memory: SnapshotHistoryStore): void {
    memory.set(key, { newest: Infinity, ...revisionOf(known) });
    memory.addPendingWork(
      computeFingerprint(known).then((traced) => {
        if (traced === undefined || this.entries.get(key) !== known) return;
        const remembered = { ...revisionOf(known), ...traced };
        this.entries.set(key, { ...known, stored: remembered });
        memory.set(key, remembered);
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
 * The newest date of a snapshot, of a record or of all, that may have been its Last-Modified: not one that was in the future when it was first held.
 * Of a set that is gone it is unknown, so that no date counts as newer.
 */
async function findNewestDate({ set, lastModified, since, stored: remembered }: HistoryEntry): Promise<number> {
  const dates = await set?.deref()?.dateColumn();
  const newest = dates?.reduce((late, at) => (at > late && at <= since ? at : late), lastModified);
  return newest ?? remembered?.newest ?? Infinity;
}

/**
 * The set that is kept where nothing has changed. Records that are read again after a restart are as they were when they were first
 * held: a date that was in the future then and has passed since is no sign of a change.
 */
function chooseRecordSet(before: HistoryEntry, set: RecordSet, equal: RecordSet | undefined): RecordSet {
  const isRestored = equal === set && before.set?.deref() !== set;
  return isRestored ? set.withReadAt(before.since) : (equal ?? set);
}

/** Whether a set is the front of the same stream as the one before it, with more of its records. */
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

/** A set with the same records: the one before, as long as anything holds it. */
async function findEqualSet(before: HistoryEntry, set: RecordSet): Promise<RecordSet | undefined> {
  const known = before.set?.deref();
  if (known === set) return set;
  const fingerprint = before.stored?.fingerprint ?? (await known?.fingerprint());
  if (fingerprint === undefined || fingerprint !== (await set.fingerprint())) return undefined;
  return known ?? set;
}
