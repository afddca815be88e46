import { afterEach, describe, expect, it } from 'vitest';
import { requestTarget } from '../oracle/random-query.js';
import { CHANNELS, DIRECTORY_TEAMS, NEWS, DATA_TEAMS } from '../oracle/model/oracle-resources.js';
import { allRecords, expectedList } from '../oracle/model/expected-list.js';
import type { OracleQuery } from '../oracle/model/expected-list.js';
import type { LargeSource, DeclaredSupports } from '../oracle/push-down/large-sources.js';
import { startLargeSourceGateway } from '../oracle/push-down/start-large-sources.js';
import type { LargeSourceGateway } from '../oracle/push-down/start-large-sources.js';
import { makeQuery, largeSource, manyNews, manyTeams, nothingDeclared } from '../oracle/push-down/sample-sources.js';
import { listedRecords } from '../oracle/start-sources.js';
import { fakeClock } from '../support/fake-clock.js';
import type { FakeClock } from '../support/fake-clock.js';
import { behaviours, simulatedRepository } from '../support/repository/simulated-repository.js';
import type { Behaviour, RepositoryLists } from '../support/repository/simulated-repository.js';
import type { RawRecord } from '../support/upstream/paged-responses.js';
import { distinctiveTeams } from '../support/gateway/run-probe.js';

const MINUTE = 60_000;

/** The share of a large list is a quarter of this, which is less than 200 records need (decisions 5.10). */
const SMALL_CACHE = { memory: '512KiB' };

const FRESH = 'one;state=fresh';

const open: LargeSourceGateway[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((scene) => scene.close()));
});

interface SceneOptions {
  readonly cache?: object;
  readonly registered?: object;
  /** Behaviours of the source besides its records. */
  readonly behaviours?: readonly Behaviour[];
}

/** One source above its drain-threshold, and a gateway over it. */
class Large {
  private requestsTaken = 0;

  private constructor(
    readonly source: LargeSource,
    readonly scene: LargeSourceGateway,
    readonly clock: FakeClock,
  ) {}

  static async of(
    source: LargeSource,
    { cache, registered = {}, behaviours: behavioursOfSource }: SceneOptions = {},
  ): Promise<Large> {
    const clock = fakeClock();
    const scene = await startLargeSourceGateway([source], {
      clock,
      registered: { retries: 0, ...registered },
      ...(cache && { cache }),
    });
    open.push(scene);
    const { one } = scene.upstreams;
    if (one !== undefined && behavioursOfSource !== undefined)
      one.handler = simulatedRepository(source.lists, behavioursOfSource);
    return new Large(source, scene, clock);
  }

  /** Sends a query; expects the exact result. Returns the requests that the source received for it. */
  async expectExact(query: OracleQuery, state = FRESH): Promise<readonly string[]> {
    const response = await this.scene.gateway.get(requestTarget(query));
    expect(statusOf(response.headers)).toBe(state);
    const { total, data } = expectedList(allRecords(query.resource, [this.source]), query);
    expect([response.headers.get('x-total-count'), listedRecords(response)]).toEqual([String(total), data]);
    return this.takeRequests();
  }

  /** Sends a query; returns the status and the Source-Status of the response. */
  async report(query: OracleQuery, headers: Readonly<Record<string, string>> = {}): Promise<string> {
    const response = await this.scene.gateway.get(requestTarget(query), { prefer: 'handling=lenient', ...headers });
    return `${response.status} ${statusOf(response.headers)}`;
  }

  /** Requests that the source received since the last call, the page as `offset+limit`. */
  takeRequests(): readonly string[] {
    const { requests = [] } = this.scene.upstreams['one'] ?? {};
    const newRequests = requests.slice(this.requestsTaken).map(({ path, query }) => {
      const parameters = [...query].filter(([name]) => !['envelope', 'pretty', 'limit', 'offset'].includes(name));
      const list = path.slice(path.lastIndexOf('/') + 1);
      const page = `${query.get('offset') ?? ''}+${query.get('limit') ?? ''}`;
      return [list, ...parameters.map(([name, value]) => `${name}=${value}`), page].join(' ');
    });
    this.requestsTaken = requests.length;
    return newRequests;
  }

