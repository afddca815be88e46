/** Since when a held copy is as it is. Times in milliseconds since 1970. */
export interface Standing {
  /** When its records were first held as they are. */
  readonly since: number;
  /** The newest date that others before them may have been shown with; absent where there were none. */
  readonly floor?: number;
}

/** What is remembered of a held copy without its data. Times in milliseconds since 1970. */
export interface Remembered extends Standing {
  /** Newest Last-Modified that the source said while its records were these; -Infinity where it said nothing. */
  readonly lastModified: number;
  /** Newest date that it may have been shown with; Infinity where nobody can tell. */
  readonly newest: number;
  /** Tells its records from others; absent: whatever comes next has changed. */
  readonly fingerprint?: string;
}

/** Keeps across restarts what a history needs (operation.md, `cache.state`). Nothing here waits for a disk. */
export interface Memory {
  /**
   * What may have been shown of which nothing is remembered: of `copies`, any; of `items`, single ones, which are not kept. What is not
   * known is then no beginning, but a change.
   */
  readonly forgotten: { readonly copies: boolean; readonly items: boolean };
  get(key: string): Remembered | undefined;
  set(key: string, remembered: Remembered): void;
  /** Forgets a copy that has been shown. */
  forget(key: string): void;
  /** How many records were last believed to be where the key names (`setRecords`); undefined where that is not known. */
  records(key: string): number | undefined;
  /** The key names the source by its address: what is remembered so outlives another configuration. */
  setRecords(key: string, records: number): void;
  /** Work that ends with something to remember: what is written last waits for it. */
  awaits(work: Promise<void>): void;
}
