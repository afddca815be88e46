import type { RecordSet } from '../../records/record-set.js';
import type { StoredRevision } from '../../source/snapshot/history-store.js';
import type { SharedFetch, SharedRejection, SharedSnapshot, SnapshotToShare } from '../../source/snapshot-sharing.js';
import type { DoubtedCount } from '../../source/snapshot/shrink-guard.js';
import { createHead } from '../snapshots/snapshot-head.js';
import type { SnapshotHead } from '../snapshots/snapshot-head.js';
import type { ListIdentity } from './entries/entry-reader.js';
import { dateByRevision, supersedeRevision } from './agreed-revision.js';
import type { AgreedRevision } from './agreed-revision.js';
import { NOTICE_MS } from './instance-agreement.js';
import { RenewedLease } from './renewed-lease.js';
import type { SharedHead } from './entries/shared-head.js';
import type { SharedMemory } from './shared-memory.js';
import type { GrantedClaim } from './settle-claim.js';
import { WAIT_MARGIN_MS } from './shared-store.js';
import type { PublicationResult } from './shared-store.js';

/** A week in milliseconds, for the dates of an unused entry. */
const HISTORY_MS = 7 * 24 * 3_600_000;

/** In milliseconds: other instances may be reading the records. */
const MIN_RECORDS_MS = 60_000;

/** Time for the way to the memory, in milliseconds. */
const PUBLICATION_MARGIN_MS = 20;

const MAX_ATTEMPTS = 3;

export interface KnownEntry {
  readonly version: number;
  readonly head: SharedHead;
  /** As long as the records are in memory. */
  readonly set?: WeakRef<RecordSet> | undefined;
}

export interface SiblingList {
  readonly revision: StoredRevision;
  /** In milliseconds since 1970. */
  readonly staleAt: number;
}

interface PublicationContext {
  readonly memory: SharedMemory;
  readonly identity: ListIdentity;
  readonly granted: GrantedClaim;
  /** Undefined: none, or one that cannot be read. */
  readonly replaced: KnownEntry | undefined;
  /** Doubted by the instances that fetched before. */
  readonly doubt: DoubtedCount | undefined;
  readonly readSibling: () => Promise<SiblingList | undefined>;
  readonly onPublished: (entry: KnownEntry) => void;
}

/** The right of this instance to replace an entry, and the way to do so (operation 2.5.4). */
export class SnapshotPublication implements SharedFetch {
  private readonly lease: RenewedLease;
  /** Difference of the clock of the memory to the monotonic clock. */
  private readonly timeOffset: number;

  constructor(private readonly context: PublicationContext) {
    const { memory, identity, granted } = context;
    this.timeOffset = granted.time - memory.monotonic();
    this.lease = new RenewedLease(memory, identity.name, granted.lease);
  }

  get doubt(): DoubtedCount | undefined {
    return this.context.doubt;
  }

  async publish(snapshot: SnapshotToShare): Promise<SharedSnapshot | undefined> {
    try {
      return await this.tryPublish(snapshot);
    } catch {
      this.release();
      return undefined;
    } finally {
      this.lease.endRenewal();
    }
  }

  publishRejection(rejection: SharedRejection): void {
    this.lease.publishRejection(rejection);
  }

  release(): void {
    this.lease.release();
  }

