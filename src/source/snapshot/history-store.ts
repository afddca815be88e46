/** Times are in milliseconds since 1970. */
export interface Revision {
  /** When the records were first served in their present form. */
  readonly since: number;
  /** The newest date with which earlier records may have been served. Absent: there were none. */
  readonly floor?: number | undefined;
}

/** Of a snapshot, without records (decisions 7.9). Times are in milliseconds since 1970. */
export interface StoredRevision extends Revision {
  /** The newest from the source with these records; -Infinity without one. */
  readonly lastModified: number;
  /** With which the snapshot may have been served; Infinity if unknown. */
  readonly newest: number;
  /** Absent: the next snapshot counts as changed. */
  readonly fingerprint?: string;
}

/** Across restarts (operation 2.5.2). No method waits for the disk. */
export interface SnapshotHistoryStore {
  /**
   * Snapshots without a stored entry may have been served: of lists (`copies`), or of single items (`items`), which are
   * not stored. Then one without an entry counts as changed, not as the first.
   */
  readonly forgotten: { readonly copies: boolean; readonly items: boolean };
  /**
   * When a configuration replaced one that answered queries differently, in milliseconds since 1970 (operation 6.2).
   * Undefined: none did, as far as the history reaches.
   */
  readonly replacedAt: number | undefined;
  get(key: string): StoredRevision | undefined;
  set(key: string, revision: StoredRevision): void;
  /** Of a snapshot that was served. */
  forget(key: string): void;
  /** The last trusted number (`setRecordCount`). */
  recordCount(key: string): number | undefined;
  /** A trusted number. The key has the source's address, so the number stays valid when the configuration changes. */
  setRecordCount(key: string, records: number): void;
  /** The work ends with a call of `set`; the last write waits for it. */
  addPendingWork(work: Promise<void>): void;
}
