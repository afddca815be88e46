import { randomUUID } from 'node:crypto';
import type { RecordSet } from '../../records/record-set.js';
import type { SharedRejection } from '../../source/snapshot-sharing.js';
import type { SnapshotHead } from '../snapshots/snapshot-head.js';
import { SealedRecords } from './entries/sealed-records.js';
import { formatSharedHead } from './entries/shared-head.js';
import type { SharedHead } from './entries/shared-head.js';
import type { SharedMemory } from './shared-memory.js';
import { formatSharedRejection } from './entries/shared-rejection.js';
import type { FetchLease, Publication, PublicationResult } from './shared-store.js';

export const LEASE_MS = 1_500;

const RENEWAL_INTERVAL_MS = LEASE_MS / 3;

/**
 * A week in milliseconds. A doubted number of records must persist for `confirm-shrink`, whichever instance fetches
 * next (decisions 6.11).
 */
const DOUBT_MS = 7 * 24 * 3_600_000;

/** A lease that is renewed until it is given up, and what its holder may write (operation 2.5.4). */
export class RenewedLease {
  private readonly renewal: NodeJS.Timeout;

  constructor(
    private readonly memory: SharedMemory,
    private readonly name: string,
    private readonly lease: FetchLease,
  ) {
    this.renewal = setInterval(() => {
      // A lost lease shows when the result is published.
      void memory.store.renew(lease, LEASE_MS).catch(() => undefined);
    }, RENEWAL_INTERVAL_MS);
    this.renewal.unref();
  }

  async writeRecords(set: RecordSet): Promise<SnapshotHead['records']> {
    const file = randomUUID();
    const records = new SealedRecords(this.memory.sealer, file);
    await this.memory.store.writeRecords(file, records.seal(set));
    return { file, ...records.finish() };
  }

  /** Gives up the lease where the entry is replaced, or can no longer be replaced. */
  async publish(head: SharedHead, publication: Omit<Publication, 'head'>): Promise<PublicationResult> {
    const { memory, name, lease } = this;
    const sealed = memory.sealer.seal(`head ${name}`, formatSharedHead(head));
    const result = await memory.store.publish(lease, { ...publication, head: sealed });
    // Where only its epoch has ended, other instances would wait for it.
    if (result.state === 'lost') this.release();
    return result;
  }

  /** Never throws. */
  publishRejection({ outcome, doubt, retryAt }: SharedRejection): void {
    this.endRenewal();
    const { memory, name, lease } = this;
    const result = memory.sealer.seal(`rejected ${name}`, formatSharedRejection({ outcome, doubt }));
    const duration = doubt === undefined ? 0 : DOUBT_MS;
    void memory.store.publishRejected(lease, { result, until: retryAt, duration }).catch(() => undefined);
  }

  release(): void {
    this.endRenewal();
    void this.memory.store.release(this.lease).catch(() => undefined);
  }

  /** The lease ends by itself, unless it was given up. */
  endRenewal(): void {
    clearInterval(this.renewal);
  }
}
