import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { send } from './exchange.js';

/** Keys of the comparison: of a client with members access, and of the operator. */
export const MEMBERS_KEY = 'rck_key-of-a-member-in-the-comparison';
const ADMIN_KEY = 'rck_key-of-the-operator-in-the-comparison';

/** Returns the folder with the built program of a commit. Builds it if no earlier run has. */
export function buildCommit(commit: string): string {
  const folder = resolve('var/compare', commit);
  const complete = join(folder, 'dist/.complete');
  if (existsSync(complete)) {
    provideModules(folder);
    return folder;
  }
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  execFileSync('tar', ['-x', '-C', folder], {
    input: execFileSync('git', ['archive', commit], { maxBuffer: 2 ** 30 }),
  });
  provideModules(folder);
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  writeFileSync(complete, '');
  return folder;
}

/** Links the packages of the working tree while they are those of the commit, and installs its own as soon as they are not. */
function provideModules(folder: string): void {
  const modules = join(folder, 'node_modules');
  const isLink = lstatSync(modules, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  // npm writes this file last.
  if (!isLink && existsSync(join(modules, '.package-lock.json'))) return;
  rmSync(modules, { recursive: true, force: true });
  const lock = (at: string): string => readFileSync(join(at, 'package-lock.json'), 'utf8');
  if (lock('.') === lock(folder)) symlinkSync(resolve('node_modules'), modules);
  else execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
}

/** A running program. */
export interface Program {
  readonly name: string;
  readonly port: number;
  /** Performs an action on a source at the admin port. */
  act(action: 'refresh' | 'forget', code: string): Promise<void>;
  stop(): Promise<void>;
}

/** What a program is started with. */
export interface ProgramSettings {
  readonly name: string;
  /** Public port; the next one is the admin port. */
  readonly port: number;
  readonly registrations: Readonly<Record<string, object>>;
}

/** Starts the built program in a folder as `rollcall serve`, and waits until it is ready. */
export async function startProgram(folder: string, { name, port, registrations }: ProgramSettings): Promise<Program> {
  const home = mkdtempSync(join(tmpdir(), 'rollcall-compare-'));
  const file = join(home, 'rollcall.yaml');
  writeFileSync(file, JSON.stringify(configure(port, registrations)));
  const args = [resolve(folder, 'dist/rollcall.js'), 'serve', '--config', file];
  const child = spawn(process.execPath, args, { cwd: home, stdio: ['ignore', 'pipe', 'inherit'] });
  process.once('exit', () => child.kill('SIGKILL'));
  const lines: string[] = [];
  child.stdout.on('data', (chunk: Buffer) => lines.push(chunk.toString()));
  const ended = new Promise<void>((done) => child.once('exit', () => done()));
  const stop = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
    rmSync(home, { recursive: true });
  };
  for (;;) {
    if (child.exitCode !== null) throw new Error(`${name} ended:\n${lines.join('')}`);
    const ready = await send(port + 1, { method: 'GET', target: '/readyz', headers: {} }).catch(() => undefined);
    if (ready?.status === 200) break;
    await wait(100);
  }
  const act: Program['act'] = async (action, code) => {
    const target = `/sources/${code}/${action}`;
    const headers = { authorization: `Bearer ${ADMIN_KEY}` };
    const { status } = await send(port + 1, { method: 'POST', target, headers });
    if (status !== 200) throw new Error(`${name}: ${target} is ${status}`);
  };
  return { name, port, act, stop };
}

/** With these times, what a program answers depends on the instant only where a source fails: nothing expires. */
function configure(port: number, sources: ProgramSettings['registrations']): object {
  const hash = (key: string): string => createHash('sha256').update(key).digest('hex');
  return {
    server: { name: 'compared', port, 'public-url': 'https://irt.example.org', deadline: '20s', log: 'none' },
    admin: { port: port + 1, 'key-sha256': hash(ADMIN_KEY) },
    cache: { memory: '128MiB' },
    access: { clients: [{ name: 'member', 'key-sha256': hash(MEMBERS_KEY), access: 'members' }] },
    defaults: { ttl: '24h', timeout: '1s', retries: 0 },
    sources,
  };
}
