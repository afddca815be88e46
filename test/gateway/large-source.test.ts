import { afterEach, describe, expect, it } from 'vitest';
import { largeSource, manyTeams } from '../oracle/push-down/sample-sources.js';
import { startLargeSourceGateway } from '../oracle/push-down/start-large-sources.js';
import type { LargeSourceGateway } from '../oracle/push-down/start-large-sources.js';
import { fakeClock } from '../support/fake-clock.js';
import type { FakeClock } from '../support/fake-clock.js';
import { simulatedRepository } from '../support/repository/simulated-repository.js';
import * as faulty from '../support/upstream/faulty-responses.js';
import type { RequestHandler } from '../support/upstream/upstream-server.js';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;

/** As many as a source has that is looked at for its size in each minute, and pushed down to above fifty. */
const RECORDS = manyTeams.directory ?? [];

const open: LargeSourceGateway[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((scene) => scene.close()));
});

/** A large source, which may become another one. */
class Large {
  private constructor(
    private readonly scene: LargeSourceGateway,
    private readonly clock: FakeClock,
  ) {}

  static async open(): Promise<Large> {
    const clock = fakeClock();
    const patience = { ttl: '60s', 'stale-while-revalidate': '0s', 'stale-if-error': '6h', 'confirm-shrink': '10m' };
    const registered = { ...patience, retries: 0 };
    const scene = await startLargeSourceGateway([largeSource(manyTeams)], { clock, registered });
    open.push(scene);
    return new Large(scene, clock);
  }

  /** What comes of a query so many milliseconds later: status, total, and what is told of the source. */
  async later(milliseconds: number, query = 'limit=5'): Promise<string> {
    this.clock.advance(milliseconds);
    const { status, headers } = await this.scene.gateway.get(`/directory/v1/teams?${query}`);
    const told = (headers.get('source-status') ?? '').replace(/;records=\d+|;age=\d+/g, '');
    return [status, headers.get('x-total-count') ?? '-', told].join(' ');
  }

  /** Last-Modified of a query, in milliseconds since 1970; or the status of an answer that has none. */
  async modified(query = 'limit=5', since?: number): Promise<number> {
    const condition = since === undefined ? {} : { 'if-modified-since': new Date(since).toUTCString() };
    const { status, headers } = await this.scene.gateway.get(`/directory/v1/teams?${query}`, condition);
    return status === 200 ? Date.parse(headers.get('last-modified') ?? '') : status;
  }

  has(count: number): void {
    this.becomes(simulatedRepository({ directory: RECORDS.slice(0, count) }));
  }

  becomes(baseHandler: RequestHandler): void {
    const { one } = this.scene.upstreams;
    if (one !== undefined) one.handler = baseHandler;
  }
}

const ALL = String(RECORDS.length);

describe('a large source that suddenly has nothing', () => {
  it('is not believed, and what it answered to the same query stands in until that is too old', async () => {
    const large = await Large.open();
    expect(await large.later(0)).toBe(`200 ${ALL} one;state=fresh`);
    large.has(0);
    expect(await large.later(61 * SECOND)).toBe(`200 ${ALL} one;state=stale;reason=shrunk`);
    expect(await large.later(HOUR)).toBe(`200 ${ALL} one;state=stale;reason=shrunk`);
    expect(await large.later(6 * HOUR)).toBe('502 - one;state=failed;reason=shrunk');
  });

  it('is not believed of queries that it was never asked either', async () => {
    const large = await Large.open();
    await large.later(0);
    large.has(0);
    expect(await large.later(61 * SECOND, 'country=NO&limit=5')).toBe('502 - one;state=failed;reason=shrunk');
    expect(await large.later(24 * HOUR, 'country=NO&limit=5')).toBe('502 - one;state=failed;reason=shrunk');
  });

  it('is not believed between two looks at its size', async () => {
    const large = await Large.open();
    await large.later(0);
    large.has(0);
    expect(await large.later(30 * SECOND, 'sort=-short-team-name&limit=5')).toBe(
      '502 - one;state=failed;reason=shrunk',
    );
    large.has(RECORDS.length);
    expect(await large.later(61 * SECOND, 'sort=-short-team-name&limit=5')).toBe(`200 ${ALL} one;state=fresh`);
  });

  it('is believed again as soon as it has as much', async () => {
    const large = await Large.open();
    await large.later(0);
    large.has(0);
    await large.later(61 * SECOND);
    large.has(RECORDS.length - 1);
    expect(await large.later(61 * SECOND)).toBe(`200 ${RECORDS.length - 1} one;state=fresh`);
  });
});

