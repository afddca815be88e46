import { afterEach, describe, expect, it } from 'vitest';
import { target } from '../oracle/ask.js';
import { DIRECTORY, NEWS, TEAMS } from '../oracle/nouns.js';
import { everything, expected } from '../oracle/oracle.js';
import type { Ask } from '../oracle/oracle.js';
import type { Name, Pushed } from '../oracle/pushed-fleet.js';
import { openScene } from '../oracle/pushed-running.js';
import type { Scene } from '../oracle/pushed-running.js';
import { asking, largeSource, manyNews, manyTeams, nothingClaimed } from '../oracle/pushed-scene.js';
import { recordsIn } from '../oracle/running.js';
import { toldBy } from '../oracle/told.js';
import type { Told } from '../oracle/told.js';
import { fakeClock } from '../support/clock.js';
import type { FakeClock } from '../support/clock.js';

/** Milliseconds: the time to live, and what is given beyond it while it is refreshed, both as configured by default. */
const TTL = 60_000;
const WHILE_REVALIDATE = 300_000;

const FRESH: Told = { state: 'fresh', reason: undefined };

const open: Scene[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((scene) => scene.close()));
});

/** A liar of which everything is claimed, and what is seen of it. */
class Lie {
  private constructor(
    readonly source: Pushed,
    readonly scene: Scene,
    readonly clock: FakeClock,
  ) {}

  static async of(habits: readonly Name[], ask: Ask, more: Partial<Pushed> = {}): Promise<Lie> {
    const source = largeSource(ask.noun === DIRECTORY ? manyTeams : manyNews, { habits, honest: false, ...more });
    const clock = fakeClock();
    const scene = await openScene([source], { clock });
    open.push(scene);
    return new Lie(source, scene, clock);
  }

  /** Asks; the answer is exact, and of all that there is, in whatever state that is told. */
  async ask(ask: Ask, { state, reason }: Told = FRESH): Promise<void> {
    const got = await this.scene.rollcall.get(target(ask));
    expect(toldBy(got).get('one')).toEqual({ state, reason });
    const { total, data } = expected(everything(ask.noun, [this.source]), ask);
    expect([got.headers.get('x-total-count'), recordsIn(got)]).toEqual([String(total), data]);
  }

  /** Capabilities that the operator's counter names, with their counts. */
  async counted(): Promise<readonly string[]> {
    const text = await this.scene.rollcall.metrics();
    const counts = text.matchAll(/^rollcall_source_capabilities_disproved_total\{(.*)\} (\d+)$/gm);
    return [...counts].map(([, labels = '', count = '']) => `${labels} ${count}`);
  }

  get logged(): readonly object[] {
    const { log } = this.scene.rollcall;
    return log
      .filter(({ message }) => message === 'capability disproved')
      .map(({ level, facts }) => ({ level, ...facts }));
  }

  /** Queries of the requests since so many had been made. */
  requests(from = 0): readonly URLSearchParams[] {
    return (this.scene.upstreams['one']?.requests ?? []).slice(from).map(({ query }) => query);
  }
}

const isNorway = { filters: [['country-code', 'NO']] } as const;
const sortedBy = (property: string, descending = false): Pick<Ask, 'sort'> => ({ sort: [{ property, descending }] });

/** What two items of `tellingNews` have at once. */
const MOMENT = String(manyNews.news?.[5]?.['published']);
const AT = new Date(MOMENT).toISOString();

/** Habits, what is asked, what that disproves, and as what it is seen. */
const LIES: readonly (readonly [habit: Name, ask: Ask, capability: string, evidence: RegExp])[] = [
  ['passes over filters', asking(DIRECTORY, { ...isNorway, limit: 20 }), 'filter country-code', /does not meet/],
  ['passes over filters', asking(DIRECTORY, { country: ['no', 'pt'], limit: 20 }), 'filter country', /does not meet/],
  ['passes over filters', asking(DIRECTORY, { region: 'Europe', limit: 20 }), 'filter region', /does not meet/],
  ['passes over filters', asking(DIRECTORY, { team: 'zebra', limit: 20 }), 'filter team', /does not meet/],
  [
    'passes over filters',
    asking(TEAMS, { filters: [['host', 'øresund äpfel']], limit: 20 }),
    'filter host',
    /does not meet/,
  ],
  ['passes over filters', asking(TEAMS, { q: 'portugal', limit: 20 }), 'filter q', /does not meet/],
  ['passes over filters', asking(NEWS, { before: '2025-12-01', limit: 20 }), 'filter before', /does not meet/],
  [
    'passes over filters',
    asking(NEWS, { after: '2025-12-01', ...sortedBy('published') }),
    'filter after',
    /does not meet/,
  ],
  [
    'passes over filters',
    asking(NEWS, { link: 'https://www.example.org/9', limit: 20 }),
    'filter link',
    /does not meet/,
  ],
  ['includes before', asking(NEWS, { before: AT, limit: 5 }), 'filter before', /does not meet/],
  ['includes after', asking(NEWS, { after: AT, ...sortedBy('published'), limit: 5 }), 'filter after', /does not meet/],
  ['takes times for those of another zone', asking(NEWS, { after: AT }), 'filter after', /does not meet/],
  ['passes over sort', asking(DIRECTORY, { limit: 20 }), 'sort short-team-name', /came too late/],
  ['passes over sort', asking(TEAMS, { ...sortedBy('last-modified', true) }), 'sort -last-modified', /came too late/],
  ['passes over sort', asking(NEWS, { ...sortedBy('title'), limit: 3 }), 'sort title', /came too late/],
  ['passes over sort beside a filter', asking(DIRECTORY, isNorway), 'sort short-team-name', /came too late/],
  [
    'passes over directions',
    asking(DIRECTORY, sortedBy('short-team-name', true)),
    'sort -short-team-name',
    /came too late/,
  ],
  ['passes over directions', asking(NEWS, { limit: 3 }), 'sort -published', /came too late/],
  ['puts upper case before lower case', asking(DIRECTORY, { limit: 30 }), 'sort short-team-name', /came too late/],
  ['puts letters with marks behind z', asking(DIRECTORY, { limit: 30 }), 'sort short-team-name', /came too late/],
  ['puts Å, Ä and Ö behind z', asking(TEAMS, { limit: 30 }), 'sort team', /came too late/],
  ['sorts as a language does', asking(TEAMS, { limit: 30 }), 'sort team', /came too late/],
  ['sorts without punctuation', asking(TEAMS, { limit: 30 }), 'sort team', /came too late/],
  [
    'puts what lacks a value first',
    asking(TEAMS, { ...sortedBy('last-modified'), limit: 5 }),
    'sort last-modified',
    /came too late/,
  ],
  ['counts the page', asking(DIRECTORY, { limit: 20 }), 'total', /counts \d+, and gives more/],
  ['counts the page', asking(NEWS, { limit: 0 }), 'total', /counts 1, and gives more/],
  ['counts nothing', asking(DIRECTORY, { limit: 20 }), 'total', /does not say how many/],
  ['counts too few', asking(DIRECTORY, { ...isNorway }), 'total', /counts \d+, and gives \d+/],
  ['counts too few', asking(NEWS, { limit: 300 }), 'total', /counts \d+, and gives/],
  [
    'counts all beside a filter',
    asking(DIRECTORY, { ...isNorway }),
    'total',
    /counts \d+, and gives nothing behind \d+/,
  ],
  ['passes over offset', asking(DIRECTORY, { limit: 150 }), 'total', /gives the first page again/],
  ['passes over offset', asking(NEWS, { limit: 1, offset: 120 }), 'total', /gives the first page again/],
  [
    'passes over offset beside a filter',
    asking(NEWS, { before: '2026-01-01', limit: 150 }),
    'total',
    /gives the first page again/,
  ],
];

