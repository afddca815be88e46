import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { fakeClock } from '../support/fake-clock.js';
import { startGateway } from '../support/gateway/test-gateway.js';
import type { GatewayResponse, GatewaySetup, TestGateway } from '../support/gateway/test-gateway.js';
import { withEntityTags } from '../support/upstream/conditional-responses.js';
import { directoryUpstream } from '../support/upstream/directory-upstream.js';
import { startUpstream } from '../support/upstream/upstream-server.js';
import type { UpstreamServer } from '../support/upstream/upstream-server.js';

const TEAMS = '/directory/v1/teams?envelope=1&fields=short-team-name';
const OLD = 'Thu, 02 Jan 2020 03:04:05 GMT';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

function teamsNamed(names: readonly string[]): object[] {
  return names.map((name) => ({ 'short-team-name': name, 'last-modified': '2020-01-02T03:04:05+00:00' }));
}

/** A repository of teams with old dates. */
async function startRepository(...names: string[]): Promise<UpstreamServer> {
  const upstream = await startUpstream(directoryUpstream(teamsNamed(names)));
  closers.push(() => upstream.close());
  return upstream;
}

function change(upstream: UpstreamServer, ...names: string[]): void {
  upstream.handler = directoryUpstream(teamsNamed(names));
}

async function open(...parameters: Parameters<typeof startGateway>): Promise<TestGateway> {
  const gateway = await startGateway(...parameters);
  closers.push(() => gateway.close());
  return gateway;
}

function dateOf({ headers }: GatewayResponse): string | null {
  return headers.get('last-modified');
}

function namesIn({ text }: GatewayResponse): readonly string[] {
  return [...text.matchAll(/"short-team-name": "(.*?)"/g)].map(([, name = '']) => name);
}

const defaults = { ttl: '10s', 'stale-while-revalidate': '0s', retries: 0 };

describe('a reload', () => {
  it('never lets two lists have one date, although sources come and go several times within a second', async () => {
    const clock = fakeClock();
    const [alpha, beta] = [await startRepository('Alpha'), await startRepository('Beta')];
    const one = { defaults, sources: { alpha: { directory: alpha.address } } };
    const two = { defaults, sources: { ...one.sources, beta: { directory: beta.address } } };
    const gateway = await open(one, { clock });
    const contents = new Map<string, Set<string>>();
    for (let step = 0; step < 40; step += 1) {
      if (step % 3 === 0) await gateway.replace(step % 2 === 0 ? two : one);
      const response = await gateway.get(TEAMS);
      const date = dateOf(response);
      if (date !== null) contents.set(date, (contents.get(date) ?? new Set()).add(response.text));
      clock.advance(step < 30 ? 190 : 1_000);
    }
    expect([...contents].filter(([, texts]) => texts.size > 1).map(([date]) => date)).toEqual([]);
    expect(contents.size).toBeGreaterThan(1);
  });

  it('gives a list its new date when the second of the reload has passed, and no date before', async () => {
    const clock = fakeClock();
    const alpha = await startRepository('Alpha');
    const beta = await startRepository('Beta');
    const sources = { alpha: { directory: alpha.address } };
    const gateway = await open({ defaults, sources }, { clock });
    expect(dateOf(await gateway.get(TEAMS))).toBe(OLD);
    clock.advance(1_300);
    await gateway.replace({ defaults, sources: { ...sources, beta: { directory: beta.address } } });
    clock.advance(699);
    const pending = await gateway.get(TEAMS);
    expect([dateOf(pending), pending.text.includes('"last-modified"')]).toEqual([null, false]);
    clock.advance(1);
    const dated = await gateway.get(TEAMS);
    expect(dateOf(dated)).toBe('Thu, 01 Jan 2026 00:00:02 GMT');
    expect(namesIn(dated)).toEqual(['Alpha', 'Beta']);
  });

  it('fails If-Unmodified-Since at once, so that a client that pages begins anew', async () => {
    const clock = fakeClock();
    const alpha = await startRepository('Alpha');
    const beta = await startRepository('Beta');
    const sources = { alpha: { directory: alpha.address }, beta: { directory: beta.address } };
    const gateway = await open({ defaults, sources }, { clock });
    await gateway.replace({ defaults, sources: { ...sources, alpha: { ...sources.alpha, 'source-name': 'Other' } } });
    await gateway.get(`${TEAMS}&limit=1`);
    clock.advance(1_100);
    const date = dateOf(await gateway.get(`${TEAMS}&limit=1`)) ?? '';
    const next = async (): Promise<number> =>
      (await gateway.get(`${TEAMS}&limit=1&offset=1`, { 'if-unmodified-since': date })).status;
    expect([date, await next()]).toEqual(['Thu, 01 Jan 2026 00:00:01 GMT', 200]);
    clock.advance(300);
    await gateway.replace({ defaults, sources });
    expect(await next()).toBe(412);
    clock.advance(1_000);
    expect(await next()).toBe(412);
  });

  it('confirms no list of before by date, where a source is read with a credential now and changed meanwhile', async () => {
    const clock = fakeClock();
    const alpha = await startRepository('First');
    const gateway = await open({ defaults, sources: { alpha: { directory: alpha.address } } }, { clock });
    await gateway.get(TEAMS);
    let shown: GatewayResponse | undefined;
    const credentials = { public: { bearer: 'secret' } };
    await gateway.replace({ defaults, sources: { alpha: { directory: alpha.address, credentials } } }, async () => {
      // The next configuration has read the first list.
      change(alpha, 'Second');
      clock.advance(10_500);
      await gateway.get(TEAMS);
      clock.advance(1_500);
      shown = await gateway.get(TEAMS);
      change(alpha, 'First');
    });
    expect(shown && namesIn(shown)).toEqual(['Second']);
    const date = shown && dateOf(shown);
    clock.advance(3_000);
    const after = await gateway.get(TEAMS, { 'if-modified-since': date ?? '' });
    expect([after.status, namesIn(after)]).toEqual([200, ['First']]);
    expect(Date.parse(dateOf(after) ?? '')).toBeGreaterThan(Date.parse(date ?? ''));
  });
});

