import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { PROGRAM, cleanUp, serve } from '../../cli/rollcall-process.js';
import { directoryUpstream } from '../../support/upstream/directory-upstream.js';
import { startUpstream } from '../../support/upstream/upstream-server.js';
import { adaptShippedFile, readShippedFile } from '../../support/deploy/shipped-file.js';
import { programs, run } from '../programs.js';

const UNIT = 'deploy/rollcall.service';

/** Highest exposure that `systemd-analyze security` may report, times ten. What remains is the network, which the service needs. */
const MAX_EXPOSURE = 15;

const folder = mkdtempSync(join(tmpdir(), 'rollcall-unit-'));

/** Values of a setting of the unit, in order. */
function settings(name: string): string[] {
  return [...readShippedFile(UNIT).matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value = '']) => value);
}

/** Names of the system calls in a set of systemd, and in the sets that it contains. */
function systemCallsOf(set: string): string[] {
  const { stdout } = run(programs.systemdAnalyze, ['--no-pager', 'syscall-filter', set]);
  const names = stdout.split('\n').flatMap((line) => /^ {4}([@\w].*)$/.exec(line)?.[1] ?? []);
  return names.flatMap((name) => (name.startsWith('@') ? systemCallsOf(name) : [name]));
}

/** System calls that SystemCallFilter of the unit allows. */
function allowedSystemCalls(): ReadonlySet<string> {
  const words = settings('SystemCallFilter').map(
    (value) => [value.startsWith('~'), value.replace('~', '').split(' ')] as const,
  );
  const setsOf = (isDenied: boolean): string[] =>
    words.flatMap(([denied, sets]) => (denied === isDenied ? sets.flatMap(systemCallsOf) : []));
  const denied = new Set(setsOf(true));
  return new Set(setsOf(false).filter((name) => !denied.has(name)));
}

afterAll(async () => {
  await cleanUp();
  rmSync(folder, { recursive: true });
});

describe('deploy/rollcall.service', () => {
  it.each(['rollcall.service', 'rollcall@.service'])('is a valid unit: %s', (name) => {
    const file = join(folder, name);
    // The path of Node.js on this machine. `verify` requires that the program exists, not its arguments.
    writeFileSync(file, adaptShippedFile(`deploy/${name}`, [['/usr/bin/node', process.execPath]]));
    const { status, stderr } = run(programs.systemdAnalyze, ['verify', '--man=no', file]);
    expect([status, stderr.split('\n').filter((line) => line.includes('rollcall'))]).toEqual([0, []]);
  });

  it('exposes little, according to systemd-analyze security', () => {
    const words = ['--no-pager', 'security', '--offline=true', `--threshold=${MAX_EXPOSURE}`];
    const { status, stdout } = run(programs.systemdAnalyze, [
      ...words,
      new URL(`../../../${UNIT}`, import.meta.url).pathname,
    ]);
    expect(status, stdout).toBe(0);
  });
});

describe('a Rollcall that starts, drains a source, saves its list, reloads and stops', () => {
  let trace: string[];

  beforeAll(async () => {
    const upstream = await startUpstream(directoryUpstream([{ 'short-team-name': 'ONE' }]));
    const file = join(folder, 'trace');
    const config = {
      server: { port: 0 },
      admin: { port: 0 },
      cache: { disk: join(folder, 'state/snapshots') },
      sources: { one: { number: 1, directory: upstream.address.replace('127.0.0.1', 'localhost') } },
    };
    // -D: strace is a child of Node.js, which therefore gets the signal.
    const traced = ['-D', '-f', '-q', '-o', file, '--signal=none', process.execPath, ...PROGRAM];
    const program = await serve(config, traced, { command: programs.strace.command });
    const { public: address } = await program.line('listening');
    await program.line('ready');
    expect((await fetch(`${String(address)}/directory/v1/teams.xlsx`)).status).toBe(200);
    expect((await fetch(`${String(address)}/`)).status).toBe(200);
    program.kill('SIGHUP');
    await program.line('configuration unchanged');
    program.kill('SIGTERM');
    expect(await program.exit).toBe(0);
    await upstream.close();
    await vi.waitFor(() => {
      trace = readFileSync(file, 'utf8').split('\n');
      if (!trace.at(-2)?.includes('+++ exited')) throw new Error('strace has not ended');
    });
  }, 120_000);

  it('needs no system call that the unit denies', () => {
    const allowed = allowedSystemCalls();
    const used = new Set(trace.flatMap((line) => /^\d+ +(\w+)\(/.exec(line)?.[1] ?? []));
    expect(used.size).toBeGreaterThan(40);
    expect([...used].filter((name) => !allowed.has(name))).toEqual([]);
  });

  it('needs no family of addresses that the unit denies', () => {
    const families = new Set(trace.flatMap((line) => /\bsocket\((AF_\w+)/.exec(line)?.[1] ?? []));
    expect(settings('RestrictAddressFamilies')[0]?.split(' ')).toEqual(expect.arrayContaining([...families]));
  });

  it('opens no file for writing outside of its folder', () => {
    const written = trace.flatMap((line) => /\bopenat\(\w+, "([^"]+)", \w*(?:O_WRONLY|O_RDWR)/.exec(line)?.[1] ?? []);
    expect(written.some((file) => file.startsWith(join(folder, 'state')))).toBe(true);
    expect(written.filter((file) => !file.startsWith(join(folder, 'state')) && file !== '/dev/null')).toEqual([]);
  });

  it('needs memory that is writable and executable, so that MemoryDenyWriteExecute is impossible', () => {
    expect(trace.some((line) => /\b(?:mmap|mprotect|pkey_mprotect)\(.*PROT_WRITE\|PROT_EXEC/.test(line))).toBe(true);
  });
});