  disproved(): readonly object[] {
    return this.scene.gateway.log.filter(({ message }) => message === 'capability disproved').map(({ facts }) => facts);
  }
}

function statusOf(headers: Headers): string {
  return (headers.get('source-status') ?? '').replace(/;records=\d+|;age=\d+|;status=\d+/g, '');
}

/** The distinct requests without their pages. How many records are read for checks does not matter to these tests. */
function distinctQueries(requests: readonly string[]): readonly string[] {
  return [...new Set(requests.map((one) => one.replace(/ \d+\+\d+$/, '')))];
}

const sortedBy = (property: string, descending = false): Pick<OracleQuery, 'sort'> => ({
  sort: [{ property, descending }],
});

/** Settings of a source that declares only these capabilities for teams. */
const supportsForTeams = (supported: Partial<DeclaredSupports>): Pick<LargeSource, 'supports'> => ({
  supports: { teams: { ...nothingDeclared, ...supported } },
});

const supportsForNews = (supported: Partial<DeclaredSupports>): Pick<LargeSource, 'supports'> => ({
  supports: { teams: nothingDeclared, news: { ...nothingDeclared, ...supported } },
});

describe('a source above its drain-threshold without declared capabilities', () => {
  it('is drained even with 6,000 teams, and every query is answered from that list', async () => {
    const directory: readonly RawRecord[] = Array.from({ length: 6_000 }, (_, at) => ({
      'short-team-name': `Team ${at}`,
      'country-code': ['NO', 'BR', 'PT'][at % 3],
      host: `Host ${at % 40}`,
    }));
    const none = { ...supportsForTeams({}), threshold: 5_000, pageSize: 1_000 };
    const large = await Large.of(largeSource({ directory }, none));
    // One page that shows the size, and all pages.
    expect(await large.expectExact(makeQuery(DIRECTORY_TEAMS, { limit: 3 }))).toHaveLength(1 + 7);
    expect(await large.expectExact(makeQuery(DIRECTORY_TEAMS, { limit: 0 }))).toEqual([]);
    expect(
      await large.expectExact(makeQuery(DIRECTORY_TEAMS, { country: ['no'], ...sortedBy('host', true), limit: 9 })),
    ).toEqual([]);
    expect(await large.expectExact(makeQuery(DATA_TEAMS, { q: 'team 5999' }))).toEqual([]);
  });

  it('has its list cached like any other: stale-while-revalidate, revalidation and stale-if-error apply', async () => {
    const date = 'Thu, 02 Apr 2026 21:28:40 GMT';
    const dated = { paging: { lastModified: () => date } } as const satisfies Behaviour;
    const lifetimes = { ttl: '60s', 'stale-while-revalidate': '60s', 'stale-if-error': '1h' };
    const large = await Large.of(largeSource(manyTeams, supportsForTeams({})), {
      behaviours: [dated],
      registered: lifetimes,
    });
    const query = makeQuery(DIRECTORY_TEAMS, { limit: 2 });
    await large.expectExact(query);
    large.clock.advance(90_000);
    await large.expectExact(query);
    large.clock.advance(10 * MINUTE);
    const { one } = large.scene.upstreams;
    if (one !== undefined) one.handler = (_, response) => response.writeHead(500).end();
    await large.expectExact(query, 'one;state=stale;reason=status');
  });

  it('is drained concurrently with at most three other large lists', async () => {
    const codes = ['one', 'two', 'three', 'four', 'five', 'six'];
    const sources = codes.map((code, at) => largeSource(manyTeams, { ...supportsForTeams({}), code, number: at + 1 }));
    const scene = await startLargeSourceGateway(sources, { registered: { concurrency: 1 } });
    open.push(scene);
    const draining = new Set<string>();
    let maxDraining = 0;
    for (const [code, upstream] of Object.entries(scene.upstreams)) {
      const { handler: baseHandler } = upstream;
      let requestCount = 0;
      upstream.handler = (request, response) => {
        requestCount += 1;
        if (requestCount > 1) draining.add(code);
        maxDraining = Math.max(maxDraining, draining.size);
        setTimeout(() => {
          if (request.query.get('offset') !== '0') draining.delete(code);
          baseHandler(request, response);
        }, 50);
      };
    }
    const { headers } = await scene.gateway.get('/directory/v1/teams?limit=1');
    expect(codes.map((code) => headers.get('source-status')?.includes(`${code};state=fresh;records=200`))).toEqual(
      codes.map(() => true),
    );
    expect(maxDraining).toBe(4);
  });

  it('is too large where its list exceeds a quarter of the memory, and is not requested again within the time to live', async () => {
    const large = await Large.of(largeSource(manyTeams, supportsForTeams({})), { cache: SMALL_CACHE });
    expect(await large.report(makeQuery(DIRECTORY_TEAMS))).toMatch(/one;state=partial;reason=too-large$/);
    expect(large.takeRequests()).toEqual(['teams 0+100', 'teams 0+100', 'teams 100+100', 'teams 200+100']);
    expect(await large.report(makeQuery(DIRECTORY_TEAMS, { country: ['no'] }))).toMatch(/too-large$/);
    expect(await large.report(makeQuery(DATA_TEAMS, { limit: 0 }))).toMatch(/too-large$/);
    expect(large.takeRequests()).toEqual([]);
    large.clock.advance(2 * MINUTE);
    await large.report(makeQuery(DIRECTORY_TEAMS));
    expect(large.takeRequests()).not.toEqual([]);
  });

  it('is drained for a private query, because a drain does not reveal the query', async () => {
    const large = await Large.of(largeSource(manyTeams));
    expect(await large.report(makeQuery(DIRECTORY_TEAMS, { country: ['no'] }), { prefer: 'private' })).toBe(
      `200 ${FRESH}`,
    );
    expect(large.takeRequests()).toEqual(['teams 0+100', 'teams 0+100', 'teams 100+100', 'teams 200+100']);
  });
});

