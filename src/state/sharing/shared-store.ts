/**
 * The memory that several instances share (operation 2.5.4). Times are in milliseconds since 1970 by the clock of the
 * memory, durations in milliseconds. Each method rejects where the memory does not answer in time.
 */
export interface SharedStore {
  /** Returns what has changed since the report before. */
  synchronize(report: InstanceReport): Promise<SharedState>;
  /** Not granted where the entry is newer than the caller knows, or another instance has the lease. */
  claim(name: string, known: ClaimOptions): Promise<Claim>;
  /** Returns false where the lease was given up, taken over, or ended more than {@link LEASE_MARGIN_MS} ago. */
  renew(lease: FetchLease, duration: number): Promise<boolean>;
  release(lease: FetchLease): Promise<void>;
  /** Gives up the lease, which stays where nothing is stored. */
  publish(lease: FetchLease, publication: Publication): Promise<PublicationResult>;
  /** Returns false where the lease is lost. */
  publishRejected(lease: FetchLease, rejected: RejectedPublication): Promise<boolean>;
  /** Undefined where there is no entry. Rejects where `epoch` is given and is not the present one. */
  read(name: string, epoch?: string): Promise<SharedEntry | undefined>;
  /** The last one since the last publication, as long as it is kept. */
  readRejected(name: string): Promise<RejectedResult | undefined>;
  /**
   * Removes all entries of a source, whose names begin with its name and a point, with their rejected results and
   * leases: what was fetched before cannot be published afterwards. Every instance sees the name of the source as
   * changed. Returns the number of this change.
   */
  remove(source: string): Promise<number>;
  /** Of an entry, or of the last removal of a source; 0: none. */
  lastChange(name: string): Promise<number>;
  /** The id is not in use. Records are deleted after a minute unless an entry that names them is published. */
  writeRecords(id: string, chunks: Iterable<Buffer>): Promise<void>;
  /** In chunks of any size. Rejects where the records do not exist. */
  readRecords(id: string): AsyncIterable<Buffer>;
  /**
   * Called soon after another instance has changed an entry, given up its lease, or removed a source, with its name;
   * undefined: any entry may have changed. Calls may be missed.
   */
  onChange(listener: (name: string | undefined) => void): void;
  /** Never rejects. */
  close(): Promise<void>;
}

/**
 * Time after its end for which a lease is good unless another instance takes it over, in milliseconds. Clients choose
 * the names of some entries, so old leases must not fill the memory.
 */
export const LEASE_MARGIN_MS = 600_000;

/** Milliseconds after `waitAt`, after which no instance serves the entry without waiting. */
export const WAIT_MARGIN_MS = 500;

export interface InstanceReport {
  readonly instance: string;
  /** Hash of everything that shapes responses: the configuration and the version of the program. */
  readonly configuration: string;
  /** Undefined: nothing. */
  readonly known: Pick<SharedState, 'epoch' | 'sequence'> | undefined;
  /**
   * The report counts for this long. No entry becomes active, and no epoch begins, earlier than this long after it was
   * stored, so each instance whose report counts knows of it before.
   */
  readonly notice: number;
}

export interface SharedState {
  readonly time: number;
  /**
   * The period in which the dates of entries can be compared. A new one begins when the memory was emptied, restarted or
   * lost writes, at once for `claim`, `publish` and `read`, and when another configuration came into force.
   */
  readonly epoch: { readonly id: string; readonly since: number };
  readonly isMixed: boolean;
  readonly sequence: number;
  /** Entries that changed and sources that were removed after the known sequence, or all. */
  readonly changed: readonly string[];
}

export interface ClaimOptions {
  /** Undefined: none. */
  readonly epoch: string | undefined;
  /** 0: none. */
  readonly version: number;
  readonly duration: number;
  /** Whether a rejected result is ignored, because an operator requests a fetch. */
  readonly ignoresRejected?: boolean;
}

export type Claim =
  | {
      readonly state: 'granted';
      readonly lease: FetchLease;
      readonly time: number;
      /** As `readRejected` returns it. */
      readonly rejected?: RejectedResult;
    }
  | { readonly state: 'busy' }
  /** The instance must report before it claims again. */
  | { readonly state: 'new-epoch' }
  | { readonly state: 'newer'; readonly entry: SharedEntry }
  | { readonly state: 'rejected'; readonly rejected: RejectedResult };

/** The right of one instance to replace an entry. Its token is higher than all earlier ones: a late holder is refused. */
export interface FetchLease {
  readonly name: string;
  readonly token: number;
  /** The epoch in which it was granted. In a later one it is void for a publication, which may follow a lost entry. */
  readonly epoch: string;
  /** Requests wait for the replaced entry from this time on; 0 where there is none. */
  readonly replacedWaitAt: number;
}

export interface SharedEntry {
  readonly version: number;
  /** Earlier than now for most entries. */
  readonly activeAt: number;
  readonly head: Buffer;
}

export interface Publication {
  readonly head: Buffer;
  /** `required` of a late publication. */
  readonly activeAt: number;
  /** From this time on requests wait for the next entry. */
  readonly waitAt: number;
  /** Id of its records, and for how long they are kept. */
  readonly records: { readonly id: string; readonly duration: number };
  readonly duration: number;
  /** Contains what the entry before contained, so that it may be served at once. */
  readonly isUnchanged: boolean;
  /** Other instances follow the entry: only then its changes are listed (`SharedState.changed`). */
  readonly isFollowed: boolean;
  readonly notice: number;
}

/**
 * `late`: nothing is stored, because an earlier entry, even a removed one, may be served until `required`. `lost`: the
 * lease is lost, or its epoch has ended.
 */
export type PublicationResult =
  | { readonly state: 'published'; readonly version: number }
  | { readonly state: 'lost' }
  | { readonly state: 'late'; readonly required: number };

export interface RejectedResult {
  readonly result: Buffer;
  readonly until: number;
}

export interface RejectedPublication extends RejectedResult {
  /** Kept for the next holder of the lease, at least until it may be fetched again. Absent: until then. */
  readonly duration?: number;
}
