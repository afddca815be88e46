import { afterEach, describe, expect, it } from 'vitest';
import { requestTarget } from '../oracle/random-query.js';
import { DIRECTORY_TEAMS, NEWS, DATA_TEAMS } from '../oracle/model/oracle-resources.js';
import { allRecords, expectedList } from '../oracle/model/expected-list.js';
import type { OracleQuery } from '../oracle/model/expected-list.js';
import type { LargeSource, DeclaredSupports } from '../oracle/push-down/large-sources.js';
import { startLargeSourceGateway } from '../oracle/push-down/start-large-sources.js';
import type { LargeSourceGateway } from '../oracle/push-down/start-large-sources.js';
import {
  makeQuery,
  everythingDeclared,
  largeSource,
  manyNews,
  manyTeams,
  nothingDeclared,
} from '../oracle/push-down/sample-sources.js';
import { listedRecords } from '../oracle/start-sources.js';
import { readReportedStates } from '../oracle/push-down/require-exact-response.js';
import { fakeClock } from '../support/fake-clock.js';
import { distinctiveTeams } from '../support/gateway/run-probe.js';
import * as faulty from '../support/upstream/faulty-responses.js';
import type { RawRecord } from '../support/upstream/paged-responses.js';
import { neverResponds } from '../support/upstream/upstream-server.js';
import { waitFor } from '../support/wait-for.js';

const open: LargeSourceGateway[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((scene) => scene.close()));
});

/** A request as text: `before=2026-01-01 sort=-published 0+21`, the page as `offset+limit`. */
function requestText(query: URLSearchParams): string {
  const parameters = [...query].filter(([name]) => !['envelope', 'pretty', 'limit', 'offset'].includes(name));
  return [
    ...parameters.map(([name, value]) => `${name}=${value}`),
    `${query.get('offset') ?? ''}+${query.get('limit') ?? ''}`,
  ].join(' ');
}

/** Sources, a gateway over them, and the requests that the sources received. */
class PushDownScene {
  private readonly requestsTaken = new Map<string, number>();

  private constructor(
    readonly sources: readonly LargeSource[],
    readonly scene: LargeSourceGateway,
  ) {}

  static async of(
    sources: readonly LargeSource[],
    registered: object = {},
    cache: object = SMALL_CACHE,
    clock = fakeClock(),
  ): Promise<PushDownScene> {
    const scene = await startLargeSourceGateway(sources, { clock, registered, cache });
    open.push(scene);
    return new PushDownScene(sources, scene);
  }

  /** Sends a query; expects a complete and exact response. Returns the requests that each source received. */
  async expectExactRequests(query: OracleQuery): Promise<Readonly<Record<string, readonly string[]>>> {
    await this.expectExact(query);
    return this.takeRequests();
  }

  /** Sends a query; expects a complete and exact response. */
  async expectExact(query: OracleQuery): Promise<void> {
    const response = await this.scene.gateway.get(requestTarget(query));
    expect(
      [...readReportedStates(response).values()].filter(({ state }) => state !== 'fresh' && state !== 'excluded'),
    ).toEqual([]);
    const { total, data } = expectedList(allRecords(query.resource, this.sources), query);
    expect([response.headers.get('x-total-count'), listedRecords(response)]).toEqual([String(total), data]);
  }

  /** The same with the requests of the first source only. */
  async expectExactRequestsOfFirst(query: OracleQuery): Promise<readonly string[]> {
    return (await this.expectExactRequests(query))[this.sources[0]?.code ?? ''] ?? [];
  }

  /** Requests that each source received since the last call. */
  takeRequests(): Readonly<Record<string, readonly string[]>> {
    const upstreams = Object.entries(this.scene.upstreams);
    return Object.fromEntries(
      upstreams.map(([code, { requests }]) => {
        const before = this.requestsTaken.get(code) ?? 0;
        this.requestsTaken.set(code, requests.length);
        return [code, requests.slice(before).map(({ query }) => requestText(query))];
      }),
    );
  }

  /** Lets Rollcall detect that the sources are too large to be drained, which it checks once in each time to live. */
  async detectSizes(query: OracleQuery): Promise<void> {
    await this.scene.gateway.get(requestTarget({ ...query, ...LOCAL_ORDER }));
    this.takeRequests();
  }

