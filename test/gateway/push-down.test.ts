import { afterEach, describe, expect, it, vi } from 'vitest';
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
import * as faulty from '../support/upstream/faulty-responses.js';
import type { RawRecord } from '../support/upstream/paged-responses.js';
import { neverResponds } from '../support/upstream/upstream-server.js';

const open: LargeSourceGateway[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((scene) => scene.close()));
});

/** What a source was asked: `before=2026-01-01 sort=-published 0+21`, the page as offset and limit. */
function written(query: URLSearchParams): string {
  const more = [...query].filter(([name]) => !['envelope', 'pretty', 'limit', 'offset'].includes(name));
  return [
    ...more.map(([name, value]) => `${name}=${value}`),
    `${query.get('offset') ?? ''}+${query.get('limit') ?? ''}`,
  ].join(' ');
}

/** Sources and a Rollcall over them, and what the sources are asked. */
class Fleet {
  private readonly seen = new Map<string, number>();

  private constructor(
    readonly sources: readonly LargeSource[],
    readonly scene: LargeSourceGateway,
  ) {}

  static async of(
    sources: readonly LargeSource[],
    registered: object = {},
    cache: object = LITTLE,
    clock = fakeClock(),
  ): Promise<Fleet> {
    const scene = await startLargeSourceGateway(sources, { clock, registered, cache });
    open.push(scene);
    return new Fleet(sources, scene);
  }

  /** Asks; the answer is complete and exact. Gives what each source was asked for it. */
  async ask(ask: OracleQuery): Promise<Readonly<Record<string, readonly string[]>>> {
    await this.answer(ask);
    return this.asked();
  }

  /** Asks; the answer is complete and exact. */
  async answer(ask: OracleQuery): Promise<void> {
    const got = await this.scene.gateway.get(requestTarget(ask));
    expect(
      [...readReportedStates(got).values()].filter(({ state }) => state !== 'fresh' && state !== 'excluded'),
    ).toEqual([]);
    const { total, data } = expectedList(allRecords(ask.resource, this.sources), ask);
    expect([got.headers.get('x-total-count'), listedRecords(got)]).toEqual([String(total), data]);
  }

  /** Asks of a single source. */
  async askOne(ask: OracleQuery): Promise<readonly string[]> {
    return (await this.ask(ask))[this.sources[0]?.code ?? ''] ?? [];
  }

  /** What each source was asked since the last time. */
  asked(): Readonly<Record<string, readonly string[]>> {
    const upstreams = Object.entries(this.scene.upstreams);
    return Object.fromEntries(
      upstreams.map(([code, { requests }]) => {
        const before = this.seen.get(code) ?? 0;
        this.seen.set(code, requests.length);
        return [code, requests.slice(before).map(({ query }) => written(query))];
      }),
    );
  }

  /** Lets it be seen how large the sources are, and that they are too large to be held, which is asked once in each time to live. */
  async look(ask: OracleQuery): Promise<void> {
    await this.scene.gateway.get(requestTarget({ ...ask, ...UNHEARD }));
    this.asked();
  }

  /** Waits until so many drains and fronts have come. */
  async drained(count: number): Promise<void> {
    await vi.waitFor(() => {
      expect(this.scene.gateway.log.filter(({ message }) => message === 'source drained')).toHaveLength(count);
    });
  }

  /** Records that came of the last drain, or front. */
  get received(): number {
    const line = this.scene.gateway.log.findLast(({ message }) => message === 'source drained');
    return line !== undefined && 'records' in line.facts ? Number(line.facts.records) : NaN;
  }
}

/** A quarter of this is less than 200 records take: no source here is held whole, unless a test gives more. */
const LITTLE = { memory: '512KiB' };

/** The source-name is stamped here: nobody is asked to sort by it. */
const UNHEARD: Pick<OracleQuery, 'sort'> = { sort: [{ property: 'source-name', descending: false }] };

const sortedBy = (property: string, descending = false): Pick<OracleQuery, 'sort'> => ({
  sort: [{ property, descending }],
});

