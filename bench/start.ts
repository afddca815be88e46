import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Figure } from './bounds.js';
import { median } from './harness/measure.js';
import { ROOT } from './harness/paths.js';

/** Rounds, each of which starts all programs; the median of each counts. */
const ROUNDS = 7;

/** Starts of a short command in a round: the kernel counts in hundredths of a second. */
const STARTS = 10;

const PROGRAM = fileURLToPath(new URL('dist/rollcall.js', ROOT));
const DEMO = fileURLToPath(new URL('config/demo.yaml', ROOT));

/** CPU time of the built program, to that of `node -e 0` in the same round: its commands, and `serve` until it is ready. */
export async function start(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-start-'));
  const source = createServer((_, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end('[]'),
  );
  source.listen(0, '127.0.0.1');
  await once(source, 'listening');
  const config = join(folder, 'rollcall.yaml');
  const directory = `http://127.0.0.1:${portOf(source.address())}`;
  const listen = { server: { port: 0 }, admin: { port: ADMIN_PORT } };
  writeFileSync(config, JSON.stringify({ ...listen, sources: { one: { number: 1, directory } } }));
  const demo = join(folder, 'demo.yaml');
  writeFileSync(
    demo,
    readFileSync(DEMO, 'utf8').replace('port: 9090', `port: ${ADMIN_PORT}`).replace('port: 8080', 'port: 0'),
  );
  const subjects: readonly (readonly [
    name: string,
    bound: Figure['bound'],
    measure: () => number | Promise<number>,
  ])[] = [
    ['--version', 'command', () => cpuOfCommand([PROGRAM, '--version'])],
    ['--help', 'command', () => cpuOfCommand([PROGRAM, '--help'])],
    ['new-key', 'command', () => cpuOfCommand([PROGRAM, 'new-key'])],
    ['check of the demo', 'check', () => cpuOfCommand([PROGRAM, 'check', '--config', DEMO])],
    ['serve, one source, until ready', 'serve', () => cpuUntilReady(config)],
    ['serve, the demo with its samples, until ready', 'serve demo', () => cpuUntilReady(demo)],
  ];
  const ratios = subjects.map((): number[] => []);
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      const node = cpuOfCommand(['-e', '0']);
      for (const [at, [, , measure]] of subjects.entries()) ratios[at]?.push((await measure()) / node);
    }
  } finally {
    source.close();
    rmSync(folder, { recursive: true });
  }
  return subjects.map(([name, bound], at) => ({
    name: `${name}, to node -e 0`,
    value: median(ratios[at] ?? []),
    bound,
  }));
}

const ADMIN_PORT = 19_090;

function portOf(address: ReturnType<ReturnType<typeof createServer>['address']>): number {
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** CPU milliseconds of one start, all threads included. */
function cpuOfCommand(args: readonly string[]): number {
  const before = readTicks('self', CHILDREN);
  for (let run = 0; run < STARTS; run += 1) {
    const { status, stderr } = spawnSync(process.execPath, args);
    if (status !== 0) throw new Error(`${args.join(' ')}: ${String(stderr)}`);
  }
  return ((readTicks('self', CHILDREN) - before) * TICK_MS) / STARTS;
}

async function cpuUntilReady(config: string): Promise<number> {
  const child = spawn(process.execPath, [PROGRAM, 'serve', '--config', config], { stdio: 'ignore' });
  const exit = once(child, 'exit');
  try {
    for (;;) {
      if (child.exitCode !== null || child.signalCode !== null) throw new Error('serve ended before it was ready');
      const status = await fetch(`http://127.0.0.1:${ADMIN_PORT}/readyz`).then(
        (response) => response.status,
        () => 0,
      );
      if (status === 200) return readTicks(String(child.pid), OWN) * TICK_MS;
      await wait(5);
    }
  } finally {
    child.kill('SIGKILL');
    await exit;
  }
}

/** Of Linux, which is the same on all its processors. */
const TICK_MS = 10;

/** Fields of /proc/PID/stat behind the name of the program: user and system time of the process, and of its children. */
const OWN = [11, 12];
const CHILDREN = [13, 14];

function readTicks(pid: string, fields: readonly number[]): number {
  const values = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return fields.reduce((sum, at) => sum + Number(values[at]), 0);
}
