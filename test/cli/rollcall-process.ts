import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** A line of the program's log, parsed. */
export type Line = Readonly<Record<string, unknown>>;

/** Rollcall as a separate process. */
export interface Program {
  /** Log lines so far. */
  readonly lines: readonly Line[];
  /**
   * Waits for the first line with this message, or the one after `skip` such lines. Rejects when the program ends without
   * it.
   */
  readonly line: (message: string, skip?: number) => Promise<Line>;
  /** Path of the configuration file. */
  readonly file: string;
  readonly pid: number | undefined;
  readonly kill: (signal: NodeJS.Signals) => void;
  /** Exit code, available after all output has been read; null where a signal ended the process. */
  readonly exit: Promise<number | null>;
}

const started = new Set<ChildProcess>();
const folders = new Set<string>();

const ROOT = join(import.meta.dirname, '../..');

/** The program, which the build of every test run has made (test/support/build-program.ts). */
export const PROGRAM: readonly string[] = [join(ROOT, 'dist/rollcall.js')];

/** How a process is started. */
interface StartOptions {
  readonly command?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/**
 * Starts `rollcall serve` with a configuration, written as JSON (which is YAML). `environment` adds variables. `command` may be a
 * program that starts Node.js, whose path then begins `script`.
 */
export async function serve(
  config: object,
  script: readonly string[] = PROGRAM,
  { command = process.execPath, environment = {} }: StartOptions = {},
): Promise<Program> {
  const folder = await mkdtemp(join(tmpdir(), 'rollcall-serve-'));
  folders.add(folder);
  const file = join(folder, 'rollcall.yaml');
  await writeFile(file, JSON.stringify(config));
  const child = spawn(command, [...script, 'serve', '--config', file], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...environment },
  });
  started.add(child);
  return program(child, file);
}

function program(child: ChildProcess, file: string): Program {
  if (child.stdout === null) throw new Error('the program has no standard output');
  const lines: Line[] = [];
  const reader = createInterface(child.stdout);
  reader.on('line', (text) => {
    lines.push(parse(text));
  });
  const exit = Promise.all([once(child, 'exit'), once(reader, 'close')]).then(() => child.exitCode);
  const find = (message: string, skip: number): Line | undefined =>
    lines.filter((line) => line['msg'] === message)[skip];
  return {
    lines,
    exit,
    pid: child.pid,
    kill: (signal) => child.kill(signal),
    file,
    line: async (message, skip = 0) => {
      for (;;) {
        const found = find(message, skip);
        if (found !== undefined) return found;
        const ended = await Promise.race([once(reader, 'line').then(() => false), exit.then(() => true)]);
        if (ended && find(message, skip) === undefined)
          throw new Error(`ended without "${message}": ${JSON.stringify(lines)}`);
      }
    },
  };
}

function parse(text: string): Line {
  const line: unknown = JSON.parse(text);
  if (typeof line !== 'object' || line === null) throw new Error(`not a log line: ${text}`);
  return Object.fromEntries(Object.entries(line));
}

/** Kills all processes that still run, and removes all temporary folders. */
export async function cleanUp(): Promise<void> {
  for (const child of started) {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  }
  started.clear();
  for (const folder of folders) await rm(folder, { recursive: true });
  folders.clear();
}