const HOUR = 3_600_000;

/** Items an hour apart, the newest first. */
function hourly(count: number, newest: number): readonly RawRecord[] {
  return Array.from({ length: count }, (_, at) => ({
    id: count - at,
    title: `Item ${at}`,
    published: new Date(newest - at * HOUR).toUTCString(),
  }));
}

const JANUARY = Date.UTC(2026, 0, 1);

const CODES = ['alfa', 'bravo', 'charlie', 'delta', 'echo', 'foxtrot'];

/** As many sources of news as there are codes; the first one has the newest 60, which nobody else's come between. */
function newsrooms(more: Partial<LargeSource> = {}): readonly LargeSource[] {
  return CODES.map((code, at) => {
    const newest = at === 0 ? JANUARY + 60 * HOUR : JANUARY + at * 60_000;
    return largeSource({ news: hourly(200 + at, newest), channels: [] }, { code, number: at + 1, ...more });
  });
}

/** Drains and fronts of a first page: each source is looked at for its size, and asked. */
const FIRST = 2 * CODES.length;

const each = (requests: readonly string[]): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(CODES.map((code) => [code, requests]));

describe('the first page of news over large sources', () => {
  it('takes one request to each, for as many as the page holds and one, when it is known how large they are', async () => {
    const fleet = await Fleet.of(newsrooms());
    await fleet.look(makeQuery(NEWS));
    expect(await fleet.ask(makeQuery(NEWS, { limit: 20 }))).toEqual(each(['sort=-published 0+21']));
    expect(fleet.received).toBe(21);
    expect(await fleet.ask(makeQuery(NEWS, { limit: 20 }))).toEqual(each([]));
  });

  it('takes one more to each when that is not known', async () => {
    const fleet = await Fleet.of(newsrooms());
    expect(await fleet.ask(makeQuery(NEWS, { limit: 20 }))).toEqual(each(['0+100', 'sort=-published 0+21']));
  });

  it('is followed by pages that ask only whose records have run out, from the last that is held on', async () => {
    const fleet = await Fleet.of(newsrooms());
    await fleet.ask(makeQuery(NEWS, { limit: 20 }));
    await fleet.answer(makeQuery(NEWS, { limit: 20, offset: 20 }));
    await fleet.drained(FIRST + 2);
    await fleet.answer(makeQuery(NEWS, { limit: 20, offset: 40 }));
    await fleet.drained(FIRST + 3);
    // From here on some of each stand on a page; of the others 21 are held.
    await fleet.answer(makeQuery(NEWS, { limit: 20, offset: 60 }));
    await fleet.answer(makeQuery(NEWS, { limit: 20, offset: 80 }));
    await fleet.answer(makeQuery(NEWS, { limit: 20, offset: 0 }));
    const alfa = ['sort=-published 11+31', 'sort=-published 32+31', 'sort=-published 53+31'];
    expect(fleet.asked()).toEqual({ ...each([]), alfa });
  });

  it('is followed by pages each of which has what the next one needs fetched', async () => {
    const fleet = await Fleet.of(newsrooms());
    await fleet.ask(makeQuery(NEWS, { limit: 20 }));
    await fleet.ask(makeQuery(NEWS, { limit: 20, offset: 20 }));
    await fleet.drained(FIRST + 2);
    for (const upstream of Object.values(fleet.scene.upstreams)) upstream.handler = neverResponds;
    await fleet.ask(makeQuery(NEWS, { limit: 20, offset: 40 }));
  });

  it('is not made less by what could not be fetched for the page behind it', async () => {
    const fleet = await Fleet.of(newsrooms());
    await fleet.ask(makeQuery(NEWS, { limit: 20 }));
    const { alfa } = fleet.scene.upstreams;
    if (alfa === undefined) throw new Error('no alfa');
    const { handler: baseHandler } = alfa;
    alfa.handler = (asked, response) => {
      (written(asked.query).endsWith('11+31') ? baseHandler : faulty.status(401))(asked, response);
    };
    await fleet.answer(makeQuery(NEWS, { limit: 20, offset: 20 }));
    await vi.waitFor(() => {
      expect(fleet.scene.gateway.log.map(({ message }) => message)).toContain('source failed');
    });
    await fleet.answer(makeQuery(NEWS, { limit: 20, offset: 20 }));
  });

  it('costs no more than it needs far behind the start: of each what stands before it, and little more', async () => {
    const fleet = await Fleet.of(newsrooms());
    await fleet.look(makeQuery(NEWS));
    const asked = await fleet.ask(makeQuery(NEWS, { limit: 5, offset: 190 }));
    const reached = Object.values(asked).map((requests) => Math.max(...requests.map(endOf)));
    // 60 items of the first one, and of all six 23 each, stand before the end of the page.
    expect(reached[0]).toBeGreaterThan(60 + 22);
    expect(Math.max(...reached)).toBeLessThan(2 * (60 + 23));
    expect(Math.max(...Object.values(asked).map(({ length }) => length))).toBeLessThan(10);
  });

  it('of which only the number is asked for takes one record of each', async () => {
    const fleet = await Fleet.of(newsrooms());
    await fleet.look(makeQuery(NEWS));
    expect(await fleet.ask(makeQuery(NEWS, { limit: 0 }))).toEqual(each(['sort=-published 0+1']));
  });
});

