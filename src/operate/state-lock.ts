import { randomUUID } from 'node:crypto';
import { readFile, readlink, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { systemClock } from '../model/clock.js';

/** Milliseconds between two signs of life of the process that holds a lock. */
const BEAT = 5_000;

/** Milliseconds without a sign of life after which a process that cannot be looked up counts as gone: several beats, for disks are slow at times. */
const SILENCE = 30_000;

/** The process that holds a lock, as the lock's file describes it. */
interface Holder {
  /** Unique to this lock, also among those of the same process. */
  readonly token: string;
  readonly pid: number;
  /** When the process started, as the system counts; empty where that is unknown. A later process may get the same pid. */
  readonly started: string;
  /** The machine, its boot and its pid namespace: within one, a pid names one process. */
  readonly space: string;
}

/** Tokens of the locks that this process holds. */
const held = new Set<string>();

/**
 * A lock in a file beside another one, so that of several processes only one writes that. The lock of a process that is gone is taken over: where its pid
 * can be looked up at once, else (another container or machine) after half a minute without a sign of life.
 */
export class FileLock {
  private readonly file: string;
  private readonly token = randomUUID();
  private beating: NodeJS.Timeout | undefined;

  constructor(guarded: string) {
    this.file = `${guarded}.lock`;
  }

  /** Takes the lock, or finds that it is still held here. Gives the process that holds it instead, in words. Rejects where the file cannot be written. */
  async take(): Promise<{ readonly heldBy?: string }> {
    const holder = await this.holder();
    if (holder === 'none') return this.create();
    if (holder !== 'unreadable' && holder.token === this.token) return {};
    this.forget();
    const own = await ownIdentity();
    const gone = holder === 'unreadable' ? await this.isSilent() : await this.isGone(holder, own);
    if (!gone) return { heldBy: describe(holder) };
    await rm(this.file, { force: true });
    return this.create();
  }

  /** Lets it go, where it is held here. Never rejects. */
  async release(): Promise<void> {
    this.forget();
    const holder = await this.holder().catch(() => 'unreadable' as const);
    if (typeof holder === 'object' && holder.token === this.token) {
      await rm(this.file, { force: true }).catch(() => undefined);
    }
  }

  /** Ends the signs of life: given to the lock of another process, they would keep that alive when its holder has gone. */
  private forget(): void {
    clearInterval(this.beating);
    this.beating = undefined;
    held.delete(this.token);
  }

  private async create(): Promise<{ readonly heldBy?: string }> {
    const holder: Holder = { token: this.token, ...(await ownIdentity()) };
    try {
      await writeFile(this.file, JSON.stringify(holder), { flag: 'wx' });
    } catch (error) {
      // Another process was quicker; the next attempt reads which one.
      if (codeOf(error) === 'EEXIST') return { heldBy: describe('unreadable') };
      throw error;
    }
    held.add(this.token);
    this.beating ??= setInterval(() => void this.beat(), BEAT).unref();
    return {};
  }

  private async beat(): Promise<void> {
    const now = systemClock.now() / 1_000;
    await utimes(this.file, now, now).catch(() => undefined);
  }

  private async holder(): Promise<Holder | 'none' | 'unreadable'> {
    try {
      return readHolder(JSON.parse(await readFile(this.file, 'utf8'))) ?? 'unreadable';
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return 'none';
      if (error instanceof SyntaxError) return 'unreadable';
      throw error;
    }
  }

  private async isGone(holder: Holder, own: Identity): Promise<boolean> {
    if (holder.space !== own.space) return this.isSilent();
    if (holder.pid === own.pid) return !held.has(holder.token);
    return !isAlive(holder.pid) || (await startOf(holder.pid)) !== holder.started;
  }

  private async isSilent(): Promise<boolean> {
    const { mtimeMs } = await stat(this.file);
    return systemClock.now() - mtimeMs > SILENCE;
  }
}

type Identity = Omit<Holder, 'token'>;

async function ownIdentity(): Promise<Identity> {
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '');
  const namespace = await readlink('/proc/self/ns/pid').catch(() => '');
  const space = [hostname(), boot.trim(), namespace].join(' ').trim();
  return { pid: process.pid, started: await startOf(process.pid), space };
}

/** Start of a process, in ticks since the system was booted (proc(5), field 22 of `stat`). */
async function startOf(pid: number): Promise<string> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The name of the program, in parentheses, may hold spaces.
  return text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Of another user.
    return codeOf(error) === 'EPERM';
  }
}

function readHolder(json: unknown): Holder | undefined {
  if (typeof json !== 'object' || json === null) return undefined;
  const fields = new Map<string, unknown>(Object.entries(json));
  const [token, pid, started, space] = ['token', 'pid', 'started', 'space'].map((name) => fields.get(name));
  if (typeof token !== 'string' || typeof started !== 'string' || typeof space !== 'string') return undefined;
  return Number.isSafeInteger(pid) && Number(pid) > 0 ? { token, pid: Number(pid), started, space } : undefined;
}

function describe(holder: Holder | 'unreadable'): string {
  if (holder === 'unreadable') return 'another process';
  return `process ${holder.pid} on ${holder.space.split(' ', 1)[0] ?? ''}`;
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
