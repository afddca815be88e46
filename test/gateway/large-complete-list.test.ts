import { afterEach, describe, expect, it } from 'vitest';
import { requestTarget } from '../oracle/random-query.js';
import { CHANNELS, DIRECTORY_TEAMS, NEWS, DATA_TEAMS } from '../oracle/model/oracle-resources.js';
import { allRecords, expectedList } from '../oracle/model/expected-list.js';
import type { OracleQuery } from '../oracle/model/expected-list.js';
import { withSeparateKeys } from '../oracle/push-down/large-sources.js';
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
import { distinctiveTeams } from '../support/repository/run-probe.js';

const MINUTE = 60_000;

/** A quarter of this is less than 200 records take. */
const LITTLE = { memory: '512KiB' };

const FRESH = 'one;state=fresh';

const open: LargeSourceGateway[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((scene) => scene.close()));
});

interface Opened {
  readonly cache?: object;
  readonly registered?: object;
  /** Of the source, beside what it has. */
  readonly behaviours?: readonly Behaviour[];
}

/** One source that is over its drain-threshold, and a Rollcall over it. */
class Large {
  private seen = 0;

  private constructor(
    readonly source: LargeSource,
    readonly scene: LargeSourceGateway,
    readonly clock: FakeClock,
  ) {}

  static async of(source: LargeSource, { cache, registered = {}, behaviours: some }: Opened = {}): Promise<Large> {
    const clock = fakeClock();
    const scene = await startLargeSourceGateway([source], {
      clock,
      registered: { retries: 0, ...registered },
      ...(cache && { cache }),
    });
    open.push(scene);
    const { one } = scene.upstreams;
    if (one !== undefined && some !== undefined) one.handler = simulatedRepository(source.lists, some);
    return new Large(source, scene, clock);
  }

  /** Asks; what comes is exactly what one list of all its records gives. Returns what the source was asked for it. */
  async exact(ask: OracleQuery, state = FRESH): Promise<readonly string[]> {
    const got = await this.scene.gateway.get(requestTarget(ask));
    expect(statusOf(got.headers)).toBe(state);
    const { total, data } = expectedList(allRecords(ask.resource, [this.source]), ask);
    expect([got.headers.get('x-total-count'), listedRecords(got)]).toEqual([String(total), data]);
    return this.asked();
  }

  /** What is told of the source, whatever the answer. */
  async told(ask: OracleQuery, headers: Readonly<Record<string, string>> = {}): Promise<string> {
    const got = await this.scene.gateway.get(requestTarget(ask), { prefer: 'handling=lenient', ...headers });
    return `${got.status} ${statusOf(got.headers)}`;
  }

  /** Queries that the source got since the last time; the page as offset and limit. */
  asked(): readonly string[] {
    const { requests = [] } = this.scene.upstreams['one'] ?? {};
    const since = requests.slice(this.seen).map(({ path, query }) => {
      const more = [...query].filter(([name]) => !['envelope', 'pretty', 'limit', 'offset'].includes(name));
      const list = path.slice(path.lastIndexOf('/') + 1);
      const page = `${query.get('offset') ?? ''}+${query.get('limit') ?? ''}`;
      return [list, ...more.map(([name, value]) => `${name}=${value}`), page].join(' ');
    });
    this.seen = requests.length;
    return since;
  }

  disproved(): readonly object[] {
    return this.scene.gateway.log.filter(({ message }) => message === 'capability disproved').map(({ facts }) => facts);
  }
}

function statusOf(headers: Headers): string {
  return (headers.get('source-status') ?? '').replace(/;records=\d+|;age=\d+|;status=\d+/g, '');
}

/** What was sent beside paging, each but once; how many records are read to check what comes is no matter here. */
function sent(asked: readonly string[]): readonly string[] {
  return [...new Set(asked.map((one) => one.replace(/ \d+\+\d+$/, '')))];
}

const sortedBy = (property: string, descending = false): Pick<OracleQuery, 'sort'> => ({
  sort: [{ property, descending }],
});

/** Of a source of which this is claimed of teams, and nothing else. */
const teamsClaimed = (claims: Partial<DeclaredSupports>): Pick<LargeSource, 'supports'> => ({
  supports: { teams: { ...nothingDeclared, ...claims } },
});

const newsClaimed = (claims: Partial<DeclaredSupports>): Pick<LargeSource, 'supports'> => ({
  supports: { teams: nothingDeclared, news: { ...nothingDeclared, ...claims } },
});