  /** Waits until the given number of drains and streams has ended. */
  async drained(count: number): Promise<void> {
    await waitFor(() => {
      expect(this.scene.gateway.log.filter(({ message }) => message === 'source drained')).toHaveLength(count);
    });
  }

  /** Records received by the last drain or stream. */
  get received(): number {
    const line = this.scene.gateway.log.findLast(({ message }) => message === 'source drained');
    return line !== undefined && 'records' in line.facts ? Number(line.facts.records) : NaN;
  }
}

/** The share of a large list is a quarter of this, which is less than 200 records need (decisions 5.10). */
const SMALL_CACHE = { memory: '512KiB' };

/** An order that is never pushed down, because Rollcall writes the source-name. */
const LOCAL_ORDER: Pick<OracleQuery, 'sort'> = { sort: [{ property: 'source-name', descending: false }] };

const sortedBy = (property: string, descending = false): Pick<OracleQuery, 'sort'> => ({
  sort: [{ property, descending }],
});

const HOUR = 3_600_000;

/** News items an hour apart, newest first. */
function hourly(count: number, newest: number): readonly RawRecord[] {
  return Array.from({ length: count }, (_, at) => ({
    id: count - at,
    title: `Item ${at}`,
    published: new Date(newest - at * HOUR).toUTCString(),
  }));
}

/** As `SMALL_CACHE` for lists of 600 items, with room for the first 100 of each newsroom. */
const NEWS_CACHE = { memory: '1536KiB' };

const JANUARY = Date.UTC(2026, 0, 1);

const CODES = ['alfa', 'bravo', 'charlie', 'delta', 'echo', 'foxtrot'];

/** One source of news for each code; the newest 60 items all belong to the first source. */
function newsrooms(parameters: Partial<LargeSource> = {}): readonly LargeSource[] {
  return CODES.map((code, at) => {
    const newest = at === 0 ? JANUARY + 60 * HOUR : JANUARY + at * 60_000;
    return largeSource({ news: hourly(600 + at, newest), channels: [] }, { code, number: at + 1, ...parameters });
  });
}

/** Drains and streams of a first page: each source receives a size check and a stream request. */
const FIRST = 2 * CODES.length;

const each = (requests: readonly string[]): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(CODES.map((code) => [code, requests]));