describe('an aggregate without a source that was registered, too', () => {
  const removal = async (disk?: string): Promise<{ readonly before: GatewaySetup; readonly after: GatewaySetup }> => {
    const named = (name: string, source: string): object => ({ 'short-team-name': name, 'source-name': source });
    const all = await startUpstream(withEntityTags(directoryUpstream([named('Own', 'All'), named('Part', 'Beta')])));
    closers.push(() => all.close());
    const beta = await startRepository('Part');
    const sources = { all: { directory: all.address, aggregate: true, 'source-name': 'All' } };
    const others = { ...sources, beta: { directory: beta.address, 'source-name': 'Beta' } };
    // A list may be served while it is read again, but not one that lacks records.
    const times = { defaults: { ...defaults, 'stale-while-revalidate': '5m' } };
    const cache = { cache: { ...(disk !== undefined && { disk }) } };
    return { before: { ...times, ...cache, sources: others }, after: { ...times, ...cache, sources } };
  };

  it('has its records after the reload, although the aggregate has not changed', async () => {
    const clock = fakeClock();
    const { before, after } = await removal();
    const gateway = await open(before, { clock });
    expect(namesIn(await gateway.get(TEAMS))).toEqual(['Own', 'Part']);
    await gateway.replace(after);
    expect(namesIn(await gateway.get(TEAMS))).toEqual(['Own', 'Part']);
  });

  it('has its records after a restart with the disk', async () => {
    const clock = fakeClock();
    const folder = await mkdtemp(join(tmpdir(), 'rollcall-dates-'));
    closers.push(() => rm(folder, { recursive: true }));
    const { before, after } = await removal(folder);
    const first = await startGateway(before, { clock });
    await first.get(TEAMS);
    await first.close();
    expect(namesIn(await (await open(after, { clock })).get(TEAMS))).toEqual(['Own', 'Part']);
  });
});

describe('a restart with cache.disk', () => {
  it('lets no date go back, and confirms by date no list that a later one replaced before the restart', async () => {
    const clock = fakeClock();
    const folder = await mkdtemp(join(tmpdir(), 'rollcall-dates-'));
    closers.push(() => rm(folder, { recursive: true }));
    const alpha = await startRepository('First', 'Second');
    const setup = { defaults, cache: { disk: folder }, sources: { alpha: { directory: alpha.address } } };
    const before = await startGateway(setup, { clock });
    clock.advance(2_000);
    const first = await before.get(TEAMS);
    change(alpha, 'First');
    clock.advance(12_300);
    await before.get(TEAMS);
    clock.advance(1_000);
    const second = await before.get(TEAMS);
    expect([namesIn(first), namesIn(second)]).toEqual([['First', 'Second'], ['First']]);
    await before.close();
    clock.advance(1_000);
    const gateway = await open(setup, { clock });
    for (let step = 0; step < 4; step += 1) {
      clock.advance(500);
      const conditional = await gateway.get(TEAMS, { 'if-modified-since': dateOf(first) ?? '' });
      expect(conditional.status).toBe(200);
      const date = dateOf(conditional);
      if (date !== null) expect(Date.parse(date)).toBeGreaterThanOrEqual(Date.parse(dateOf(second) ?? ''));
    }
    expect(dateOf(await gateway.get(TEAMS))).not.toBeNull();
  });

  it('gives no list the date of another one, where the clock is set back before the restart', async () => {
    const clock = fakeClock();
    const folder = await mkdtemp(join(tmpdir(), 'rollcall-dates-'));
    closers.push(() => rm(folder, { recursive: true }));
    const alpha = await startRepository('0');
    const setup = { defaults, cache: { disk: folder }, sources: { alpha: { directory: alpha.address } } };
    const contents = new Map<string, Set<string>>();
    let gateway = await startGateway(setup, { clock });
    for (let step = 0; step < 9; step += 1) {
      change(alpha, String(step));
      clock.advance(10_500);
      await gateway.get(TEAMS);
      clock.advance(1_000);
      const response = await gateway.get(TEAMS);
      const date = dateOf(response);
      if (date !== null) contents.set(date, (contents.get(date) ?? new Set()).add(namesIn(response).join()));
      if (step !== 4) continue;
      await gateway.close();
      clock.advance(-3 * 11_500);
      gateway = await open(setup, { clock });
    }
    expect([...contents].filter(([, names]) => names.size > 1)).toEqual([]);
    expect(contents.size).toBeGreaterThan(4);
  });
});
