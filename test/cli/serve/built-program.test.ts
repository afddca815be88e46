import { execFile, spawn } from 'node:child_process';
import type { ChildProcess, StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { nameAndVersion } from '../../../src/cli/version.js';
import { freePort } from '../../support/free-port.js';
import { dataUpstream } from '../../support/upstream/data-upstream.js';
import { directoryUpstream } from '../../support/upstream/directory-upstream.js';
import { startUpstream } from '../../support/upstream/upstream-server.js';
import type { RequestHandler, UpstreamServer } from '../../support/upstream/upstream-server.js';
import { PROGRAM, cleanUp, serve } from '../rollcall-process.js';
import { waitFor } from '../../support/wait-for.js';

const upstreams: UpstreamServer[] = [];
afterAll(async () => {
  await cleanUp();
  await Promise.all(upstreams.splice(0).map((upstream) => upstream.close()));
});

async function startRepository(handler: RequestHandler): Promise<UpstreamServer> {
  const upstream = await startUpstream(handler);
  upstreams.push(upstream);
  return upstream;
}

const anyPort = { port: 0 };

describe('the built program', () => {
  test('names the build of its sources', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [...PROGRAM, '--version']);
    expect(stdout).toBe(`${await nameAndVersion()}\n`);
  });

  test('writes long output to a pipe in full, ignores a reader that has left, and reports a full disk', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'rollcall-output-'));
    const file = join(folder, 'rollcall.yaml');
    await writeFile(file, Array.from({ length: 3_000 }, (_, at) => `unknown-${at}: 1\n`).join(''));
    const run = promisify(execFile);
    const failed = await run(process.execPath, [...PROGRAM, 'check', '--config', file]).catch(
      (error: unknown) => error,
    );
    expect(failed).toMatchObject({ code: 1, stderr: expect.stringMatching(/unknown-2999: [^\n]+\n$/) as string });
    const help = [process.execPath, ...PROGRAM, '--help'].map((word) => `'${word}'`).join(' ');
    const shell = (command: string): Promise<{ stdout: string; stderr: string }> => run('sh', ['-c', command]);
    expect(await shell(`(sleep 0.2; ${help}; echo $? >&2) | true`)).toEqual({ stdout: '', stderr: '0\n' });
    const full = await shell(`${help} > /dev/full; echo $? >&2`);
    expect(full.stderr).toMatch(/^rollcall: standard output: ENOSPC.*\n1\n$/);
    // A file that may not grow: what is written at last, nothing, succeeds.
    const append = `head -c 1024 /dev/zero > output; trap '' XFSZ; ulimit -f 1; ${help} >> output; echo $? >&2`;
    const small = await shell(`cd ${folder}; ${append}`);
    expect(small.stderr).toMatch(/^rollcall: standard output: EFBIG.*\n1\n$/);
    await rm(folder, { recursive: true });
  });

  test('reads a response of several megabytes', async () => {
    const records = Array.from({ length: 3_000 }, (_, at) => ({
      'short-team-name': `T${at}`,
      host: 'x'.repeat(1_000),
    }));
    const upstream = await startRepository((request, response) => {
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify(request.query.get('offset') === '0' ? records : []));
    });
    const sources = { large: { number: 1, directory: upstream.address, 'page-size': 3_000 } };
    const program = await serve({ server: anyPort, admin: anyPort, sources });
    const { public: origin } = await program.line('listening');
    const directory = `${String(origin)}/directory/v1/teams`;
    await program.line('ready');
    const { headers } = await fetch(`${directory}?limit=1`);
    expect([headers.get('source-status'), headers.get('x-total-count')]).toEqual([
      expect.stringMatching(/state=fresh/),
      '3000',
    ]);
    const page = await (await fetch(new URL('/', directory))).text();
    const [, style = '/missing'] = /href="(\/assets\/[^"]+\.css)"/.exec(page) ?? [];
    expect((await fetch(new URL(style, directory))).status).toBe(200);
  });

  test('has indexed its lists when it is ready, and keeps the indexes over a reload that changes a timeout', async () => {
    const keyed = [{ id: 'b', team: 'Birch', 'pgp-id': '0x1234567812345678' }];
    const [one, two] = [
      await startRepository(directoryUpstream([{ 'short-team-name': 'Acorn CERT' }])),
      await startRepository(dataUpstream({ teams: keyed }, { keys: 'pgp' })),
    ];
    const configure = (timeout: string): object => ({
      server: { ...anyPort, 'log-level': 'debug', deadline: '60s' },
      admin: anyPort,
      defaults: { timeout },
      sources: { one: { number: 1, directory: one.address }, two: { number: 2, data: two.address } },
    });
    const program = await serve(configure('5s'));
    const { public: origin } = await program.line('listening');
    const countIndexes = (): number => program.lines.filter(({ msg }) => msg === 'source indexed').length;
    const search = async (path: string): Promise<string | null> => {
      const { status, headers } = await fetch(`${String(origin)}/${path}/v1/search?q=acorn`);
      expect(status).toBe(200);
      return headers.get('source-status');
    };
    await program.line('ready');
    const indexes = countIndexes();
    expect(indexes).toBe(4);
    await writeFile(program.file, JSON.stringify(configure('6s')));
    await program.line('configuration reloaded');
    for (const path of ['directory', 'data']) expect(await search(path)).toMatch(/^one;state=fresh;.*two;state=fresh;/);
    await program.line('request', 1);
    expect(countIndexes()).toBe(indexes);
  });
});

