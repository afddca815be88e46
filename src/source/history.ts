import type { HeldRecord } from '../model/record.js';
import { inTurns } from '../model/slices.js';
import type { RecordSet } from '../records/record-set.js';
import type { Memory, Remembered, Standing } from './memory.js';

/** What is known of a copy, whoever remembers it. */
interface Entry extends Standing {
  /** What the source said for all of it; -Infinity where it said nothing. */
  readonly lastModified: number;
}

/** The same while the process lives. */
interface Chapter extends Entry {
  /** As long as anybody holds it: fingerprints are dear, and most copies are never compared. */
  readonly set?: WeakRef<RecordSet>;
  /** Where it is kept across restarts. */
  readonly remembered?: Remembered;
  /** Whether something else was shown meanwhile: what comes next is a change, be it the same. */
  readonly lost: boolean;
}

/** What was fetched. */
export interface Fetched {
  readonly set: RecordSet;
  /** What the source said for all of it. */
  readonly lastModified?: number;
}

/** What was fetched, in the place where it stands. */
export interface Placed extends Standing, Fetched {}

/** What changed: what was there before, with its newest date, and from when on the other is shown. */
interface Change {
  readonly before: Chapter | undefined;
  readonly newest: number | undefined;
  readonly since: number;
}

/** Copies that are known at once, of each kind. */
const MOST = 10_000;

/** Remembers a source's copies when they are gone: one that comes back with less is seen to have changed (decisions.md, section 7). */
export class History {
  private readonly chapters = new Map<string, Chapter>();
  private youngest: string | undefined;
  /** Beginnings of keys under which something else may have been shown than what is known here. */
  private readonly otherwise = new Set<string>();

  constructor(
    /** What is remembered in it is known too, and what is seen is kept in it. */
    private readonly memory?: Memory,
    /** Whether something may have been shown that is not known any more. */
    private forgotten = false,
  ) {}

  /**
   * Compares what was fetched under a key with what was there before. What cannot be compared any more has changed. The result places
   * it, at the moment (milliseconds since 1970) from which on it is given; until then what was there before is. Records that are the
   * same stay the set that they were. The front of a stream that only reaches further has not changed: what is new in it was not shown before.
   */
  async compare(key: string, { set, lastModified = -Infinity }: Fetched): Promise<(now: number) => Placed> {
    const before = this.chapter(key);
    const equal = before && (await setEqualTo(before, set));
    const goesOn = before !== undefined && (equal !== undefined || (await reachesFurther(before, set)));
    // A date that the source takes back while its records stay the same was shown, and is shown on.
    const holds = goesOn && lastModified <= before.lastModified;
    const newest = before === undefined || (holds && !before.lost) ? undefined : await newestOf(before);
    const kept = holds ? keptOf(before, set, equal) : (equal ?? set);
    return (now) => {
      // It may have been lost in between.
      const same = holds && this.chapter(key)?.lost !== true;
      const standing = same ? standingOf(before) : this.changed(key, { before, newest, since: now });
      const entry = { lastModified: holds ? before.lastModified : lastModified, ...standing };
      this.enter(key, { set: kept, ...entry }, same ? before.remembered : undefined);
      return placed(entry, kept);
    };
  }

  /**
   * The place of what is the very set that was shown last under a key, and no newer by its source's word: at once, for a source is asked over and over,
   * and most of the time nothing has changed. Undefined where it has to be compared.
   */
  stands(key: string, { set, lastModified = -Infinity }: Fetched): Placed | undefined {
    const before = this.chapters.get(key);
    if (before === undefined || before.lost || lastModified > before.lastModified) return undefined;
    if (before.set?.deref() !== set) return undefined;
    this.put(key, before);
    return placed(before, set);
  }

  /** Tells that what is known under the key was not what was shown. */
  lose(key: string): void {
    const chapter = this.chapter(key);
    if (chapter === undefined || chapter.lost) return;
    this.put(key, { ...chapter, lost: true });
    this.memory?.set(key, { ...entryOf(chapter), newest: chapter.remembered?.newest ?? Infinity });
  }

  /** Tells that something else was shown than what is known under the keys that begin so: whatever comes under them next has changed. */
  shownOtherwise(beginning: string): void {
    this.otherwise.add(beginning);
    for (const key of this.chapters.keys()) if (key.startsWith(beginning)) this.lose(key);
  }

