import type { RecordSet } from '../../records/record-set.js';
import type { DoubtedCount } from '../../source/snapshot/shrink-guard.js';
import type { SharedClaim, SharedFetch, SharedList, SharedListHolder } from '../../source/snapshot-sharing.js';
import { createSnapshot } from '../snapshots/snapshot-head.js';
import { supersedeRevision } from './agreed-revision.js';
import { EntryReader } from './entries/entry-reader.js';
import type { RecordOrigin } from '../../records/record-set.js';
import type { ListIdentity } from './entries/entry-reader.js';
import type { PendingChange } from './instance-agreement.js';
import { parseSharedHead } from './entries/shared-head.js';
import type { SharedHead } from './entries/shared-head.js';
import type { ObservedList, SharedMemory } from './shared-memory.js';
import type { Claim, SharedEntry } from './shared-store.js';
import { settleClaim } from './settle-claim.js';
import type { ClaimingList, GrantedClaim } from './settle-claim.js';
import { SnapshotPublication } from './snapshot-publication.js';
import { LEASE_MS } from './renewed-lease.js';
import type { KnownEntry, SiblingList } from './snapshot-publication.js';
import type { SourceRemovals } from './source-removals.js';

/** In milliseconds. It doubles with each further failure, up to the longest. */
const FIRST_RETRY_MS = 250;
const LONGEST_RETRY_MS = 8_000;

export interface SharedSnapshotListOptions {
  readonly memory: SharedMemory;
  readonly identity: ListIdentity;
  /** The small or large list of the same records; undefined: there is none. */
  readonly siblingName: string | undefined;
  readonly origin: RecordOrigin;
  readonly holder: SharedListHolder;
  readonly removals: SourceRemovals;
}

/**
 * One list that several instances share (operation 2.5.4). What another instance publishes enters the cache of this one
 * at the moment at which all instances serve it.
 */
export class SharedSnapshotList implements SharedList, ObservedList {
  /** Read or written last. */
  private known: KnownEntry | undefined;
  /** An entry that cannot be read, is too old, or is older than what this instance has. */
  private unusedVersion: number | undefined;
  /** Published by this instance, which serves it as soon as it is active. */
  private ownVersion: number | undefined;
  /** The records of the last entry are lost, or it is forged. */
  private isUnreadable = false;
  private isSharing = false;
  /** Changes that were not followed, because there was nothing in the cache. */
  private missedChanges = 0;
  /** Of the snapshot in the cache. */
  private heldEpoch: string | undefined;
  /** Failed attempts in a row, and the time of the next one by the monotonic clock. */
  private failures = { count: 0, retryAt: -Infinity };
  private adoption: { readonly version: number; readonly isAdopted: Promise<boolean> } | undefined;
  private readonly reader: EntryReader;

  constructor(private readonly options: SharedSnapshotListOptions) {
    this.reader = new EntryReader(options.memory, options.identity, options.origin);
  }

  get identity(): ListIdentity {
    return this.options.identity;
  }

  async claim(options: { readonly isRequested?: boolean } = {}): Promise<SharedClaim> {
    const { missedChanges } = this;
    const list: ClaimingList = {
      memory: this.options.memory,
      name: this.identity.name,
      reader: this.reader,
      requestClaim: (ignoresRejected) => this.requestClaim(ignoresRejected),
      createFetch: (granted) => this.createFetch(granted),
      adopt: (entry) => this.adopt(entry),
    };
    const claim = await settleClaim(list, options);
    // Race: a report showed a further change before the reply to the claim arrived.
    if (claim.state === 'adopted' && this.missedChanges !== missedChanges) this.noteChange(-Infinity, false);
    return claim;
  }

  async readDoubt(): Promise<DoubtedCount | undefined> {
    const { memory, identity } = this.options;
    try {
      const rejected = await memory.store.readRejected(identity.name);
      return rejected && this.reader.openRejection(rejected)?.doubt;
    } catch {
      return undefined;
    }
  }

  noteChange(dueAt: number, isNewEpoch: boolean): void {
    const { memory, holder } = this.options;
    if (isNewEpoch) {
      this.ownVersion = undefined;
      this.failures = { count: 0, retryAt: -Infinity };
    }
    if (!holder.isUsed() && this.adoption === undefined) {
      this.missedChanges += 1;
      return;
    }
    const change = memory.agreement.expect(dueAt);
    void this.follow(change)
      // The memory was closed.
      .catch(() => undefined)
      .finally(() => {
        memory.agreement.resolve(change);
      });
  }