describe('a source over its drain-threshold of which nothing is known', () => {
  it('is drained, with 6,000 teams too, and every query is answered from that', async () => {
    const directory: readonly RawRecord[] = Array.from({ length: 6_000 }, (_, at) => ({
      'short-team-name': `Team ${at}`,
      'country-code': ['NO', 'BR', 'PT'][at % 3],
      host: `Host ${at % 40}`,
    }));
    const none = { ...teamsClaimed({}), threshold: 5_000, pageSize: 1_000 };
    const large = await Large.of(largeSource({ directory }, none));
    // One page that tells its size, and all pages.
    expect(await large.exact(makeQuery(DIRECTORY_TEAMS, { limit: 3 }))).toHaveLength(1 + 7);
    expect(await large.exact(makeQuery(DIRECTORY_TEAMS, { limit: 0 }))).toEqual([]);
    expect(
      await large.exact(makeQuery(DIRECTORY_TEAMS, { country: ['no'], ...sortedBy('host', true), limit: 9 })),
    ).toEqual([]);
    expect(await large.exact(makeQuery(DATA_TEAMS, { q: 'team 5999' }))).toEqual([]);
  }, 60_000);

  it('is held as any list: given while it is refreshed, asked whether it has changed, and stood in for', async () => {
    const date = 'Thu, 02 Apr 2026 21:28:40 GMT';
    const dated = { paging: { lastModified: () => date } } as const satisfies Behaviour;
    const patience = { ttl: '60s', 'stale-while-revalidate': '60s', 'stale-if-error': '1h' };
    const large = await Large.of(largeSource(manyTeams, teamsClaimed({})), {
      behaviours: [dated],
      registered: patience,
    });
    const ask = makeQuery(DIRECTORY_TEAMS, { limit: 2 });
    await large.exact(ask);
    large.clock.advance(90_000);
    await large.exact(ask);
    large.clock.advance(10 * MINUTE);
    const { one } = large.scene.upstreams;
    if (one !== undefined) one.handler = (_, response) => response.writeHead(500).end();
    await large.exact(ask, 'one;state=stale;reason=status');
  });

  it('is drained beside three others at most, for all of them take memory', async () => {
    const codes = ['one', 'two', 'three', 'four', 'five', 'six'];
    const fleet = codes.map((code, at) => largeSource(manyTeams, { ...teamsClaimed({}), code, number: at + 1 }));
    const scene = await startLargeSourceGateway(fleet, { registered: { concurrency: 1 } });
    open.push(scene);
    const underWay = new Set<string>();
    let most = 0;
    for (const [code, upstream] of Object.entries(scene.upstreams)) {
      const { handler: baseHandler } = upstream;
      let looks = 0;
      upstream.handler = (request, response) => {
        looks += 1;
        if (looks > 1) underWay.add(code);
        most = Math.max(most, underWay.size);
        setTimeout(() => {
          if (request.query.get('offset') !== '0') underWay.delete(code);
          baseHandler(request, response);
        }, 50);
      };
    }
    const { headers } = await scene.gateway.get('/directory/v1/teams?limit=1');
    expect(codes.map((code) => headers.get('source-status')?.includes(`${code};state=fresh;records=200`))).toEqual(
      codes.map(() => true),
    );
    expect(most).toBe(4);
  });

  it('is not drained where it would take more than a quarter of the memory, and not looked at again until its time is over', async () => {
    const large = await Large.of(largeSource(manyTeams, teamsClaimed({})), { cache: LITTLE });
    expect(await large.told(makeQuery(DIRECTORY_TEAMS))).toMatch(/one;state=partial;reason=too-large$/);
    expect(large.asked()).toEqual(['teams 0+100', 'teams 0+100', 'teams 100+100', 'teams 200+100']);
    expect(await large.told(makeQuery(DIRECTORY_TEAMS, { country: ['no'] }))).toMatch(/too-large$/);
    expect(await large.told(makeQuery(DATA_TEAMS, { limit: 0 }))).toMatch(/too-large$/);
    expect(large.asked()).toEqual([]);
    large.clock.advance(2 * MINUTE);
    await large.told(makeQuery(DIRECTORY_TEAMS));
    expect(large.asked()).not.toEqual([]);
  });

  it('answers a private query, for all that it has tells nothing of it', async () => {
    const large = await Large.of(largeSource(manyTeams));
    expect(await large.told(makeQuery(DIRECTORY_TEAMS, { country: ['no'] }), { prefer: 'private' })).toBe(
      `200 ${FRESH}`,
    );
    expect(large.asked()).toEqual(['teams 0+100', 'teams 0+100', 'teams 100+100', 'teams 200+100']);
  });
});

