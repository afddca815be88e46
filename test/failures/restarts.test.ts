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
/** In which a list expires between two processes. */
const TTL = MINUTE;
const DEFAULTS = { ttl: '1m', 'stale-while-revalidate': '0s', 'confirm-shrink': '10m', 'stale-if-error': '1h' };

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

/** Statuses and source states that a new process, whose lists have expired, reports at once and after each wait (in milliseconds). */
async function states(...waits: readonly number[]): Promise<readonly string[]> {
  return statesOf({ one: { directory: upstream.address } }, ...waits);
}

async function statesOf(
  sources: Readonly<Record<string, object>>,
  ...waits: readonly number[]
): Promise<readonly string[]> {
  const setup = {
    cache: { disk: join(folder, 'lists') },
    defaults: DEFAULTS,
    sources,
  };
  const gateway = await startGateway(setup, { clock });
  const states: string[] = [];
  for (const wait of [0, ...waits]) {
    clock.advance(wait);
    const { status, headers } = await gateway.get('/directory/v1/teams');
    states.push(`${status} ${headers.get('source-status')?.replaceAll(/;age=\d+/g, '') ?? ''}`);
  }
  await gateway.close();
  clock.advance(TTL);
  return states;
}

const FRESH = '200 one;state=fresh;records=30';
const STALE = '200 one;state=stale;reason=shrunk;records=30';
const SHRUNK = '502 one;state=failed;reason=shrunk';

it('a source without records after a restart is stale, and failed when its list is too old to be served', async () => {
  expect(await states()).toEqual([FRESH]);
  upstream.handler = directoryUpstream([]);
  expect(await states(30 * MINUTE)).toEqual([STALE, STALE]);
  expect(await states()).toEqual([STALE]);
  clock.advance(30 * MINUTE);
  expect(await states(30 * MINUTE)).toEqual([SHRUNK, SHRUNK]);
  upstream.handler = directoryUpstream(TEAMS);
  expect(await states()).toEqual([FRESH]);
});

it('a source with far fewer records after a restart is accepted after confirm-shrink', async () => {
  expect(await states()).toEqual([FRESH]);
  upstream.handler = directoryUpstream(TEAMS.slice(0, 10));
  expect(await states(10 * MINUTE)).toEqual([STALE, '200 one;state=fresh;records=10']);
  expect(await states()).toEqual(['200 one;state=fresh;records=10']);
});

it('a large source without records after a restart is stale', async () => {
  const large = { one: { directory: upstream.address, 'drain-threshold': 20 } };
  expect(await statesOf(large)).toEqual([FRESH]);
  upstream.handler = directoryUpstream([]);
  expect(await statesOf(large)).toEqual([STALE]);
});

it('the previous number of records belongs to the address of a source, not to its name or the other sources', async () => {
  expect(await states()).toEqual([FRESH]);
  const other = await startUpstream(directoryUpstream([]));
  upstream.handler = directoryUpstream([]);
  const both = { one: { directory: upstream.address }, two: { directory: other.address } };
  expect(await statesOf(both)).toEqual([`${STALE}, two;state=fresh;records=0`]);
  expect(await statesOf({ one: { directory: other.address } })).toEqual(['200 one;state=fresh;records=0']);
  await other.close();
});

/** Last-Modified of all teams, in the form that a threshold of records gives. */
async function lastModified(threshold: number, teams: readonly object[]): Promise<number> {
  upstream.handler = directoryUpstream(teams);
  const sources = { one: { directory: upstream.address, 'drain-threshold': threshold } };
  const setup = { cache: { disk: join(folder, 'lists') }, defaults: DEFAULTS, sources };
  const gateway = await startGateway(setup, { clock });
  await gateway.get('/directory/v1/teams');
  // A date is shown when its second has passed.
  clock.advance(1_000);
  const { headers } = await gateway.get('/directory/v1/teams');
  await gateway.close();
  clock.advance(TTL);
  return Date.parse(headers.get('last-modified') ?? '');
}

const DATED = TEAMS.slice(0, 6).map((team) => ({ ...team, 'last-modified': '2020-01-01' }));

it('a list that crosses its drain-threshold during a restart counts as changed, also when it returns', async () => {
  const large = await lastModified(3, DATED);
  const small = await lastModified(30, DATED.slice(1));
  const again = await lastModified(3, DATED);
  expect([small - large, again - small]).toEqual([expect.toSatisfy(isLater), expect.toSatisfy(isLater)]);
});

function isLater(milliseconds: number): boolean {
  return milliseconds > 0;
}
