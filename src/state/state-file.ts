import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '../model/log.js';
import type { SnapshotHistoryStore, StoredRevision } from '../source/snapshot/history-store.js';
import { FileLock } from './file-lock.js';
import { parseState, serializeState } from './state-serialization.js';
import type { StateFileContent } from './state-serialization.js';

/** Milliseconds between two writes. */
const WRITE_INTERVAL_MS = 5_000;

/** Bytes beyond which a file is no state of ours. */
const MAX_FILE_BYTES = 64 * 2 ** 20;

/** Copies that are remembered, of all sources together, and numbers of records: about 20 MB of text each. */
const MAX_ENTRIES = 100_000;

/** How a state file is kept. */
export interface StateFileOptions {
  /** A relative path is relative to the working directory. */
  readonly file: string;
  /** Tells the configuration from those that answer otherwise: what was remembered under another one is not taken over. */
  readonly configuration: string;
  readonly log: Log;
  /** Milliseconds between two writes; absent: 5 s. */
  readonly interval?: number;
}

/** A memory that is kept in a file. */
export interface StateFile extends SnapshotHistoryStore {
  /** Waits for what is still to be remembered and writes it. Never rejects; nothing is written from there on. */
  close(): Promise<void>;
}

/**
 * Opens the file, which need not be there yet. One that is not what it should be is told in the log and ignored. It says that a process is at work
 * before this one answers anything, and that all is in it only when that was closed: of one that was killed, or whose disk was full, nobody knows
 * what it showed last. While another process keeps the same file it is not written, which is reported, and taken over once that has gone. Never rejects.
 */
export async function openStateFile(options: StateFileOptions): Promise<StateFile> {
  const kept = new FileBackedState(options, await readPreviousState(options));
  await kept.writeInitialState();
  return kept;
}

/** What was remembered when the last process ended, as far as it can be trusted. */
async function readPreviousState({
  file,
  configuration,
  log,
}: StateFileOptions): Promise<StateFileContent | undefined> {
  const unknown = { configuration, settled: true, forgotten: true, copies: new Map(), records: new Map() };
  try {
    if ((await stat(file)).size > MAX_FILE_BYTES) throw new Error('it is too large');
    const state = parseState(await readFile(file, 'utf8'));
    const why = findDistrustReason(state, configuration);
    if (why === undefined) return state;
    log.info({ state: file }, `the state is not taken over: ${why}`);
    // How much there was somewhere was true whenever it was written.
    return { ...unknown, records: state.records };
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    log.warn({ state: file, error: getErrorMessage(error) }, 'the state cannot be read, and is replaced');
    return unknown;
  }
}

function findDistrustReason({ settled, configuration }: StateFileContent, now: string): string | undefined {
  if (configuration !== now) return 'it is of a configuration that answers otherwise';
  return settled ? undefined : 'the process that wrote it was cut short, or is still running';
}

class FileBackedState implements StateFile {
  private readonly snapshots: Map<string, StoredRevision>;
  private readonly recordCounts: Map<string, number>;
  private readonly pendingWork = new Set<Promise<void>>();
  private readonly closing = new AbortController();
  /** Whether there was a process before this one, of whose single items nothing is known. */
  private readonly hasItemGaps: boolean;
  /** Whether copies were shown that are forgotten. */
  private hasSnapshotGaps: boolean;
  /** Whether something was remembered that is not in the file. */
  private isDirty = false;
  /** Whether the last write failed, and that was told. */
  private hasWriteFailed = false;
  private writeLoop: Promise<void> | undefined;
  private readonly lock: FileLock;

  constructor(
    private readonly options: StateFileOptions,
    before: StateFileContent | undefined,
  ) {
    this.lock = new FileLock(options.file);
    this.snapshots = new Map(before?.copies);
    this.recordCounts = new Map(before?.records);
    this.hasSnapshotGaps = before?.forgotten ?? false;
    this.hasItemGaps = before !== undefined;
  }

  /** Writes that a process is at work; and where that fails, tries again and again. */
  async writeInitialState(): Promise<void> {
    await this.write(false);
    if (this.isDirty) this.markDirty();
  }

