import type { HeldRecord } from '../../model/record.js';
import { inTurns } from '../../model/slices.js';
import type { RecordSet } from '../../records/record-set.js';
import type { Memory, Remembered, Revision } from './memory.js';
import type { Copy } from './snapshot.js';

/** What was fetched, as far as it is compared. */
type Fetched = Pick<Copy, 'set' | 'lastModified'>;

/** What was fetched, with since when it is as it is. */
export type Dated = Fetched & Revision;

interface DatedRevision extends Revision {
  /** What the source said for all of it; -Infinity where it said nothing. */
  readonly lastModified: number;
}

/** What is known of the last snapshot under a key. */
interface Known extends DatedRevision {
  /** Weak: most snapshots are never compared, and need no fingerprint. */
  readonly set?: WeakRef<RecordSet>;
  /** The same across restarts. */
  readonly remembered?: Remembered;
  /** Whether something else was given since: the next snapshot is a change, even with the same records. */
  readonly superseded: boolean;
}

/** Snapshots that are known at once, of each kind. */
const MOST = 10_000;

/** Remembers the snapshots of a source after they are evicted: one that comes back with other records is seen to have changed (decisions.md, section 7). */
export class History {
  private readonly known = new Map<string, Known>();
  private youngest: string | undefined;
  /** Prefixes of keys under which something else may have been shown than what is known here. */
  private readonly supersededPrefixes = new Set<string>();

  constructor(
    /** What was shown before a restart; what is seen is kept in it. */
    private readonly memory?: Memory,
    /** Whether something may have been shown that is not known any more. */
    private forgotten = false,
  ) {}

  /**
   * Compares what was fetched under a key with the snapshot before it. What cannot be compared has changed. The result dates the snapshot, given
   * the moment (milliseconds since 1970) from which on it is shown; until then the one before is. Equal records stay the set that they were.
   * A front that only reaches further has not changed: its new records were not shown before.
   */
  async compare(key: string, { set, lastModified = -Infinity }: Fetched): Promise<(now: number) => Dated> {
    const before = this.find(key);
    const equal = before && (await setEqualTo(before, set));
    const goesOn = before !== undefined && (equal !== undefined || (await reachesFurther(before, set)));
    // A date that the source takes back while its records stay the same was shown, and is shown on.
    const holds = goesOn && lastModified <= before.lastModified;
    const newest = before === undefined || (holds && !before.superseded) ? undefined : await newestOf(before);
    const kept = holds ? keptOf(before, set, equal) : (equal ?? set);
    return (now) => {
      // It may have been superseded while it was compared.
      const same = holds && this.find(key)?.superseded !== true;
      const { since, floor } = same ? before : this.changed(key, { before, newest, since: now });
      const entry = { lastModified: holds ? before.lastModified : lastModified, since, floor };
      this.enter(key, { set: kept, ...entry }, same ? before.remembered : undefined);
      return dated(entry, kept);
    };
  }

  /**
   * Dates the very set that was shown last under a key, where the source says no newer date: the usual case, which takes no comparison. Undefined
   * where `compare` is needed.
   */
  unchanged(key: string, { set, lastModified = -Infinity }: Fetched): Dated | undefined {
    const before = this.known.get(key);
    if (before === undefined || before.superseded || lastModified > before.lastModified) return undefined;
    if (before.set?.deref() !== set) return undefined;
    this.put(key, before);
    return dated(before, set);
  }

  /** Something else was shown than what is known under the key. */
  supersede(key: string): void {
    const known = this.find(key);
    if (known === undefined || known.superseded) return;
    this.put(key, { ...known, superseded: true });
    this.memory?.set(key, { ...revisionOf(known), newest: known.remembered?.newest ?? Infinity });
  }

  /** Something else was shown than what is known under all keys with this prefix: the next snapshot under each is a change, even the first. */
  supersedeAll(prefix: string): void {
    this.supersededPrefixes.add(prefix);
    for (const key of this.known.keys()) if (key.startsWith(prefix)) this.supersede(key);
  }

  private find(key: string): Known | undefined {
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const remembered = this.memory?.get(key);
    if (remembered === undefined) return undefined;
    // An earlier release remembered dates that were in the future, and showed the time of its own clock instead of them.
    if (remembered.lastModified > remembered.since)
      return { ...revisionOf(remembered), lastModified: -Infinity, remembered, superseded: true };
    return { ...revisionOf(remembered), remembered, superseded: remembered.fingerprint === undefined };
  }

