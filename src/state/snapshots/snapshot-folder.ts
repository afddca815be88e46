import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { SourceFingerprints } from '../../config/config-fingerprint.js';
import type { Publish } from '../../events/event.js';
import type { Clock } from '../../model/clock.js';
import type { RecordSet } from '../../records/record-set.js';
import type { SavedSnapshot, SnapshotPersistence } from '../../source/snapshot-persistence.js';
import { FileLock } from '../file-lock.js';
import { SnapshotFiles } from './snapshot-files.js';
import { createHead, createRecordSet, createSnapshot } from './snapshot-head.js';
import type { SnapshotHead } from './snapshot-head.js';
import { getErrorMessage } from '../../text/get-error-message.js';

/** In milliseconds, for snapshots whose records are unchanged. */
const TIMES_INTERVAL_MS = 60_000;

interface SnapshotFolderOptions {
  readonly path: string;
  /** The snapshots that were confirmed longest ago are deleted first. */
  readonly maxBytes: number;
  readonly clock: Clock;
  readonly publish: Publish;
}

export interface SaveFailure {
  /** In milliseconds since 1970. */
  readonly since: number;
  readonly lists: number;
  readonly error: string;
}

export interface SnapshotSource {
  readonly code: string;
  readonly number: number;
  readonly fingerprints: SourceFingerprints;
}

interface StoredFile {
  readonly head: SnapshotHead;
  /** Absent: the records of an earlier process, which were not loaded. */
  readonly set?: WeakRef<RecordSet>;
}

interface PendingSave {
  readonly source: SnapshotSource;
  readonly snapshot: SavedSnapshot;
}

/**
 * A folder with the snapshots of public lists (operation 2.5.3). A snapshot is replaced in this order, so that a killed
 * process leaves the earlier or the later one: new records under a name of their own, the head that names them,
 * deletion of the earlier records. Damaged files are set aside and logged. While another process has the folder locked,
 * nothing is written.
 */
export class SnapshotFolder {
  private readonly files = new Map<string, StoredFile>();
  private readonly pending = new Map<string, PendingSave>();
  private readonly disk: SnapshotFiles;
  private readonly lock: FileLock;
  private writing: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;
  private failure: Omit<SaveFailure, 'lists'> | undefined;
  /** Snapshots whose last write failed, with the code of their source. */
  private readonly unsaved = new Map<string, string>();
  private isOwner = false;
  private maxBytes: number;

  private constructor(private readonly options: SnapshotFolderOptions) {
    this.disk = new SnapshotFiles(options.path);
    this.lock = new FileLock(join(options.path, 'snapshots'));
    this.maxBytes = options.maxBytes;
  }

  /** The folder need not exist. Never rejects: what cannot be read or written is logged. */
  static async open(options: SnapshotFolderOptions): Promise<SnapshotFolder> {
    const folder = new SnapshotFolder(options);
    await folder.attempt(() => folder.prepare());
    options.publish({ type: 'snapshots written', unsaved: 0 });
    return folder;
  }

  get saveFailure(): SaveFailure | undefined {
    return this.failure && { ...this.failure, lists: this.unsaved.size };
  }

  setMaxBytes(maxBytes: number): void {
    this.maxBytes = maxBytes;
  }

  forSource(source: SnapshotSource): SnapshotPersistence {
    return {
      save: (snapshot) => {
        this.save({ source, snapshot });
      },
      forget: () => {
        void this.deleteSources(({ code }) => code === source.code);
      },
      load: () => this.load(source),
    };
  }

  /** Deletes the snapshots of all other sources. Never rejects. */
  retainSources(codes: ReadonlySet<string>): Promise<void> {
    // A list that the configuration in force does not have will not be saved again.
    const removed = [...this.unsaved].filter(([, code]) => !codes.has(code));
    for (const [name] of removed) this.unsaved.delete(name);
    if (removed.length > 0) this.reportUnsaved();
    return this.deleteSources(({ code }) => !codes.has(code));
  }

  private async deleteSources(isDeleted: (source: Pick<SnapshotSource, 'code'>) => boolean): Promise<void> {
    for (const [name, { source }] of this.pending) if (isDeleted(source)) this.pending.delete(name);
    await this.writing;
    for (const [name, { head }] of this.files)
      if (isDeleted({ code: head.source })) await this.attempt(() => this.delete(name, head));
  }

  /** Writes what is pending, and gives up the lock. Never rejects. */
  async close(): Promise<void> {
    clearTimeout(this.timer);
    await this.writing;
    await this.writePending();
    await this.lock.release();
  }

  private async prepare(): Promise<void> {
    if (!(await this.tryLock())) await this.readHeads();
  }

  private async readHeads(): Promise<void> {
    this.files.clear();
    for (const name of await this.disk.listSnapshots()) {
      const head = await this.disk.readHead(name).catch((error: unknown) => this.setAside({ name }, error));
      if (head !== undefined) this.files.set(name, { head });
    }
  }

  private async *load(source: SnapshotSource): AsyncGenerator<SavedSnapshot> {
    const own = [...this.files].filter(([, { head }]) => isOf(head, source));
    own.sort(([, one], [, other]) => one.head.verifiedAt - other.head.verifiedAt);
    for (const [name, { head }] of own) {
      const saved = await this.read(name, head, source);
      if (saved !== undefined) yield saved;
    }
  }

  private async read(
    name: string,
    head: SnapshotHead,
    { number, fingerprints }: SnapshotSource,
  ): Promise<SavedSnapshot | undefined> {
    const set = await this.loadRecords(name, head, number);
    if (set === undefined) return undefined;
    this.files.set(name, { head, set: new WeakRef(set) });
    const { query, validators, weight } = head;
    const isSameContext = head.fingerprints.context === fingerprints.context;
    const staleAt = isSameContext ? head.staleAt : Math.min(head.staleAt, this.options.clock.now());
    const snapshot = { ...createSnapshot(head, set), staleAt };
    return { query, snapshot, validators, weight };
  }

