import type { RecordSet } from '../records/record-set.js';

/** Since when a held copy is as it is. Times in milliseconds since 1970. */
export interface Standing {
  /** When its records were first seen as they are. */
  readonly since: number;
  /** The newest date that others before them may have been shown with; absent where there were none. */
  readonly floor?: number;
}

/** What is remembered of a copy. */
interface Chapter extends Standing {
  /** What the source said for all of it; -Infinity where it said nothing. */
  readonly lastModified: number;
  /** As long as anybody holds it: fingerprints are dear, and most copies are never compared. */
  readonly set: WeakRef<RecordSet>;
}

/** What was fetched. */
export interface Fetched {
  readonly set: RecordSet;
  /** What the source said for all of it. */
  readonly lastModified?: number;
}

/** Copies that are remembered: of a source's resources and channels all, of single items the last ones. */
const MOST = 10_000;

/** Remembers a source's copies when they are gone: one that comes back with less is seen to have changed (decisions.md, section 7). */
export class History {
  private readonly chapters = new Map<string, Chapter>();

  /** The standing of what was fetched under a key, and seen at `now`. What cannot be compared any more has changed. */
  async standing(key: string, { set, lastModified = -Infinity }: Fetched, now: number): Promise<Standing> {
    const before = this.chapters.get(key);
    const { since, floor } = before !== undefined && (await isSame(before, set)) ? before : await anew(before, now);
    const standing = { since, ...(floor !== undefined && { floor }) };
    this.chapters.delete(key);
    this.chapters.set(key, { ...standing, lastModified, set: new WeakRef(set) });
    const [oldest] = this.chapters.keys();
    if (this.chapters.size > MOST && oldest !== undefined) this.chapters.delete(oldest);
    return standing;
  }
}

async function anew(before: Chapter | undefined, now: number): Promise<Standing> {
  if (before === undefined) return { since: now };
  const newest = await newestOf(before);
  return { since: now, floor: before.floor === undefined ? newest : Math.max(newest, before.since) };
}

/** The newest date of a copy, of a record or of all; of one that is gone nobody can tell, so no date is newer. */
async function newestOf({ set, lastModified }: Chapter): Promise<number> {
  const dates = await set.deref()?.modified();
  return dates?.reduce((newest, at) => (at > newest ? at : newest), lastModified) ?? Infinity;
}

async function isSame(before: Chapter, set: RecordSet): Promise<boolean> {
  const known = before.set.deref();
  if (known === undefined) return false;
  return known === set || (await known.fingerprint()) === (await set.fingerprint());
}
