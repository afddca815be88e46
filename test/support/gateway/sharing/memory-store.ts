import { randomUUID } from 'node:crypto';
import type { Clock } from '../../../../src/model/clock.js';
import { LEASE_MARGIN_MS, WAIT_MARGIN_MS } from '../../../../src/state/sharing/shared-store.js';
import type {
  Claim,
  ClaimOptions,
  FetchLease,
  InstanceReport,
  Publication,
  PublicationResult,
  RejectedPublication,
  RejectedResult,
  SharedEntry,
  SharedState,
} from '../../../../src/state/sharing/shared-store.js';
import { MemoryConnection } from './memory-connection.js';
import { copyState, emptyState } from './memory-state.js';
import type { MemoryState, StoredEntry, StoredEpoch } from './memory-state.js';

/** For how long records are kept that no entry names, or whose entry was replaced. */
const SPARE_RECORDS_MS = 60_000;

/**
 * A shared memory inside the process, for tests. Its time is that of a clock. Each instance uses its own connection, which
 * a test can make unavailable, slow or silent.
 */
export class MemoryStore {
  private state = emptyState();
  /** Number of the process of a server, as its run id: a restarted server may have lost its last writes. */
  private run = 1;
  private readonly connections = new Set<MemoryConnection>();

  constructor(private readonly clock: Clock) {}

  /** Returns a connection for one instance. */
  connect(): MemoryConnection {
    const connection = new MemoryConnection(this, (sender, name) => {
      for (const other of this.connections) if (other !== sender) other.hint(name);
    });
    this.connections.add(connection);
    return connection;
  }

  /** Loses everything, like a server without a disk that restarts. */
  restartEmpty(): void {
    this.rollBack(emptyState());
  }

  /** Returns the present content, to be used with `rollBack`. */
  takeSnapshot(): MemoryState {
    return copyState(this.state);
  }

  /** Loses all writes since a snapshot, like a server that restarts from an old file, or a replica that takes over. */
  rollBack(snapshot: MemoryState): void {
    this.state = copyState(snapshot);
    this.run += 1;
  }

  /** Loses all writes since a snapshot without a sign of it, except that the sequence goes back. */
  loseWritesSilently(snapshot: MemoryState): void {
    this.state = copyState(snapshot);
  }

  /** Changes the content as a program does that can write to the memory, without notice to anybody. */
  tamper(change: (state: MemoryState) => void): void {
    change(this.state);
  }

  synchronize({ instance, configuration, known, notice }: InstanceReport): SharedState {
    const time = this.clock.now();
    const { members } = this.state;
    for (const [name, { expiresAt }] of members) if (expiresAt <= time) members.delete(name);
    members.set(instance, { configuration, expiresAt: time + notice });
    const configurations = new Set([...members.values()].map((member) => member.configuration));
    const isMixed = configurations.size > 1;
    const current = this.findEpoch();
    const isBehind = known?.epoch.id === current?.id && known !== undefined && known.sequence > this.state.sequence;
    const continues = current !== undefined && !isBehind && (isMixed || current.configuration === configuration);
    const { id, since } = continues ? current : { id: randomUUID(), since: time + notice };
    const hasChanges = this.state.changes.size > 0;
    this.state.epoch = { id, since, configuration: isMixed ? '' : configuration, run: this.run, hasChanges };
    const after = known?.epoch.id === id ? known.sequence : 0;
    const changed = [...this.state.changes].filter(([, number]) => number > after).map(([name]) => name);
    return { time, epoch: { id, since }, isMixed, sequence: this.state.sequence, changed };
  }

  claim(name: string, { epoch = '', version, duration, ignoresRejected = false }: ClaimOptions): Claim {
    if (this.findEpoch()?.id !== epoch) return { state: 'new-epoch' };
    const time = this.clock.now();
    const entry = this.findEntry(name);
    if (entry !== undefined && entry.version !== version) return { state: 'newer', entry: toShared(entry) };
    const rejected = this.readRejected(name);
    if (rejected !== undefined && rejected.until > time && !ignoresRejected) return { state: 'rejected', rejected };
    const held = this.state.leases.get(name);
    if (held !== undefined && held.until > time && this.isHeld(name, held.token)) return { state: 'busy' };
    const token = this.nextNumber();
    this.state.leases.set(name, { token, until: time + duration });
    const lease = { name, token, epoch, replacedWaitAt: entry?.waitAt ?? 0 };
    return { state: 'granted', lease, time, ...(rejected && { rejected }) };
  }

  renew({ name, token }: FetchLease, duration: number): boolean {
    if (!this.isHeld(name, token)) return false;
    this.state.leases.set(name, { token, until: this.clock.now() + duration });
    return true;
  }

  /** Returns whether the lease was held. */
  release({ name, token }: FetchLease): boolean {
    if (!this.isHeld(name, token)) return false;
    this.state.leases.delete(name);
    return true;
  }

