import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { main } from '../../src/cli/main.js';
import { simulatedRepository } from '../support/repository/simulated-repository.js';
import { distinctiveTeams } from '../support/repository/run-probe.js';
import { unusedAddress, startUpstream } from '../support/upstream/upstream-server.js';
import type { UpstreamServer } from '../support/upstream/upstream-server.js';

let folder: string;
let file: string;
let upstream: UpstreamServer;
const said = { out: '', err: '' };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rollcall-probe-'));
  file = join(folder, 'rollcall.yaml');
  upstream = await startUpstream(simulatedRepository({ directory: distinctiveTeams(153, 'directory') }));
  const lines = [
    'sources:',
    `  good: { number: 1, directory: ${upstream.address}/directory }`,
    `  gone: { number: 2, directory: ${await unusedAddress()} }`,
  ];
  await writeFile(file, lines.join('\n'));
});

afterAll(async () => {
  await upstream.close();
  await rm(folder, { recursive: true });
});

beforeEach(() => {
  upstream.forget();
  Object.assign(said, { out: '', err: '' });
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => ((said.out += String(text)), true));
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => ((said.err += String(text)), true));
});

afterEach(() => {
  vi.restoreAllMocks();
});

describe('probe', () => {
  test('prints a table of what was found, exit code 0, and sends at most 20 requests', async () => {
    expect(await main(['probe', 'good', '--config', file])).toBe(0);
    expect(said.out).toMatch(/^good: \d+ of 20 requests\n\nteams on the directory interface\n/);
    expect(said.out).toMatch(/^ {2}filter country +proved +the \d+ of 153 that match came/m);
    expect(said.out).toMatch(/^ +teams\?country=[A-Z,]+&/m);
    expect(said.out).not.toContain('supports:');
    expect(upstream.requests.length).toBeLessThanOrEqual(20);
  });

  test('prints the block to paste with --write', async () => {
    expect(await main(['probe', 'good', '--write', '--config', file])).toBe(0);
    expect(said.out).toMatch(
      /\n {4}supports: # proved by rollcall probe on \d{4}-\d\d-\d\d, with \d+ requests\n {6}teams: \{ filters: \[.*country.*\], sort: \[.*\], .*total: true.* \}\n$/,
    );
  });

  test('prints nothing but JSON with --json', async () => {
    expect(await main(['probe', 'good', '--json', '--write', '--budget', '5', '--config', file])).toBe(0);
    const report: unknown = JSON.parse(said.out);
    expect(report).toMatchObject({ code: 'good', budget: 5, reached: true, supports: { teams: { exact: false } } });
    expect(upstream.requests.length).toBeLessThanOrEqual(5);
  });

  test('tells that a source could not be asked, exit code 2', async () => {
    expect(await main(['probe', 'gone', '--write', '--config', file])).toBe(2);
    expect(said.out).toMatch(/could not be asked: ECONNREFUSED/);
    expect(said.out).not.toContain('supports:');
  });

  test('tells which codes there are when it is asked for another one, exit code 1', async () => {
    expect(await main(['probe', 'god', '--config', file])).toBe(1);
    expect(said.err).toBe('rollcall: no source god; there are good, gone\n');
    expect(upstream.requests).toHaveLength(0);
  });

  test('tells the faults of a configuration, exit code 1', async () => {
    expect(await main(['probe', 'good', '--config', join(folder, 'none.yaml')])).toBe(1);
    expect(said.err).toContain('ENOENT');
  });
});