  private async loadRecords(name: string, head: SnapshotHead, sourceNumber: number): Promise<RecordSet | undefined> {
    const records = await this.disk.readRecords(head).catch((error: unknown) => this.setAside(head.records, error));
    if (records !== undefined) return createRecordSet(head, records, { sourceNumber });
    this.files.delete(name);
    if (this.isOwner) await this.attempt(() => this.disk.deleteHead(name));
    return undefined;
  }

  private async setAside(damaged: Parameters<SnapshotFiles['setAside']>[0], error: unknown): Promise<undefined> {
    const { path: folder, publish } = this.options;
    const file = this.isOwner ? await this.disk.setAside(damaged).catch(() => undefined) : undefined;
    const facts = { folder, ...(file && { file }), error: getErrorMessage(error) };
    publish({ type: 'saved snapshot is damaged and not used', ...facts });
  }

  private save(pending: PendingSave): void {
    const name = nameOf(pending);
    const isNew = this.files.get(name)?.set?.deref() !== pending.snapshot.snapshot.set;
    this.pending.set(name, pending);
    if (isNew) this.startWriting();
    else this.timer ??= setTimeout(() => this.startWriting(), TIMES_INTERVAL_MS).unref();
  }

  private startWriting(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.writing ??= this.writePending().finally(() => {
      this.writing = undefined;
      // Race: a snapshot was saved after the last one was written, and before this line.
      if (this.pending.size > 0) this.startWriting();
    });
  }

  private async writePending(): Promise<void> {
    for (let [next] = this.pending; next !== undefined; [next] = this.pending) {
      const [name, pending] = next;
      this.pending.delete(name);
      const isSaved = await this.write(name, pending).catch((error: unknown) => this.reportFailure(error));
      if (isSaved) this.unsaved.delete(name);
      else this.unsaved.set(name, pending.source.code);
      this.reportUnsaved();
    }
  }

  private reportUnsaved(): void {
    const { path: folder, publish } = this.options;
    publish({ type: 'snapshots written', unsaved: this.unsaved.size });
    if (this.failure === undefined || this.unsaved.size > 0) return;
    this.failure = undefined;
    publish({ type: 'snapshots are saved again', folder });
  }

  /** Returns false while another process has the folder locked. */
  private async write(name: string, pending: PendingSave): Promise<boolean> {
    if (!(await this.tryLock())) return false;
    const before = this.files.get(name);
    const { set } = pending.snapshot.snapshot;
    const isSame = before?.set?.deref() === set;
    const records = isSame ? before.head.records : await this.disk.writeRecords(name, set);
    const head = createHead(pending.source, pending.snapshot, records);
    try {
      await this.disk.writeHead(name, head);
    } catch (error) {
      // On a full disk, files that no head names would take the place of the next attempt.
      if (!isSame) await this.disk.deleteRecords(records);
      throw error;
    }
    this.files.set(name, { head, set: new WeakRef(set) });
    if (before !== undefined && !isSame) await this.disk.deleteRecords(before.head.records);
    await this.shrink();
    return true;
  }

  /** Deletes the snapshots that were confirmed longest ago, down to the allowed bytes. */
  private async shrink(): Promise<void> {
    let total = [...this.files.values()].reduce((sum, { head }) => sum + head.records.bytes, 0);
    const oldestFirst = [...this.files].sort(([, one], [, other]) => one.head.verifiedAt - other.head.verifiedAt);
    for (const [name, { head }] of oldestFirst) {
      if (total <= this.maxBytes) return;
      await this.delete(name, head);
      total -= head.records.bytes;
    }
  }

  private async delete(name: string, { records }: SnapshotHead): Promise<void> {
    if (!(await this.tryLock())) return;
    this.files.delete(name);
    await this.disk.deleteHead(name);
    await this.disk.deleteRecords(records);
  }

  private async tryLock(): Promise<boolean> {
    // The folder may have been deleted, with what this process had written.
    if (await this.disk.createFolder()) this.files.clear();
    const { heldBy } = await this.lock.acquire();
    if (heldBy !== undefined) this.reportFailure(new Error(`in use by ${heldBy}`));
    const wasOwner = this.isOwner;
    this.isOwner = heldBy === undefined;
    if (this.isOwner && !wasOwner) await this.takeOver();
    return this.isOwner;
  }

  private async takeOver(): Promise<void> {
    await this.readHeads();
    await this.disk.deleteUnused(new Map([...this.files].map(([name, { head }]) => [name, head])));
  }

  private async attempt(work: () => Promise<void>): Promise<void> {
    await work().catch((error: unknown) => {
      this.reportFailure(error);
    });
  }

  /** Logs only the first of several failures. Returns that nothing is saved. */
  private reportFailure(reason: unknown): false {
    const { path: folder, publish, clock } = this.options;
    const error = getErrorMessage(reason);
    if (this.failure === undefined) publish({ type: 'snapshots cannot be saved', folder, error });
    this.failure = { since: this.failure?.since ?? clock.now(), error };
    return false;
  }
}

/** The small and the large list of a resource share a name: the later replaces the other. */
function nameOf({ source, snapshot: { query } }: PendingSave): string {
  const identity = JSON.stringify([source.code, query.resource.name, query.parameters]);
  return `${source.code}-${createHash('sha256').update(identity).digest('hex').slice(0, 16)}`;
}

function isOf(head: SnapshotHead, { code, fingerprints }: SnapshotSource): boolean {
  return head.source === code && head.fingerprints.definition === fingerprints.definition;
}