  publish(lease: FetchLease, publication: Publication): PublicationResult {
    const time = this.clock.now();
    const { head, activeAt, waitAt, records, duration, isUnchanged, isFollowed, notice } = publication;
    const { name, token, epoch } = lease;
    if (!this.isHeld(name, token) || this.findEpoch()?.id !== epoch) return { state: 'lost' };
    const replaced = this.findEntry(name);
    if (!isUnchanged) {
      const removal = this.lastRemoval(name);
      const removed = removal === 0 ? 0 : Math.ceil(removal / 1_000) + notice;
      // What was evicted may still be served.
      const evicted = this.state.changes.has(name) ? time + notice : 0;
      const free = replaced === undefined ? evicted : Math.min(time + notice, replaced.waitAt + WAIT_MARGIN_MS);
      const required = Math.max(removed, free);
      if (activeAt < required) return { state: 'late', required };
    }
    const published = this.findRecords(records.id);
    const version = isFollowed ? this.recordChange(name) : this.nextNumber();
    const stored = this.state.entries.get(name);
    if (stored !== undefined) this.expireRecords(stored.recordsId);
    this.state.records.set(records.id, { ...published, expiresAt: time + records.duration });
    const entry = { version, activeAt, waitAt, head, recordsId: records.id, expiresAt: time + duration };
    this.state.entries.set(name, entry);
    this.state.rejected.delete(name);
    this.release(lease);
    return { state: 'published', version };
  }

  publishRejected(lease: FetchLease, { result, until, duration = 0 }: RejectedPublication): boolean {
    if (!this.release(lease)) return false;
    const expiresAt = Math.max(until, this.clock.now() + duration);
    this.state.rejected.set(lease.name, { result, until, token: lease.token, expiresAt });
    return true;
  }

  readRejected(name: string): RejectedResult | undefined {
    const stored = this.state.rejected.get(name);
    if (stored === undefined || stored.expiresAt <= this.clock.now() || this.isVoid(name, stored.token))
      return undefined;
    const { result, until } = stored;
    return { result, until };
  }

  read(name: string, epoch?: string): SharedEntry | undefined {
    if (epoch !== undefined && this.findEpoch()?.id !== epoch) throw new Error('the epoch is another one');
    const entry = this.findEntry(name);
    return entry && toShared(entry);
  }

  /** Returns the number of the removal. */
  remove(source: string): number {
    return this.recordChange(source);
  }

  lastChange(name: string): number {
    return this.state.changes.get(name) ?? 0;
  }

  writeRecords(id: string, chunks: Iterable<Buffer>): void {
    const old = this.state.records.get(id);
    if (old !== undefined && old.expiresAt > this.clock.now()) throw new Error(`the records ${id} exist already`);
    this.state.records.set(id, { chunks: [...chunks], expiresAt: this.clock.now() + SPARE_RECORDS_MS });
  }

  readRecords(id: string): readonly Buffer[] {
    return this.findRecords(id).chunks;
  }

  /** Numbers are never used twice, even by a memory that was emptied: they follow the time in microseconds. */
  private nextNumber(): number {
    this.state.sequence = Math.max(this.state.sequence + 1, this.clock.now() * 1_000);
    return this.state.sequence;
  }

  private recordChange(name: string): number {
    const number = this.nextNumber();
    this.state.changes.set(name, number);
    if (this.state.epoch !== undefined) this.state.epoch = { ...this.state.epoch, hasChanges: true };
    return number;
  }

  /** Returns the epoch; undefined where there is none, or writes may be lost since the last report. */
  private findEpoch(): StoredEpoch | undefined {
    const { epoch, changes } = this.state;
    if (epoch?.run !== this.run) return undefined;
    return epoch.hasChanges && changes.size === 0 ? undefined : epoch;
  }

  private isHeld(name: string, token: number): boolean {
    const lease = this.state.leases.get(name);
    const isKept = lease !== undefined && lease.until + LEASE_MARGIN_MS > this.clock.now();
    return isKept && lease.token === token && !this.isVoid(name, token);
  }

  /** Whether a version or token is from before the last removal of the source of an entry. */
  private isVoid(name: string, number: number): boolean {
    return number <= this.lastRemoval(name);
  }

  private lastRemoval(name: string): number {
    const [source = '', ...rest] = name.split('.');
    return rest.length === 0 ? 0 : this.lastChange(source);
  }

  private findEntry(name: string): StoredEntry | undefined {
    const entry = this.state.entries.get(name);
    const isKept = entry !== undefined && entry.expiresAt > this.clock.now() && !this.isVoid(name, entry.version);
    return isKept ? entry : undefined;
  }

  private findRecords(id: string): { readonly chunks: readonly Buffer[] } {
    const records = this.state.records.get(id);
    if (records === undefined || records.expiresAt <= this.clock.now())
      throw new Error(`the records ${id} do not exist`);
    return records;
  }

  private expireRecords(id: string): void {
    const records = this.state.records.get(id);
    const expiresAt = this.clock.now() + SPARE_RECORDS_MS;
    if (records !== undefined) this.state.records.set(id, { ...records, expiresAt });
  }
}

function toShared({ version, activeAt, head }: StoredEntry): SharedEntry {
  return { version, activeAt, head };
}