  get forgotten(): SnapshotHistoryStore['forgotten'] {
    return { copies: this.hasSnapshotGaps, items: this.hasItemGaps };
  }

  get(key: string): StoredRevision | undefined {
    return this.snapshots.get(key);
  }

  set(key: string, remembered: StoredRevision): void {
    this.snapshots.delete(key);
    this.snapshots.set(key, remembered);
    const [oldest] = this.snapshots.keys();
    if (this.snapshots.size > MAX_ENTRIES && oldest !== undefined) this.forget(oldest);
    this.markDirty();
  }

  forget(key: string): void {
    if (!this.snapshots.delete(key)) return;
    this.hasSnapshotGaps = true;
    this.markDirty();
  }

  recordCount(key: string): number | undefined {
    return this.recordCounts.get(key);
  }

  setRecordCount(key: string, records: number): void {
    if (this.recordCounts.get(key) === records) return;
    this.recordCounts.delete(key);
    this.recordCounts.set(key, records);
    const [oldest] = this.recordCounts.keys();
    if (this.recordCounts.size > MAX_ENTRIES && oldest !== undefined) this.recordCounts.delete(oldest);
    this.markDirty();
  }

  addPendingWork(work: Promise<void>): void {
    const done = work.catch(() => undefined).finally(() => this.pendingWork.delete(done));
    this.pendingWork.add(done);
  }

  async close(): Promise<void> {
    while (this.pendingWork.size > 0) await Promise.all(this.pendingWork);
    this.closing.abort();
    await this.writeLoop;
    await this.write(true);
    await this.lock.release();
  }

  private markDirty(): void {
    this.isDirty = true;
    if (this.closing.signal.aborted) return;
    this.writeLoop ??= this.runWriteLoop().finally(() => {
      this.writeLoop = undefined;
    });
  }

  /** Writes what has changed, at most once in an interval. */
  private async runWriteLoop(): Promise<void> {
    const { signal } = this.closing;
    while (this.isDirty && !signal.aborted) {
      await this.write(false);
      await pause(this.options.interval ?? WRITE_INTERVAL_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  private async write(settled: boolean): Promise<void> {
    const { configuration, file, log } = this.options;
    this.isDirty = false;
    try {
      await mkdir(dirname(file), { recursive: true });
      const { heldBy } = await this.lock.acquire();
      if (heldBy !== undefined) {
        this.handleWriteFailure(() =>
          log.error({ state: file, process: heldBy }, 'the state is not written: another process keeps it'),
        );
        return;
      }
      const text = await serializeState({
        configuration,
        settled,
        forgotten: this.hasSnapshotGaps,
        copies: this.snapshots,
        records: this.recordCounts,
      });
      await replaceFile(file, text);
      this.hasWriteFailed = false;
    } catch (error) {
      this.handleWriteFailure(() =>
        log.warn({ state: file, error: getErrorMessage(error) }, 'the state cannot be written'),
      );
    }
  }

  /** Notes that nothing was written, which is tried again; it is reported once. */
  private handleWriteFailure(report: () => void): void {
    this.isDirty = true;
    if (!this.hasWriteFailed) report();
    this.hasWriteFailed = true;
  }
}

/** Replaces the file's text, so that at every moment one of both is there whole; where that fails, nothing is left beside it, for the disk may be full. */
async function replaceFile(file: string, text: string): Promise<void> {
  const next = `${file}.tmp`;
  const written = await open(next, 'w');
  try {
    await writeAndSync(written, text);
    await rename(next, file);
  } catch (error) {
    await rm(next, { force: true }).catch(() => undefined);
    throw error;
  }
  await syncFolder(dirname(file));
}

async function writeAndSync(written: FileHandle, text: string): Promise<void> {
  try {
    await written.writeFile(text);
    await written.sync();
  } finally {
    await written.close();
  }
}

/** So that the new name outlives a power cut. Some systems cannot do that, and need not. */
async function syncFolder(folder: string): Promise<void> {
  const opened = await open(folder, 'r').catch(() => undefined);
  await opened?.sync().catch(() => undefined);
  await opened?.close();
}

function getErrorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