describe('the first page of news over large sources', () => {
  it('takes one request to each source, for its first 100 records, when their sizes are known', async () => {
    const setup = await PushDownScene.of(newsrooms(), {}, NEWS_CACHE);
    await setup.detectSizes(makeQuery(NEWS));
    expect(await setup.expectExactRequests(makeQuery(NEWS, { limit: 20 }))).toEqual(each(['sort=-published 0+100']));
    expect(setup.received).toBe(100);
    expect(await setup.expectExactRequests(makeQuery(NEWS, { limit: 20 }))).toEqual(each([]));
  });

  it('takes a further request to each source when their sizes are not known', async () => {
    const setup = await PushDownScene.of(newsrooms(), {}, NEWS_CACHE);
    expect(await setup.expectExactRequests(makeQuery(NEWS, { limit: 20 }))).toEqual(
      each(['0+100', 'sort=-published 0+100']),
    );
  });

  it('is followed by pages that request only sources whose fetched records are used up, twice as many', async () => {
    const setup = await PushDownScene.of(newsrooms(), {}, NEWS_CACHE);
    await setup.expectExactRequests(makeQuery(NEWS, { limit: 20 }));
    for (const offset of [20, 40, 60, 160]) await setup.expectExact(makeQuery(NEWS, { limit: 20, offset }));
    expect(setup.takeRequests()).toEqual(each([]));
    // The 100th item of the first source is the 300th of all.
    await setup.expectExact(makeQuery(NEWS, { limit: 20, offset: 300 }));
    await setup.expectExact(makeQuery(NEWS, { limit: 20, offset: 320 }));
    await setup.expectExact(makeQuery(NEWS, { limit: 20, offset: 0 }));
    expect(setup.takeRequests()).toEqual({ ...each([]), alfa: ['sort=-published 0+100', 'sort=-published 100+100'] });
  });

  it('is followed by pages that fetch the records of the next page ahead', async () => {
    const setup = await PushDownScene.of(newsrooms(), {}, NEWS_CACHE);
    await setup.expectExactRequests(makeQuery(NEWS, { limit: 20 }));
    await setup.expectExactRequests(makeQuery(NEWS, { limit: 20, offset: 270 }));
    await setup.drained(FIRST + 1);
    for (const upstream of Object.values(setup.scene.upstreams)) upstream.handler = neverResponds;
    await setup.expectExactRequests(makeQuery(NEWS, { limit: 20, offset: 290 }));
  });

  it('stays complete where the records of a following page could not be fetched ahead', async () => {
    const setup = await PushDownScene.of(newsrooms(), {}, NEWS_CACHE);
    await setup.expectExactRequests(makeQuery(NEWS, { limit: 20 }));
    const { alfa } = setup.scene.upstreams;
    if (alfa === undefined) throw new Error('no alfa');
    alfa.handler = faulty.status(401);
    await setup.expectExact(makeQuery(NEWS, { limit: 20, offset: 270 }));
    await waitFor(() => {
      expect(setup.scene.gateway.log.map(({ message }) => message)).toContain('source failed');
    });
    await setup.expectExact(makeQuery(NEWS, { limit: 20, offset: 270 }));
  });

  it('reads from each source little more than the records before a deep page', async () => {
    const setup = await PushDownScene.of(newsrooms(), {}, NEWS_CACHE);
    await setup.detectSizes(makeQuery(NEWS));
    const requested = await setup.expectExactRequests(makeQuery(NEWS, { limit: 5, offset: 190 }));
    const reached = Object.values(requested).map((requests) => Math.max(...requests.map(endOf)));
    // 60 items of the first source, and about 23 of each of the six, come before the end of the page.
    expect(reached[0]).toBeGreaterThan(60 + 22);
    expect(Math.max(...reached)).toBeLessThan(2 * (60 + 23));
    expect(Math.max(...Object.values(requested).map(({ length }) => length))).toBeLessThan(10);
  });

  it('takes one record of each source where only the count is requested', async () => {
    const setup = await PushDownScene.of(newsrooms(), {}, NEWS_CACHE);
    await setup.detectSizes(makeQuery(NEWS));
    expect(await setup.expectExactRequests(makeQuery(NEWS, { limit: 0 }))).toEqual(each(['sort=-published 0+1']));
  });
});

describe('a page of a large source', () => {
  it('sorted by a property with equal values does not read the list many times', async () => {
    const alike = Array.from({ length: 600 }, (_, at) => ({ 'short-team-name': `Team ${at}`, 'country-code': 'NO' }));
    const setup = await PushDownScene.of([largeSource({ directory: alike })]);
    await setup.detectSizes(makeQuery(DIRECTORY_TEAMS));
    const requested = await setup.expectExactRequestsOfFirst(
      makeQuery(DIRECTORY_TEAMS, { limit: 5, ...sortedBy('country-code') }),
    );
    expect(requested.length).toBeLessThan(20);
  });

  it('behind the end is known to be empty by the total', async () => {
    const setup = await PushDownScene.of([largeSource(manyTeams)]);
    await setup.detectSizes(makeQuery(DIRECTORY_TEAMS));
    const behind = makeQuery(DIRECTORY_TEAMS, { limit: 5, offset: 1_000 });
    expect(await setup.expectExactRequestsOfFirst({ ...behind, ...sortedBy('last-modified') })).toEqual([
      'sort=last-modified 0+100',
    ]);
  });
});

/** Offset of the first record after the requested page. */
function endOf(request: string): number {
  const [offset, limit] = /(\d+)\+(\d+)$/.exec(request)?.slice(1).map(Number) ?? [];
  return (offset ?? NaN) + (limit ?? NaN);
}

