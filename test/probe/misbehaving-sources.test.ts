import { describe, expect, it } from 'vitest';
import type { BehaviourName, RepositoryLists } from '../support/repository/simulated-repository.js';
import type { RawRecord } from '../support/upstream/paged-responses.js';
import { probeRepository, distinctiveNews, distinctiveTeams } from '../support/repository/run-probe.js';
import type { ProbeRun, ProbeRunOptions } from '../support/repository/run-probe.js';

/** What is probed: small enough to be read whole, or too large for the budget. */
interface Shape {
  readonly lists: RepositoryLists;
  readonly path: 'teams' | 'news';
  readonly behaviours: readonly BehaviourName[];
  readonly probing: ProbeRunOptions;
}

const NEWS = { resources: ['news'] };

/** Portugal's, written as people write it, and so many that no question has room for them. */
function inTheUk(teams: readonly RawRecord[]): readonly RawRecord[] {
  return teams.map((team) => (team['country-code'] === 'PT' ? { ...team, 'country-code': 'UK' } : team));
}

/** One in three with white space behind its host: what it says is read without, and whoever compares what is written leaves it out. */
function looselyWritten(teams: readonly RawRecord[]): readonly RawRecord[] {
  return teams.map((team, at) => (at % 3 === 0 ? { ...team, host: `${String(team['host'])} ` } : team));
}

/** Two hours from any item there is another one. */
function everyHour(items: readonly RawRecord[]): readonly RawRecord[] {
  const last = Date.UTC(2026, 0, 1, 9, 30);
  return items.map((item, at) => ({ ...item, published: new Date(last - at * 3_600_000).toUTCString() }));
}

const shapes = {
  'teams that can be read': {
    lists: { directory: distinctiveTeams(153, 'directory') },
    path: 'teams',
    behaviours: ['gives 100 at most'],
    probing: {},
  },
  'teams on one page': {
    lists: { directory: distinctiveTeams(90, 'directory') },
    path: 'teams',
    behaviours: [],
    probing: {},
  },
  'teams that are in the UK': {
    lists: { directory: inTheUk(distinctiveTeams(153, 'directory')) },
    path: 'teams',
    behaviours: ['gives 100 at most'],
    probing: {},
  },
  'teams that are loosely written': {
    lists: { directory: looselyWritten(distinctiveTeams(153, 'directory')) },
    path: 'teams',
    behaviours: ['gives 100 at most'],
    probing: {},
  },
  'more teams than can be read': {
    lists: { directory: distinctiveTeams(905, 'directory') },
    path: 'teams',
    behaviours: ['gives 30 at most'],
    probing: { budget: 24 },
  },
  'news that can be read': {
    lists: { news: distinctiveNews(160) },
    path: 'news',
    behaviours: ['gives 100 at most'],
    probing: { registered: NEWS },
  },
  'more news than can be read': {
    lists: { news: distinctiveNews(910) },
    path: 'news',
    behaviours: ['gives 30 at most'],
    probing: { registered: NEWS },
  },
  'more news than can be read, one an hour': {
    lists: { news: everyHour(distinctiveNews(910)) },
    path: 'news',
    behaviours: ['gives 30 at most'],
    probing: { registered: NEWS },
  },
} satisfies Readonly<Record<string, Shape>>;

type ShapeName = keyof typeof shapes;

async function probed(name: ShapeName, behaviours: readonly BehaviourName[]): Promise<ProbeRun> {
  const shape: Shape = shapes[name];
  return probeRepository(shape.lists, [...shape.behaviours, ...behaviours], {
    budget: 20,
    ...BUDGET[name],
    ...shape.probing,
  });
}

/** What is read whole may be asked about as long as there is something to ask. */
const BUDGET: Readonly<Record<ShapeName, ProbeRunOptions>> = {
  'teams that can be read': { budget: 60 },
  'teams on one page': { budget: 60 },
  'teams that are in the UK': { budget: 60 },
  'teams that are loosely written': { budget: 60 },
  'more teams than can be read': {},
  'news that can be read': { budget: 60 },
  'more news than can be read': {},
  'more news than can be read, one an hour': {},
};

/** What a probe said of some topics, those that it believes marked by the grant. */
function believed({ report }: ProbeRun, path: 'teams' | 'news'): readonly string[] {
  const { filters = [], coarse = [], sort = [], total = false } = report.supports[path] ?? {};
  return [
    ...filters.map((name) => `filter ${name}`),
    ...coarse.map((name) => `coarse ${name}`),
    ...sort.map((name) => `sort ${name}`),
    ...(total ? ['total'] : []),
  ];
}