describe('a page of a large source', () => {
  it('by what all of it have in common costs not many times all of it', async () => {
    const alike = Array.from({ length: 600 }, (_, at) => ({ 'short-team-name': `Team ${at}`, 'country-code': 'NO' }));
    const fleet = await Fleet.of([largeSource({ directory: alike })]);
    await fleet.look(makeQuery(DIRECTORY_TEAMS));
    const asked = await fleet.askOne(makeQuery(DIRECTORY_TEAMS, { limit: 5, ...sortedBy('country-code') }));
    expect(asked.length).toBeLessThan(20);
  });

  it('behind its end is known to be empty by its number of records', async () => {
    const fleet = await Fleet.of([largeSource(manyTeams)]);
    await fleet.look(makeQuery(DIRECTORY_TEAMS));
    const behind = makeQuery(DIRECTORY_TEAMS, { limit: 5, offset: 1_000 });
    expect(await fleet.askOne({ ...behind, ...sortedBy('last-modified') })).toEqual(['sort=last-modified 0+6']);
  });
});

/** Behind the last record of the page that was asked for. */
function endOf(request: string): number {
  const [offset, limit] = /(\d+)\+(\d+)$/.exec(request)?.slice(1).map(Number) ?? [];
  return (offset ?? NaN) + (limit ?? NaN);
}

