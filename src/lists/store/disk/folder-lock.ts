import { randomUUID } from 'node:crypto';
import { lstat, lutimes, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { systemClock } from '../../../model/clock.js';
import { getErrorCode, readText } from './files.js';

const HEARTBEAT_INTERVAL_MS = 5_000;

/** Several heartbeats, because disks are slow at times. */
const HEARTBEAT_TIMEOUT_MS = 30_000;

const ownedTokens = new Set<string>();

/**
 * Lets one process write a folder. The lock of a process that has ended is taken over: at once where its id can be
 * looked up, else (another container or machine, an id that is used again) after 30 seconds without a heartbeat.
 */
export class FolderLock {
  private readonly token = randomUUID();
  private heartbeat: NodeJS.Timeout | undefined;

  constructor(private readonly file: string) {}

  /**
   * Acquires or confirms the lock, else returns which process has it. Rejects where the lock file cannot be read or
   * written. Race: of two processes that take over a lock at once, one finds that it lost it when it confirms.
   */
  async acquire(): Promise<string | undefined> {
    const holder = await readText(this.file);
    if (holder?.startsWith(this.token)) return undefined;
    this.stop();
    if (holder !== undefined && !(await this.isAbandoned(holder))) return describe(holder);
    if (holder !== undefined) await rm(this.file, { force: true });
    try {
      const text = [this.token, process.pid, await readPidSpace()].join(' ');
      await writeFile(this.file, text, { flag: 'wx', mode: 0o600 });
    } catch (error) {
      if (getErrorCode(error) === 'EEXIST') return describe('');
      // The disk may be full. Nobody could look up the process of an empty lock.
      await rm(this.file, { force: true }).catch(() => undefined);
      throw error;
    }
    ownedTokens.add(this.token);
    this.heartbeat = setInterval(() => {
      const now = systemClock.now() / 1_000;
      void lutimes(this.file, now, now).catch(() => undefined);
    }, HEARTBEAT_INTERVAL_MS).unref();
    return undefined;
  }

  async release(): Promise<void> {
    this.stop();
    const holder = await readText(this.file).catch(() => undefined);
    if (holder?.startsWith(this.token)) await rm(this.file, { force: true }).catch(() => undefined);
  }

  /** Heartbeats on the lock of another process would keep it alive after that process has ended. */
  private stop(): void {
    clearInterval(this.heartbeat);
    ownedTokens.delete(this.token);
  }

  private async isAbandoned(holder: string): Promise<boolean> {
    const [token = '', pid, ...space] = holder.split(' ');
    // A heartbeat in the future is from before the clock was set back.
    if (Math.abs(systemClock.now() - (await lstat(this.file)).mtimeMs) > HEARTBEAT_TIMEOUT_MS) return true;
    if (space.join(' ') !== (await readPidSpace())) return false;
    // With its own id: a lock of this process, or of one that ended and had the same id.
    return Number(pid) === process.pid ? !ownedTokens.has(token) : !isRunning(Number(pid));
  }
}

function describe(holder: string): string {
  const [, pid, host] = holder.split(' ');
  return host === undefined ? 'another process' : `process ${pid ?? ''} on ${host}`;
}

/** The machine, its boot and its pid namespace: within one of them, an id is that of one process at a time. */
async function readPidSpace(): Promise<string> {
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '');
  const namespace = await readlink('/proc/self/ns/pid').catch(() => '');
  return [hostname(), boot.trim(), namespace].join(' ');
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // The process belongs to another user.
    return getErrorCode(error) === 'EPERM';
  }
}
