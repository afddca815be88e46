import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { main } from '../../src/cli/main.js';
import { directoryUpstream } from '../support/upstream/directory-upstream.js';
import { startUpstream } from '../support/upstream/upstream-server.js';
import type { UpstreamServer } from '../support/upstream/upstream-server.js';
import { freePort } from '../support/free-port.js';
import { startServer, stopServers } from './serve/start-server.js';

let folder: string;
let file: string;
let upstream: UpstreamServer;
const printed = { out: '', err: '' };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rollcall-status-'));
  file = join(folder, 'rollcall.yaml');
  upstream = await startUpstream(directoryUpstream([{ 'short-team-name': 'ACORN' }]));
});

afterAll(async () => {
  await upstream.close();
  await rm(folder, { recursive: true });
});

beforeEach(() => {
  Object.assign(printed, { out: '', err: '' });
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => ((printed.out += String(text)), true));
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => ((printed.err += String(text)), true));
});

afterEach(async () => {
  vi.restoreAllMocks();
  await stopServers();
});

async function configure(port: number): Promise<object> {
  const config = {
    server: { port: 0 },
    admin: { port },
    defaults: { retries: 0 },
    sources: {
      harbour: { number: 1, directory: upstream.address },
      gone: { number: 2, directory: 'http://127.0.0.1:1/directory/v1' },
    },
  };
  await writeFile(file, JSON.stringify(config));
  return config;
}

describe('status', () => {
  test('prints what a running server says of its sources, what is wrong and what to do, exit code 0', async () => {
    await startServer(await configure(await freePort()));
    expect(await main(['status', '--config', file])).toBe(0);
    expect(printed.out).toMatch(/^1 of 2 sources give no records of a list\.\n\n {2}source +condition .*\n/);
    expect(printed.out).toMatch(/\n {2}harbour +in order +directory-teams 1 +just now +0 of \d+\n/);
    expect(printed.out).toMatch(/\n {2}gone +gives no records +1 of 1\n/);
    expect(printed.out).toMatch(
      /\ngone, directory-teams: no records: .*\n(?: {2}cause: .*\n)? {2}Check the address, the firewall/,
    );
  });

  test('prints the report as JSON', async () => {
    await startServer(await configure(await freePort()));
    expect(await main(['status', '--json', '--config', file])).toBe(0);
    expect(JSON.parse(printed.out)).toMatchObject({ sources: [{ code: 'harbour' }, { code: 'gone' }] });
  });

  test('says that no server answers, and where it asked, exit code 2', async () => {
    const port = await freePort();
    await configure(port);
    expect(await main(['status', '--config', file])).toBe(2);
    expect(printed).toMatchObject({ out: '' });
    expect(printed.err).toMatch(
      new RegExp(`^rollcall: no server answers at http://127\\.0\\.0\\.1:${port}/sources\\?format=text `),
    );
  });
});
