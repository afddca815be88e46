import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { PROGRAM, cleanUp, serve } from '../cli/rollcall-process.js';
import type { Program } from '../cli/rollcall-process.js';
import { directoryUpstream } from '../support/upstream/directory-upstream.js';
import { startUpstream } from '../support/upstream/upstream-server.js';
import type { UpstreamServer } from '../support/upstream/upstream-server.js';
import { programs } from './programs.js';

const BUILD_TIMEOUT = 120_000;
const TEST_TIMEOUT = 120_000;
const RECORDS = 20_000;

const folder = mkdtempSync(join(tmpdir(), 'rollcall-disks-'));
let upstream: UpstreamServer;
/** Part of each record: one list has one edition. */
let edition = 0;
let isDown = false;

const lists = new Map<number, readonly object[]>();

/** The records of an edition, the same object each time. */
function listOf(one: number): readonly object[] {
  const known = lists.get(one);
  if (known !== undefined) return known;
  const records = Array.from({ length: RECORDS }, (_, at) => ({
    'short-team-name': `TEAM-${at}`,
    host: String(one),
    'constituency-description': 'x'.repeat(300),
  }));
  lists.set(one, records);
  return records;
}

beforeAll(async () => {
  upstream = await startUpstream((request, response) => {
    if (isDown) response.destroy();
    else directoryUpstream(listOf(edition))(request, response);
  });
}, BUILD_TIMEOUT);
beforeEach(() => {
  [edition, isDown] = [0, false];
});
afterAll(async () => {
  await cleanUp();
  await upstream.close();
  rmSync(folder, { recursive: true });
});

function configure(disk: string): object {
  return {
    server: { port: 0, deadline: '60s' },
    admin: { port: 0 },
    cache: { disk },
    defaults: {
      ttl: '1s',
      'stale-while-revalidate': '0s',
      timeout: '60s',
      retries: 0,
      'page-size': 5_000,
      'drain-threshold': 2 * RECORDS,
    },
    sources: { alpha: { number: 1, directory: upstream.address } },
  };
}

/** Editions of the records in the response, its total, and the state of the source. */
async function answer(program: Program): Promise<readonly [readonly unknown[], string | null, string | undefined]> {
  const { public: origin } = await program.line('listening');
  const response = await fetch(`${String(origin)}/directory/v1/teams?fields=host&limit=10000&envelope=0`);
  const records: unknown = await response.json();
  const hosts = Array.isArray(records) ? records.map((record: Record<string, unknown>) => Number(record['host'])) : [];
  const [, state] = /state=(\w+)/.exec(response.headers.get('source-status') ?? '') ?? [];
  return [[...new Set(hosts)], response.headers.get('x-total-count'), state];
}

async function end(program: Program, signal: NodeJS.Signals): Promise<void> {
  program.kill(signal);
  await program.exit;
}

describe('a process that is killed while it writes a snapshot', () => {
  it(
    'leaves the earlier or the later list whole',
    async () => {
      const disk = join(folder, 'killed');
      mkdirSync(disk);
      let last: unknown = 0;
      const isWriting = (): boolean => readdirSync(disk).some((file) => file.endsWith('.list.tmp'));
      const first = await serve(configure(disk));
      await vi.waitFor(() => expect(readdirSync(disk).some((file) => file.endsWith('.list'))).toBe(true), {
        timeout: 30_000,
      });
      await end(first, 'SIGKILL');
      for (edition = 1; edition <= 8; edition += 1) {
        const program = await serve(configure(disk));
        await vi.waitFor(() => expect(isWriting()).toBe(true), { timeout: 30_000, interval: 1 });
        // Each time a little later in the course of the write.
        await new Promise((resolve) => setTimeout(resolve, edition * 4));
        await end(program, 'SIGKILL');
        isDown = true;
        const next = await serve(configure(disk));
        await next.line('ready');
        const [editions, total, state] = await answer(next);
        expect([total, state]).toEqual([String(RECORDS), 'stale']);
        const [only] = editions;
        expect(editions).toHaveLength(1);
        expect([last, edition]).toContain(only);
        last = only;
        expect(next.lines.some(({ msg }) => String(msg).includes('damaged'))).toBe(false);
        await end(next, 'SIGKILL');
        isDown = false;
      }
      expect(readdirSync(disk).filter((file) => file.endsWith('.list'))).toHaveLength(1);
    },
    4 * TEST_TIMEOUT,
  );
});

describe('a disk', () => {
  /** Starts the program with a file system in memory as its folder, which only the process and its children see. */
  function serveOn(options: string, disk: string): Promise<Program> {
    mkdirSync(disk, { recursive: true });
    const mount = `mount -t tmpfs -o ${options} tmpfs ${disk} && exec "$0" "$@"`;
    const words = ['--map-root-user', '--mount', 'sh', '-c', mount, process.execPath, ...PROGRAM];
    return serve(configure(disk), words, { command: programs.unshare.command });
  }

  it.each([
    ['that is full', 'size=256k'],
    ['that is read-only', 'ro'],
  ])(
    '%s costs only the snapshots: it is logged once, and the process serves',
    async (_, options) => {
      edition = 1;
      const program = await serveOn(options, join(folder, 'mounted'));
      expect(await program.line('snapshots cannot be saved')).toMatchObject({ level: 40 });
      await program.line('ready');
      expect(await answer(program)).toEqual([[1], String(RECORDS), 'fresh']);
      edition = 2;
      await vi.waitFor(async () => expect(await answer(program)).toEqual([[2], String(RECORDS), 'fresh']), {
        timeout: 20_000,
      });
      await end(program, 'SIGTERM');
      expect(program.lines.filter(({ msg }) => msg === 'snapshots cannot be saved')).toHaveLength(1);
      expect(existsSync(join(folder, 'mounted', 'snapshots.lock'))).toBe(false);
    },
    TEST_TIMEOUT,
  );
});
