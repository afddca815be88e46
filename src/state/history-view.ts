import type { SnapshotHistoryStore, StoredRevision } from '../source/snapshot/history-store.js';

/**
 * The history as one configuration sees it. What an earlier configuration finds after a reload is no longer stored,
 * because the later one answers under the same keys (operation 6.2).
 */
export class HistoryView implements SnapshotHistoryStore {
  private isDetached = false;

  constructor(private readonly store: SnapshotHistoryStore) {}

  /** From now on nothing is stored. */
  detach(): void {
    this.isDetached = true;
  }

  get forgotten(): SnapshotHistoryStore['forgotten'] {
    return this.store.forgotten;
  }

  get replacedAt(): number | undefined {
    return this.store.replacedAt;
  }

  get(key: string): StoredRevision | undefined {
    return this.store.get(key);
  }

  set(key: string, revision: StoredRevision): void {
    if (!this.isDetached) this.store.set(key, revision);
  }

  forget(key: string): void {
    if (!this.isDetached) this.store.forget(key);
  }

  recordCount(key: string): number | undefined {
    return this.store.recordCount(key);
  }

  setRecordCount(key: string, records: number): void {
    if (!this.isDetached) this.store.setRecordCount(key, records);
  }

  addPendingWork(work: Promise<void>): void {
    this.store.addPendingWork(work);
  }
}