  private async tryPublish(shared: SnapshotToShare): Promise<SharedSnapshot | undefined> {
    const { epoch } = this.context.memory;
    const previous = await this.findPreviousRevision(shared);
    // Race: the entry before may not be active yet. Nothing that follows it is served earlier, not even the same records.
    const earliest = previous?.since ?? 0;
    let activeAt = Math.max(this.earliestActivation(), earliest);
    let written: SnapshotHead['records'] | undefined;
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const dating = await dateByRevision(shared.snapshot, previous, activeAt);
      const set = this.chooseSet(dating);
      written ??= this.findRecords(set) ?? (await this.lease.writeRecords(set));
      const snapshot = { ...shared.snapshot, ...dating.dated, set };
      const head = this.createHead({ ...shared, query: this.context.identity.query, snapshot }, dating, written);
      const result = await this.store(head, { shared, activeAt, isUnchanged: dating.isUnchanged });
      if (result.state === 'lost') return undefined;
      if (result.state === 'published') {
        this.context.onPublished({ version: result.version, head, set: new WeakRef(set) });
        const servedFrom = dating.isUnchanged ? earliest : activeAt;
        if (!this.context.memory.time.hasPassed(servedFrom)) await this.waitUntilActive(servedFrom);
        // Race: the memory lost the entry before it was active, and other instances have another one.
        if (this.context.memory.epoch !== epoch) return undefined;
        const { validators, weight } = shared;
        return { snapshot: { ...snapshot, agreedVersion: result.version }, validators, weight };
      }
      activeAt = Math.max(result.required + PUBLICATION_MARGIN_MS * (attempt + 1), earliest);
    }
    throw new Error('the snapshot could not be published in time');
  }

  /**
   * If the other list of the same records was served since, everything counts as changed (decisions 7.6). Rejects while
   * another instance may serve that list without waiting, with its earlier date.
   */
  private async findPreviousRevision({ snapshot, waitAt }: SnapshotToShare): Promise<StoredRevision | undefined> {
    const { memory, replaced, readSibling } = this.context;
    const previous = replaced?.head.revision;
    const sibling = await readSibling();
    if (sibling === undefined || (previous !== undefined && sibling.revision.since <= previous.since)) return previous;
    const siblingWaitAt = sibling.staleAt + (waitAt - snapshot.staleAt) + WAIT_MARGIN_MS;
    if (!memory.time.hasPassed(siblingWaitAt))
      throw new Error('the other list of the same records may still be served');
    return previous && supersedeRevision(previous);
  }

  /** Now, if no instance serves the previous snapshot without a refresh. */
  private earliestActivation(): number {
    const { memory, granted } = this.context;
    const now = memory.monotonic() + this.timeOffset;
    const replacedWaitAt = granted.lease.replacedWaitAt === 0 ? 0 : granted.lease.replacedWaitAt + WAIT_MARGIN_MS;
    const required = Math.min(now + NOTICE_MS, Math.max(now, replacedWaitAt));
    return Math.ceil(required) + (required > now ? PUBLICATION_MARGIN_MS : 0);
  }

  /** Equal records keep the set that this instance serves, so that results computed from it stay valid. */
  private chooseSet({ dated, revision }: AgreedRevision): RecordSet {
    const { replaced } = this.context;
    const isEqual = replaced?.head.revision.fingerprint === revision.fingerprint;
    return (isEqual ? replaced?.set?.deref() : undefined) ?? dated.set;
  }

  private findRecords(set: RecordSet): SnapshotHead['records'] | undefined {
    const { replaced } = this.context;
    return replaced?.set?.deref() === set ? replaced.head.snapshot.records : undefined;
  }

  private createHead(
    saved: Parameters<typeof createHead>[1],
    { revision }: AgreedRevision,
    records: SnapshotHead['records'],
  ): SharedHead {
    const { identity, replaced } = this.context;
    return { snapshot: createHead(identity.source, saved, records), revision, replaces: replaced?.version ?? 0 };
  }

  private store(
    head: SharedHead,
    {
      shared,
      activeAt,
      isUnchanged,
    }: { readonly shared: SnapshotToShare; readonly activeAt: number; readonly isUnchanged: boolean },
  ): Promise<PublicationResult> {
    const recordsDuration = Math.max(shared.unusableAt - this.context.memory.clock.now(), MIN_RECORDS_MS);
    return this.lease.publish(head, {
      activeAt,
      waitAt: shared.waitAt,
      records: { id: head.snapshot.records.file, duration: recordsDuration },
      duration: Math.max(recordsDuration, HISTORY_MS),
      isUnchanged,
      isFollowed: true,
      notice: NOTICE_MS,
    });
  }

  private async waitUntilActive(activeAt: number): Promise<void> {
    const { memory } = this.context;
    const change = memory.expectAt(activeAt);
    await memory.waitUntil(activeAt);
    // The caller serves the snapshot in this turn of the event loop.
    memory.agreement.resolve(change);
  }
}
