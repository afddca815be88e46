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

/** Records of the source. Its size is checked every minute (`ttl`), and queries are pushed down above 50 records. */
const RECORDS = manyTeams.directory ?? [];

const open: LargeSourceGateway[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((scene) => scene.close()));
});

/** A gateway over a large source whose records can be changed. */
class Large {
  private constructor(
    private readonly scene: LargeSourceGateway,
    private readonly clock: FakeClock,
  ) {}

  static async open(): Promise<Large> {
    const clock = fakeClock();
    const lifetimes = { ttl: '60s', 'stale-while-revalidate': '0s', 'stale-if-error': '6h', 'confirm-shrink': '10m' };
    const registered = { ...lifetimes, retries: 0 };
    const scene = await startLargeSourceGateway([largeSource(manyTeams)], { clock, registered });
    open.push(scene);
    return new Large(scene, clock);
  }

  /** Sends a query the given milliseconds later; returns status, total and Source-Status. */
  async queryAfter(milliseconds: number, query = 'limit=5'): Promise<string> {
    this.clock.advance(milliseconds);
    const { status, headers } = await this.scene.gateway.get(`/directory/v1/teams?${query}`);
    const sourceStatus = (headers.get('source-status') ?? '').replace(/;records=\d+|;age=\d+/g, '');
    return [status, headers.get('x-total-count') ?? '-', sourceStatus].join(' ');
  }

  /** Last-Modified of a query in milliseconds since 1970, or the status of a response that is not 200. */
  async lastModified(query = 'limit=5', since?: number): Promise<number> {
    const condition = since === undefined ? {} : { 'if-modified-since': new Date(since).toUTCString() };
    const { status, headers } = await this.scene.gateway.get(`/directory/v1/teams?${query}`, condition);
    return status === 200 ? Date.parse(headers.get('last-modified') ?? '') : status;
  }

  setRecordCount(count: number): void {
    this.setHandler(simulatedRepository({ directory: RECORDS.slice(0, count) }));
  }

  setHandler(baseHandler: RequestHandler): void {
    const { one } = this.scene.upstreams;
    if (one !== undefined) one.handler = baseHandler;
  }
}

const ALL = String(RECORDS.length);

describe('a large source that is suddenly empty', () => {
  it('is not believed, and the last result of the same query is served until stale-if-error ends', async () => {
    const large = await Large.open();
    expect(await large.queryAfter(0)).toBe(`200 ${ALL} one;state=fresh`);
    large.setRecordCount(0);
    expect(await large.queryAfter(61 * SECOND)).toBe(`200 ${ALL} one;state=stale;reason=shrunk`);
    expect(await large.queryAfter(HOUR)).toBe(`200 ${ALL} one;state=stale;reason=shrunk`);
    expect(await large.queryAfter(6 * HOUR)).toBe('502 - one;state=failed;reason=shrunk');
  });

  it('is not believed for queries without an earlier result', async () => {
    const large = await Large.open();
    await large.queryAfter(0);
    large.setRecordCount(0);
    expect(await large.queryAfter(61 * SECOND, 'country=NO&limit=5')).toBe('502 - one;state=failed;reason=shrunk');
    expect(await large.queryAfter(24 * HOUR, 'country=NO&limit=5')).toBe('502 - one;state=failed;reason=shrunk');
  });

  it('is not believed between two checks of its size', async () => {
    const large = await Large.open();
    await large.queryAfter(0);
    large.setRecordCount(0);
    expect(await large.queryAfter(30 * SECOND, 'sort=-short-team-name&limit=5')).toBe(
      '502 - one;state=failed;reason=shrunk',
    );
    large.setRecordCount(RECORDS.length);
    expect(await large.queryAfter(61 * SECOND, 'sort=-short-team-name&limit=5')).toBe(`200 ${ALL} one;state=fresh`);
  });

  it('is believed again as soon as it has about as many records', async () => {
    const large = await Large.open();
    await large.queryAfter(0);
    large.setRecordCount(0);
    await large.queryAfter(61 * SECOND);
    large.setRecordCount(RECORDS.length - 1);
    expect(await large.queryAfter(61 * SECOND)).toBe(`200 ${RECORDS.length - 1} one;state=fresh`);
  });
});