  private chapter(key: string): Chapter | undefined {
    const known = this.chapters.get(key);
    if (known !== undefined) return known;
    const remembered = this.memory?.get(key);
    if (remembered === undefined) return undefined;
    // An earlier release remembered dates that were in the future, and showed the time of its own clock instead of them.
    if (remembered.lastModified > remembered.since)
      return { ...entryOf(remembered), lastModified: -Infinity, remembered, lost: true };
    return { ...entryOf(remembered), remembered, lost: remembered.fingerprint === undefined };
  }

  private changed(key: string, { before, newest, since }: Change): Standing {
    if (before === undefined) return this.mayHaveBeenShown(key) ? { since, floor: Infinity } : { since };
    const shown = newest ?? Infinity;
    return { since, floor: before.floor === undefined ? shown : Math.max(shown, before.since) };
  }

  private mayHaveBeenShown(key: string): boolean {
    if (this.forgotten || this.memory?.forgotten.copies === true) return true;
    return [...this.otherwise].some((beginning) => key.startsWith(beginning));
  }

  private enter(key: string, entry: Entry & { set: RecordSet }, remembered: Remembered | undefined): void {
    const chapter = { set: new WeakRef(entry.set), lost: false, ...entryOf(entry) };
    this.put(key, remembered === undefined ? chapter : { remembered, ...chapter });
    if (this.memory !== undefined && remembered === undefined) this.keep(key, chapter, this.memory);
    const [oldest] = this.chapters.keys();
    if (this.chapters.size <= MOST || oldest === undefined) return;
    this.forgotten = true;
    this.chapters.delete(oldest);
    this.memory?.forget(oldest);
  }

  /** The first to be forgotten is the one that was put there longest ago. */
  private put(key: string, chapter: Chapter): void {
    if (key !== this.youngest) this.chapters.delete(key);
    this.chapters.set(key, chapter);
    this.youngest = key;
  }

  /** At once that it was shown, and when that is computed what it can be told by. */
  private keep(key: string, chapter: Chapter, memory: Memory): void {
    memory.set(key, { newest: Infinity, ...entryOf(chapter) });
    memory.awaits(
      traces(chapter).then((traced) => {
        if (traced === undefined || this.chapters.get(key) !== chapter) return;
        const remembered = { ...entryOf(chapter), ...traced };
        this.chapters.set(key, { ...chapter, remembered });
        memory.set(key, remembered);
      }),
    );
  }
}

function standingOf({ since, floor }: Standing): Standing {
  return { since, ...(floor !== undefined && { floor }) };
}

function entryOf(entry: Entry): Entry {
  return { lastModified: entry.lastModified, ...standingOf(entry) };
}

function placed(entry: Entry, set: RecordSet): Placed {
  const { lastModified } = entry;
  return { set, ...standingOf(entry), ...(lastModified > -Infinity && { lastModified }) };
}

async function traces(chapter: Chapter): Promise<Required<Pick<Remembered, 'newest' | 'fingerprint'>> | undefined> {
  const set = chapter.set?.deref();
  return set && { newest: await newestOf(chapter), fingerprint: await set.fingerprint() };
}

/**
 * The newest date of a copy, of a record or of all, that may have been its Last-Modified: not one that was in the future when it was first held. Of a
 * copy that is gone it is unknown, so no date is newer.
 */
async function newestOf({ set, lastModified, since, remembered }: Chapter): Promise<number> {
  const dates = await set?.deref()?.modified();
  const newest = dates?.reduce((late, at) => (at > late && at <= since ? at : late), lastModified);
  return newest ?? remembered?.newest ?? Infinity;
}

/**
 * The set that stands for what was fetched where nothing has changed. Records that are read again after a restart are as they were when they were first
 * held: a date that was in the future then and has passed since is no sign of a change.
 */
function keptOf(before: Chapter, set: RecordSet, equal: RecordSet | undefined): RecordSet {
  const isRestored = equal === set && before.set?.deref() !== set;
  return isRestored ? set.asReadAt(before.since) : (equal ?? set);
}

/** Whether a set is the front of the same stream as the one before it, with more of its records. */
async function reachesFurther(before: Chapter, { size, records }: RecordSet): Promise<boolean> {
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

/** A set with the same records: the one that was there before, as long as anybody holds it. */
async function setEqualTo(before: Chapter, set: RecordSet): Promise<RecordSet | undefined> {
  const known = before.set?.deref();
  if (known === set) return set;
  const fingerprint = before.remembered?.fingerprint ?? (await known?.fingerprint());
  if (fingerprint === undefined || fingerprint !== (await set.fingerprint())) return undefined;
  return known ?? set;
}