describe('the filters of a query', () => {
  const teams = (
    supports: Partial<DeclaredSupports>,
    parameters: Partial<LargeSource> = {},
  ): readonly LargeSource[] => [
    largeSource(manyTeams, { supports: { teams: { ...nothingDeclared, ...supports } }, ...parameters }),
  ];
  const items = (supports: Partial<DeclaredSupports>): readonly LargeSource[] => [
    largeSource(manyNews, { supports: { news: { ...nothingDeclared, ...supports } }, threshold: 200 }),
  ];
  const matching = (setup: PushDownScene, query: OracleQuery): number =>
    expectedList(allRecords(query.resource, setup.sources), query).total;

  it.each<[string, Partial<OracleQuery>, string]>([
    ['country', { country: ['no', 'br'] }, 'country=BR,NO'],
    ['host', { filters: [['host', 'ØRESUND äpfel']] }, 'host=ØRESUND äpfel'],
    ['region', { region: 'africa' }, 'region=africa'],
    ['team', { team: 'Zebra' }, 'team=Zebra'],
  ])('are pushed down, for instance %s, and only matches are fetched', async (name, request, sent) => {
    const setup = await PushDownScene.of(teams({ filters: [name], total: true, exact: true }, { threshold: 100 }));
    const query = makeQuery(DIRECTORY_TEAMS, request);
    await setup.detectSizes(makeQuery(DIRECTORY_TEAMS));
    // A second page confirms the end, because the source reports no page limit.
    const matches = matching(setup, query);
    expect(await setup.expectExactRequestsOfFirst(query)).toEqual([`${sent} 0+100`, `${sent} ${matches}+100`]);
    expect(setup.received).toBe(matches);
    expect(setup.received).toBeLessThan(100);
  });

  it('include q where the source declares an exact search', async () => {
    const setup = await PushDownScene.of(teams({ search: true, exact: true }));
    const query = makeQuery(DIRECTORY_TEAMS, { q: 'zebra' });
    await setup.detectSizes(makeQuery(DIRECTORY_TEAMS));
    expect((await setup.expectExactRequestsOfFirst(query))[0]).toBe('q=zebra 0+100');
    // Rollcall writes the source-name, so the source does not search it.
    expect(await statesOf(setup, makeQuery(DIRECTORY_TEAMS, { q: 'on' }))).toEqual(['partial too-large']);
    expect(setup.takeRequests()).toEqual({ one: [] });
  });

  it('include bounds of time, to the second', async () => {
    const setup = await PushDownScene.of(items({ filters: ['before', 'after'] }));
    const query = makeQuery(NEWS, { after: '2025-12-20T10:00:00.250+01:00', before: '2025-12-25' });
    await setup.detectSizes(makeQuery(NEWS));
    expect((await setup.expectExactRequestsOfFirst(query))[0]).toBe(
      'after=2025-12-20T09:00:00+00:00 before=2025-12-25T00:00:00+00:00 0+100',
    );
    expect(setup.received).toBe(matching(setup, query));
  });

  it('that are not declared are applied by Rollcall to the records that the others select', async () => {
    const setup = await PushDownScene.of(teams({ filters: ['country'], sort: ['short-team-name'], total: true }));
    const query = makeQuery(DIRECTORY_TEAMS, { country: ['no'], filters: [['host', 'Host 2']], limit: 1 });
    await setup.detectSizes(makeQuery(DIRECTORY_TEAMS));
    // Neither a limit nor an order is sent, because Rollcall needs all records that the filter selects.
    expect((await setup.expectExactRequestsOfFirst(query))[0]).toBe('country=NO 0+100');
    expect(setup.received).toBe(matching(setup, makeQuery(DIRECTORY_TEAMS, { country: ['no'] })));
  });
});

async function statesOf(
  setup: PushDownScene,
  query: OracleQuery,
  headers: Readonly<Record<string, string>> = {},
): Promise<readonly string[]> {
  const response = await setup.scene.gateway.get(requestTarget(query), headers);
  return [...readReportedStates(response).values()].map(({ state, reason }) => `${state} ${reason ?? ''}`.trim());
}

