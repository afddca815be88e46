import { afterEach, describe, expect, it } from 'vitest';
import { closeDataGateways, startDataGateway } from '../../support/gateway/data-gateway.js';
import type { DataGateway, DataResponse } from '../../support/gateway/data-gateway.js';
import { dataUpstream } from '../../support/upstream/data-upstream.js';
import * as faulty from '../../support/upstream/faulty-responses.js';
import { waitUntilStable } from '../../support/wait-until-stable.js';
import type { LogLine } from '../../support/gateway/test-gateway.js';

afterEach(closeDataGateways);

const TTL = 60_000;
const STALE_WHILE_REVALIDATE = 300_000;

const RECORDS = { teams: [{ id: 'a', team: 'A' }], channels: [{ id: 1, title: 'One' }] };

const cacheStatus = ({ headers }: DataResponse): string | null => headers.get('cache-status');

/** The cache results in the log, one for each request. */
function loggedCacheResults({ gateway }: DataGateway): unknown[] {
  const lines = gateway.log.filter(({ message }: LogLine) => message === 'request');
  return lines.map(({ facts }) => ('cache' in facts ? facts.cache : undefined));
}

/** Cache-Status (decisions 7.15). */
describe('Cache-Status', () => {
  it('marks a response as collapsed that waits for a fetch in progress', async () => {
    const gate = faulty.holdResponses(dataUpstream(RECORDS));
    const gateway = await startDataGateway({ one: { records: RECORDS, handler: gate.handler } });
    const waited = gateway.ask('/teams');
    await expect.poll(() => gateway.upstreams['one']?.requests.length).toBe(1);
    const before = gateway.clock.looks;
    const others = [1, 2, 3].map(() => gateway.ask('/teams?q=a'));
    await expect.poll(() => gateway.clock.looks).toBeGreaterThan(before);
    await waitUntilStable(() => gateway.clock.looks);
    gate.release();
    expect((await Promise.all([waited, ...others])).map(cacheStatus)).toEqual([
      'rollcall;fwd=uri-miss',
      'rollcall;fwd=uri-miss;collapsed',
      'rollcall;fwd=uri-miss;collapsed',
      'rollcall;fwd=uri-miss;collapsed',
    ]);
  });

  it('reports uri-miss when one source has no snapshot, one is past its time and one is cached', async () => {
    const short = { ttl: '30s', 'stale-while-revalidate': '0s' };
    const gateway = await startDataGateway({
      held: { records: RECORDS },
      past: { records: RECORDS, registration: short },
      new: { records: RECORDS, registration: short },
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

  it('has the ttl of max-age, and a negative one when max-age is 0', async () => {
    const { ask, clock } = await startDataGateway({ one: { records: RECORDS } });
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

  it('reports a stale snapshot as fwd=stale when the response waited for its source, and else as a hit', async () => {
    const gateway = await startDataGateway({ one: { records: RECORDS } });
    await gateway.ask('/teams');
    gateway.clock.advance(TTL + STALE_WHILE_REVALIDATE);
    if (gateway.upstreams['one'] !== undefined) gateway.upstreams['one'].handler = faulty.status(500);
    const [waited, remembered] = [await gateway.ask('/teams'), await gateway.ask('/teams')];
    expect([waited, remembered].map(({ sourceStatus }) => sourceStatus)).toEqual([
      'one;state=stale;reason=status;status=500;records=1;age=360',
      'one;state=stale;reason=status;status=500;records=1;age=360',
    ]);
    expect([waited, remembered].map(cacheStatus)).toEqual(['rollcall;fwd=stale', 'rollcall;hit;ttl=-300']);
  });

  it('is on a 404 that a source reported, and not on errors that contacted no source', async () => {
    const { ask } = await startDataGateway({ one: { records: { ...RECORDS, news: [] } } });
    expect(cacheStatus(await ask('/news/5001'))).toBe('rollcall;fwd=uri-miss');
    expect(cacheStatus(await ask('/news/5001'))).toBe('rollcall;hit;ttl=60');
    expect(cacheStatus(await ask('/news/5999'))).toBeNull();
    expect(cacheStatus(await ask('/teams?limt=1'))).toBeNull();
    expect(cacheStatus(await ask('/nothing'))).toBeNull();
  });

  it('is logged too', async () => {
    const gateway = await startDataGateway({ one: { records: RECORDS } });
    for (const target of ['/teams', '/teams?q=a', '/teams?limt=1']) await gateway.ask(target);
    await expect.poll(() => loggedCacheResults(gateway)).toEqual(['miss', 'hit', undefined]);
  });
});