  private changed(
    key: string,
    { before, newest, since }: { before: Known | undefined; newest: number | undefined; since: number },
  ): Revision {
    if (before === undefined) return this.mayHaveBeenShown(key) ? { since, floor: Infinity } : { since };
    const shown = newest ?? Infinity;
    return { since, floor: before.floor === undefined ? shown : Math.max(shown, before.since) };
  }

  private mayHaveBeenShown(key: string): boolean {
    if (this.forgotten || this.memory?.forgotten.copies === true) return true;
    return [...this.supersededPrefixes].some((prefix) => key.startsWith(prefix));
  }

  private enter(key: string, entry: DatedRevision & { set: RecordSet }, remembered: Remembered | undefined): void {
    const known = { set: new WeakRef(entry.set), superseded: false, ...revisionOf(entry) };
    this.put(key, remembered === undefined ? known : { remembered, ...known });
    if (this.memory !== undefined && remembered === undefined) this.keep(key, known, this.memory);
    const [oldest] = this.known.keys();
    if (this.known.size <= MOST || oldest === undefined) return;
    this.forgotten = true;
    this.known.delete(oldest);
    this.memory?.forget(oldest);
  }

  /** Makes it the last to be forgotten. */
  private put(key: string, known: Known): void {
    if (key !== this.youngest) this.known.delete(key);
    this.known.set(key, known);
    this.youngest = key;
  }

  /** Remembers at once that it was shown, and its fingerprint when that is computed. */
  private keep(key: string, known: Known, memory: Memory): void {
    memory.set(key, { newest: Infinity, ...revisionOf(known) });
    memory.awaits(
      traces(known).then((traced) => {
        if (traced === undefined || this.known.get(key) !== known) return;
        const remembered = { ...revisionOf(known), ...traced };
        this.known.set(key, { ...known, remembered });
        memory.set(key, remembered);
      }),
    );
  }
}

function revisionOf({ lastModified, since, floor }: DatedRevision): DatedRevision {
  return { lastModified, since, floor };
}

function dated({ lastModified, since, floor }: DatedRevision, set: RecordSet): Dated {
  return { set, since, floor, ...(lastModified > -Infinity && { lastModified }) };
}

async function traces(known: Known): Promise<Required<Pick<Remembered, 'newest' | 'fingerprint'>> | undefined> {
  const set = known.set?.deref();
  return set && { newest: await newestOf(known), fingerprint: await set.fingerprint() };
}

/**
 * The newest date of a snapshot, of a record or of all, that may have been its Last-Modified: not one that was in the future when it was first held.
 * Of a set that is gone it is unknown, so that no date counts as newer.
 */
async function newestOf({ set, lastModified, since, remembered }: Known): Promise<number> {
  const dates = await set?.deref()?.modified();
  const newest = dates?.reduce((late, at) => (at > late && at <= since ? at : late), lastModified);
  return newest ?? remembered?.newest ?? Infinity;
}

/**
 * The set that is kept where nothing has changed. Records that are read again after a restart are as they were when they were first
 * held: a date that was in the future then and has passed since is no sign of a change.
 */
function keptOf(before: Known, set: RecordSet, equal: RecordSet | undefined): RecordSet {
  const isRestored = equal === set && before.set?.deref() !== set;
  return isRestored ? set.asReadAt(before.since) : (equal ?? set);
}

/** Whether a set is the front of the same stream as the one before it, with more of its records. */
async function reachesFurther(before: Known, { size, records }: RecordSet): Promise<boolean> {
  const known = before.set?.deref();
  if (known?.size !== size || known.records.length >= records.length) return false;
  let [at, same] = [0, true];
  await inTurns(known.records, (record) => {
    same &&= textOf(record) === textOf(records[at]);
    at += 1;
  });
  return same;
}

function textOf(record: HeldRecord | undefined): string {
  return JSON.stringify([record?.id, record?.values, record?.further]);
}

/** A set with the same records: the one before, as long as anything holds it. */
async function setEqualTo(before: Known, set: RecordSet): Promise<RecordSet | undefined> {
  const known = before.set?.deref();
  if (known === set) return set;
  const fingerprint = before.remembered?.fingerprint ?? (await known?.fingerprint());
  if (fingerprint === undefined || fingerprint !== (await set.fingerprint())) return undefined;
  return known ?? set;
}