describe('a large source with far fewer records', () => {
  it.each([60, 40])('is believed when it still has %i records after confirm-shrink', async (remaining) => {
    const large = await Large.open();
    await large.queryAfter(0);
    large.setRecordCount(remaining);
    expect(await large.queryAfter(61 * SECOND)).toBe(`200 ${ALL} one;state=stale;reason=shrunk`);
    expect(await large.queryAfter(601 * SECOND)).toBe(`200 ${remaining} one;state=fresh`);
  });
});

describe('a large source that fails', () => {
  it('is replaced by the last result of the same query', async () => {
    const large = await Large.open();
    await large.queryAfter(0);
    await large.queryAfter(0, 'country=NO&limit=5');
    large.setHandler(faulty.status(500));
    expect(await large.queryAfter(61 * SECOND)).toBe(`200 ${ALL} one;state=stale;reason=status;status=500`);
    expect(await large.queryAfter(61 * SECOND, 'country=NO&limit=5')).toMatch(
      /^200 \d+ one;state=stale;reason=status;status=500$/,
    );
    expect(await large.queryAfter(0, 'country=BR&limit=5')).toBe('502 - one;state=failed;reason=status;status=500');
    large.setRecordCount(RECORDS.length);
    expect(await large.queryAfter(61 * SECOND)).toBe(`200 ${ALL} one;state=fresh`);
  });

  it('counts as changed when it returns after a time without a fallback', async () => {
    const large = await Large.open();
    await large.queryAfter(SECOND);
    await large.queryAfter(SECOND);
    const before = await large.lastModified();
    large.setHandler(faulty.status(500));
    await large.queryAfter(7 * HOUR);
    large.setRecordCount(RECORDS.length);
    await large.queryAfter(61 * SECOND);
    await large.queryAfter(SECOND);
    expect(await large.lastModified('limit=5', before)).toBeGreaterThan(before);
  });
});

describe('a source that crosses its drain-threshold', () => {
  it('counts as changed, and Last-Modified never goes back', async () => {
    const large = await Large.open();
    const dates: number[] = [];
    for (const count of [45, 60, 45, 44, 80, 44, 60]) {
      large.setRecordCount(count);
      await large.queryAfter(61 * SECOND);
      await large.queryAfter(SECOND);
      const last = dates.at(-1);
      dates.push(await large.lastModified('limit=5', last));
    }
    expect(dates).toEqual([...dates].sort((a, b) => a - b));
    expect(new Set(dates).size).toBe(dates.length);
  });
});

describe('a large source that does not change', () => {
  it('keeps its Last-Modified when a client reads further pages', async () => {
    const large = await Large.open();
    await large.lastModified();
    await large.queryAfter(10 * SECOND, 'limit=5&offset=40');
    const date = await large.lastModified();
    await large.queryAfter(10 * SECOND, 'limit=5&offset=40');
    expect(await large.lastModified('limit=5', date)).toBe(304);
  });
});

describe('a clock that is set back by a day', () => {
  it('does not extend the freshness of results by a day', async () => {
    const large = await Large.open();
    large.setRecordCount(40);
    expect(await large.queryAfter(0)).toBe('200 40 one;state=fresh');
    expect(await large.queryAfter(0)).toBe('200 40 one;state=fresh');
    large.setRecordCount(41);
    expect(await large.queryAfter(-24 * HOUR)).toBe('200 41 one;state=fresh');
    large.setRecordCount(42);
    expect(await large.queryAfter(30 * SECOND)).toBe('200 41 one;state=fresh');
    expect(await large.queryAfter(600 * SECOND)).toBe('200 42 one;state=fresh');
  });
});
