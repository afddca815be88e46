import { randomUUID } from 'node:crypto';
import { readFile, readlink, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { systemClock } from '../model/clock.js';

/** Milliseconds between two signs of life of the process that holds a lock. */
const HEARTBEAT_INTERVAL_MS = 5_000;

/** Milliseconds without a sign of life after which a process that cannot be looked up counts as gone: several beats, for disks are slow at times. */
const HEARTBEAT_TIMEOUT_MS = 30_000;

/** The process that holds a lock, as the lock's file describes it. */
interface LockHolder {
  /** Unique to this lock, also among those of the same process. */
  readonly token: string;
  readonly pid: number;
  /** When the process started, as the system counts; empty where that is unknown. A later process may get the same pid. */
  readonly started: string;
  /** The machine, its boot and its pid namespace: within one, a pid names one process. */
  readonly space: string;
}

/** Tokens of the locks that this process holds. */
const ownedTokens = new Set<string>();

/**
 * A lock in a file beside another one, so that of several processes only one writes that. The lock of a process that is gone is taken over: where its pid
 * can be looked up at once, else (another container or machine) after half a minute without a sign of life.
 */
export class FileLock {
  private readonly file: string;
  private readonly token = randomUUID();
  private heartbeatTimer: NodeJS.Timeout | undefined;

  constructor(guarded: string) {
    this.file = `${guarded}.lock`;
  }

  /** Takes the lock, or finds that it is still held here. Gives the process that holds it instead, in words. Rejects where the file cannot be written. */
  async acquire(): Promise<{ readonly heldBy?: string }> {
    const holder = await this.readHolder();
    if (holder === 'none') return this.createLockFile();
    if (holder !== 'unreadable' && holder.token === this.token) return {};
    this.stopHeartbeat();
    const own = await readOwnIdentity();
    const gone = holder === 'unreadable' ? await this.isHeartbeatOverdue() : await this.isHolderDead(holder, own);
    if (!gone) return { heldBy: describeHolder(holder) };
    await rm(this.file, { force: true });
    return this.createLockFile();
  }

  /** Lets it go, where it is held here. Never rejects. */
  async release(): Promise<void> {
    this.stopHeartbeat();
    const holder = await this.readHolder().catch(() => 'unreadable' as const);
    if (typeof holder === 'object' && holder.token === this.token) {
      await rm(this.file, { force: true }).catch(() => undefined);
    }
  }

  /** Ends the signs of life: given to the lock of another process, they would keep that alive when its holder has gone. */
  private stopHeartbeat(): void {
    clearInterval(this.heartbeatTimer);
    this.heartbeatTimer = undefined;
    ownedTokens.delete(this.token);
  }

  private async createLockFile(): Promise<{ readonly heldBy?: string }> {
    const holder: LockHolder = { token: this.token, ...(await readOwnIdentity()) };
    try {
      await writeFile(this.file, JSON.stringify(holder), { flag: 'wx' });
    } catch (error) {
      // Another process was quicker; the next attempt reads which one.
      if (getErrorCode(error) === 'EEXIST') return { heldBy: describeHolder('unreadable') };
      throw error;
    }
    ownedTokens.add(this.token);
    this.heartbeatTimer ??= setInterval(() => void this.sendHeartbeat(), HEARTBEAT_INTERVAL_MS).unref();
    return {};
  }

  private async sendHeartbeat(): Promise<void> {
    const now = systemClock.now() / 1_000;
    await utimes(this.file, now, now).catch(() => undefined);
  }

  private async readHolder(): Promise<LockHolder | 'none' | 'unreadable'> {
    try {
      return parseHolder(JSON.parse(await readFile(this.file, 'utf8'))) ?? 'unreadable';
    } catch (error) {
      if (getErrorCode(error) === 'ENOENT') return 'none';
      if (error instanceof SyntaxError) return 'unreadable';
      throw error;
    }
  }

  private async isHolderDead(holder: LockHolder, own: ProcessIdentity): Promise<boolean> {
    if (holder.space !== own.space) return this.isHeartbeatOverdue();
    if (holder.pid === own.pid) return !ownedTokens.has(holder.token);
    return !isProcessAlive(holder.pid) || (await readProcessStart(holder.pid)) !== holder.started;
  }

  private async isHeartbeatOverdue(): Promise<boolean> {
    const { mtimeMs } = await stat(this.file);
    return systemClock.now() - mtimeMs > HEARTBEAT_TIMEOUT_MS;
  }
}

type ProcessIdentity = Omit<LockHolder, 'token'>;

async function readOwnIdentity(): Promise<ProcessIdentity> {
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '');
  const namespace = await readlink('/proc/self/ns/pid').catch(() => '');
  const space = [hostname(), boot.trim(), namespace].join(' ').trim();
  return { pid: process.pid, started: await readProcessStart(process.pid), space };
}

/** Start of a process, in ticks since the system was booted (proc(5), field 22 of `stat`). */
async function readProcessStart(pid: number): Promise<string> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The name of the program, in parentheses, may hold spaces.
  return text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Of another user.
    return getErrorCode(error) === 'EPERM';
  }
}

function parseHolder(json: unknown): LockHolder | undefined {
  if (typeof json !== 'object' || json === null) return undefined;
  const fields = new Map<string, unknown>(Object.entries(json));
  const [token, pid, started, space] = ['token', 'pid', 'started', 'space'].map((name) => fields.get(name));
  if (typeof token !== 'string' || typeof started !== 'string' || typeof space !== 'string') return undefined;
  return Number.isSafeInteger(pid) && Number(pid) > 0 ? { token, pid: Number(pid), started, space } : undefined;
}

function describeHolder(holder: LockHolder | 'unreadable'): string {
  if (holder === 'unreadable') return 'another process';
  return `process ${holder.pid} on ${holder.space.split(' ', 1)[0] ?? ''}`;
}

function getErrorCode(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