describe('a limit', () => {
  const NORWAY = makeQuery(DIRECTORY_TEAMS, { country: ['no'], limit: 3 });

  it('is pushed down where filters, order and total are supported', async () => {
    const setup = await PushDownScene.of([largeSource(manyTeams)]);
    await setup.detectSizes(makeQuery(DIRECTORY_TEAMS));
    // A page of the matches is checked, and that none follows the last match.
    expect(await setup.expectExactRequestsOfFirst(NORWAY)).toEqual([
      'country=NO sort=short-team-name 0+100',
      'country=NO sort=short-team-name 27+100',
    ]);
    const byDate = sortedBy('last-modified', true);
    expect(await setup.expectExactRequestsOfFirst(makeQuery(DIRECTORY_TEAMS, { limit: 9, ...byDate }))).toEqual([
      'sort=-last-modified 0+100',
    ]);
  });

  it('with an order by text has the order checked over the whole list once an hour', async () => {
    const clock = fakeClock();
    const setup = await PushDownScene.of([largeSource(manyTeams)], {}, undefined, clock);
    await setup.detectSizes(makeQuery(DIRECTORY_TEAMS));
    const byName = makeQuery(DIRECTORY_TEAMS, { limit: 9, ...sortedBy('official-team-name', true) });
    const [first, ...looks] = [0, 133].map((offset) => `sort=-official-team-name ${offset}+100`);
    expect(await setup.expectExactRequestsOfFirst(byName)).toEqual([first, ...looks, 'sort=-official-team-name 199+2']);
    for (const passed of [0.9 * HOUR, 0.2 * HOUR]) {
      clock.advance(passed);
      await setup.detectSizes(makeQuery(DIRECTORY_TEAMS));
      const requested = await setup.expectExactRequestsOfFirst(byName);
      expect(requested).toHaveLength(passed > 0.5 * HOUR ? 1 : 3);
    }
  });

  it('with a filter has the last match checked', async () => {
    const directory = (manyTeams.directory ?? []).map((team) => ({ ...team, 'country-code': 'NO' }));
    const setup = await PushDownScene.of([
      largeSource({ directory: [...directory.slice(0, 150), ...(manyTeams.directory ?? []).slice(150)] }),
    ]);
    await setup.detectSizes(makeQuery(DIRECTORY_TEAMS));
    const query = { ...NORWAY, ...sortedBy('last-modified') };
    const matches = expectedList(allRecords(DIRECTORY_TEAMS, setup.sources), query).total;
    expect(matches).toBeGreaterThan(100);
    expect(await setup.expectExactRequestsOfFirst(query)).toEqual([
      'country=NO sort=last-modified 0+100',
      `country=NO sort=last-modified ${matches - 1}+2`,
    ]);
  });

  it.each<[string, Partial<DeclaredSupports>]>([
    ['total', { total: false }],
    ['order', { sort: ['-short-team-name'] }],
  ])('is not pushed down where the %s is not supported', async (_, undeclared) => {
    const supports = { teams: { ...everythingDeclared.teams, ...undeclared } };
    const setup = await PushDownScene.of([largeSource(manyTeams, { supports })]);
    await setup.detectSizes(makeQuery(DIRECTORY_TEAMS));
    expect((await setup.expectExactRequestsOfFirst(NORWAY))[0]).toBe('country=NO 0+100');
    expect(await statesOf(setup, makeQuery(DIRECTORY_TEAMS, { limit: 3 }))).toEqual(['partial too-large']);
    expect(setup.takeRequests()).toEqual({ one: [] });
  });

  it('is not pushed down with a filter that is not supported', async () => {
    const supports = { teams: { ...everythingDeclared.teams, filters: [] } };
    const setup = await PushDownScene.of([largeSource(manyTeams, { supports })]);
    await setup.detectSizes(makeQuery(DIRECTORY_TEAMS));
    expect(await statesOf(setup, NORWAY)).toEqual(['partial too-large']);
    expect(setup.takeRequests()).toEqual({ one: [] });
  });

  it('is not pushed down for a page so deep that the records before it exceed the memory', async () => {
    const directory = distinctiveTeams(1_000, 'directory');
    const setup = await PushDownScene.of([largeSource({ directory })], { concurrency: 1 }, { memory: '256KiB' });
    await setup.detectSizes(makeQuery(DIRECTORY_TEAMS));
    await setup.expectExactRequests(makeQuery(DIRECTORY_TEAMS, { limit: 5 }));
    const deep = makeQuery(DIRECTORY_TEAMS, { limit: 5, offset: 790 });
    expect(await statesOf(setup, deep)).toEqual(['partial too-large']);
    expect(setup.takeRequests()['one']?.length).toBeLessThan(8);
    // The result that it is too large is cached.
    expect(await statesOf(setup, deep)).toEqual(['partial too-large']);
    expect(setup.takeRequests()).toEqual({ one: [] });
  });

  it('is partial where the source counts entries that Rollcall drops, until the complete stream is read', async () => {
    const nameless = { host: '!', 'country-code': 'NO' };
    const directory = [nameless, ...(manyTeams.directory ?? [])];
    const setup = await PushDownScene.of([largeSource({ directory })]);
    const query = makeQuery(DIRECTORY_TEAMS, { ...sortedBy('host'), limit: 3 });
    expect(await statesOf(setup, query)).toEqual(['partial total']);
    expect(await statesOf(setup, { ...query, limit: 10, offset: 30 })).toEqual(['partial total']);
    expect(await statesOf(setup, { ...query, limit: 300 })).toEqual(['fresh']);
  });

  it('is requested in pages of the configured page-size', async () => {
    const setup = await PushDownScene.of([largeSource(manyTeams, { pageSize: 20 })], { concurrency: 1 });
    await setup.detectSizes(makeQuery(DIRECTORY_TEAMS));
    expect(
      await setup.expectExactRequestsOfFirst(makeQuery(DIRECTORY_TEAMS, { limit: 50, ...sortedBy('last-modified') })),
    ).toEqual([0, 20, 40, 60, 80].map((offset) => `sort=last-modified ${offset}+20`));
  });
});

