import type {
  SharedClaim,
  SharedFetch,
  SharedList,
  SharedListHolder,
  SnapshotToShare,
} from '../../source/snapshot-sharing.js';
import { createHead, createSnapshot } from '../snapshots/snapshot-head.js';
import type { EntryReader, ListIdentity } from './entries/entry-reader.js';
import { NOTICE_MS } from './instance-agreement.js';
import { LEASE_MS, RenewedLease } from './renewed-lease.js';
import type { SharedHead } from './entries/shared-head.js';
import { settleClaim } from './settle-claim.js';
import type { ClaimingList } from './settle-claim.js';
import type { SourceRemovals } from './source-removals.js';
import type { SharedMemory } from './shared-memory.js';
import type { FetchLease, SharedEntry } from './shared-store.js';

interface SharedQueryResultOptions {
  readonly memory: SharedMemory;
  readonly identity: ListIdentity;
  readonly reader: EntryReader;
  readonly holder: SharedListHolder;
  readonly removals: SourceRemovals;
}

/**
 * Shared result of a pushed-down query or a single news item (operation 2.5.4). Instances share it while it is fresh,
 * and do not follow it, so it has no dates (decisions 7.19).
 */
export class SharedQueryResult implements SharedList {
  constructor(private readonly options: SharedQueryResultOptions) {}

  claim(options: { readonly isRequested?: boolean } = {}): Promise<SharedClaim> {
    const { memory, identity, reader } = this.options;
    let version = 0;
    const list: ClaimingList = {
      memory,
      name: identity.name,
      reader,
      requestClaim: (ignoresRejected) =>
        memory.store.claim(identity.name, { epoch: memory.epoch, version, duration: LEASE_MS, ignoresRejected }),
      createFetch: ({ lease }) => Promise.resolve(this.createFetch(lease)),
      adopt: (entry) => {
        ({ version } = entry);
        return this.adopt(entry);
      },
    };
    return settleClaim(list, options);
  }

  readDoubt(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  compare(): void {
    // Each refresh compares.
  }

  /** Returns whether the result was newer. */
  private async adopt(entry: SharedEntry): Promise<boolean> {
    const { memory, reader, holder, removals, identity } = this.options;
    const removalCount = removals.count;
    const head = reader.openHead(entry);
    const now = memory.clock.now();
    if (head === undefined || head.snapshot.staleAt <= now) return false;
    if (head.snapshot.verifiedAt <= (holder.held()?.snapshot.verifiedAt ?? -Infinity)) return false;
    const set = await reader.loadRecords(head);
    if (set === undefined || removals.count !== removalCount) return false;
    if (!holder.isSufficient(set, head.snapshot.verifiedAt - memory.clockTolerance)) return false;
    const { validators, weight } = head.snapshot;
    const snapshot = { ...createSnapshot(head.snapshot, set), since: now, floor: Infinity };
    holder.adopt({ snapshot, validators, weight });
    memory.publish({ type: 'snapshot adopted', source: identity.source.code });
    return true;
  }

  private createFetch(granted: FetchLease): SharedFetch {
    const { memory, identity } = this.options;
    const lease = new RenewedLease(memory, identity.name, granted);
    return {
      doubt: undefined,
      publish: (result) => {
        // No request waits for other instances, because they have no agreement about the result.
        void this.publish(lease, result).catch(() => {
          lease.release();
        });
        return Promise.resolve(undefined);
      },
      publishRejection: (rejection) => {
        lease.publishRejection(rejection);
      },
      release: () => {
        lease.release();
      },
    };
  }

  private async publish(lease: RenewedLease, result: SnapshotToShare): Promise<void> {
    const { memory, identity } = this.options;
    const { snapshot, validators, weight, waitAt } = result;
    const records = await lease.writeRecords(snapshot.set);
    const saved = { query: identity.query, snapshot, validators, weight };
    const head: SharedHead = {
      snapshot: createHead(identity.source, saved, records),
      revision: {
        since: snapshot.fetchedAt,
        floor: Infinity,
        lastModified: -Infinity,
        newest: Infinity,
        fingerprint: '',
      },
      replaces: 0,
    };
    const duration = Math.max(1, snapshot.staleAt - memory.clock.now());
    await lease.publish(head, {
      activeAt: snapshot.fetchedAt,
      waitAt,
      records: { id: records.file, duration },
      duration,
      isUnchanged: true,
      isFollowed: false,
      notice: NOTICE_MS,
    });
    lease.endRenewal();
  }
}
