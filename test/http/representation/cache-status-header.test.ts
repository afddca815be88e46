import { afterEach, describe, expect, it } from 'vitest';
import { closeDataGateways, startDataGateway } from '../../support/gateway/data-gateway.js';
import type { DataGateway, DataResponse } from '../../support/gateway/data-gateway.js';
import { dataUpstream } from '../../support/upstream/data-upstream.js';
import * as faulty from '../../support/upstream/faulty-responses.js';
import { waitUntilStable } from '../../support/wait-until-stable.js';
import type { LogLine } from '../../support/gateway/test-gateway.js';

afterEach(closeDataGateways);

const TTL = 60_000;
const WHILE_REVALIDATE = 300_000;

const HAS = { teams: [{ id: 'a', team: 'A' }], channels: [{ id: 1, title: 'One' }] };

const cacheStatus = ({ headers }: DataResponse): string | null => headers.get('cache-status');

/** What the log says of each request's cache. */
function logged({ gateway }: DataGateway): unknown[] {
  const lines = gateway.log.filter(({ message }: LogLine) => message === 'request');
  return lines.map(({ facts }) => ('cache' in facts ? facts.cache : undefined));
}

describe('Cache-Status', () => {
  it('tells who waits for what others have begun', async () => {
    const gate = faulty.holdResponses(dataUpstream(HAS));
    const gateway = await startDataGateway({ one: { records: HAS, handler: gate.handler } });
    const first = gateway.ask('/teams');
    await expect.poll(() => gateway.upstreams['one']?.requests.length).toBe(1);
    const before = gateway.clock.looks;
    const others = [1, 2, 3].map(() => gateway.ask('/teams?q=a'));
    await expect.poll(() => gateway.clock.looks).toBeGreaterThan(before);
    await waitUntilStable(() => gateway.clock.looks);
    gate.release();
    expect((await Promise.all([first, ...others])).map(cacheStatus)).toEqual([
      'rollcall;fwd=uri-miss',
      'rollcall;fwd=uri-miss;collapsed',
      'rollcall;fwd=uri-miss;collapsed',
      'rollcall;fwd=uri-miss;collapsed',
    ]);
  });

  it('is of the worst: a source of which nothing is held, beside one that is past its time and one that is held', async () => {
    const short = { ttl: '30s', 'stale-while-revalidate': '0s' };
    const gateway = await startDataGateway({
      held: { records: HAS },
      past: { records: HAS, registration: short },
      new: { records: HAS, registration: short },
    });
    await gateway.ask('/teams?source-name=held');
    await gateway.ask('/teams?source-name=past');
    gateway.clock.advance(30_000);
    expect(cacheStatus(await gateway.ask('/teams?source-name=past'))).toBe('rollcall;fwd=stale');
    gateway.clock.advance(29_999);
    expect(cacheStatus(await gateway.ask('/teams?source-name=held'))).toBe('rollcall;hit;ttl=0');
    expect(cacheStatus(await gateway.ask('/teams'))).toBe('rollcall;fwd=uri-miss');
    expect(cacheStatus(await gateway.ask('/teams'))).toBe('rollcall;hit;ttl=0');
  });

  it('has the number of max-age, as long as there is any', async () => {
    const { ask, clock } = await startDataGateway({ one: { records: HAS } });
    await ask('/teams');
    for (const [later, ttl, age] of [
      [1, 59, 59],
      [999, 59, 59],
      [58_999, 0, 0],
      [1, 0, 0],
      [1, -1, 0],
    ] as const) {
      clock.advance(later);
      const { headers } = await ask('/teams');
      expect(headers.get('cache-status')).toBe(`rollcall;hit;ttl=${ttl}`);
      expect(headers.get('cache-control')).toBe(`public, max-age=${age}, stale-while-revalidate=${age}`);
    }
  });

  it('tells a last good copy that stands in from one that had to be waited for', async () => {
    const gateway = await startDataGateway({ one: { records: HAS } });
    await gateway.ask('/teams');
    gateway.clock.advance(TTL + WHILE_REVALIDATE);
    if (gateway.upstreams['one'] !== undefined) gateway.upstreams['one'].handler = faulty.status(500);
    const [waited, remembered] = [await gateway.ask('/teams'), await gateway.ask('/teams')];
    expect([waited, remembered].map(({ sourceStatus }) => sourceStatus)).toEqual([
      'one;state=stale;reason=status;status=500;records=1;age=360',
      'one;state=stale;reason=status;status=500;records=1;age=360',
    ]);
    expect([waited, remembered].map(cacheStatus)).toEqual(['rollcall;fwd=stale', 'rollcall;hit;ttl=-300']);
  });

  it('is on a 404 that a source gave the reason for, and not where nobody was needed', async () => {
    const { ask } = await startDataGateway({ one: { records: { ...HAS, news: [] } } });
    expect(cacheStatus(await ask('/news/5001'))).toBe('rollcall;fwd=uri-miss');
    expect(cacheStatus(await ask('/news/5001'))).toBe('rollcall;hit;ttl=60');
    expect(cacheStatus(await ask('/news/5999'))).toBeNull();
    expect(cacheStatus(await ask('/teams?limt=1'))).toBeNull();
    expect(cacheStatus(await ask('/nothing'))).toBeNull();
  });

  it('is told in the log too', async () => {
    const gateway = await startDataGateway({ one: { records: HAS } });
    for (const target of ['/teams', '/teams?q=a', '/teams?limt=1']) await gateway.ask(target);
    await expect.poll(() => logged(gateway)).toEqual(['miss', 'hit', undefined]);
  });
});