describe('all that a large source has', () => {
  const able = teamsClaimed({ filters: ['country'], sort: ['short-team-name'], total: true });
  const NORWAY = makeQuery(DIRECTORY_TEAMS, { country: ['no'], limit: 3 });
  const HOST = makeQuery(DIRECTORY_TEAMS, { filters: [['host', 'Host 7']] });

  it('is not fetched for what its capabilities give, and serves that too once it is there', async () => {
    const large = await Large.of(largeSource(manyTeams, able));
    const narrow = ['teams', 'teams country=NO sort=short-team-name'];
    expect(sent(await large.exact(NORWAY))).toEqual(narrow);
    expect(sent(await large.exact(makeQuery(DIRECTORY_TEAMS, { limit: 2 })))).toEqual(['teams sort=short-team-name']);
    expect(await large.exact(HOST)).toEqual(['teams 0+100', 'teams 100+100', 'teams 200+100']);
    expect(await large.exact({ ...NORWAY, limit: 40 })).toEqual([]);
    // When its time is over it is fetched for what needs it, and for nothing else.
    large.clock.advance(2 * MINUTE);
    const again = await large.exact(NORWAY);
    expect(sent(again)).toEqual(narrow);
    expect(again.filter((one) => /^teams \d/.test(one))).toEqual(['teams 0+100']);
  });

  it('is fetched where more match than its threshold, and where that may not be, the matches are', async () => {
    const claimed = teamsClaimed({ filters: ['country'] });
    const whole = await Large.of(largeSource(manyTeams, { ...claimed, threshold: 10 }));
    expect((await whole.exact(NORWAY)).filter((one) => one.startsWith('teams 1'))).toEqual(['teams 100+100']);
    const matches = await Large.of(largeSource(manyTeams, { ...claimed, threshold: 10 }), { cache: LITTLE });
    expect((await matches.exact(NORWAY)).at(-1)).toMatch(/^teams country=NO [1-9]\d*\+100$/);
  });

  it('makes no date go back, whichever way the answers before came', async () => {
    const patience = { ttl: '60s', 'stale-while-revalidate': '2m' };
    const large = await Large.of(largeSource(manyTeams, able), { registered: patience });
    const dates: number[] = [];
    for (const [seconds, ask] of [
      [0, NORWAY],
      [5, HOST],
      [5, NORWAY],
      [60, NORWAY],
      [30, HOST],
      [5, NORWAY],
      [58, NORWAY],
      [30, NORWAY],
      [70, HOST],
      [1, NORWAY],
    ] as const) {
      large.clock.advance(seconds * 1_000);
      const got = await large.scene.gateway.get(requestTarget(ask));
      if (ask === NORWAY) dates.push(Date.parse(got.headers.get('last-modified') ?? ''));
    }
    expect(dates.some(Number.isNaN)).toBe(false);
    expect(dates).toEqual([...dates].sort((a, b) => a - b));
  });

  it('is not needed for a number: that takes filters and the total, and no order', async () => {
    const large = await Large.of(largeSource(manyTeams, teamsClaimed({ filters: ['country'], total: true })));
    const counted = makeQuery(DIRECTORY_TEAMS, { country: ['no'], limit: 0 });
    expect(sent(await large.exact(counted))).toEqual(['teams', 'teams country=NO']);
    const all = await large.exact(makeQuery(DIRECTORY_TEAMS, { limit: 0 }));
    expect(all.filter((one) => one.startsWith('teams 1'))).toEqual([]);
    // What came of a count stands in no order, and is no page.
    await large.exact({ ...counted, limit: 1 });
    await large.exact({ ...counted, limit: 5, offset: 1 });
  });

  it('is what a query needs first, and is fetched ahead only of a source that does nothing with queries', async () => {
    const large = await Large.of(largeSource(manyTeams, able));
    expect(await large.exact(makeQuery(DIRECTORY_TEAMS, { q: 'zebra' }))).toHaveLength(4);
  });
});