interface Lied {
  readonly more?: Partial<Pushed>;
  readonly habit: Name;
  readonly ask: Ask;
  readonly capability: string;
  readonly evidence: RegExp;
  /** As what all that it has is told, where that is doubted too. */
  readonly told?: Told;
}

/** Asks, and looks at what that disproves, now and later. */
async function seen({ habit, ask, capability, evidence, told = FRESH, more = {} }: Lied): Promise<void> {
  const lie = await Lie.of([habit], ask, more);
  await lie.ask(ask, told);
  const resource = RESOURCES[ask.noun.name];
  expect(await lie.counted()).toEqual([`source="one",resource="${resource}",capability="${capability}" 1`]);
  const seenAs = expect.stringMatching(evidence) as string;
  expect(lie.logged).toEqual([{ level: 'warn', source: 'one', resource, capability, evidence: seenAs }]);
  const before = lie.requests().length;
  await lie.ask({ ...ask, limit: 7, offset: 3 });
  // All of it is held now, and nothing more is asked of it; where that is doubtful, what is still believed of the source gives the better answer.
  if (told === FRESH) expect(lie.requests()).toHaveLength(before);
  // When that is over, it is not asked for the same again.
  lie.clock.advance(TTL + WHILE_REVALIDATE + 1);
  await lie.scene.rollcall.get(target(ask));
  const later = lie.requests(before);
  expect(later.length).toBeGreaterThan(0);
  expect(later.filter((query) => asksFor(query, capability)).map(String)).toEqual([]);
  expect(await lie.counted()).toHaveLength(1);
}

const RESOURCES = { directory: 'directory-teams', teams: 'data-teams', news: 'news', channels: 'channels' };

/** Whether a request rests on a capability. On the total those do that ask for the start of an order. */
function asksFor(query: URLSearchParams, capability: string): boolean {
  const [claim, name = ''] = capability.split(' ');
  if (claim === 'filter') return query.has(name);
  return claim === 'sort' ? query.get('sort') === name : query.has('sort');
}

describe('a source that is said to do all that this house does', () => {
  const cases = LIES.map(([habit, ask, capability, evidence]) => ({
    habit,
    ask,
    capability,
    evidence,
    title: target(ask),
  }));

  it.each(cases)('and that $habit, is seen at $title: $capability is off, logged and counted, the answer exact', seen);

  it.each<[Name, Ask, Told]>([
    ['counts too many', asking(NEWS, { after: '2025-12-25' }), { state: 'partial', reason: 'window' }],
    ['counts too many', asking(TEAMS, { country: ['no'] }), { state: 'inconsistent', reason: 'total' }],
  ])('and that %s, is seen to, and what all that it has is told to be in doubt too', async (habit, ask, told) => {
    await seen({ habit, ask, capability: 'total', evidence: /counts \d+, and gives nothing behind \d+/, told });
  });

  it('of filters only, and that passes over them, is seen to though more comes than is drained', async () => {
    const ask = asking(DIRECTORY, { ...isNorway, limit: 20 });
    const supports = { teams: { ...nothingClaimed, filters: ['country-code'] } };
    await seen({
      ask,
      habit: 'passes over filters',
      capability: 'filter country-code',
      evidence: /does not meet/,
      more: { supports },
    });
  });

  it('and that gives more than it is asked for, is none the worse for it', async () => {
    const ask = asking(DIRECTORY, { ...isNorway, limit: 3 });
    const lie = await Lie.of(['passes over limit'], ask);
    await lie.ask(ask);
    expect([await lie.counted(), lie.logged]).toEqual([[], []]);
  });
});