  compare(): void {
    this.noteChange(-Infinity, true);
  }

  /** Shares what this instance fetched while the memory did not answer, or could not publish in time. */
  noteReport(): void {
    const held = this.options.holder.held();
    if (held === undefined || held.snapshot.agreedVersion !== undefined) return;
    // Do not replace an unreadable entry: two instances with different keys would overwrite each other forever.
    if (this.isSharing || this.isUnreadable || this.options.memory.monotonic() < this.failures.retryAt) return;
    this.isSharing = true;
    void this.shareHeld()
      .catch(() => undefined)
      .finally(() => {
        this.isSharing = false;
      });
  }

  private requestClaim(ignoresRejected: boolean): Promise<Claim> {
    const { memory, identity, holder } = this.options;
    const version = this.unusedVersion ?? holder.version() ?? 0;
    const options = { epoch: memory.epoch, version, duration: LEASE_MS, ignoresRejected };
    return memory.store.claim(identity.name, options);
  }

  private async createFetch(granted: GrantedClaim): Promise<SharedFetch> {
    const { memory, identity, holder } = this.options;
    const known = granted.lease.replacedWaitAt === 0 ? undefined : await this.readKnownOrRelease(granted);
    // The memory lost the entry that this instance serves, and others may have served it.
    const isDoubtful = known !== undefined && known.version < (holder.version() ?? 0);
    const replaced = isDoubtful
      ? { ...known, head: { ...known.head, revision: supersedeRevision(known.head.revision) } }
      : known;
    const doubt = granted.rejected && this.reader.openRejection(granted.rejected)?.doubt;
    return new SnapshotPublication({
      memory,
      identity,
      granted,
      replaced,
      doubt,
      readSibling: () => this.readSibling(),
      onPublished: (entry) => {
        this.known = entry;
        this.unusedVersion = undefined;
        this.isUnreadable = false;
        this.ownVersion = entry.version;
        this.heldEpoch = memory.epoch;
      },
    });
  }

  private async readKnownOrRelease({ lease }: GrantedClaim): Promise<KnownEntry | undefined> {
    try {
      return await this.readKnown();
    } catch (error) {
      void this.options.memory.store.release(lease).catch(() => undefined);
      throw error;
    }
  }

  /** Undefined where the entry cannot be read. */
  private async readKnown(): Promise<KnownEntry | undefined> {
    const { memory, identity } = this.options;
    const expected = this.unusedVersion ?? this.options.holder.version();
    if (this.known?.version === expected) return this.known;
    const entry = await memory.store.read(identity.name);
    const head = entry && this.reader.openHead(entry);
    return head && { version: entry.version, head };
  }

  private async readSibling(): Promise<SiblingList | undefined> {
    const { memory, siblingName } = this.options;
    const entry = siblingName === undefined ? undefined : await memory.store.read(siblingName);
    if (entry === undefined || siblingName === undefined) return undefined;
    try {
      const { revision, snapshot } = parseSharedHead(memory.sealer.open(`head ${siblingName}`, entry.head));
      return { revision, staleAt: snapshot.staleAt };
    } catch {
      // The instance that shares it reports it. It may have been served until now.
      const revision = { since: Infinity, lastModified: -Infinity, floor: Infinity, newest: Infinity };
      return { revision, staleAt: -Infinity };
    }
  }

  private async follow(change: PendingChange): Promise<void> {
    const { memory, identity, holder } = this.options;
    const entry = await memory.retryUntilClosed(identity.name, () => memory.store.read(identity.name, memory.epoch));
    if (!holder.isUsed()) {
      this.missedChanges += 1;
      return;
    }
    if (entry === undefined) {
      await this.shareHeld();
      return;
    }
    const agreedVersion = holder.version();
    if (entry.version === agreedVersion || entry.version === this.ownVersion) return;
    const head = this.reader.openHead(entry);
    // Where a version between the two was missed, it may have become active earlier.
    if (head !== undefined && head.replaces === agreedVersion)
      memory.agreement.reschedule(change, memory.time.toMonotonic(entry.activeAt));
    if (await this.adopt(entry)) return;
    // Do not replace an unreadable entry: two instances with different keys would overwrite each other forever.
    if (this.isUnreadable) holder.disagree();
    else await this.shareHeld();
  }

