import { spawnSync } from 'node:child_process';

/** A program that is not part of Node, which an interoperability test starts. */
export interface Program {
  /** Its command, or its path where another program of the same name may stand before it in PATH. */
  readonly command: string;
  /** The package of Debian that brings it. */
  readonly debian: string;
  /** Parameters with which it only prints its version. */
  readonly version: readonly string[];
}

/** Every program that interoperability tests start; `.ci/run` installs their packages. */
export const programs = {
  gpg: { command: 'gpg', debian: 'gpg', version: ['--version'] },
  haproxy: { command: 'haproxy', debian: 'haproxy', version: ['-v'] },
  nginx: { command: 'nginx', debian: 'nginx-light', version: ['-v'] },
  office: { command: 'soffice', debian: 'libreoffice-calc-nogui', version: ['--version'] },
  openssl: { command: 'openssl', debian: 'openssl', version: ['version'] },
  // Debian's own, which finds the modules that Debian packages.
  python: { command: '/usr/bin/python3', debian: 'python3', version: ['--version'] },
  varnish: { command: 'varnishd', debian: 'varnish', version: ['-V'] },
  xmllint: { command: 'xmllint', debian: 'libxml2-utils', version: ['--version'] },
} as const satisfies Readonly<Record<string, Program>>;

/** Every Python module that interoperability tests import, and the package of Debian that brings it. */
export const pythonModules = {
  openpyxl: 'python3-openpyxl',
  'ruamel.yaml': 'python3-ruamel.yaml',
  yaml: 'python3-yaml',
} as const;

/** What a program gets beside its parameters. */
export interface RunOptions {
  /** Its standard input; empty when absent. */
  readonly input?: string | Uint8Array;
  /** Environment variables that it gets beside those of this process. */
  readonly env?: Readonly<Record<string, string>>;
}

/** How a program ended. */
export interface RunResult {
  /** Exit code; null where a signal ended the program. */
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a program to its end. Throws an error that names the program and its package when the program is not installed: a test
 * of interoperability fails then, and is never skipped.
 */
export function run(
  { command, debian }: Program,
  parameters: readonly string[],
  { input = '', env = {} }: RunOptions = {},
): RunResult {
  const { error, status, stdout, stderr } = spawnSync(command, parameters, {
    input,
    env: { ...process.env, ...env },
    encoding: 'utf8',
    maxBuffer: 1 << 30,
  });
  if (error !== undefined) throw new Error(notRunnable(command, debian, error));
  return { status, stdout, stderr };
}

/** What to say when a program could not be started: its name, why, and what installs it. */
export function notRunnable(command: string, debian: string, { message }: Error): string {
  return `${command} cannot be run (${message}); to install it on Debian: apt-get install ${debian}`;
}
