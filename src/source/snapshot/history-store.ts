/** Since when the records of a snapshot are unchanged. Times are in milliseconds since 1970. */
export interface Revision {
  /** When the records were first served in their present form. */
  readonly since: number;
  /** The newest date with which earlier records may have been served. Absent: there were no earlier records. */
  readonly floor?: number | undefined;
}

/** What is stored of a snapshot, without its records (decisions 7.9). Times are in milliseconds since 1970. */
export interface StoredRevision extends Revision {
  /** Newest Last-Modified that the source sent with these records; -Infinity without one. */
  readonly lastModified: number;
  /** Newest date with which the snapshot may have been served; Infinity if it is unknown. */
  readonly newest: number;
  /** Fingerprint of the records. Absent: the next snapshot counts as changed. */
  readonly fingerprint?: string;
}

/** Stores the history of snapshots across restarts (decisions 7.9; operation 2.5.2). No method waits for the disk. */
export interface SnapshotHistoryStore {
  /**
   * Whether snapshots without a stored entry may have been served: of lists (`copies`), or of single items (`items`),
   * which are not stored. Then a snapshot without an entry counts as changed, not as the first one.
   */
  readonly forgotten: { readonly copies: boolean; readonly items: boolean };
  /**
   * When a configuration replaced one that answered the same queries differently, in milliseconds since 1970 (operation
   * 6.2). Undefined: none did, as far as the history reaches.
   */
  readonly replacedAt: number | undefined;
  /** Returns what is stored of a snapshot; undefined if nothing is. */
  get(key: string): StoredRevision | undefined;
  /** Stores the state of a snapshot. */
  set(key: string, revision: StoredRevision): void;
  /** Removes the entry of a snapshot that was served. */
  forget(key: string): void;
  /** Returns the last trusted number of records (`setRecordCount`); undefined if it is unknown. */
  recordCount(key: string): number | undefined;
  /**
   * Stores a trusted number of records. The key contains the source's address, so the number stays valid when the
   * configuration changes.
   */
  setRecordCount(key: string, records: number): void;
  /** Registers work that ends with a call of `set`. The last write waits for it. */
  addPendingWork(work: Promise<void>): void;
}