describe('the filters of a query', () => {
  const teams = (supports: Partial<DeclaredSupports>, more: Partial<LargeSource> = {}): readonly LargeSource[] => [
    largeSource(manyTeams, { supports: { teams: { ...nothingDeclared, ...supports } }, ...more }),
  ];
  const items = (supports: Partial<DeclaredSupports>): readonly LargeSource[] => [
    largeSource(manyNews, { supports: { news: { ...nothingDeclared, ...supports } }, threshold: 200 }),
  ];
  const matching = (fleet: Fleet, ask: OracleQuery): number =>
    expectedList(allRecords(ask.resource, fleet.sources), ask).total;

  it.each<[string, Partial<OracleQuery>, string]>([
    ['country', { country: ['no', 'br'] }, 'country=BR,NO'],
    ['host', { filters: [['host', 'ØRESUND äpfel']] }, 'host=ØRESUND äpfel'],
    ['region', { region: 'africa' }, 'region=africa'],
    ['team', { team: 'Zebra' }, 'team=Zebra'],
  ])('are sent, %s too, and only what matches is fetched', async (name, asked, sent) => {
    const fleet = await Fleet.of(teams({ filters: [name], total: true, exact: true }, { threshold: 100 }));
    const ask = makeQuery(DIRECTORY_TEAMS, asked);
    await fleet.look(makeQuery(DIRECTORY_TEAMS));
    // The page behind the last one, for nobody says that the first had room for more.
    const matches = matching(fleet, ask);
    expect(await fleet.askOne(ask)).toEqual([`${sent} 0+100`, `${sent} ${matches}+100`]);
    expect(fleet.received).toBe(matches);
    expect(fleet.received).toBeLessThan(100);
  });

  it('and q are sent where it is known to leave out no match', async () => {
    const fleet = await Fleet.of(teams({ search: true, exact: true }));
    const ask = makeQuery(DIRECTORY_TEAMS, { q: 'zebra' });
    await fleet.look(makeQuery(DIRECTORY_TEAMS));
    expect((await fleet.askOne(ask))[0]).toBe('q=zebra 0+100');
    // The source-name is stamped here, and nothing that the source searches.
    expect(await statesOf(fleet, makeQuery(DIRECTORY_TEAMS, { q: 'on' }))).toEqual(['partial too-large']);
    expect(fleet.asked()).toEqual({ one: [] });
  });

  it('are sent as bounds to the second', async () => {
    const fleet = await Fleet.of(items({ filters: ['before', 'after'] }));
    const ask = makeQuery(NEWS, { after: '2025-12-20T10:00:00.250+01:00', before: '2025-12-25' });
    await fleet.look(makeQuery(NEWS));
    expect((await fleet.askOne(ask))[0]).toBe('after=2025-12-20T09:00:00+00:00 before=2025-12-25T00:00:00+00:00 0+100');
    expect(fleet.received).toBe(matching(fleet, ask));
  });

  it('are sent as days, widened, where the source is coarse, and the rest is done here', async () => {
    const fleet = await Fleet.of(items({ coarse: ['before', 'after'] }));
    const ask = makeQuery(NEWS, { after: '2025-12-20T10:00:00Z', before: '2025-12-25' });
    await fleet.look(makeQuery(NEWS));
    expect((await fleet.askOne(ask))[0]).toBe('after=2025-12-18 before=2025-12-27 0+100');
    expect(fleet.received).toBeGreaterThan(matching(fleet, ask));
    expect(fleet.received).toBeLessThan(100);
  });

  it('that are not known are done here, of what the others leave', async () => {
    const fleet = await Fleet.of(teams({ filters: ['country'], sort: ['short-team-name'], total: true }));
    const ask = makeQuery(DIRECTORY_TEAMS, { country: ['no'], filters: [['host', 'Host 2']], limit: 1 });
    await fleet.look(makeQuery(DIRECTORY_TEAMS));
    // No limit travels, and no order either: all that is left has to come.
    expect((await fleet.askOne(ask))[0]).toBe('country=NO 0+100');
    expect(fleet.received).toBe(matching(fleet, makeQuery(DIRECTORY_TEAMS, { country: ['no'] })));
  });
});

async function statesOf(
  fleet: Fleet,
  ask: OracleQuery,
  headers: Readonly<Record<string, string>> = {},
): Promise<readonly string[]> {
  const got = await fleet.scene.gateway.get(requestTarget(ask), headers);
  return [...readReportedStates(got).values()].map(({ state, reason }) => `${state} ${reason ?? ''}`.trim());
}

