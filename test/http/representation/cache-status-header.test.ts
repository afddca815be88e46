import { afterEach, describe, expect, it } from 'vitest';
import { closeHouses, openHouse } from '../../support/data-house.js';
import type { House, Seen } from '../../support/data-house.js';
import { dataUpstream } from '../../support/data-upstream.js';
import * as mischief from '../../support/mischief.js';
import { settled } from '../../support/settled.js';
import type { Line } from '../../support/rollcall.js';

afterEach(closeHouses);

const TTL = 60_000;
const WHILE_REVALIDATE = 300_000;

const HAS = { teams: [{ id: 'a', team: 'A' }], channels: [{ id: 1, title: 'One' }] };

const cacheStatus = ({ headers }: Seen): string | null => headers.get('cache-status');

/** What the log says of each request's cache. */
function logged({ rollcall }: House): unknown[] {
  const lines = rollcall.log.filter(({ message }: Line) => message === 'request');
  return lines.map(({ facts }) => ('cache' in facts ? facts.cache : undefined));
}

describe('Cache-Status', () => {
  it('tells who waits for what others have begun', async () => {
    const gate = mischief.held(dataUpstream(HAS));
    const house = await openHouse({ one: { has: HAS, answers: gate.answering } });
    const first = house.ask('/teams');
    await expect.poll(() => house.upstreams['one']?.requests.length).toBe(1);
    const before = house.clock.looks;
    const others = [1, 2, 3].map(() => house.ask('/teams?q=a'));
    await expect.poll(() => house.clock.looks).toBeGreaterThan(before);
    await settled(() => house.clock.looks);
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
    const house = await openHouse({
      held: { has: HAS },
      past: { has: HAS, registered: short },
      new: { has: HAS, registered: short },
    });
    await house.ask('/teams?source-name=held');
    await house.ask('/teams?source-name=past');
    house.clock.advance(30_000);
    expect(cacheStatus(await house.ask('/teams?source-name=past'))).toBe('rollcall;fwd=stale');
    house.clock.advance(29_999);
    expect(cacheStatus(await house.ask('/teams?source-name=held'))).toBe('rollcall;hit;ttl=0');
    expect(cacheStatus(await house.ask('/teams'))).toBe('rollcall;fwd=uri-miss');
    expect(cacheStatus(await house.ask('/teams'))).toBe('rollcall;hit;ttl=0');
  });

  it('has the number of max-age, as long as there is any', async () => {
    const { ask, clock } = await openHouse({ one: { has: HAS } });
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
    const house = await openHouse({ one: { has: HAS } });
    await house.ask('/teams');
    house.clock.advance(TTL + WHILE_REVALIDATE);
    if (house.upstreams['one'] !== undefined) house.upstreams['one'].answering = mischief.status(500);
    const [waited, remembered] = [await house.ask('/teams'), await house.ask('/teams')];
    expect([waited, remembered].map(({ sourceStatus }) => sourceStatus)).toEqual([
      'one;state=stale;reason=status;status=500;records=1;age=360',
      'one;state=stale;reason=status;status=500;records=1;age=360',
    ]);
    expect([waited, remembered].map(cacheStatus)).toEqual(['rollcall;fwd=stale', 'rollcall;hit;ttl=-300']);
  });

  it('is on a 404 that a source gave the reason for, and not where nobody was needed', async () => {
    const { ask } = await openHouse({ one: { has: { ...HAS, news: [] } } });
    expect(cacheStatus(await ask('/news/5001'))).toBe('rollcall;fwd=uri-miss');
    expect(cacheStatus(await ask('/news/5001'))).toBe('rollcall;hit;ttl=60');
    expect(cacheStatus(await ask('/news/5999'))).toBeNull();
    expect(cacheStatus(await ask('/teams?limt=1'))).toBeNull();
    expect(cacheStatus(await ask('/nothing'))).toBeNull();
  });

  it('is told in the log too', async () => {
    const house = await openHouse({ one: { has: HAS } });
    for (const target of ['/teams', '/teams?q=a', '/teams?limt=1']) await house.ask(target);
    await expect.poll(() => logged(house)).toEqual(['miss', 'hit', undefined]);
  });
});