describe('a channel of a large source', () => {
  const titles = ['Alerts', 'Letters'];
  const news: readonly RawRecord[] = (manyNews.news ?? []).map((item, at) => ({ ...item, channels: [titles[at % 3]] }));
  const channels: readonly RawRecord[] = titles.map((title, at) => ({ id: at + 1, title }));
  const lists: RepositoryLists = { teams: [], news, channels };
  const able = newsClaimed({ filters: ['channel', 'before'], sort: ['-published'], total: true });
  const source = (more: Partial<LargeSource> = {}): LargeSource => {
    const made = largeSource(lists, more);
    return { ...made, data: made.data && { ...made.data, channels } };
  };
  const ALERTS = makeQuery(NEWS, { channel: 'ALERTS', limit: 4 });

  it('is pushed down by its title, with what else the query asks', async () => {
    const large = await Large.of(source(able), { cache: LITTLE });
    const asked = await large.exact({ ...ALERTS, before: '2025-12-28' });
    const before = 'before=2025-12-28T00:00:00+00:00';
    expect(sent(asked)).toContain(`news ${before} channel=Alerts sort=-published`);
    expect(asked.filter((one) => one.startsWith('news 1') || one.startsWith('news 2'))).toEqual([]);
    await large.exact({ ...ALERTS, offset: 20 });
    await large.exact({ ...ALERTS, channel: 'letters', limit: 0 });
    await large.exact({ ...ALERTS, channel: 'nowhere' });
  });

  it('is partial where it counts as many items as there are, for the filter was ignored', async () => {
    const ignoring: Behaviour = { honours: (name) => name !== 'channel' };
    const large = await Large.of(source(able), { cache: LITTLE, behaviours: [ignoring] });
    expect(await large.told(ALERTS)).toMatch(/one;state=partial;reason=filter$/);
    expect(await large.told({ ...ALERTS, before: '2025-12-28' })).toMatch(/one;state=partial;reason=filter$/);
  });

  it('may be all of it where it is the only one', async () => {
    const [alone] = channels;
    const only = { ...lists, news: news.map((item) => ({ ...item, channels: ['Alerts'] })), channels: [alone ?? {}] };
    const made = largeSource(only, able);
    const large = await Large.of(
      { ...made, data: made.data && { ...made.data, channels: only.channels } },
      { cache: LITTLE },
    );
    await large.exact(ALERTS);
  });

  it('is found in all its items, where it is not known to filter by channel', async () => {
    const large = await Large.of(source(newsClaimed({})));
    await large.exact(ALERTS);
    await large.exact({ ...ALERTS, before: '2025-12-28' });
    await large.exact(makeQuery(CHANNELS));
  });

  it('has the items of all channels that are called so', async () => {
    const twice = { ...lists, channels: [...channels, { id: 9, title: 'alerts' }] };
    const made = largeSource(twice, able);
    const large = await Large.of({ ...made, data: made.data && { ...made.data, channels: twice.channels } });
    await large.exact(ALERTS);
  });
});