describe('a limit', () => {
  const NORWAY = makeQuery(DIRECTORY_TEAMS, { country: ['no'], limit: 3 });

  it('travels with filters, order and total', async () => {
    const fleet = await Fleet.of([largeSource(manyTeams)]);
    await fleet.look(makeQuery(DIRECTORY_TEAMS));
    // A page of the matches is checked, and what is behind the last of them.
    expect(await fleet.askOne(NORWAY)).toEqual([
      'country=NO sort=short-team-name 0+100',
      'country=NO sort=short-team-name 27+1',
    ]);
    const byDate = sortedBy('last-modified', true);
    expect(await fleet.askOne(makeQuery(DIRECTORY_TEAMS, { limit: 9, ...byDate }))).toEqual([
      'sort=-last-modified 0+10',
    ]);
  });

  it('of texts has their order checked over the whole stream, once an hour', async () => {
    const clock = fakeClock();
    const fleet = await Fleet.of([largeSource(manyTeams)], {}, undefined, clock);
    await fleet.look(makeQuery(DIRECTORY_TEAMS));
    const byName = makeQuery(DIRECTORY_TEAMS, { limit: 9, ...sortedBy('official-team-name', true) });
    const [first, ...looks] = [0, 133].map((offset) => `sort=-official-team-name ${offset}+100`);
    expect(await fleet.askOne(byName)).toEqual([first, ...looks, 'sort=-official-team-name 199+2']);
    for (const passed of [0.9 * HOUR, 0.2 * HOUR]) {
      clock.advance(passed);
      await fleet.look(makeQuery(DIRECTORY_TEAMS));
      const asked = await fleet.askOne(byName);
      expect(asked).toHaveLength(passed > 0.5 * HOUR ? 1 : 3);
    }
  });

  it('beside a filter has the last match checked', async () => {
    const directory = (manyTeams.directory ?? []).map((team) => ({ ...team, 'country-code': 'NO' }));
    const fleet = await Fleet.of([
      largeSource({ directory: [...directory.slice(0, 150), ...(manyTeams.directory ?? []).slice(150)] }),
    ]);
    await fleet.look(makeQuery(DIRECTORY_TEAMS));
    const ask = { ...NORWAY, ...sortedBy('last-modified') };
    const matches = expectedList(allRecords(DIRECTORY_TEAMS, fleet.sources), ask).total;
    expect(matches).toBeGreaterThan(100);
    expect(await fleet.askOne(ask)).toEqual([
      'country=NO sort=last-modified 0+100',
      `country=NO sort=last-modified ${matches - 1}+2`,
    ]);
  });

  it.each<[string, Partial<DeclaredSupports>]>([
    ['total', { total: false }],
    ['order', { sort: ['-short-team-name'] }],
  ])('does not travel where the %s is not known', async (_, lacking) => {
    const supports = { teams: { ...everythingDeclared.teams, ...lacking } };
    const fleet = await Fleet.of([largeSource(manyTeams, { supports })]);
    await fleet.look(makeQuery(DIRECTORY_TEAMS));
    expect((await fleet.askOne(NORWAY))[0]).toBe('country=NO 0+100');
    expect(await statesOf(fleet, makeQuery(DIRECTORY_TEAMS, { limit: 3 }))).toEqual(['partial too-large']);
    expect(fleet.asked()).toEqual({ one: [] });
  });

  it('does not travel with a filter that is not known', async () => {
    const supports = { teams: { ...everythingDeclared.teams, filters: [] } };
    const fleet = await Fleet.of([largeSource(manyTeams, { supports })]);
    await fleet.look(makeQuery(DIRECTORY_TEAMS));
    expect(await statesOf(fleet, NORWAY)).toEqual(['partial too-large']);
    expect(fleet.asked()).toEqual({ one: [] });
  });

  it('travels as far as there is memory for what stands before the page: behind that, the source is too large', async () => {
    const fleet = await Fleet.of([largeSource(manyTeams)], { 'page-size': 10, concurrency: 1 }, { memory: '16KiB' });
    await fleet.look(makeQuery(DIRECTORY_TEAMS));
    await fleet.ask(makeQuery(DIRECTORY_TEAMS, { limit: 5 }));
    const deep = makeQuery(DIRECTORY_TEAMS, { limit: 5, offset: 190 });
    expect(await statesOf(fleet, deep)).toEqual(['partial too-large']);
    expect(fleet.asked()['one']?.length).toBeLessThan(15);
    // That it is holds for a while.
    expect(await statesOf(fleet, deep)).toEqual(['partial too-large']);
    expect(fleet.asked()).toEqual({ one: [] });
  });

  it('is answered in part where the source counts what is no record here, until all of it is there', async () => {
    const nameless = { host: '!', 'country-code': 'NO' };
    const directory = [nameless, ...(manyTeams.directory ?? [])];
    const fleet = await Fleet.of([largeSource({ directory })]);
    const ask = makeQuery(DIRECTORY_TEAMS, { ...sortedBy('host'), limit: 3 });
    expect(await statesOf(fleet, ask)).toEqual(['partial total']);
    expect(await statesOf(fleet, { ...ask, limit: 10, offset: 30 })).toEqual(['partial total']);
    expect(await statesOf(fleet, { ...ask, limit: 300 })).toEqual(['fresh']);
  });

  it('travels in pages of the size that the source is asked for', async () => {
    const fleet = await Fleet.of([largeSource(manyTeams, { pageSize: 20 })], { concurrency: 1 });
    await fleet.look(makeQuery(DIRECTORY_TEAMS));
    expect(await fleet.askOne(makeQuery(DIRECTORY_TEAMS, { limit: 50, ...sortedBy('last-modified') }))).toEqual([
      'sort=last-modified 0+20',
      'sort=last-modified 19+20',
      'sort=last-modified 38+13',
    ]);
  });
});