describe('the complete list of a large source', () => {
  const able = supportsForTeams({ filters: ['country'], sort: ['short-team-name'], total: true });
  const NORWAY = makeQuery(DIRECTORY_TEAMS, { country: ['no'], limit: 3 });
  const HOST = makeQuery(DIRECTORY_TEAMS, { filters: [['host', 'Host 7']] });

  it('is not fetched for queries that can be pushed down, and serves them once it is cached', async () => {
    const large = await Large.of(largeSource(manyTeams, able));
    const pushedDown = ['teams', 'teams country=NO sort=short-team-name'];
    expect(distinctQueries(await large.expectExact(NORWAY))).toEqual(pushedDown);
    expect(distinctQueries(await large.expectExact(makeQuery(DIRECTORY_TEAMS, { limit: 2 })))).toEqual([
      'teams sort=short-team-name',
    ]);
    expect(await large.expectExact(HOST)).toEqual(['teams 0+100', 'teams 100+100', 'teams 200+100']);
    expect(await large.expectExact({ ...NORWAY, limit: 40 })).toEqual([]);
    // After its time to live only queries that need it fetch it again.
    large.clock.advance(10 * MINUTE);
    const again = await large.expectExact(NORWAY);
    expect(distinctQueries(again)).toEqual(pushedDown);
    expect(again.filter((one) => /^teams \d/.test(one))).toEqual(['teams 0+100']);
  });

  it('is fetched where more records match than the drain-threshold, and the matches alone where it is too large', async () => {
    const declared = supportsForTeams({ filters: ['country'] });
    const whole = await Large.of(largeSource(manyTeams, { ...declared, threshold: 10 }));
    expect((await whole.expectExact(NORWAY)).filter((one) => one.startsWith('teams 1'))).toEqual(['teams 100+100']);
    const matches = await Large.of(largeSource(manyTeams, { ...declared, threshold: 10 }), { cache: SMALL_CACHE });
    expect((await matches.expectExact(NORWAY)).at(-1)).toMatch(/^teams country=NO [1-9]\d*\+100$/);
  });

  it('is not needed for a count, which requires filters and the total but no order', async () => {
    const large = await Large.of(largeSource(manyTeams, supportsForTeams({ filters: ['country'], total: true })));
    const counted = makeQuery(DIRECTORY_TEAMS, { country: ['no'], limit: 0 });
    expect(distinctQueries(await large.expectExact(counted))).toEqual(['teams', 'teams country=NO']);
    const all = await large.expectExact(makeQuery(DIRECTORY_TEAMS, { limit: 0 }));
    expect(all.filter((one) => one.startsWith('teams 1'))).toEqual([]);
    // The records of a count are unordered, so they are not used as a page.
    await large.expectExact({ ...counted, limit: 1 });
    await large.expectExact({ ...counted, limit: 5, offset: 1 });
  });

  it('is fetched for a query that no declared capability covers', async () => {
    const large = await Large.of(largeSource(manyTeams, able));
    expect(await large.expectExact(makeQuery(DIRECTORY_TEAMS, { q: 'zebra' }))).toHaveLength(4);
  });
});

