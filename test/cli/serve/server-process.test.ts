import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ServerProcess } from '../../../src/cli/serve/server-process.js';
import { parseConfig } from '../../../src/config/parse-config.js';
import type { Config } from '../../../src/config/config.js';
import { directoryUpstream } from '../../support/upstream/directory-upstream.js';
import { startUpstream } from '../../support/upstream/upstream-server.js';
import type { UpstreamServer } from '../../support/upstream/upstream-server.js';
import { waitFor } from '../../support/wait-for.js';
import { createMetrics } from '../../../src/events/metrics.js';
import type { Metrics } from '../../../src/events/metrics.js';

/** Version and build of the program that is tested. */
const program = { version: '1.2.3', build: 'a' };

const log = { setLevel: () => undefined };

/** Parses a configuration with one source. */
function parse(address: string, settings: object): Config {
  const sources = { one: { number: 1, directory: address } };
  const admin = { port: 0, host: '127.0.0.1' };
  const parsed = parseConfig(JSON.stringify({ server: { port: 0 }, admin, sources, ...settings }), {});
  if (!('config' in parsed)) throw new Error(JSON.stringify(parsed.errors));
  return parsed.config;
}

describe('the replacement of the configuration of a process', () => {
  let upstream: UpstreamServer;
  let server: ServerProcess;
  let metrics: Metrics;

  const configure = (settings: object = {}): Config => parse(upstream.address, settings);

  beforeEach(async () => {
    upstream = await startUpstream(directoryUpstream([{ 'short-team-name': 'A' }]));
    metrics = createMetrics({ ofProcess: false });
    server = new ServerProcess({ file: 'rollcall.yaml', log, publish: metrics.note, metrics, program });
    await server.open(configure());
  });
  afterEach(async () => {
    await server.stop();
    await upstream.close();
  });

  test('counts a fetch that it ends neither as a failure of the source nor towards its suspension', async () => {
    const getTeams = (): Promise<Response> => fetch(`${server.urls.public}/directory/v1/teams`);
    await server.replace(configure({ server: { port: 0, deadline: '500ms' } }));
    // Five failures in a row would suspend the source.
    for (const deadline of ['501ms', '502ms', '503ms', '504ms', '9s']) {
      const ended = new Promise((resolve) => {
        upstream.handler = (_, response) => response.on('close', resolve);
      });
      expect((await getTeams()).status).toBe(504);
      await server.replace(configure({ server: { port: 0, deadline } }));
      await ended;
    }
    upstream.handler = directoryUpstream([{ 'short-team-name': 'B' }]);
    const { status, headers } = await getTeams();
    expect([status, headers.get('source-status')]).toEqual([200, expect.stringMatching(/^one;state=fresh/)]);
    expect(await metrics.text()).not.toMatch(/^rollcall_source_(?:requests|fetches)_total\{.*timeout/m);
  });

  test('names its own address in the commands of /docs, or the one that the configuration gives it', async () => {
    const fetchCommand = async (): Promise<string> => {
      const text = await (await fetch(`${server.urls.public}/docs`)).text();
      return /curl -s (?:'|&#39;)(https?:\/\/[^/]*)\//.exec(text)?.[1] ?? '';
    };
    expect(await fetchCommand()).toBe(server.urls.public);
    await server.replace(configure({ server: { port: 0, 'public-url': 'https://irt.example.org' } }));
    expect(await fetchCommand()).toBe('https://irt.example.org');
  });
});

describe('a process', () => {
  let upstream: UpstreamServer;
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rollcall-server-process-'));
    upstream = await startUpstream(directoryUpstream([{ 'short-team-name': 'A', 'last-modified': '2020-01-01' }]));
  });
  afterEach(async () => {
    await upstream.close();
    await rm(folder, { recursive: true });
  });

  /** Serves the teams of the source with `settings`, and stops. Returns the Last-Modified of the teams. */
  const serveOnce = async (settings: object, running = program): Promise<string | null> => {
    const metrics = createMetrics({ ofProcess: false });
    const server = new ServerProcess({ file: 'rollcall.yaml', log, publish: metrics.note, metrics, program: running });
    await server.open(parse(upstream.address, settings));
    const response = await fetch(`${server.urls.public}/directory/v1/teams`);
    await response.arrayBuffer();
    await server.stop();
    return response.headers.get('last-modified');
  };

  test('dates every list anew after a restart with another build of the same version, and only then', async () => {
    const settings = { cache: { disk: join(folder, 'snapshots') } };
    const day = 'Wed, 01 Jan 2020 00:00:00 GMT';
    expect([await serveOnce(settings), await serveOnce(settings)]).toEqual([day, day]);
    // A new date is shown when its second has passed.
    expect(await serveOnce(settings, { ...program, build: 'b' })).not.toBe(day);
  });

  test('says at the admin port that snapshots cannot be saved, until they are', async () => {
    const blocked = join(folder, 'blocked');
    await writeFile(blocked, 'a file in the place of a folder');
    const counted = createMetrics({ ofProcess: false });
    const server = new ServerProcess({
      ...{ file: 'rollcall.yaml', log, program },
      ...{ publish: counted.note, metrics: counted },
    });
    await server.open(
      parse(upstream.address, { cache: { disk: join(blocked, 'snapshots') }, defaults: { ttl: '1s' } }),
    );
    const { admin } = server.urls;
    const read = async (path: string): Promise<string> => (await fetch(`${admin}${path}`)).text();
    const metrics = async (): Promise<string> => {
      await fetch(`${server.urls.public}/directory/v1/teams`);
      return read('/metrics');
    };
    try {
      await waitFor(async () => expect(await metrics()).toContain('\nrollcall_unsaved_snapshots 1\n'));
      expect(JSON.parse(await read('/sources'))).toMatchObject({
        unsavedSnapshots: {
          since: expect.stringMatching(/^20\d\d-/) as unknown,
          lists: 1,
          error: expect.stringContaining('ENOTDIR') as unknown,
        },
      });
      expect(await read('/sources?format=html')).toMatch(
        /Snapshots cannot be saved in cache\.disk since 20[^]*ENOTDIR/,
      );
      await rm(blocked);
      await waitFor(async () => expect(await metrics()).toContain('\nrollcall_unsaved_snapshots 0\n'));
      expect(JSON.parse(await read('/sources'))).not.toHaveProperty('unsavedSnapshots');
    } finally {
      await server.stop();
    }
  });

  test.each([
    [{}, 'rollcall/1.2.3'],
    [
      { server: { port: 0, 'public-url': 'https://teams.example.org/' } },
      'rollcall/1.2.3 (+https://teams.example.org)',
    ],
    [
      { server: { port: 0, 'public-url': 'https://teams.example.org/(all)' } },
      'rollcall/1.2.3 (+https://teams.example.org/%28all%29)',
    ],
  ])('identifies itself to its sources with %j as %s', async (settings, userAgent) => {
    await serveOnce(settings);
    expect(new Set(upstream.requests.map(({ headers }) => headers['user-agent']))).toEqual(new Set([userAgent]));
  });
});