const SORTS = ['sort short-team-name', 'sort -short-team-name'];
const DATES = ['sort last-modified', 'sort -last-modified'];
const NEWS_SORTS = ['sort published', 'sort -published'];
const BOUNDS = ['filter before', 'filter after'];
const EXACT = ['filter host', 'filter country-code', 'filter short-team-name'];

describe('a repository that does all as it is specified', () => {
  it.each<[ShapeName, BehaviourName, readonly string[]]>([
    ['teams that can be read', 'honours', [...SORTS, ...DATES, 'filter country', ...EXACT, 'total']],
    ['teams that can be read', 'answers late', [...SORTS, ...DATES, 'filter country', ...EXACT, 'total']],
    [
      'teams that can be read',
      'compares codes as it writes them',
      [...SORTS, ...DATES, 'filter country', ...EXACT, 'total'],
    ],
    ['teams that can be read', 'gives 30 at most', [...SORTS, ...DATES, 'filter country', ...EXACT, 'total']],
    ['teams that can be read', 'counts nothing', [...SORTS, ...DATES, 'filter country', ...EXACT]],
    ['more teams than can be read', 'honours', [...SORTS, ...DATES, 'filter country', 'total']],
    ['news that can be read', 'honours', [...NEWS_SORTS, ...BOUNDS, 'total']],
    ['more news than can be read', 'honours', [...NEWS_SORTS, ...BOUNDS, 'total']],
    ['more news than can be read, one an hour', 'honours', [...NEWS_SORTS, ...BOUNDS, 'total']],
  ])('with %s, that %s, is believed', async (shape, behaviour, proved) => {
    const found = await probed(shape, [behaviour]);
    expect([...believed(found, shapes[shape].path)].sort()).toEqual([...proved].sort());
  });
});