  /** Where the memory has something newer, the dates of what this instance serves are no longer shown. */
  private async shareHeld(): Promise<void> {
    const { memory, holder, removals } = this.options;
    // Race: what an operator has forgotten would be published again.
    await removals.settled;
    const removalCount = removals.count;
    const held = holder.held();
    if (held === undefined) return;
    if (!memory.mayPublish) {
      holder.disagree();
      return;
    }
    try {
      const claim = await this.requestClaim(true);
      if (claim.state === 'newer' && (await this.adopt(claim.entry))) return;
      const fetch = claim.state === 'granted' ? await this.createFetch(claim) : undefined;
      if (removals.count !== removalCount) {
        fetch?.release();
        return;
      }
      const shared = await fetch?.publish(held);
      this.noteAttempt(claim.state !== 'granted' || shared !== undefined);
      const isCurrent = holder.held()?.snapshot.set === held.snapshot.set;
      if (shared !== undefined && isCurrent) {
        holder.adopt(shared);
        return;
      }
    } catch {
      // The memory is unreachable again, or full: a later report leads here.
      this.noteAttempt(false);
    }
    // Race: the snapshot of another instance was adopted meanwhile.
    if (holder.held()?.snapshot.set !== held.snapshot.set) return;
    if (memory.isReachable || held.snapshot.agreedVersion !== undefined) holder.disagree();
  }

  /** Each attempt writes all records, which a full memory refuses again and again. */
  private noteAttempt(isSuccessful: boolean): void {
    const count = isSuccessful ? 0 : this.failures.count + 1;
    const pause = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** count);
    this.failures = { count, retryAt: isSuccessful ? -Infinity : this.options.memory.monotonic() + pause };
  }

  /** Returns false where the cache has something newer. */
  private adopt(entry: SharedEntry): Promise<boolean> {
    if (this.adoption?.version !== entry.version) {
      const isAdopted = this.readAndAdopt(entry).finally(() => {
        if (this.adoption?.version === entry.version) this.adoption = undefined;
      });
      this.adoption = { version: entry.version, isAdopted };
    }
    return this.adoption.isAdopted;
  }

  private async readAndAdopt(entry: SharedEntry): Promise<boolean> {
    const { memory, holder, removals } = this.options;
    const { version, activeAt } = entry;
    const removalCount = removals.count;
    const { epoch } = memory;
    const head = this.reader.openHead(entry);
    const isUsable = head !== undefined && !this.isOlder(head) && holder.mayServe(head.snapshot);
    const set = isUsable ? await this.loadSet(head) : undefined;
    this.isUnreadable = head === undefined || (isUsable && set === undefined);
    if (head === undefined || set === undefined) return this.disregard(version, head);
    this.known = { version, head, set: new WeakRef(set) };
    this.unusedVersion = undefined;
    await memory.waitUntil(activeAt);
    // Race: the memory lost the entry during the wait, or an operator had it forgotten.
    if (removals.count !== removalCount || memory.epoch !== epoch) return false;
    const heldVersion = holder.version() ?? 0;
    if (heldVersion === version) return true;
    // Race: something newer was put into the cache during the wait.
    const isReplaced = heldVersion > version && this.heldEpoch === epoch;
    if (isReplaced || this.isOlder(head)) return this.disregard(version, head);
    const { since, floor } = head.revision;
    const snapshot = { ...createSnapshot(head.snapshot, set), since, floor, agreedVersion: version };
    const { validators, weight } = head.snapshot;
    this.heldEpoch = epoch;
    holder.adopt({ snapshot, validators, weight });
    memory.publish({ type: 'snapshot adopted', source: this.identity.source.code });
    return true;
  }

  /** Compares whichever clocks the two times are of. */
  private isOlder({ snapshot }: SharedHead): boolean {
    const verifiedAt = this.options.holder.held()?.snapshot.verifiedAt ?? 0;
    return verifiedAt > snapshot.verifiedAt + this.options.memory.clockTolerance;
  }

  private disregard(version: number, head: SharedHead | undefined): false {
    this.known = head && { version, head };
    this.unusedVersion = version;
    return false;
  }

  /** Undefined where the records cannot be read. */
  private async loadSet(head: SharedHead): Promise<RecordSet | undefined> {
    const { readAt } = head.snapshot;
    const knownSet = this.known?.set?.deref();
    const isSame = this.known?.head.revision.fingerprint === head.revision.fingerprint;
    if (isSame && knownSet?.readAt === readAt) return knownSet;
    return this.reader.loadRecords(head);
  }
}
