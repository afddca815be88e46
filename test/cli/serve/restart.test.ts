import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { dataUpstream } from '../../support/upstream/data-upstream.js';
import { startUpstream } from '../../support/upstream/upstream-server.js';
import type { RequestHandler, UpstreamServer } from '../../support/upstream/upstream-server.js';
import { cleanUp, serve } from '../rollcall-process.js';
import type { Program } from '../rollcall-process.js';
import { waitFor } from '../../support/wait-for.js';

const closers: (() => Promise<void>)[] = [];
let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rollcall-restart-'));
});
afterEach(async () => {
  await cleanUp();
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

async function startServing(config: object): Promise<{ program: Program; directory: string }> {
  const program = await serve(config);
  const line = await program.line('listening');
  await program.line('ready');
  return { program, directory: `${String(line['public'])}/directory/v1/teams` };
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

async function waitForSaved(count: number): Promise<void> {
  const isHead = (file: string): boolean => file.endsWith('.json');
  await waitFor(async () => expect((await readdir(join(folder, 'snapshots'))).filter(isHead)).toHaveLength(count));
}

describe('a restart with cache.disk', () => {
  test('answers from the snapshots of a killed process while all sources are down, and says that they are stale', async () => {
    const alpha = await startRepository(['CERT ALPHA', 'CERT OMEGA']);
    const config = configure({ alpha: { number: 1, directory: alpha.address } });
    const first = await startServing(config);
    await waitForSaved(1);
    first.program.kill('SIGKILL');
    await first.program.exit;
    await alpha.close();
    const { directory } = await startServing(config);
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
    const first = await startServing(config);
    await waitForSaved(1);
    first.program.kill('SIGTERM');
    await first.program.exit;
    alpha.conditions.length = 0;
    const second = await startServing(config);
    await waitFor(async () => {
      expect(await teams(second.directory)).toEqual([['CERT ALPHA'], expect.stringContaining('state=fresh')]);
      expect(alpha.conditions).toContain('"CERT ALPHA"');
    });
    expect(second.program.lines.some(({ msg }) => msg === 'source drained')).toBe(false);
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
    const first = await startServing(config);
    await waitForSaved(4);
    const before = await readData(first.directory);
    first.program.kill('SIGKILL');
    await first.program.exit;
    await upstream.close();
    const { directory } = await startServing(config);
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
    const first = await startServing(config);
    await waitForSaved(1);
    first.program.kill('SIGKILL');
    await first.program.exit;
    alpha.names = ['CERT 1'];
    const { directory } = await startServing(config);
    await waitFor(async () => {
      const [names, status] = await teams(directory);
      expect([(names as unknown[]).length, status]).toEqual([30, expect.stringContaining('reason=shrunk')]);
    });
  });

  test('does not use the snapshot of a source that has another address now', async () => {
    const [alpha, other] = await Promise.all([startRepository(['CERT ALPHA']), startRepository(['CERT OTHER'])]);
    const first = await startServing(configure({ alpha: { number: 1, directory: alpha.address } }));
    await waitForSaved(1);
    first.program.kill('SIGKILL');
    await first.program.exit;
    await other.close();
    const { directory } = await startServing(configure({ alpha: { number: 1, directory: other.address } }));
    expect((await fetch(directory)).status).toBe(502);
  });

  test('reports a damaged snapshot, and fetches the list', async () => {
    const alpha = await startRepository(['CERT ALPHA']);
    const config = configure({ alpha: { number: 1, directory: alpha.address } });
    const first = await startServing(config);
    await waitForSaved(1);
    first.program.kill('SIGKILL');
    await first.program.exit;
    const files = await readdir(join(folder, 'snapshots'));
    const records = files.find((file) => file.endsWith('.records')) ?? '';
    await writeFile(join(folder, 'snapshots', records), 'damaged\n');
    const { program, directory } = await startServing(config);
    expect(await program.line('saved snapshot is damaged and not used')).toMatchObject({ level: 40 });
    expect(await teams(directory)).toEqual([['CERT ALPHA'], expect.stringContaining('state=fresh')]);
  });
});