describe('the built program, whose log cannot be written', () => {
  let folder = '';
  let child: ChildProcess | undefined;
  let origin = '';
  let admin = '';

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rollcall-log-'));
  });
  afterEach(async () => {
    child?.kill('SIGKILL');
    await rm(folder, { recursive: true });
  });

  /** Starts the program, and waits until it is ready. */
  async function start(stdio: StdioOptions): Promise<ChildProcess> {
    const [port, adminPort] = [await freePort(), await freePort()];
    const file = join(folder, 'rollcall.yaml');
    const sources = { one: { number: 1, directory: 'http://127.0.0.1:9/' } };
    await writeFile(file, JSON.stringify({ server: { port }, admin: { port: adminPort }, sources }));
    const started = spawn(process.execPath, [...PROGRAM, 'serve', '--config', file], { stdio });
    [child, origin, admin] = [started, `http://127.0.0.1:${port}`, `http://127.0.0.1:${adminPort}`];
    while ((await fetch(`${admin}/readyz`).catch(() => undefined))?.status !== 200) {
      if (started.exitCode !== null) throw new Error(`ended with ${started.exitCode}`);
      await pause(50);
    }
    return started;
  }

  /** Sends requests until lines of the log are dropped. */
  async function loseLines(): Promise<number> {
    for (;;) {
      const metrics = await (await fetch(`${admin}/metrics`)).text();
      const dropped = Number(/^rollcall_dropped_log_lines_total (\d+)$/m.exec(metrics)?.[1]);
      if (dropped !== 0) return dropped;
      const responses = await Promise.all(
        Array.from({ length: 20 }, () => fetch(`${origin}/${'long-path-'.repeat(600)}`)),
      );
      expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 404));
      await Promise.all(responses.map((response) => response.text()));
    }
  }

  async function expectService(program: ChildProcess): Promise<void> {
    expect((await fetch(`${admin}/healthz`)).status).toBe(200);
    program.kill('SIGTERM');
    expect(await once(program, 'exit')).toEqual([0, null]);
  }

  test('serves on where the disk is full, counts the lost lines, and stops in good order', async () => {
    const disk = await open('/dev/full', 'w');
    const program = await start(['ignore', disk.fd, 'inherit']);
    await disk.close();
    expect(await loseLines()).toBeGreaterThan(0);
    await expectService(program);
  });

  test('serves on where the reader has left, counts the lost lines, and stops in good order', async () => {
    const starting = start(['ignore', 'pipe', 'inherit']);
    await waitFor(() => expect(child?.stdout).toBeTruthy());
    child?.stdout?.destroy();
    const program = await starting;
    expect(await loseLines()).toBeGreaterThan(0);
    await expectService(program);
  });

  test('serves on where the reader reads no more, and says how many lines were lost once it reads again', async () => {
    const program = await start(['ignore', 'pipe', 'inherit']);
    const dropped = await loseLines();
    if (program.stdout === null) throw new Error('the program has no standard output');
    let report: unknown;
    for await (const line of createInterface(program.stdout)) {
      report = JSON.parse(line);
      if (line.includes('lines of the log were dropped')) break;
    }
    expect(report).toMatchObject({ level: 40, lines: dropped });
    await expectService(program);
  });
});
