import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { dataUpstream } from '../../support/upstream/data-upstream.js';
import { startUpstream } from '../../support/upstream/upstream-server.js';
import type { RequestHandler, UpstreamServer } from '../../support/upstream/upstream-server.js';
import { cleanUp, serve } from '../rollcall-process.js';
import { startServer, stopServers } from './start-server.js';
import { waitFor } from '../../support/wait-for.js';

const closers: (() => Promise<void>)[] = [];
let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rollcall-restart-'));
});
afterEach(async () => {
  await cleanUp();
  await stopServers();
  await Promise.all(closers.splice(0).map((close) => close()));
  await rm(folder, { recursive: true, force: true });
});

/** A repository that can be stopped, and whose teams can be replaced. */
async function startRepository(
  names: readonly string[],
): Promise<UpstreamServer & { names: readonly string[]; conditions: string[] }> {
  const state: { names: readonly string[]; conditions: string[] } = { names, conditions: [] };
  const handler: RequestHandler = (request, response) => {
    const tag = `"${state.names.join()}"`;
    const condition = request.headers['if-none-match'];
    if (condition !== undefined) state.conditions.push(condition);
    response.setHeader('ETag', tag);
    response.setHeader('Content-Type', 'application/json');
    if (condition === tag) response.writeHead(304).end();
    else response.end(JSON.stringify(request.query.get('offset') === '0' ? state.names.map(toTeam) : []));
  };
  const upstream = await startUpstream(handler);
  closers.push(() => upstream.close().catch(() => undefined));
  return Object.assign(state, upstream);
}

function toTeam(name: string): object {
  return { 'short-team-name': name, 'last-modified': '2020-01-01' };
}

function configure(sources: object, settings: object = {}): object {
  return {
    server: { port: 0 },
    admin: { port: 0 },
    cache: { disk: join(folder, 'snapshots') },
    defaults: { ttl: '1s', 'stale-while-revalidate': '1h', retries: 0, ...settings },
    sources,
  };
}

/** Starts the parts of the program in this process, and stops them when `saved` snapshots of lists are written. */
async function serveUntilSaved(config: object, saved: number): Promise<void> {
  const first = await startServer(config);
  await waitForSaved(saved);
  await first.stop();
}

/** The names of all teams, and what the response says of its sources. */
async function teams(url: string): Promise<readonly unknown[]> {
  const response = await fetch(`${url}?fields=short-team-name&envelope=0`);
  const records: unknown = await response.json();
  const names = Array.isArray(records)
    ? records.map((one: Record<string, unknown>) => one['short-team-name'])
    : records;
  return [names, response.headers.get('source-status')];
}

/** Teams with keys, news and channels of the data interface, as text without their dates and sources. */
function readData(directory: string): Promise<readonly string[]> {
  const data = directory.replace('/directory/v1/teams', '/data/v1');
  const paths = ['teams?scope=pgp', 'news', 'channels'];
  return Promise.all(
    paths.map(async (path) => {
      const text = await (await fetch(`${data}/${path}${path.includes('?') ? '&' : '?'}pretty=0`)).text();
      return text.replace(/,"sources":\[.*?\]/, '').replace(/"last-modified":".*?",/, '');
    }),
  );
}

async function listSaved(): Promise<readonly string[]> {
  return (await readdir(join(folder, 'snapshots'))).filter((file) => file.endsWith('.list'));
}

async function waitForSaved(count: number): Promise<void> {
  await waitFor(async () => expect(await listSaved()).toHaveLength(count));
}

describe('a restart with cache.disk', () => {
  test('answers from the snapshots of a killed process while all sources are down, and says that they are stale', async () => {
    const alpha = await startRepository(['CERT ALPHA', 'CERT OMEGA']);
    const config = configure({ alpha: { number: 1, directory: alpha.address } });
    const killed = await serve(config);
    await waitForSaved(1);
    killed.kill('SIGKILL');
    await killed.exit;
    await alpha.close();
    const { directory } = await startServer(config);
    await waitFor(async () => {
      expect(await teams(directory)).toEqual([
        ['CERT ALPHA', 'CERT OMEGA'],
        expect.stringMatching(/alpha;state=stale;reason=connect;records=2/),
      ]);
    });
  });

  test('revalidates the snapshots with the validators of the earlier process', async () => {
    const alpha = await startRepository(['CERT ALPHA']);
    const config = configure({ alpha: { number: 1, directory: alpha.address } });
    await serveUntilSaved(config, 1);
    alpha.conditions.length = 0;
    const second = await startServer(config);
    await waitFor(async () => {
      expect(await teams(second.directory)).toEqual([['CERT ALPHA'], expect.stringContaining('state=fresh')]);
      expect(alpha.conditions).toContain('"CERT ALPHA"');
    });
    expect(second.lines.some(({ msg }) => msg === 'source drained')).toBe(false);
  });

  test('restores teams with their keys, news and channels', async () => {
    const upstream = await startUpstream(
      dataUpstream({
        teams: [{ id: 'alpha', team: 'CERT ALPHA', country: 'BR', 'pgp-id': '0x1111111111111111' }],
        news: [{ id: 5, title: 'Warning', published: '2026-01-01' }],
        channels: [{ id: 2, title: 'Alerts' }],
      }),
    );
    closers.push(() => upstream.close().catch(() => undefined));
    const config = configure({ alpha: { number: 1, data: upstream.address } });
    const first = await startServer(config);
    await waitForSaved(4);
    const before = await readData(first.directory);
    await first.stop();
    await upstream.close();
    const { directory } = await startServer(config);
    expect(await readData(directory)).toEqual(before);
    expect(before.map((text) => text.includes('"total":"1"') || text.includes('"total":1'))).toEqual([
      true,
      true,
      true,
    ]);
  });

  test('trusts no list that lost most of its records while the process was down', async () => {
    const alpha = await startRepository(Array.from({ length: 30 }, (_, at) => `CERT ${at}`));
    const config = configure({ alpha: { number: 1, directory: alpha.address } });
    await serveUntilSaved(config, 1);
    alpha.names = ['CERT 1'];
    const { directory } = await startServer(config);
    await waitFor(async () => {
      const [names, status] = await teams(directory);
      expect([(names as unknown[]).length, status]).toEqual([30, expect.stringContaining('reason=shrunk')]);
    });
  });

  test('does not use the snapshot of a source that has another address now', async () => {
    const [alpha, other] = await Promise.all([startRepository(['CERT ALPHA']), startRepository(['CERT OTHER'])]);
    await serveUntilSaved(configure({ alpha: { number: 1, directory: alpha.address } }), 1);
    await other.close();
    const { directory } = await startServer(configure({ alpha: { number: 1, directory: other.address } }));
    expect((await fetch(directory)).status).toBe(502);
  });

  test('reports a damaged snapshot, and fetches the list', async () => {
    const alpha = await startRepository(['CERT ALPHA']);
    const config = configure({ alpha: { number: 1, directory: alpha.address } });
    await serveUntilSaved(config, 1);
    for (const file of await listSaved()) await writeFile(join(folder, 'snapshots', file), 'damaged\n');
    const { lines, directory } = await startServer(config);
    expect(lines).toContainEqual(
      expect.objectContaining({ level: 'warn', msg: 'saved snapshot is damaged and not used' }),
    );
    expect(await teams(directory)).toEqual([['CERT ALPHA'], expect.stringContaining('state=fresh')]);
  });
});
