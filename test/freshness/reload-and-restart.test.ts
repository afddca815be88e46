import { afterEach, describe, expect, it } from 'vitest';
import { fakeClock } from '../support/fake-clock.js';
import { startGateway } from '../support/gateway/test-gateway.js';
import type { GatewayResponse, TestGateway } from '../support/gateway/test-gateway.js';
import { directoryUpstream } from '../support/upstream/directory-upstream.js';
import { startUpstream } from '../support/upstream/upstream-server.js';
import type { UpstreamServer } from '../support/upstream/upstream-server.js';

const TEAMS = '/directory/v1/teams?envelope=1&fields=short-team-name';

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
