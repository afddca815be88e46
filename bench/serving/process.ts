import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** What is measured has a processor for itself; whoever asks, and whoever is asked, has the other one. */
export const [SERVING, ASKING] = ['0', '1'];

/** Starts a command on one processor; its standard output is dropped. */
export function startOn(core: string, command: readonly string[]): ChildProcess {
  return spawn('taskset', ['-c', core, ...command], { stdio: ['ignore', 'ignore', 'inherit'] });
}

/** A program of this folder on a processor, and the first thing that it tells. */
export async function startHelper(
  core: string,
  name: string,
  args: readonly string[],
): Promise<{ child: ChildProcess; told: unknown }> {
  const script = fileURLToPath(new URL(name, import.meta.url));
  const command = ['-c', core, process.execPath, ...process.execArgv, script, ...args];
  const child = spawn('taskset', command, { stdio: ['ignore', openNull(), 'inherit', 'ipc'] });
  return { child, told: await nextWord(child) };
}

let nowhere: number | undefined;

function openNull(): number {
  return (nowhere ??= openSync('/dev/null', 'a'));
}

/** The next message of a helper. Rejects where it ends instead. */
export async function nextWord(child: ChildProcess): Promise<unknown> {
  const told = new AbortController();
  const { signal } = told;
  const ended = once(child, 'exit', { signal }).then(() => Promise.reject(new Error(`${child.spawnfile} ended`)));
  try {
    const [word] = (await Promise.race([once(child, 'message', { signal }), ended])) as [unknown];
    return word;
  } finally {
    told.abort();
  }
}

/** Ends a process that was started here. */
export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

/** Milliseconds for which all threads of a process, and of its children, have been running. */
export function cpuOfProcess(pid: number): number {
  const tasks = readdirSync(`/proc/${pid}/task`);
  const own = tasks.map((task) => Number(read(`/proc/${pid}/task/${task}/schedstat`).split(' ', 1)[0]) / 1e6);
  const children = tasks.flatMap((task) => read(`/proc/${pid}/task/${task}/children`).split(' ').filter(Boolean));
  return [...own, ...children.map((child) => cpuOfProcess(Number(child)))].reduce((sum, one) => sum + one, 0);
}

/** Bytes of a process that are in memory. */
export function residentBytes(pid: number): number {
  return Number(/^VmRSS:\s*(\d+) kB/m.exec(read(`/proc/${pid}/status`))?.[1]) * 1024;
}

function read(file: string): string {
  return readFileSync(file, 'utf8');
}
