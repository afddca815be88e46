import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { fakeClock } from '../support/fake-clock.js';
import type { FakeClock } from '../support/fake-clock.js';
import { startGateway } from '../support/gateway/test-gateway.js';
import type { GatewayResponse, GatewaySetup, TestGateway } from '../support/gateway/test-gateway.js';
import { directoryUpstream } from '../support/upstream/directory-upstream.js';
import * as faulty from '../support/upstream/faulty-responses.js';
import { startUpstream } from '../support/upstream/upstream-server.js';
import type { RequestHandler, UpstreamServer } from '../support/upstream/upstream-server.js';

// Histories in which another answer with the date of the one before would be confirmed wrongly.

const TEAMS = '/directory/v1/teams?fields=short-team-name';
const OLD = 'Thu, 02 Jan 2020 03:04:05 GMT';

/** When `fakeClock` starts. */
const START = Date.UTC(2026, 0, 1);

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** Teams that were changed long ago, as their repository states. */
function teams(...names: readonly string[]): RequestHandler {
  return directoryUpstream(
    names.map((name) => ({ 'short-team-name': name, 'last-modified': '2020-01-02T03:04:05+00:00' })),
  );
}

interface Scene {
  readonly clock: FakeClock;
  readonly alpha: UpstreamServer;
  readonly beta: UpstreamServer;
  readonly setup: GatewaySetup;
  readonly gateway: TestGateway;
}

/** Two repositories, of which `settings` may belong to the first, and a gateway over them. */
async function open(settings: object = {}, cache: object = {}): Promise<Scene> {
  const [alpha, beta] = [await startUpstream(teams('First')), await startUpstream(teams('Other'))];
  closers.push(
    () => alpha.close(),
    () => beta.close(),
  );
  const setup = {
    cache,
    defaults: { ttl: '10s', 'stale-while-revalidate': '0s', retries: 0 },
    sources: { alpha: { directory: alpha.address, ...settings }, beta: { directory: beta.address } },
  };
  const clock = fakeClock();
  return { clock, alpha, beta, setup, gateway: await start(setup, clock) };
}

async function start(setup: GatewaySetup, clock: FakeClock): Promise<TestGateway> {
  const gateway = await startGateway(setup, { clock });
  closers.push(() => gateway.close());
  return gateway;
}

const dateOf = ({ headers }: GatewayResponse): string | null => headers.get('last-modified');

const atSecond = (seconds: number): string => new Date(START + seconds * 1_000).toUTCString();

/** Status of a request with the date of an earlier answer, and the date of the answer. */
async function ask(gateway: TestGateway, since: string): Promise<readonly [number, string | null]> {
  const response = await gateway.get(TEAMS, { 'if-modified-since': since });
  return [response.status, dateOf(response)];
}

it('two changes within a second: the first has no date, and the second has the next whole second', async () => {
  const { clock, alpha, gateway } = await open();
  await gateway.get(TEAMS);
  clock.advance(10_100);
  alpha.handler = teams('Second');
  expect(dateOf(await gateway.get(TEAMS))).toBeNull();
  alpha.handler = teams('Third');
  await gateway.app.levels.public?.sources[0]?.operations.refreshNow(new AbortController().signal);
  clock.advance(899);
  expect(await ask(gateway, atSecond(10))).toEqual([200, null]);
  clock.advance(1);
  expect(await ask(gateway, OLD)).toEqual([200, atSecond(11)]);
  expect((await ask(gateway, atSecond(11)))[0]).toBe(304);
});

it('a change exactly on a second: it has the next one', async () => {
  const { clock, alpha, gateway } = await open();
  await gateway.get(TEAMS);
  clock.advance(10_000);
  alpha.handler = teams('Second');
  expect(await ask(gateway, atSecond(10))).toEqual([200, null]);
  clock.advance(1_000);
  expect(await ask(gateway, atSecond(10))).toEqual([200, atSecond(11)]);
});

it('a partial answer: its Date confirms no complete one', async () => {
  const { clock, alpha, gateway } = await open();
  alpha.handler = faulty.status(500);
  expect(dateOf(await gateway.get(TEAMS))).toBeNull();
  clock.advance(2_000);
  alpha.handler = directoryUpstream([{ 'short-team-name': 'First', 'last-modified': '2026-01-01T00:00:00+00:00' }]);
  await gateway.get(TEAMS);
  clock.advance(1_000);
  expect(await ask(gateway, atSecond(0))).toEqual([200, atSecond(3)]);
});

it('a source removed by a reload: what is left is another answer', async () => {
  const { clock, gateway, setup } = await open();
  const before = dateOf(await gateway.get(TEAMS)) ?? '';
  clock.advance(1_500);
  await gateway.replace({ ...setup, sources: { alpha: setup.sources['alpha'] ?? {} } });
  expect(await ask(gateway, before)).toEqual([200, null]);
  clock.advance(500);
  expect(await ask(gateway, before)).toEqual([200, atSecond(2)]);
});

it('a first list after a restart: another process may have served another one', async () => {
  const disk = await mkdtemp(join(tmpdir(), 'rollcall-dates-'));
  closers.push(() => rm(disk, { recursive: true }));
  const { clock, alpha, gateway, setup } = await open({}, { disk });
  const before = dateOf(await gateway.get(TEAMS)) ?? '';
  await gateway.app.levels.public?.sources[0]?.operations.forget();
  await gateway.close();
  closers.pop();
  clock.advance(1_500);
  alpha.handler = teams('Second');
  const next = await start(setup, clock);
  await next.get(TEAMS);
  clock.advance(1_000);
  expect(await ask(next, before)).toEqual([200, atSecond(2)]);
});

it('a list beyond the drain-threshold for a time: it is not the one of before', async () => {
  const { clock, alpha, gateway } = await open({ 'drain-threshold': 2 });
  const before = dateOf(await gateway.get(TEAMS)) ?? '';
  clock.advance(10_500);
  alpha.handler = teams('First', 'Second', 'Third');
  await gateway.get(TEAMS);
  clock.advance(1_000);
  const large = dateOf(await gateway.get(TEAMS)) ?? '';
  expect([before, large]).toEqual([OLD, atSecond(11)]);
  clock.advance(10_000);
  alpha.handler = teams('First');
  await gateway.get(TEAMS);
  clock.advance(1_000);
  expect(await ask(gateway, before)).toEqual([200, atSecond(22)]);
  expect(await ask(gateway, large)).toEqual([200, atSecond(22)]);
});
