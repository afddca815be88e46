import { randomUUID } from 'node:crypto';
import { lstat, lutimes, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { systemClock } from '../model/clock.js';
import { readRegularFile } from './regular-file.js';

const HEARTBEAT_INTERVAL_MS = 5_000;

/** Several heartbeats, because disks are slow at times, in milliseconds (decisions 7.9). */
const HEARTBEAT_TIMEOUT_MS = 30_000;

interface LockHolder {
  /** Unique for each lock, also among those of one process. */
  readonly token: string;
  readonly pid: number;
  /**
   * Start time of the process in the system's count; empty where it is unknown. A later process may get the same pid.
   */
  readonly started: string;
  /** The machine, its boot and its pid namespace. Within one space, a pid identifies one process. */
  readonly space: string;
}

const ownedTokens = new Set<string>();

/**
 * Lets one process write the guarded file. The lock of a dead process is taken over: at once where its pid can be
 * looked up, else (another container or machine) after 30 seconds without a heartbeat.
 */
export class FileLock {
  private readonly file: string;
  private readonly token = randomUUID();
  private heartbeatTimer: NodeJS.Timeout | undefined;

  constructor(guarded: string) {
    this.file = `${guarded}.lock`;
  }

  /**
   * Acquires or confirms the lock; otherwise says which process owns it. Rejects where the lock file cannot be read or
   * written.
   */
  async acquire(): Promise<{ readonly heldBy?: string }> {
    const holder = await this.readHolder();
    if (holder === 'none') return this.createLockFile();
    if (holder !== 'unreadable' && holder.token === this.token) return {};
    this.stopHeartbeat();
    const own = await readOwnIdentity();
    const isAbandoned =
      holder === 'unreadable' ? await this.isHeartbeatOverdue() : await this.isHolderDead(holder, own);
    if (!isAbandoned) return { heldBy: describeHolder(holder) };
    await rm(this.file, { force: true });
    return this.createLockFile();
  }

  async release(): Promise<void> {
    this.stopHeartbeat();
    const holder = await this.readHolder().catch(() => 'unreadable' as const);
    if (typeof holder === 'object' && holder.token === this.token) {
      await rm(this.file, { force: true }).catch(() => undefined);
    }
  }

  /** Heartbeats on the lock of another process would keep it alive after that process has ended. */
  private stopHeartbeat(): void {
    clearInterval(this.heartbeatTimer);
    this.heartbeatTimer = undefined;
    ownedTokens.delete(this.token);
  }

  private async createLockFile(): Promise<{ readonly heldBy?: string }> {
    const holder: LockHolder = { token: this.token, ...(await readOwnIdentity()) };
    try {
      await writeFile(this.file, JSON.stringify(holder), { flag: 'wx', mode: 0o600 });
    } catch (error) {
      if (getErrorCode(error) === 'EEXIST') return { heldBy: describeHolder('unreadable') };
      throw error;
    }
    ownedTokens.add(this.token);
    this.heartbeatTimer ??= setInterval(() => void this.sendHeartbeat(), HEARTBEAT_INTERVAL_MS).unref();
    return {};
  }

  private async sendHeartbeat(): Promise<void> {
    const now = systemClock.now() / 1_000;
    await lutimes(this.file, now, now).catch(() => undefined);
  }

  private async readHolder(): Promise<LockHolder | 'none' | 'unreadable'> {
    try {
      return parseHolder(JSON.parse(await readRegularFile(this.file))) ?? 'unreadable';
    } catch (error) {
      if (getErrorCode(error) === 'ENOENT') return 'none';
      if (error instanceof SyntaxError) return 'unreadable';
      throw error;
    }
  }

  private async isHolderDead(holder: LockHolder, own: ProcessIdentity): Promise<boolean> {
    if (holder.space !== own.space) return this.isHeartbeatOverdue();
    // This process owns the lock, or a dead process with the same pid did.
    if (holder.pid === own.pid) return !ownedTokens.has(holder.token);
    return !isProcessAlive(holder.pid) || (await readProcessStart(holder.pid)) !== holder.started;
  }

  private async isHeartbeatOverdue(): Promise<boolean> {
    const { mtimeMs } = await lstat(this.file);
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

/** Start time of a process, in clock ticks since the system was booted (proc(5), field 22 of `stat`). */
async function readProcessStart(pid: number): Promise<string> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The name of the program, in parentheses, may contain spaces.
  return text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process belongs to another user.
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