/** A habit, and what must not be believed for it. */
const LIES: readonly (readonly [BehaviourName, readonly ShapeName[], readonly string[]])[] = [
  ['passes over filters', ['teams that can be read', 'more teams than can be read'], ['filter country', ...EXACT]],
  ['passes over filters', ['news that can be read', 'more news than can be read'], BOUNDS],
  ['passes over sort', ['teams that can be read', 'more teams than can be read'], [...SORTS, ...DATES]],
  ['passes over sort', ['news that can be read', 'more news than can be read'], NEWS_SORTS],
  ['refuses sort', ['teams that can be read', 'more news than can be read'], [...SORTS, ...DATES, ...NEWS_SORTS]],
  [
    'passes over directions',
    ['teams that can be read', 'more teams than can be read'],
    [SORTS[1] ?? '', DATES[1] ?? ''],
  ],
  ['passes over directions', ['news that can be read', 'more news than can be read'], ['sort -published']],
  ['passes over sort beside a filter', ['teams that can be read', 'more teams than can be read'], ['filter country']],
  ['passes over sort beside a filter', ['news that can be read', 'more news than can be read'], ['filter before']],
  [
    'passes over offset',
    ['teams that can be read', 'more teams than can be read'],
    ['total', ...SORTS, 'filter country'],
  ],
  ['passes over offset', ['news that can be read', 'more news than can be read'], ['total', ...NEWS_SORTS, ...BOUNDS]],
  [
    'passes over offset beside a filter',
    ['teams that can be read', 'more teams than can be read'],
    ['filter country', ...EXACT],
  ],
  ['passes over offset beside a filter', ['news that can be read', 'more news than can be read'], BOUNDS],
  ['sorts the first page only', ['teams that can be read', 'more teams than can be read'], [...SORTS, ...DATES]],
  ['sorts the first page only', ['news that can be read', 'more news than can be read'], NEWS_SORTS],
  ['sorts the first page only', ['teams on one page'], [...SORTS, ...DATES]],
  ['sorts page by page', ['teams on one page'], [...SORTS, ...DATES]],
  ['counts the page', ['teams on one page'], ['total']],
  ['sorts by an index that lags', ['teams that can be read'], [...SORTS, ...DATES]],
  ['sorts by an index that lags', ['more teams than can be read'], SORTS],
  ['sorts page by page', ['teams that can be read', 'more teams than can be read'], [...SORTS, ...DATES]],
  ['sorts page by page', ['news that can be read', 'more news than can be read'], NEWS_SORTS],
  ['puts upper case before lower case', ['teams that can be read', 'more teams than can be read'], SORTS],
  ['puts letters with marks behind z', ['teams that can be read', 'more teams than can be read'], SORTS],
  ['puts Å, Ä and Ö behind z', ['teams that can be read', 'more teams than can be read'], SORTS],
  ['sorts as a language does', ['teams that can be read', 'more teams than can be read'], SORTS],
  ['sorts without punctuation', ['teams that can be read', 'more teams than can be read'], SORTS],
  ['puts what lacks a value first', ['teams that can be read', 'more teams than can be read'], DATES],
  [
    'leaves out every third match',
    ['teams that can be read', 'more teams than can be read'],
    ['filter country', ...EXACT],
  ],
  ['leaves out every third match', ['news that can be read', 'more news than can be read'], BOUNDS],
  [
    'leaves out every third match, but counts it',
    ['teams that can be read', 'more teams than can be read'],
    ['filter country', ...EXACT],
  ],
  ['leaves out every third match, but counts it', ['news that can be read', 'more news than can be read'], BOUNDS],
  ['looks at the first country only', ['teams that can be read', 'more teams than can be read'], ['filter country']],
  ['hears the first code only', ['teams that can be read', 'more teams than can be read'], ['filter country']],
  ['compares codes as it writes them', ['teams that are in the UK'], ['filter country', 'filter country-code']],
  ['honours', ['teams that are loosely written'], ['filter host']],
  ['compares case', ['teams that can be read'], EXACT],
  ['compares marks', ['teams that can be read'], ['filter host', 'filter short-team-name']],
  ['includes before', ['news that can be read', 'more news than can be read'], ['filter before']],
  ['includes after', ['news that can be read', 'more news than can be read'], ['filter after']],
  [
    'takes before by the day',
    ['news that can be read', 'more news than can be read'],
    ['filter before', 'coarse before'],
  ],
  ['takes after by the day', ['news that can be read', 'more news than can be read'], ['filter after', 'coarse after']],
  [
    'takes times for those of another zone',
    ['news that can be read', 'more news than can be read', 'more news than can be read, one an hour'],
    [...BOUNDS, 'coarse before'],
  ],
  ['counts the page', ['teams that can be read', 'more teams than can be read', 'news that can be read'], ['total']],
  ['counts too many', ['teams that can be read', 'more teams than can be read', 'news that can be read'], ['total']],
  ['counts too few', ['teams that can be read', 'more teams than can be read', 'news that can be read'], ['total']],
  [
    'counts all beside a filter',
    ['teams that can be read', 'more teams than can be read'],
    ['filter country', ...EXACT],
  ],
  ['counts all beside a filter', ['news that can be read', 'more news than can be read'], BOUNDS],
  ['counts nothing', ['teams that can be read', 'more teams than can be read', 'news that can be read'], ['total']],
  ['drifts', ['teams that can be read'], ['filter country', ...SORTS]],
  ['drifts', ['more teams than can be read'], SORTS],
  ['drifts', ['news that can be read', 'more news than can be read'], NEWS_SORTS],
  // It has grown up after twenty requests: what is asked then is answered as it should be.
  ['grows', ['teams that can be read', 'news that can be read'], ['total']],
  [
    'grows',
    ['more teams than can be read', 'more news than can be read'],
    [...EXACT, ...BOUNDS, 'filter country', 'total'],
  ],
];

describe('a repository that lies', () => {
  const cases = LIES.flatMap(([behaviour, all, lies]) => all.map((shape) => [behaviour, shape, lies] as const));
  it.each(cases)('that %s, with %s, is not believed in that', async (behaviour, shape, lies) => {
    const found = await probed(shape, [behaviour]);
    expect(believed(found, shapes[shape].path).filter((claim) => lies.includes(claim))).toEqual([]);
    expect(found.requests).toBeLessThanOrEqual(found.report.budget);
    expect(found.requests).toBe(found.report.requests);
  });

  it('in one thing is believed in the others', async () => {
    const found = await probed('teams that can be read', ['looks at the first country only', 'counts the page']);
    expect(believed(found, 'teams')).toEqual(expect.arrayContaining([...SORTS, ...DATES]));
    const other = await probed('teams that can be read', ['sorts the first page only']);
    expect(believed(other, 'teams')).toEqual(expect.arrayContaining(['filter country', ...EXACT, 'total']));
  });

  it('by including its bounds is known for what it is, where all is read', async () => {
    const before = await probed('news that can be read', ['includes before', 'includes after']);
    expect(believed(before, 'news')).toEqual(expect.arrayContaining(['coarse before', 'coarse after']));
  });
});