describe('a large source that has far less', () => {
  it.each([60, 40])('is believed when it still has the same %i after the time to confirm', async (left) => {
    const large = await Large.open();
    await large.later(0);
    large.has(left);
    expect(await large.later(61 * SECOND)).toBe(`200 ${ALL} one;state=stale;reason=shrunk`);
    expect(await large.later(601 * SECOND)).toBe(`200 ${left} one;state=fresh`);
  });
});

describe('a large source that cannot be asked', () => {
  it('is stood in for by what it answered to the same query', async () => {
    const large = await Large.open();
    await large.later(0);
    await large.later(0, 'country=NO&limit=5');
    large.becomes(faulty.status(500));
    expect(await large.later(61 * SECOND)).toBe(`200 ${ALL} one;state=stale;reason=status;status=500`);
    expect(await large.later(61 * SECOND, 'country=NO&limit=5')).toMatch(
      /^200 \d+ one;state=stale;reason=status;status=500$/,
    );
    expect(await large.later(0, 'country=BR&limit=5')).toBe('502 - one;state=failed;reason=status;status=500');
    large.has(RECORDS.length);
    expect(await large.later(61 * SECOND)).toBe(`200 ${ALL} one;state=fresh`);
  });

  it('has changed when it is back, where nothing stood in for it', async () => {
    const large = await Large.open();
    const before = await large.modified();
    large.becomes(faulty.status(500));
    await large.later(7 * HOUR);
    large.has(RECORDS.length);
    await large.later(61 * SECOND);
    expect(await large.modified('limit=5', before)).toBeGreaterThan(before);
  });
});

describe('a source that crosses its drain-threshold', () => {
  it('has changed, and its Last-Modified never goes back', async () => {
    const large = await Large.open();
    const dates: number[] = [];
    for (const count of [45, 60, 45, 44, 80, 44, 60]) {
      large.has(count);
      await large.later(61 * SECOND);
      const last = dates.at(-1);
      dates.push(await large.modified('limit=5', last));
    }
    expect(dates).toEqual([...dates].sort((a, b) => a - b));
    expect(new Set(dates).size).toBe(dates.length);
  });
});

describe('a large source that stays as it is', () => {
  it('has not changed because somebody reads on', async () => {
    const large = await Large.open();
    await large.modified();
    await large.later(10 * SECOND, 'limit=5&offset=40');
    const date = await large.modified();
    expect(date).toBeLessThan(Date.UTC(2026, 0, 1));
    await large.later(10 * SECOND, 'limit=5&offset=40');
    expect(await large.modified('limit=5', date)).toBe(304);
  });
});

describe('a clock that is set back by a day', () => {
  it('makes nothing fresh for a day', async () => {
    const large = await Large.open();
    large.has(40);
    expect(await large.later(0)).toBe('200 40 one;state=fresh');
    expect(await large.later(0)).toBe('200 40 one;state=fresh');
    large.has(41);
    expect(await large.later(-24 * HOUR)).toBe('200 41 one;state=fresh');
    large.has(42);
    expect(await large.later(30 * SECOND)).toBe('200 41 one;state=fresh');
    expect(await large.later(600 * SECOND)).toBe('200 42 one;state=fresh');
  });
});