describe('a channel of a large source', () => {
  const titles = ['Alerts', 'Letters'];
  const news: readonly RawRecord[] = (manyNews.news ?? []).map((item, at) => ({ ...item, channels: [titles[at % 3]] }));
  const channels: readonly RawRecord[] = titles.map((title, at) => ({ id: at + 1, title }));
  const lists: RepositoryLists = { teams: [], news, channels };
  const able = supportsForNews({ filters: ['before'], sort: ['-published'], total: true });
  const source = (parameters: Partial<LargeSource> = {}): LargeSource => {
    const made = largeSource(lists, parameters);
    return { ...made, data: made.data && { ...made.data, channels } };
  };
  const ALERTS = makeQuery(NEWS, { channel: 'ALERTS', limit: 4 });

  it('is answered from the complete list and the items that the source returns for the channel', async () => {
    const large = await Large.of(source(able));
    await large.expectExact(ALERTS);
    await large.expectExact({ ...ALERTS, before: '2025-12-28' });
    await large.expectExact({ ...ALERTS, channel: 'letters', limit: 0 });
    await large.expectExact({ ...ALERTS, channel: 'nowhere' });
    await large.expectExact(makeQuery(CHANNELS));
  });

  it('is partial where the complete list exceeds the memory', async () => {
    const large = await Large.of(source(able), { cache: SMALL_CACHE });
    expect(await large.report(ALERTS)).toMatch(/one;state=partial;reason=too-large/);
  });

  it('is partial where the source returns all its items, because the filter was ignored', async () => {
    const ignoring: Behaviour = { honours: (name) => name !== 'channel' };
    const large = await Large.of(source(able), { behaviours: [ignoring] });
    expect(await large.report(ALERTS)).toMatch(/one;state=partial;reason=filter$/);
  });

  it('may contain all items where it is the only channel', async () => {
    const [alone] = channels;
    const only = { ...lists, news: news.map((item) => ({ ...item, channels: ['Alerts'] })), channels: [alone ?? {}] };
    const made = largeSource(only, able);
    const large = await Large.of({ ...made, data: made.data && { ...made.data, channels: only.channels } });
    await large.expectExact(ALERTS);
  });

  it('contains the items of all channels with equal titles', async () => {
    const twice = { ...lists, channels: [...channels, { id: 9, title: 'alerts' }] };
    const made = largeSource(twice, able);
    const large = await Large.of({ ...made, data: made.data && { ...made.data, channels: twice.channels } });
    await large.expectExact(ALERTS);
  });
});

