import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '../model/log.js';
import type { Memory, Remembered } from '../source/snapshot/memory.js';
import { FileLock } from './state-lock.js';
import { readState, writeState } from './state-text.js';
import type { State } from './state-text.js';

/** Milliseconds between two writes. */
const INTERVAL = 5_000;

/** Bytes beyond which a file is no state of ours. */
const LARGEST = 64 * 2 ** 20;

/** Copies that are remembered, of all sources together, and numbers of records: about 20 MB of text each. */
const MOST = 100_000;

/** How a state file is kept. */
export interface StateOptions {
  /** A relative path is relative to the working directory. */
  readonly file: string;
  /** Tells the configuration from those that answer otherwise: what was remembered under another one is not taken over. */
  readonly configuration: string;
  readonly log: Log;
  /** Milliseconds between two writes; absent: 5 s. */
  readonly interval?: number;
}

/** A memory that is kept in a file. */
export interface StateFile extends Memory {
  /** Waits for what is still to be remembered and writes it. Never rejects; nothing is written from there on. */
  close(): Promise<void>;
}

/**
 * Opens the file, which need not be there yet. One that is not what it should be is told in the log and ignored. It says that a process is at work
 * before this one answers anything, and that all is in it only when that was closed: of one that was killed, or whose disk was full, nobody knows
 * what it showed last. While another process keeps the same file it is not written, which is reported, and taken over once that has gone. Never rejects.
 */
export async function openState(options: StateOptions): Promise<StateFile> {
  const kept = new Kept(options, await readBefore(options));
  await kept.begin();
  return kept;
}

/** What was remembered when the last process ended, as far as it can be trusted. */
async function readBefore({ file, configuration, log }: StateOptions): Promise<State | undefined> {
  const unknown = { configuration, settled: true, forgotten: true, copies: new Map(), records: new Map() };
  try {
    if ((await stat(file)).size > LARGEST) throw new Error('it is too large');
    const state = readState(await readFile(file, 'utf8'));
    const why = untrusted(state, configuration);
    if (why === undefined) return state;
    log.info({ state: file }, `the state is not taken over: ${why}`);
    // How much there was somewhere was true whenever it was written.
    return { ...unknown, records: state.records };
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    log.warn({ state: file, error: messageOf(error) }, 'the state cannot be read, and is replaced');
    return unknown;
  }
}

function untrusted({ settled, configuration }: State, now: string): string | undefined {
  if (configuration !== now) return 'it is of a configuration that answers otherwise';
  return settled ? undefined : 'the process that wrote it was cut short, or is still running';
}

class Kept implements StateFile {
  private readonly copies: Map<string, Remembered>;
  private readonly counts: Map<string, number>;
  private readonly pending = new Set<Promise<void>>();
  private readonly closing = new AbortController();
  /** Whether there was a process before this one, of whose single items nothing is known. */
  private readonly items: boolean;
  /** Whether copies were shown that are forgotten. */
  private gaps: boolean;
  /** Whether something was remembered that is not in the file. */
  private changed = false;
  /** Whether the last write failed, and that was told. */
  private failing = false;
  private writing: Promise<void> | undefined;
  private readonly lock: FileLock;

  constructor(
    private readonly options: StateOptions,
    before: State | undefined,
  ) {
    this.lock = new FileLock(options.file);
    this.copies = new Map(before?.copies);
    this.counts = new Map(before?.records);
    this.gaps = before?.forgotten ?? false;
    this.items = before !== undefined;
  }

  /** Writes that a process is at work; and where that fails, tries again and again. */
  async begin(): Promise<void> {
    await this.write(false);
    if (this.changed) this.touch();
  }

  get forgotten(): Memory['forgotten'] {
    return { copies: this.gaps, items: this.items };
  }

  get(key: string): Remembered | undefined {
    return this.copies.get(key);
  }

  set(key: string, remembered: Remembered): void {
    this.copies.delete(key);
    this.copies.set(key, remembered);
    const [oldest] = this.copies.keys();
    if (this.copies.size > MOST && oldest !== undefined) this.forget(oldest);
    this.touch();
  }

  forget(key: string): void {
    if (!this.copies.delete(key)) return;
    this.gaps = true;
    this.touch();
  }

  records(key: string): number | undefined {
    return this.counts.get(key);
  }

  setRecords(key: string, records: number): void {
    if (this.counts.get(key) === records) return;
    this.counts.delete(key);
    this.counts.set(key, records);
    const [oldest] = this.counts.keys();
    if (this.counts.size > MOST && oldest !== undefined) this.counts.delete(oldest);
    this.touch();
  }

  awaits(work: Promise<void>): void {
    const done = work.catch(() => undefined).finally(() => this.pending.delete(done));
    this.pending.add(done);
  }

  async close(): Promise<void> {
    while (this.pending.size > 0) await Promise.all(this.pending);
    this.closing.abort();
    await this.writing;
    await this.write(true);
    await this.lock.release();
  }

  private touch(): void {
    this.changed = true;
    if (this.closing.signal.aborted) return;
    this.writing ??= this.writeOn().finally(() => {
      this.writing = undefined;
    });
  }

  /** Writes what has changed, at most once in an interval. */
  private async writeOn(): Promise<void> {
    const { signal } = this.closing;
    while (this.changed && !signal.aborted) {
      await this.write(false);
      await pause(this.options.interval ?? INTERVAL, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  private async write(settled: boolean): Promise<void> {
    const { configuration, file, log } = this.options;
    this.changed = false;
    try {
      await mkdir(dirname(file), { recursive: true });
      const { heldBy } = await this.lock.take();
      if (heldBy !== undefined) {
        this.fail(() =>
          log.error({ state: file, process: heldBy }, 'the state is not written: another process keeps it'),
        );
        return;
      }
      const text = await writeState({
        configuration,
        settled,
        forgotten: this.gaps,
        copies: this.copies,
        records: this.counts,
      });
      await replace(file, text);
      this.failing = false;
    } catch (error) {
      this.fail(() => log.warn({ state: file, error: messageOf(error) }, 'the state cannot be written'));
    }
  }

  /** Notes that nothing was written, which is tried again; it is reported once. */
  private fail(report: () => void): void {
    this.changed = true;
    if (!this.failing) report();
    this.failing = true;
  }
}

/** Replaces the file's text, so that at every moment one of both is there whole; where that fails, nothing is left beside it, for the disk may be full. */
async function replace(file: string, text: string): Promise<void> {
  const next = `${file}.tmp`;
  const written = await open(next, 'w');
  try {
    await writeWhole(written, text);
    await rename(next, file);
  } catch (error) {
    await rm(next, { force: true }).catch(() => undefined);
    throw error;
  }
  await syncFolder(dirname(file));
}

async function writeWhole(written: FileHandle, text: string): Promise<void> {
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

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
