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
const printed = { out: '', err: '' };

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
  Object.assign(printed, { out: '', err: '' });
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => ((printed.out += String(text)), true));
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => ((printed.err += String(text)), true));
});

afterEach(() => {
  vi.restoreAllMocks();
});

describe('probe', () => {
  test('prints a table of findings, exit code 0, and sends at most 20 requests', async () => {
    expect(await main(['probe', 'good', '--config', file])).toBe(0);
    expect(printed.out).toMatch(/^good: \d+ of 20 requests\n\nteams on the directory interface\n/);
    expect(printed.out).toMatch(/^ {2}filter country +proved +received exactly \d+ matching records out of 153/m);
    expect(printed.out).toMatch(/^ +teams\?country=[A-Z,]+&/m);
    expect(printed.out).not.toContain('supports:');
    expect(upstream.requests.length).toBeLessThanOrEqual(20);
  });

  test('prints the supports block with --write', async () => {
    expect(await main(['probe', 'good', '--write', '--config', file])).toBe(0);
    expect(printed.out).toMatch(
      /\n {4}supports: # proved by rollcall probe on \d{4}-\d\d-\d\d, with \d+ requests\n {6}teams: \{ filters: \[.*country.*\], sort: \[.*\], .*total: true.* \}\n$/,
    );
  });

  test('prints nothing but JSON with --json', async () => {
    expect(await main(['probe', 'good', '--json', '--write', '--budget', '5', '--config', file])).toBe(0);
    const report: unknown = JSON.parse(printed.out);
    expect(report).toMatchObject({ code: 'good', budget: 5, reached: true, supports: { teams: { exact: false } } });
    expect(upstream.requests.length).toBeLessThanOrEqual(5);
  });

  test('prints that a source could not be queried, exit code 2', async () => {
    expect(await main(['probe', 'gone', '--write', '--config', file])).toBe(2);
    expect(printed.out).toMatch(/request failed: ECONNREFUSED/);
    expect(printed.out).not.toContain('supports:');
  });

  test('lists the source codes when the given one is unknown, exit code 1', async () => {
    expect(await main(['probe', 'god', '--config', file])).toBe(1);
    expect(printed.err).toBe('rollcall: no source god; known: good, gone\n');
    expect(upstream.requests).toHaveLength(0);
  });

  test('prints the errors of the configuration, exit code 1', async () => {
    expect(await main(['probe', 'good', '--config', join(folder, 'none.yaml')])).toBe(1);
    expect(printed.err).toContain('ENOENT');
  });
});
