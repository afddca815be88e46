import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { main } from '../../src/cli/main.js';
import { simulatedRepository } from '../support/repository/simulated-repository.js';
import { distinctiveTeams } from '../support/gateway/run-probe.js';
import { feedUpstream, listItems, writeRss } from '../support/upstream/feed-upstream.js';
import { unusedAddress, startUpstream } from '../support/upstream/upstream-server.js';
import type { UpstreamServer } from '../support/upstream/upstream-server.js';

const SECRET = 'hunter2';

let folder: string;
let file: string;
/** The configuration of a single test. */
let others: string;
let upstream: UpstreamServer;
let guarded: UpstreamServer;
const printed = { out: '', err: '' };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rollcall-probe-'));
  file = join(folder, 'rollcall.yaml');
  others = join(folder, 'others.yaml');
  upstream = await startUpstream(simulatedRepository({ directory: distinctiveTeams(153, 'directory') }));
  const answerTeams = simulatedRepository({ directory: distinctiveTeams(3, 'directory') });
  guarded = await startUpstream((request, response) => {
    if (request.query.get('key') === SECRET) answerTeams(request, response);
    else
      response
        .writeHead(302, {
          location: `https://other.example.org/?token=${request.headers.authorization?.slice(7) ?? ''}`,
        })
        .end();
  });
  const lines = [
    'sources:',
    `  good: { number: 1, directory: ${upstream.address}/directory }`,
    `  gone: { number: 2, directory: ${await unusedAddress()} }`,
    `  guarded: { number: 3, directory: ${guarded.address}/directory, credentials: { public: { query: "key=${SECRET}" } } }`,
    `  refused: { number: 4, directory: ${guarded.address}/directory, credentials: { public: { bearer: "${SECRET}" } } }`,
  ];
  await writeFile(file, lines.join('\n'));
});

afterAll(async () => {
  await Promise.all([upstream.close(), guarded.close()]);
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
  test('prints a table of findings, exit code 0', async () => {
    expect(await main(['probe', 'good', '--config', file])).toBe(0);
    expect(printed.out).toMatch(/^good: \d+ requests\n\nteams on the directory interface\n/);
    expect(printed.out).toMatch(/^ {2}filter country +proved +exactly the \d+ of 153 records/m);
    expect(printed.out).toMatch(/^ +teams\?country=[A-Z,]+&/m);
    expect(printed.out).not.toContain('supports:');
  });

  test('prints the supports block with --write', async () => {
    expect(await main(['probe', 'good', '--write', '--config', file])).toBe(0);
    expect(printed.out).toMatch(
      /\n {4}supports: # proved by rollcall probe on \d{4}-\d\d-\d\d, with \d+ requests\n {6}teams: \{ filters: \[.*country.*\], sort: \[.*\], .*total: true.* \}\n$/,
    );
  });

  test('prints nothing but JSON with --json', async () => {
    expect(await main(['probe', 'good', '--json', '--write', '--config', file])).toBe(0);
    const report: unknown = JSON.parse(printed.out);
    expect(report).toMatchObject({ version: 2, code: 'good', reached: true, supports: { teams: { exact: false } } });
  });

  test('prints that a source could not be queried, exit code 2', async () => {
    expect(await main(['probe', 'gone', '--write', '--config', file])).toBe(2);
    expect(printed.out).toMatch(/request failed: ECONNREFUSED/);
    expect(printed.out).not.toContain('supports:');
  });

  test.each([[], ['--json']])(
    'sends the public credential of the source and never prints it: %j',
    async (...options) => {
      expect(await main(['probe', 'guarded', '--write', ...options, '--config', file])).toBe(0);
      expect(guarded.requests.length).toBeGreaterThan(1);
      expect(guarded.requests.every(({ query }) => query.get('key') === SECRET)).toBe(true);
      expect(printed.out).toContain('teams');
      expect(printed.out + printed.err).not.toContain(SECRET);
    },
  );

  test('never prints a credential that the source repeats in a redirect', async () => {
    expect(await main(['probe', 'refused', '--config', file])).toBe(2);
    expect(printed.out).toContain('https://other.example.org');
    expect(printed.out).toContain('token=[redacted]');
    expect(printed.out + printed.err).not.toContain(SECRET);
  });

  test('lists the source codes when the given one is unknown, exit code 1', async () => {
    expect(await main(['probe', 'god', '--config', file])).toBe(1);
    expect(printed.err).toBe('rollcall: no source god; known: good, gone, guarded, refused\n');
    expect(upstream.requests).toHaveLength(0);
  });

  test('refuses a document, which evaluates nothing, exit code 1', async () => {
    const document = { url: `${upstream.address}/teams.json`, map: { 'short-team-name': 'name' } };
    await writeFile(others, JSON.stringify({ sources: { list: { number: 1, document } } }));
    expect(await main(['probe', 'list', '--config', others])).toBe(1);
    expect(printed.err).toBe('rollcall: list is a document, which evaluates nothing that could be probed\n');
    expect(upstream.requests).toHaveLength(0);
  });

  test('prints a table for each feed, and a sentence in place of the block, exit code 0', async () => {
    const cert = await startUpstream(feedUpstream(writeRss(listItems(2))));
    const [one, two] = [`${cert.address}/one.xml`, `${cert.address}/two.xml?list=a`];
    await writeFile(others, JSON.stringify({ sources: { cert: { number: 1, feed: [one, two] } } }));
    expect(await main(['probe', 'cert', '--write', '--config', others])).toBe(0);
    await cert.close();
    expect(printed.out).toMatch(/^cert: 4 requests\n\nfeed http:\S+\/one\.xml\n {2}feed +proved +RSS, 2 items/);
    expect(printed.out).toMatch(/^ {2}revalidation +proved +304 to if-none-match$/m);
    expect(printed.out).toMatch(/\nfeed http:\S+\/two\.xml\n {2}feed +proved/);
    expect(printed.out).toMatch(/\nFeeds have no supports block: .*\n$/);
    expect(printed.out).not.toContain('list=a');
  });

  test('of feeds none of which can be read has exit code 2', async () => {
    await writeFile(others, JSON.stringify({ sources: { cert: { number: 1, feed: await unusedAddress() } } }));
    expect(await main(['probe', 'cert', '--write', '--config', others])).toBe(2);
    expect(printed.out).toMatch(/^ {2}feed +not proved +request failed: ECONNREFUSED/m);
    expect(printed.out).not.toContain('supports');
  });

  test('prints the errors of the configuration, exit code 1', async () => {
    expect(await main(['probe', 'good', '--config', join(folder, 'none.yaml')])).toBe(1);
    expect(printed.err).toContain('ENOENT');
  });
});
