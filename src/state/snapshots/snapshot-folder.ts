import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { SourceFingerprints } from '../../config/config-fingerprint.js';
import type { Clock } from '../../model/clock.js';
import type { Log } from '../../model/log.js';
import type { RecordSet } from '../../records/record-set.js';
import type { SavedSnapshot, SnapshotPersistence } from '../../source/snapshot-persistence.js';
import { FileLock } from '../file-lock.js';
import { SnapshotFiles } from './snapshot-files.js';
import { createHead, createRecordSet, createSnapshot } from './snapshot-head.js';
import type { SnapshotHead } from './snapshot-head.js';
import { getErrorMessage } from '../../text/get-error-message.js';

/** Time between two writes of the times of snapshots whose records are unchanged, in milliseconds. */
const TIMES_INTERVAL_MS = 60_000;

export interface SnapshotFolderOptions {
  /** A relative path is relative to the working directory. */
  readonly path: string;
  /** Bytes that the files may take. The snapshots that were confirmed longest ago are deleted first. */
  readonly maxBytes: number;
  readonly clock: Clock;
  readonly log: Log;
  /** Called with the number of lists whose last snapshot could not be saved, when the folder is opened and after each write. */
  readonly recordUnsaved?: (lists: number) => void;
}

/** Why snapshots cannot be saved. */
export interface SaveFailure {
  /** In milliseconds since 1970. */
  readonly since: number;
  /** Lists whose last snapshot is not saved. */
  readonly lists: number;
  /** The last error. */
  readonly error: string;
}

/** The source of snapshots, as it is registered now. */
export interface SnapshotSource {
  readonly code: string;
  readonly number: number;
  readonly fingerprints: SourceFingerprints;
}

/** A snapshot that is in the folder. */
interface StoredFile {
  readonly head: SnapshotHead;
  /** The records that were written last. Absent: those of an earlier process, which were not loaded. */
  readonly set?: WeakRef<RecordSet>;
}

/** What the name of a snapshot is made of. */
interface SavedName {
  readonly source: Pick<SnapshotSource, 'code'>;
  readonly snapshot: Pick<SavedSnapshot, 'query'>;
}

interface PendingSave {
  readonly source: SnapshotSource;
  readonly snapshot: SavedSnapshot;
}

/**
 * A folder with the snapshots of public lists (operation 2.5.3). A snapshot is replaced in this order, so that a killed
 * process leaves the earlier or the later one:
 *
 * 1. The new records are written, under a name of their own. The head names the earlier ones.
 * 2. The head is replaced, and names the new records.
 * 3. The earlier records are deleted.
 *
 * Damaged files are set aside and logged. While another process has the folder locked, nothing is written.
 */
export class SnapshotFolder {
  /** By the name of the snapshot. */
  private readonly files = new Map<string, StoredFile>();
  private readonly pending = new Map<string, PendingSave>();
  private readonly disk: SnapshotFiles;
  private readonly lock: FileLock;
  private writing: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;
  /** The last failure since a write succeeded for each list, and when the first one was. */
  private failure: Omit<SaveFailure, 'lists'> | undefined;
  /** Names of the snapshots whose last write failed, each with the code of its source. */
  private readonly unsaved = new Map<string, string>();
  /** Whether this process may write, because it owned the lock at the last attempt. */
  private isOwner = false;
  private maxBytes: number;

  private constructor(private readonly options: SnapshotFolderOptions) {
    this.disk = new SnapshotFiles(options.path);
    this.lock = new FileLock(join(options.path, 'snapshots'));
    this.maxBytes = options.maxBytes;
  }

  /** Opens a folder, which need not exist. Never rejects: what cannot be read or written is logged. */
  static async open(options: SnapshotFolderOptions): Promise<SnapshotFolder> {
    const folder = new SnapshotFolder(options);
    await folder.attempt(() => folder.prepare());
    options.recordUnsaved?.(0);
    return folder;
  }

  /** Why snapshots cannot be saved; undefined where they can. */
  get saveFailure(): SaveFailure | undefined {
    return this.failure && { ...this.failure, lists: this.unsaved.size };
  }

  /** Sets the number of bytes that the files may take. */
  setMaxBytes(maxBytes: number): void {
    this.maxBytes = maxBytes;
  }

  /** The part of the folder that belongs to a source. */
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

  /** Writes what is not written yet, and gives up the lock. Never rejects. */
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
    const { path: folder, log } = this.options;
    const file = this.isOwner ? await this.disk.setAside(damaged).catch(() => undefined) : undefined;
    log.warn(
      { folder, ...(file && { file }), error: getErrorMessage(error) },
      'saved snapshot is damaged and not used',
    );
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
    const { path: folder, log, recordUnsaved } = this.options;
    recordUnsaved?.(this.unsaved.size);
    if (this.failure === undefined || this.unsaved.size > 0) return;
    this.failure = undefined;
    log.info({ folder }, 'snapshots are saved again');
  }

  /** Returns whether the snapshot was written: not while another process has the folder locked. */
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

  /** Deletes the snapshots that were confirmed longest ago, until the others take no more than the allowed bytes. */
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

  /** Reads what the process wrote that owned the folder before, and deletes the rest. */
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
    const { path: folder, log, clock } = this.options;
    const error = getErrorMessage(reason);
    if (this.failure === undefined) log.warn({ folder, error }, 'snapshots cannot be saved');
    this.failure = { since: this.failure?.since ?? clock.now(), error };
    return false;
  }
}

/** Name of the files of a snapshot. The small and the large list of a resource have the same one: the later replaces the other. */
function nameOf({ source, snapshot: { query } }: SavedName): string {
  const identity = JSON.stringify([source.code, query.resource.name, query.parameters]);
  return `${source.code}-${createHash('sha256').update(identity).digest('hex').slice(0, 16)}`;
}

/** Whether a snapshot is of a source in the form in which it is registered now. */
function isOf(head: SnapshotHead, { code, fingerprints }: SnapshotSource): boolean {
  return head.source === code && head.fingerprints.definition === fingerprints.definition;
}