describe('a large source that serves teams on the other interface only', () => {
  const lists: RepositoryLists = {
    teams: distinctiveTeams(200, 'data').map((team, at) => ({
      ...team,
      ...(at % 4 === 0 && { 'pgp-fingerprint': `0123456789ABCDEF0123456789ABCDEF${String(at).padStart(8, '0')}` }),
    })),
    news: [],
    channels: [],
  };
  const data = (parameters: Partial<LargeSource> = {}): LargeSource => largeSource(lists, parameters);
  const able = supportsForTeams({
    filters: ['country', 'host', 'team'],
    sort: ['team', '-last-modified'],
    total: true,
  });

  it.each<[string, Partial<OracleQuery>]>([
    ['country', { country: ['no'] }],
    ['short name', { filters: [['short-team-name', '000 apple']] }],
    ['another order', sortedBy('last-modified', true)],
  ])('is drained, whatever it supports: %s', async (_, query) => {
    const large = await Large.of(data(able));
    const requests = await large.expectExact(makeQuery(DIRECTORY_TEAMS, { limit: 4, ...query }));
    expect(distinctQueries(requests)).toEqual(['teams', 'teams scope=pgp']);
  });

  it('is partial where the complete list exceeds the memory', async () => {
    const large = await Large.of(data(able), { cache: SMALL_CACHE });
    expect(await large.report(makeQuery(DIRECTORY_TEAMS, { country: ['no'] }))).toMatch(
      /one;state=partial;reason=too-large/,
    );
  });
});

describe('a source that disproves a capability, and whose complete list is too large', () => {
  it('answers the same query with the remaining capabilities', async () => {
    const declared = supportsForTeams({ filters: ['country'], sort: ['short-team-name'], total: true });
    const large = await Large.of(largeSource(manyTeams, { ...declared, threshold: 199 }), {
      cache: SMALL_CACHE,
      behaviours: [behaviours['reports too large a total']],
    });
    await large.expectExact(makeQuery(DIRECTORY_TEAMS, { country: ['no'], limit: 0 }));
    expect(large.disproved()).toMatchObject([{ capability: 'total' }]);
  });
});

describe('a large source whose search differs from that of Rollcall', () => {
  const able = supportsForTeams({ search: true });
  const ZEBRA = makeQuery(DIRECTORY_TEAMS, { q: 'zebra', limit: 5 });

  it('receives the search, and its records are filtered again', async () => {
    const generous: Behaviour = { matches: { q: (record) => String(record['short-team-name']).length > 9 } };
    const large = await Large.of(largeSource(manyTeams, { ...able, threshold: 199 }), {
      behaviours: [generous],
      cache: SMALL_CACHE,
    });
    const requests = await large.expectExact(makeQuery(DIRECTORY_TEAMS, { q: 'ångström' }));
    expect(requests).toContain('teams q=ångström 0+100');
    expect(large.disproved()).toEqual([]);
  });

  it('is drained to confirm that nothing matches', async () => {
    const large = await Large.of(largeSource(manyTeams, able));
    const requests = await large.expectExact(makeQuery(DIRECTORY_TEAMS, { q: 'nowhere' }));
    expect(requests).toEqual(expect.arrayContaining(['teams q=nowhere 0+100', 'teams 100+100']));
    expect(large.disproved()).toEqual([]);
  });

  it('is partial where it found nothing and its complete list is too large', async () => {
    const large = await Large.of(largeSource(manyTeams, able), { cache: SMALL_CACHE });
    expect(await large.report(makeQuery(DIRECTORY_TEAMS, { q: 'nowhere' }))).toMatch(
      /one;state=partial;reason=search$/,
    );
    expect(await large.report(ZEBRA)).toBe(`200 ${FRESH}`);
  });

  it('loses the capability where its search left out a match', async () => {
    const whole: Behaviour = { matches: { q: (record, value) => record['short-team-name'] === value } };
    const large = await Large.of(largeSource(manyTeams, able), { behaviours: [whole] });
    await large.expectExact(ZEBRA);
    expect(large.disproved()).toMatchObject([{ capability: 'filter q' }]);
  });
});