describe('a source', () => {
  it('that is no larger than its threshold is asked for nothing but all that it has, once', async () => {
    const fleet = await Fleet.of([largeSource(manyTeams, { threshold: 200 })]);
    expect(await fleet.askOne(makeQuery(DIRECTORY_TEAMS, { country: ['no'], limit: 3 }))).toEqual([
      '0+100',
      '100+100',
      '200+100',
    ]);
    expect(await fleet.askOne(makeQuery(DIRECTORY_TEAMS, { ...sortedBy('host', true) }))).toEqual([]);
    expect(await fleet.askOne(makeQuery(DATA_TEAMS, { country: ['pt'] }))).toEqual([]);
  });

  it('that the query does not need is asked for nothing', async () => {
    const large = (code: string, number: number): LargeSource => largeSource(manyTeams, { code, number });
    const fleet = await Fleet.of([large('one', 1), large('two', 2)]);
    await fleet.look(makeQuery(DIRECTORY_TEAMS));
    const named = makeQuery(DIRECTORY_TEAMS, {
      filters: [['source-name', 'TWO']],
      ...sortedBy('last-modified'),
      limit: 4,
    });
    expect(await fleet.ask(named)).toEqual({ one: [], two: ['sort=last-modified 0+5'] });
    expect(await statesOf(fleet, makeQuery(NEWS))).toEqual(['excluded resource', 'excluded resource']);
    const covered = await Fleet.of([large('one', 1)], { coverage: { countries: ['SE'] } });
    expect(await statesOf(covered, makeQuery(DIRECTORY_TEAMS, { country: ['no'] }))).toEqual(['excluded coverage']);
    expect(covered.asked()).toEqual({ one: [] });
  });

  it('is told nothing of a private query', async () => {
    const fleet = await Fleet.of([largeSource(manyTeams)]);
    const ask = makeQuery(DIRECTORY_TEAMS, { country: ['no'], limit: 3 });
    const got = await fleet.scene.gateway.get(requestTarget(ask), { prefer: 'private' });
    expect([got.status, got.headers.get('source-status')]).toEqual([503, 'one;state=failed;reason=private']);
    // All of it would do, and is too large.
    expect(fleet.asked()).toEqual({ one: ['0+100', '0+100', '100+100', '200+100'] });
    // What is held of the same query, asked openly, is given.
    await fleet.ask(ask);
    fleet.asked();
    expect((await fleet.scene.gateway.get(requestTarget(ask), { prefer: 'private' })).status).toBe(200);
    expect(fleet.asked()).toEqual({ one: [] });
  });

  it.each<[string, OracleQuery]>([
    ['scope=pgp', makeQuery(DATA_TEAMS, { scope: 'pgp', country: ['no'] })],
    ['a channel', makeQuery(NEWS, { channel: 'News', before: '2025-12-25' })],
  ])('is not pushed down to for %s', async (_, ask) => {
    const fleet = await Fleet.of([largeSource(manyNews)]);
    expect(await statesOf(fleet, ask)).toEqual(['partial too-large']);
    expect(fleet.asked()['one']?.filter((one) => !/^\d/.test(one))).toEqual([]);
  });
});
