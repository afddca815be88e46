import { SnapshotHistory } from '../../source/snapshot/change-history.js';
import type { DatedRecords } from '../../source/snapshot/change-history.js';
import type { SnapshotHistoryStore, StoredRevision } from '../../source/snapshot/history-store.js';
import type { RecordSet } from '../../records/record-set.js';

export interface AgreedRevision {
  readonly dated: DatedRecords;
  readonly revision: StoredRevision;
  /** Whether all instances served the same records with the same dates before. */
  readonly isUnchanged: boolean;
}

/**
 * Dates fetched records by the revision that all instances know, instead of the history of this instance (decisions
 * 7.19). `since` is when they are served from, in milliseconds since 1970. Records without an earlier revision count as
 * changed: the memory may have been emptied.
 */
export async function dateByRevision(
  fetched: { readonly set: RecordSet; readonly lastModified?: number | undefined },
  previous: StoredRevision | undefined,
  since: number,
): Promise<AgreedRevision> {
  const store = new OneRevision(previous);
  const history = new SnapshotHistory(store);
  const { set, lastModified } = fetched;
  const dateAt = await history.compare('', { set, ...(lastModified !== undefined && { lastModified }) });
  const dated = dateAt(since);
  await store.pendingWork;
  const { revision } = store;
  if (revision?.fingerprint === undefined) throw new Error('the records were not compared');
  return { dated, revision, isUnchanged: revision === previous };
}

/** The next records count as changed, even equal ones: others may have been served since. */
export function supersedeRevision({ since, lastModified }: StoredRevision): StoredRevision {
  return { since, lastModified, floor: Infinity, newest: Infinity };
}

class OneRevision implements SnapshotHistoryStore {
  readonly forgotten = { copies: true, items: true };
  readonly replacedAt = undefined;
  pendingWork: Promise<void> = Promise.resolve();

  constructor(public revision: StoredRevision | undefined) {}

  get(): StoredRevision | undefined {
    return this.revision;
  }

  set(_key: string, revision: StoredRevision): void {
    this.revision = revision;
  }

  forget(): void {
    this.revision = undefined;
  }

  recordCount(): undefined {
    return undefined;
  }

  setRecordCount(): void {
    // Record counts of one instance mean nothing to the others.
  }

  addPendingWork(work: Promise<void>): void {
    this.pendingWork = work;
  }
}