describe('a source', () => {
  it('that does not exceed its drain-threshold is drained once, without pushed-down parameters', async () => {
    const setup = await PushDownScene.of([largeSource(manyTeams, { threshold: 200 })]);
    expect(await setup.expectExactRequestsOfFirst(makeQuery(DIRECTORY_TEAMS, { country: ['no'], limit: 3 }))).toEqual([
      '0+100',
      '100+100',
      '200+100',
    ]);
    expect(await setup.expectExactRequestsOfFirst(makeQuery(DIRECTORY_TEAMS, { ...sortedBy('host', true) }))).toEqual(
      [],
    );
    expect(await setup.expectExactRequestsOfFirst(makeQuery(DATA_TEAMS, { country: ['pt'] }))).toEqual([]);
  });

  it('that the query does not need receives no request', async () => {
    const large = (code: string, number: number): LargeSource => largeSource(manyTeams, { code, number });
    const setup = await PushDownScene.of([large('one', 1), large('two', 2)]);
    await setup.detectSizes(makeQuery(DIRECTORY_TEAMS));
    const named = makeQuery(DIRECTORY_TEAMS, {
      filters: [['source-name', 'TWO']],
      ...sortedBy('last-modified'),
      limit: 4,
    });
    expect(await setup.expectExactRequests(named)).toEqual({ one: [], two: ['sort=last-modified 0+100'] });
    expect(await statesOf(setup, makeQuery(NEWS))).toEqual(['excluded resource', 'excluded resource']);
    const covered = await PushDownScene.of([large('one', 1)], { coverage: { countries: ['SE'] } });
    expect(await statesOf(covered, makeQuery(DIRECTORY_TEAMS, { country: ['no'] }))).toEqual(['excluded coverage']);
    expect(covered.takeRequests()).toEqual({ one: [] });
  });

  it('receives no parameters of a private query', async () => {
    const setup = await PushDownScene.of([largeSource(manyTeams)]);
    const query = makeQuery(DIRECTORY_TEAMS, { country: ['no'], limit: 3 });
    const response = await setup.scene.gateway.get(requestTarget(query), { prefer: 'private' });
    expect([response.status, response.headers.get('source-status')]).toEqual([503, 'one;state=failed;reason=private']);
    // The complete list would serve the query, but is too large.
    expect(setup.takeRequests()).toEqual({ one: ['0+100', '0+100', '100+100', '200+100'] });
    // A cached result of the same query without `Prefer: private` is served.
    await setup.expectExactRequests(query);
    setup.takeRequests();
    expect((await setup.scene.gateway.get(requestTarget(query), { prefer: 'private' })).status).toBe(200);
    expect(setup.takeRequests()).toEqual({ one: [] });
  });

  it.each<[string, OracleQuery]>([
    ['scope=pgp', makeQuery(DATA_TEAMS, { scope: 'pgp', country: ['no'] })],
    ['a channel', makeQuery(NEWS, { channel: 'News', before: '2025-12-25' })],
  ])('receives no pushed-down parameters for %s', async (_, query) => {
    const setup = await PushDownScene.of([largeSource(manyNews)]);
    expect(await statesOf(setup, query)).toEqual(['partial too-large']);
    expect(setup.takeRequests()['one']?.filter((one) => !/^\d/.test(one))).toEqual([]);
  });
});
