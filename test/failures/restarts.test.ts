import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { fakeClock } from '../support/fake-clock.js';
import { directoryUpstream } from '../support/upstream/directory-upstream.js';
import { startGateway } from '../support/gateway/test-gateway.js';
import { startUpstream } from '../support/upstream/upstream-server.js';
import type { UpstreamServer } from '../support/upstream/upstream-server.js';

const MINUTE = 60_000;

const TEAMS = Array.from({ length: 30 }, (_, at) => ({ 'short-team-name': `T${at}`, country: 'BR' }));

const clock = fakeClock();
let folder = '';
let upstream: UpstreamServer;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rollcall-restarts-'));
  upstream = await startUpstream(directoryUpstream(TEAMS));
});
afterEach(async () => {
  await upstream.close();
  await rm(folder, { recursive: true });
});

/** What a process of its own is answered with, one time after another. */
async function states(...waits: readonly number[]): Promise<readonly string[]> {
  return statesOf({ one: { directory: upstream.address } }, ...waits);
}

async function statesOf(
  sources: Readonly<Record<string, object>>,
  ...waits: readonly number[]
): Promise<readonly string[]> {
  const setup = {
    cache: { state: join(folder, 'state.json') },
    defaults: { ttl: '1m', 'confirm-shrink': '10m', 'stale-if-error': '1h' },
    sources,
  };
  const gateway = await startGateway(setup, { clock });
  const told: string[] = [];
  for (const wait of [0, ...waits]) {
    clock.advance(wait);
    const { status, headers } = await gateway.get('/directory/v1/teams');
    told.push(`${status} ${headers.get('source-status')?.replace(/;age=\d+/, '') ?? ''}`);
  }
  await gateway.close();
  return told;
}

const FRESH = '200 one;state=fresh;records=30';
const SHRUNK = '502 one;state=failed;reason=shrunk';

it('A source that has nothing after a restart is not believed, for what it had is remembered', async () => {
  expect(await states()).toEqual([FRESH]);
  upstream.handler = directoryUpstream([]);
  expect(await states()).toEqual([SHRUNK]);
  expect(await states(30 * MINUTE)).toEqual([SHRUNK, SHRUNK]);
  upstream.handler = directoryUpstream(TEAMS);
  expect(await states()).toEqual([FRESH]);
});

it('One that has far less after a restart is believed when it still does after confirm-shrink', async () => {
  expect(await states()).toEqual([FRESH]);
  upstream.handler = directoryUpstream(TEAMS.slice(0, 10));
  expect(await states(10 * MINUTE)).toEqual([SHRUNK, '200 one;state=fresh;records=10']);
  expect(await states()).toEqual(['200 one;state=fresh;records=10']);
});

it('One that is over its drain-threshold is not believed either', async () => {
  const large = { one: { directory: upstream.address, 'drain-threshold': 20 } };
  expect(await statesOf(large)).toEqual([FRESH]);
  upstream.handler = directoryUpstream([]);
  expect(await statesOf(large)).toEqual([SHRUNK]);
});

it('Nor one that comes back with nothing when another was registered meanwhile; under its name, another repository is another one', async () => {
  expect(await states()).toEqual([FRESH]);
  const other = await startUpstream(directoryUpstream([]));
  upstream.handler = directoryUpstream([]);
  const both = { one: { directory: upstream.address }, two: { directory: other.address } };
  expect(await statesOf(both)).toEqual([`502 one;state=failed;reason=shrunk, two;state=fresh;records=0`]);
  expect(await statesOf({ one: { directory: other.address } })).toEqual(['200 one;state=fresh;records=0']);
  await other.close();
});