describe('a large source that has teams on the other interface only', () => {
  const lists: RepositoryLists = {
    teams: distinctiveTeams(200, 'data').map((team, at) => ({
      ...team,
      ...(at % 4 === 0 && { 'pgp-fingerprint': `0123456789ABCDEF0123456789ABCDEF${String(at).padStart(8, '0')}` }),
    })),
    news: [],
    channels: [],
  };
  const data = (more: Partial<LargeSource> = {}): LargeSource => largeSource(lists, more);
  const able = teamsClaimed({ filters: ['country', 'host', 'team'], sort: ['team', '-last-modified'], total: true });

  it.each<[string, Partial<OracleQuery>, string]>([
    ['country', { country: ['no'] }, 'teams country=NO sort=team'],
    ['host', { filters: [['host', 'Host 7']] }, 'teams host=Host 7 sort=team'],
    ['short name', { filters: [['short-team-name', '000 apple']] }, 'teams sort=team team=000 apple'],
    ['another order', sortedBy('last-modified', true), 'teams sort=-last-modified'],
  ])('is asked in the words of that: %s', async (_, query, expectedQuery) => {
    const large = await Large.of(data(able), { cache: LITTLE });
    expect(sent(await large.exact(makeQuery(DIRECTORY_TEAMS, { limit: 4, ...query })))).toContain(expectedQuery);
  });

  it('shows enckeys of a source that gives keys apart, asked by the same filter', async () => {
    const large = await Large.of(data({ ...able, keys: 'pgp' }), {
      cache: { memory: '4MiB' },
      behaviours: [withSeparateKeys],
    });
    const asked = await large.exact(makeQuery(DIRECTORY_TEAMS, { country: ['no'], limit: 4 }));
    expect(asked).toContain('teams country=NO scope=pgp 0+100');
    await large.exact(makeQuery(DIRECTORY_TEAMS, { limit: 4, offset: 20 }));
    expect(large.asked().filter((one) => /^teams \d/.test(one))).toEqual([]);
  });

  it('is asked by what it knows, and the rest is done here', async () => {
    const large = await Large.of(data({ ...able, threshold: 100 }), { cache: LITTLE });
    const asked = await large.exact(makeQuery(DIRECTORY_TEAMS, { country: ['no'], q: 'zebra' }));
    expect(asked).toContain('teams country=NO 0+100');
  });

  it('is asked the other way, too', async () => {
    const claimed = teamsClaimed({ filters: ['country', 'short-team-name'], sort: ['short-team-name'], total: true });
    const large = await Large.of(largeSource(manyTeams, claimed), { cache: LITTLE });
    expect(sent(await large.exact(makeQuery(DATA_TEAMS, { country: ['no'], limit: 4 })))).toContain(
      'teams country=NO sort=short-team-name',
    );
    expect(sent(await large.exact(makeQuery(DATA_TEAMS, { team: '000 APPLE', limit: 4 })))).toContain(
      'teams short-team-name=000 APPLE sort=short-team-name',
    );
  });

  it('is found out where it passes over the filter, and drained', async () => {
    const large = await Large.of(data(able), { behaviours: [behaviours['ignores filters']] });
    await large.exact(makeQuery(DIRECTORY_TEAMS, { country: ['no'], limit: 20 }));
    expect(large.disproved()).toMatchObject([{ capability: 'filter country', resource: 'data-teams' }]);
  });
});

describe('a large source whose answer disproves a claim, and of which not everything may be held', () => {
  it('answers the same query by what is still believed', async () => {
    const claimed = teamsClaimed({ filters: ['country'], sort: ['short-team-name'], total: true });
    const large = await Large.of(largeSource(manyTeams, { ...claimed, threshold: 199 }), {
      cache: LITTLE,
      behaviours: [behaviours['reports too large a total']],
    });
    await large.exact(makeQuery(DIRECTORY_TEAMS, { country: ['no'], limit: 0 }));
    expect(large.disproved()).toMatchObject([{ capability: 'total' }]);
  });
});

describe('a large source that searches, though not as we do', () => {
  const able = teamsClaimed({ search: true });
  const ZEBRA = makeQuery(DIRECTORY_TEAMS, { q: 'zebra', limit: 5 });

  it('is asked, and what comes is filtered again', async () => {
    const generous: Behaviour = { matches: { q: (record) => String(record['short-team-name']).length > 9 } };
    const large = await Large.of(largeSource(manyTeams, { ...able, threshold: 199 }), {
      behaviours: [generous],
      cache: LITTLE,
    });
    const asked = await large.exact(makeQuery(DIRECTORY_TEAMS, { q: 'ångström' }));
    expect(asked).toContain('teams q=ångström 0+100');
    expect(large.disproved()).toEqual([]);
  });

  it('is believed to have nothing only when all that it has was looked through', async () => {
    const large = await Large.of(largeSource(manyTeams, able));
    const asked = await large.exact(makeQuery(DIRECTORY_TEAMS, { q: 'nowhere' }));
    expect(asked).toEqual(expect.arrayContaining(['teams q=nowhere 0+100', 'teams 100+100']));
    expect(large.disproved()).toEqual([]);
  });

  it('is partial where it found nothing, and all that it has may not be held', async () => {
    const large = await Large.of(largeSource(manyTeams, able), { cache: LITTLE });
    expect(await large.told(makeQuery(DIRECTORY_TEAMS, { q: 'nowhere' }))).toMatch(/one;state=partial;reason=search$/);
    expect(await large.told(ZEBRA)).toBe(`200 ${FRESH}`);
  });

  it('is not believed any more where it had overlooked something', async () => {
    const whole: Behaviour = { matches: { q: (record, value) => record['short-team-name'] === value } };
    const large = await Large.of(largeSource(manyTeams, able), { behaviours: [whole] });
    await large.exact(ZEBRA);
    expect(large.disproved()).toMatchObject([{ capability: 'filter q' }]);
  });
});
