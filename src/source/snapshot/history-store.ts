/** Since when a snapshot is as it is. Times in milliseconds since 1970. */
export interface Revision {
  /** When its records were first held as they are. */
  readonly since: number;
  /** The newest date that earlier records may have been shown with; absent where there were none. */
  readonly floor?: number | undefined;
}

/** What is remembered of a snapshot without its records. Times in milliseconds since 1970. */
export interface StoredRevision extends Revision {
  /** Newest Last-Modified that the source said while its records were these; -Infinity where it said nothing. */
  readonly lastModified: number;
  /** Newest date that the snapshot may have been shown with; Infinity where that is unknown. */
  readonly newest: number;
  /** Tells its records from others; absent: the next snapshot counts as a change. */
  readonly fingerprint?: string;
}

/** Keeps across restarts what a history needs (operation.md, `cache.state`). No method waits for a disk. */
export interface SnapshotHistoryStore {
  /**
   * Whether snapshots may have been shown of which nothing is remembered: any (`copies`), or single items (`items`), which are not remembered. A
   * snapshot that is not known is then a change, and not the first one.
   */
  readonly forgotten: { readonly copies: boolean; readonly items: boolean };
  get(key: string): StoredRevision | undefined;
  set(key: string, remembered: StoredRevision): void;
  /** Forgets a snapshot that has been shown. */
  forget(key: string): void;
  /** Number of records that was last believed under a key (`setRecordCount`); undefined where that is not known. */
  recordCount(key: string): number | undefined;
  /** The key names the source by its address: the number outlives another configuration. */
  setRecordCount(key: string, records: number): void;
  /** Work that ends with something to remember: the last write waits for it. */
  addPendingWork(work: Promise<void>): void;
}
