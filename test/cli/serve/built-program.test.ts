import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { nameAndVersion } from '../../../src/cli/version.js';
import { dataUpstream } from '../../support/upstream/data-upstream.js';
import { directoryUpstream } from '../../support/upstream/directory-upstream.js';
import { startUpstream } from '../../support/upstream/upstream-server.js';
import type { RequestHandler, UpstreamServer } from '../../support/upstream/upstream-server.js';
import { build, cleanUp, serve } from '../rollcall-process.js';

const upstreams: UpstreamServer[] = [];
let built: readonly string[];
beforeAll(async () => {
  built = await build();
}, 600_000);
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
    const { stdout } = await promisify(execFile)(process.execPath, [...built, '--version']);
    expect(stdout).toBe(`${await nameAndVersion()}\n`);
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
    const program = await serve({ server: anyPort, admin: anyPort, sources }, built);
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
    const program = await serve(configure('5s'), built);
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
