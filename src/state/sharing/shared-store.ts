/**
 * The memory that several instances share (operation 2.5.4), as this program uses it. Times are in milliseconds since 1970
 * by the clock of the memory, durations in milliseconds. Each method rejects where the memory does not answer in time.
 */
export interface SharedStore {
  /** Reports that an instance is alive, and returns what has changed since it did so before. */
  synchronize(report: InstanceReport): Promise<SharedState>;
  /** Takes the lease to fetch an entry, unless the entry is newer than the caller knows or another instance has the lease. */
  claim(name: string, known: ClaimOptions): Promise<Claim>;
  /**
   * Extends a lease. Returns false where it is lost: it was given up, another instance has taken it over, or it ended more
   * than {@link LEASE_MARGIN_MS} ago.
   */
  renew(lease: FetchLease, duration: number): Promise<boolean>;
  /** Gives up a lease without a result. */
  release(lease: FetchLease): Promise<void>;
  /** Replaces an entry and gives up the lease, which stays as it is where nothing is stored. */
  publish(lease: FetchLease, publication: Publication): Promise<PublicationResult>;
  /** Stores a result that does not replace the entry, and gives up the lease. Returns false where the lease is lost. */
  publishRejected(lease: FetchLease, rejected: RejectedPublication): Promise<boolean>;
  /** Reads an entry; undefined where there is none. Rejects where `epoch` is given and is not the present one. */
  read(name: string, epoch?: string): Promise<SharedEntry | undefined>;
  /** Reads the last rejected result since the last publication, as long as it is kept; undefined where there is none. */
  readRejected(name: string): Promise<RejectedResult | undefined>;
  /**
   * Removes all entries of a source, whose names begin with that of the source and a point, with their rejected results, and
   * ends their leases: what was fetched before cannot be published afterwards. Every instance sees the name of the source as
   * changed. Returns the number of this change.
   */
  remove(source: string): Promise<number>;
  /** Returns the number of the last change of an entry, or of the last removal of a source; 0 where there was none. */
  lastChange(name: string): Promise<number>;
  /** Writes records under an id that is not in use. They are deleted after a minute unless an entry that names them is published. */
  writeRecords(id: string, chunks: Iterable<Buffer>): Promise<void>;
  /** Reads records, in chunks of any size. Rejects where they do not exist. */
  readRecords(id: string): AsyncIterable<Buffer>;
  /**
   * Calls a function soon after another instance has changed an entry, has given up its lease, or has removed a source, with
   * its name. Calls may be missed. A call without a name means that any entry may have changed.
   */
  onChange(listener: (name: string | undefined) => void): void;
  /** Ends all connections. Never rejects. */
  close(): Promise<void>;
}

/**
 * Time after its end for which a lease is still good unless another instance takes it over, in milliseconds. Clients choose
 * the names of some entries, so the leases of all that were ever claimed must not fill the memory.
 */
export const LEASE_MARGIN_MS = 600_000;

/** Milliseconds after the time at which requests wait for an entry, after which no instance serves it without waiting. */
export const WAIT_MARGIN_MS = 500;

/** What an instance reports of itself. */
export interface InstanceReport {
  readonly instance: string;
  /** Hash of everything that shapes responses: the configuration and the version of the program. */
  readonly configuration: string;
  /** What the instance knew last; undefined: nothing. */
  readonly known: Pick<SharedState, 'epoch' | 'sequence'> | undefined;
  /**
   * Notice period. The report counts for this long. No entry becomes active, and no epoch begins, earlier than this long
   * after it was stored, so that each instance whose report counts knows of it before.
   */
  readonly notice: number;
}

/** State of the shared memory at one moment. */
export interface SharedState {
  readonly time: number;
  /**
   * The period in which the dates of entries can be compared. A new one begins when the memory was emptied, restarted or
   * lost writes, at once for `claim`, `publish` and `read`, and when another configuration came into force.
   */
  readonly epoch: { readonly id: string; readonly since: number };
  /** Whether instances with different configurations are alive. */
  readonly isMixed: boolean;
  /** Number of the last change. */
  readonly sequence: number;
  /** Names of the entries that changed, and of the sources that were removed, after the known sequence, or of all. */
  readonly changed: readonly string[];
}

/** What is known of an entry when it is claimed. */
export interface ClaimOptions {
  /** The epoch that the instance knows; undefined: none. */
  readonly epoch: string | undefined;
  /** Version of the entry that the instance has; 0: none. */
  readonly version: number;
  /** Time after which the lease ends unless it is renewed. */
  readonly duration: number;
  /** Whether a rejected result that may not be retried yet is ignored, because an operator requests a fetch. */
  readonly ignoresRejected?: boolean;
}

/** Result of a claim. */
export type Claim =
  | {
      readonly state: 'granted';
      readonly lease: FetchLease;
      readonly time: number;
      /** The last rejected result since the last publication, as long as it is kept. */
      readonly rejected?: RejectedResult;
    }
  | { readonly state: 'busy' }
  /** The epoch is another one than the instance knows: it reports before it claims again. */
  | { readonly state: 'new-epoch' }
  | { readonly state: 'newer'; readonly entry: SharedEntry }
  | { readonly state: 'rejected'; readonly rejected: RejectedResult };

/** The right of one instance to replace an entry. Its token is higher than all earlier ones: a late holder is refused. */
export interface FetchLease {
  readonly name: string;
  readonly token: number;
  /** The epoch in which it was granted. In a later one it is void for a publication, which may follow a lost entry. */
  readonly epoch: string;
  /** From this time on requests wait for the entry that is replaced; 0 where there is none. */
  readonly replacedWaitAt: number;
}

/** An entry as it is stored. */
export interface SharedEntry {
  readonly version: number;
  /** From this time on the entry is served. Earlier than now for most entries. */
  readonly activeAt: number;
  readonly head: Buffer;
}

/** An entry to be stored. */
export interface Publication {
  readonly head: Buffer;
  /** From this time on the entry is served (`required` of a late publication). */
  readonly activeAt: number;
  /** From this time on requests wait for the next entry. */
  readonly waitAt: number;
  /** Id of its records, and for how long they are kept. */
  readonly records: { readonly id: string; readonly duration: number };
  /** For how long the head is kept. */
  readonly duration: number;
  /** Whether the entry contains what the one before contained, so that it may be served at once. */
  readonly isUnchanged: boolean;
  /** Whether other instances follow the entry: only then its changes are listed (`SharedState.changed`). */
  readonly isFollowed: boolean;
  readonly notice: number;
}

/**
 * `late`: nothing is stored, because `activeAt` is earlier than `required`: an earlier entry, even a removed one, may be
 * served. `lost`: the lease is lost, or its epoch has ended.
 */
export type PublicationResult =
  | { readonly state: 'published'; readonly version: number }
  | { readonly state: 'lost' }
  | { readonly state: 'late'; readonly required: number };

/** A result that is served in place of a fetch until a time. */
export interface RejectedResult {
  readonly result: Buffer;
  readonly until: number;
}

/** A rejected result to be stored. */
export interface RejectedPublication extends RejectedResult {
  /** For how long it is kept for the next holder of the lease; at least until it may be fetched again. Absent: until then. */
  readonly duration?: number;
}
