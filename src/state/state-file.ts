import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { KnownNumbers } from '../config/source-number-changes.js';
import type { Publish } from '../events/event.js';
import type { SnapshotHistoryStore, StoredRevision } from '../source/snapshot/history-store.js';
import { FileLock } from './file-lock.js';
import { readRegularFile } from './regular-file.js';
import { replaceFile } from './replace-file.js';
import { parseState, serializeState } from './state-serialization.js';
import type { StateFileContent } from './state-serialization.js';
import { getErrorMessage } from '../text/get-error-message.js';

/** In milliseconds (decisions 7.9). */
const WRITE_INTERVAL_MS = 5_000;

/** In bytes. A larger file is not one that Rollcall wrote. */
const MAX_FILE_BYTES = 64 * 2 ** 20;

/** Snapshots, and numbers of records, for all sources together: about 20 MB of text each. */
const MAX_ENTRIES = 100_000;

export interface StateFileOptions {
  readonly file: string;
  /** Of the configuration and the program. The history of others, which shape responses otherwise, is not used. */
  readonly configuration: string;
  readonly numbers: KnownNumbers;
  readonly publish: Publish;
  /** Whether this process has served responses that are in no file (operation 6.2). Absent: no. */
  readonly hasServed?: boolean;
  /** In milliseconds; default: 5,000. */
  readonly interval?: number;
}

export interface StateFile extends SnapshotHistoryStore {
  /** A configuration with this fingerprint and these numbers is in force now. */
  reconfigure(next: Pick<StateFileOptions, 'configuration' | 'numbers'>, replacedAt: number | undefined): void;
  /** Writes what has changed. Never rejects. Nothing is written afterwards. */
  close(): Promise<void>;
}

/**
 * Opens a state file, which need not exist. An invalid file is logged and ignored. Never rejects.
 *
 * The file is complete only when it is closed: what a process served last is unknown if it was killed or its disk was
 * full. While another process owns the file, it is not written; this is logged, and the file is taken over once that
 * process has ended.
 */
export async function openStateFile(options: StateFileOptions): Promise<StateFile> {
  const stateFile = new FileBackedState(options, await readPreviousState(options));
  await stateFile.writeInitialState();
  return stateFile;
}

/** None where the file cannot be read. Never rejects. */
export async function readStoredNumbers(file: string): Promise<KnownNumbers> {
  return readContent(file).then(
    ({ numbers }) => numbers,
    () => new Map(),
  );
}

async function readContent(file: string): Promise<StateFileContent> {
  return parseState(await readRegularFile(file, MAX_FILE_BYTES));
}

/** As far as it can be trusted; undefined where there is no file. */
async function readPreviousState({
  file,
  configuration,
  publish,
}: StateFileOptions): Promise<StateFileContent | undefined> {
  const noEntries = { numbers: new Map(), copies: new Map(), records: new Map() };
  const emptyState = { configuration, settled: true, forgotten: true, ...noEntries };
  try {
    const state = await readContent(file);
    const reason = findDistrustReason(state, configuration);
    if (reason === undefined) return state;
    publish({ type: 'stored state not used', state: file, reason });
    // The numbers of sources and records remain valid: each was true when it was written.
    return { ...emptyState, numbers: state.numbers, records: state.records };
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    publish({ type: 'state file cannot be read and is not used', state: file, error: getErrorMessage(error) });
    return emptyState;
  }
}

function findDistrustReason(
  { settled, configuration }: StateFileContent,
  currentConfiguration: string,
): string | undefined {
  if (configuration !== currentConfiguration)
    return 'another build of the program wrote it, or settings that shape responses have changed';
  return settled ? undefined : 'the process that wrote it was not stopped cleanly, or is still running';
}

class FileBackedState implements StateFile {
  private readonly snapshots: Map<string, StoredRevision>;
  private readonly recordCounts: Map<string, number>;
  private readonly pendingWork = new Set<Promise<void>>();
  private readonly closing = new AbortController();
  /** There was a process before this one. Its single items are not stored. */
  private readonly hasItemGaps: boolean;
  /** Snapshots were served that are no longer stored. */
  private hasSnapshotGaps: boolean;
  private isDirty = false;
  private hasWriteFailed = false;
  private writeLoop: Promise<void> | undefined;
  private readonly lock: FileLock;
  private configuration: string;
  private readonly numbers: Map<string, number>;
  replacedAt: number | undefined;

  constructor(
    private readonly options: StateFileOptions,
    previous: StateFileContent | undefined,
  ) {
    this.configuration = options.configuration;
    this.numbers = new Map([...(previous?.numbers ?? []), ...options.numbers]);
    this.replacedAt = previous?.replacedAt;
    this.lock = new FileLock(options.file);
    // What this process has served since is not in the file, so that its history would be an older one.
    this.snapshots = new Map(options.hasServed === true ? [] : previous?.copies);
    this.recordCounts = new Map(previous?.records);
    this.hasSnapshotGaps = options.hasServed ?? previous?.forgotten ?? false;
    this.hasItemGaps = options.hasServed ?? previous !== undefined;
  }

  /** If this fails, it is tried again in the background. */
  async writeInitialState(): Promise<void> {
    await this.write(false);
    if (this.isDirty) this.markDirty();
  }

  get forgotten(): SnapshotHistoryStore['forgotten'] {
    return { copies: this.hasSnapshotGaps, items: this.hasItemGaps };
  }

  reconfigure(
    { configuration, numbers }: Pick<StateFileOptions, 'configuration' | 'numbers'>,
    replacedAt: number | undefined,
  ): void {
    for (const [code, number] of numbers) this.numbers.set(code, number);
    if (configuration === this.configuration && replacedAt === this.replacedAt) return;
    this.configuration = configuration;
    this.replacedAt = replacedAt;
    this.markDirty();
  }

  get(key: string): StoredRevision | undefined {
    return this.snapshots.get(key);
  }

  set(key: string, revision: StoredRevision): void {
    this.snapshots.delete(key);
    this.snapshots.set(key, revision);
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

  private async runWriteLoop(): Promise<void> {
    const { signal } = this.closing;
    while (this.isDirty && !signal.aborted) {
      await this.write(false);
      await pause(this.options.interval ?? WRITE_INTERVAL_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  private async write(settled: boolean): Promise<void> {
    const { file } = this.options;
    this.isDirty = false;
    try {
      await mkdir(dirname(file), { recursive: true });
      const { heldBy } = await this.lock.acquire();
      if (heldBy !== undefined) {
        this.handleWriteFailure({
          ...{ type: 'state not written: another process owns the file', state: file, process: heldBy },
        });
        return;
      }
      const text = await serializeState({
        configuration: this.configuration,
        replacedAt: this.replacedAt,
        numbers: this.numbers,
        settled,
        forgotten: this.hasSnapshotGaps,
        copies: this.snapshots,
        records: this.recordCounts,
      });
      await replaceFile(file, text);
      this.hasWriteFailed = false;
    } catch (error) {
      this.handleWriteFailure({ type: 'state file cannot be written', state: file, error: getErrorMessage(error) });
    }
  }

  /** The write is tried again. Only the first failure is reported. */
  private handleWriteFailure(failure: Parameters<Publish>[0]): void {
    this.isDirty = true;
    if (!this.hasWriteFailed) this.options.publish(failure);
    this.hasWriteFailed = true;
  }
}
