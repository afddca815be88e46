import { describe, expect, it } from 'vitest';
import type { BehaviourName, RepositoryLists } from '../support/repository/simulated-repository.js';
import type { RawRecord } from '../support/upstream/paged-responses.js';
import { probeRepository, distinctiveNews, distinctiveTeams } from '../support/gateway/run-probe.js';
import type { ProbeRun, ProbeRunOptions } from '../support/gateway/run-probe.js';

/** A probed source. */
interface Shape {
  readonly lists: RepositoryLists;
  readonly path: 'teams' | 'news';
  readonly behaviours: readonly BehaviourName[];
  readonly probing: ProbeRunOptions;
}

const NEWS = { resources: ['news'] };

/** Replaces PT by UK, which reads as GB, in so many teams that no request can hold all of them. */
function moveToUk(teams: readonly RawRecord[]): readonly RawRecord[] {
  return teams.map((team) => (team['country-code'] === 'PT' ? { ...team, 'country-code': 'UK' } : team));
}

/** Adds a space to the host of every third team. Rollcall reads the value without it; a source that compares the text as written omits the team. */
function padHosts(teams: readonly RawRecord[]): readonly RawRecord[] {
  return teams.map((team, at) => (at % 3 === 0 ? { ...team, host: `${String(team['host'])} ` } : team));
}

const shapes = {
  'teams that can be read': {
    lists: { directory: distinctiveTeams(153, 'directory') },
    path: 'teams',
    behaviours: ['caps pages at 100'],
    probing: {},
  },
  'teams on one page': {
    lists: { directory: distinctiveTeams(90, 'directory') },
    path: 'teams',
    behaviours: [],
    probing: {},
  },
  'teams that are in the UK': {
    lists: { directory: moveToUk(distinctiveTeams(153, 'directory')) },
    path: 'teams',
    behaviours: ['caps pages at 100'],
    probing: {},
  },
  'teams that are loosely written': {
    lists: { directory: padHosts(distinctiveTeams(153, 'directory')) },
    path: 'teams',
    behaviours: ['caps pages at 100'],
    probing: {},
  },
  'news that can be read': {
    lists: { news: distinctiveNews(160) },
    path: 'news',
    behaviours: ['caps pages at 100'],
    probing: { registered: NEWS },
  },
} satisfies Readonly<Record<string, Shape>>;

type ShapeName = keyof typeof shapes;

async function probed(name: ShapeName, behaviours: readonly BehaviourName[]): Promise<ProbeRun> {
  const shape: Shape = shapes[name];
  return probeRepository(shape.lists, [...shape.behaviours, ...behaviours], shape.probing);
}

/** The claims of the `supports:` block that a probe derives. */
function provedClaims({ report }: ProbeRun, path: 'teams' | 'news'): readonly string[] {
  const { filters = [], sort = [], total = false } = report.supports[path] ?? {};
  return [
    ...filters.map((name) => `filter ${name}`),
    ...sort.map((name) => `sort ${name}`),
    ...(total ? ['total'] : []),
  ];
}

const SORTS = ['sort short-team-name', 'sort -short-team-name'];
const DATES = ['sort last-modified', 'sort -last-modified'];
const NEWS_SORTS = ['sort published', 'sort -published'];
const BOUNDS = ['filter before', 'filter after'];
const EXACT = ['filter host', 'filter country-code', 'filter short-team-name'];

describe('probe of a correct repository', () => {
  it.each<[ShapeName, BehaviourName, readonly string[]]>([
    ['teams that can be read', 'honours every parameter', [...SORTS, ...DATES, 'filter country', ...EXACT, 'total']],
    ['teams that can be read', 'responds late', [...SORTS, ...DATES, 'filter country', ...EXACT, 'total']],
    [
      'teams that can be read',
      'compares country codes as written',
      [...SORTS, ...DATES, 'filter country', ...EXACT, 'total'],
    ],
    ['teams that can be read', 'caps pages at 30', [...SORTS, ...DATES, 'filter country', ...EXACT, 'total']],
    ['teams that can be read', 'reports no total', [...SORTS, ...DATES, 'filter country', ...EXACT]],
    ['news that can be read', 'honours every parameter', [...NEWS_SORTS, ...BOUNDS, 'total']],
  ])('proves the capabilities of a repository with %s that %s', async (shape, behaviour, proved) => {
    const found = await probed(shape, [behaviour]);
    expect([...provedClaims(found, shapes[shape].path)].sort()).toEqual([...proved].sort());
  });
});

/** A fault, the sources that have it, and the claims that a probe must not prove. */
const FAULTS: readonly (readonly [BehaviourName, readonly ShapeName[], readonly string[]])[] = [
  ['ignores filters', ['teams that can be read'], ['filter country', ...EXACT]],
  ['ignores filters', ['news that can be read'], BOUNDS],
  ['ignores sort', ['teams that can be read'], [...SORTS, ...DATES]],
  ['ignores sort', ['news that can be read'], NEWS_SORTS],
  ['rejects sort', ['teams that can be read'], [...SORTS, ...DATES, ...NEWS_SORTS]],
  ['ignores the direction of sort', ['teams that can be read'], [SORTS[1] ?? '', DATES[1] ?? '']],
  ['ignores the direction of sort', ['news that can be read'], ['sort -published']],
  ['ignores sort in a filtered request', ['teams that can be read'], ['filter country']],
  ['ignores sort in a filtered request', ['news that can be read'], ['filter before']],
  ['ignores offset', ['teams that can be read'], ['total', ...SORTS, 'filter country']],
  ['ignores offset', ['news that can be read'], ['total', ...NEWS_SORTS, ...BOUNDS]],
  ['ignores offset in a filtered request', ['teams that can be read'], ['filter country', ...EXACT]],
  ['ignores offset in a filtered request', ['news that can be read'], BOUNDS],
  ['sorts the first page only', ['teams that can be read'], [...SORTS, ...DATES]],
  ['sorts the first page only', ['news that can be read'], NEWS_SORTS],
  ['sorts the first page only', ['teams on one page'], [...SORTS, ...DATES]],
  ['sorts page by page', ['teams on one page'], [...SORTS, ...DATES]],
  ['reports the page size as total', ['teams on one page'], ['total']],
  ['sorts by a lagging index', ['teams that can be read'], [...SORTS, ...DATES]],
  ['sorts page by page', ['teams that can be read'], [...SORTS, ...DATES]],
  ['sorts page by page', ['news that can be read'], NEWS_SORTS],
  ['sorts upper case before lower case', ['teams that can be read'], SORTS],
  ['sorts letters with marks after z', ['teams that can be read'], SORTS],
  ['sorts Å, Ä and Ö after z', ['teams that can be read'], SORTS],
  ['sorts by English collation', ['teams that can be read'], SORTS],
  ['sorts without punctuation', ['teams that can be read'], SORTS],
  ['sorts missing values first', ['teams that can be read'], DATES],
  ['omits every third match', ['teams that can be read'], ['filter country', ...EXACT]],
  ['omits every third match', ['news that can be read'], BOUNDS],
  ['omits every third match but counts it', ['teams that can be read'], ['filter country', ...EXACT]],
  ['omits every third match but counts it', ['news that can be read'], BOUNDS],
  ['compares the first country property only', ['teams that can be read'], ['filter country']],
  ['uses the first country code only', ['teams that can be read'], ['filter country']],
  ['compares country codes as written', ['teams that are in the UK'], ['filter country', 'filter country-code']],
  ['honours every parameter', ['teams that are loosely written'], ['filter host']],
  ['compares upper and lower case', ['teams that can be read'], EXACT],
  ['compares marks', ['teams that can be read'], ['filter host', 'filter short-team-name']],
  ['treats before as inclusive', ['news that can be read'], ['filter before']],
  ['treats after as inclusive', ['news that can be read'], ['filter after']],
  ['rounds before to the day', ['news that can be read'], ['filter before']],
  ['rounds after to the day', ['news that can be read'], ['filter after']],
  ['reads times in another time zone', ['news that can be read'], [...BOUNDS]],
  ['reports the page size as total', ['teams that can be read', 'news that can be read'], ['total']],
  ['reports too large a total', ['teams that can be read', 'news that can be read'], ['total']],
  ['reports too small a total', ['teams that can be read', 'news that can be read'], ['total']],
  ['ignores filters in the total', ['teams that can be read'], ['filter country', ...EXACT]],
  ['ignores filters in the total', ['news that can be read'], BOUNDS],
  ['reports no total', ['teams that can be read', 'news that can be read'], ['total']],
  ['drifts', ['teams that can be read'], ['filter country', ...SORTS]],
  ['drifts', ['news that can be read'], NEWS_SORTS],
  ['grows', ['teams that can be read', 'news that can be read'], ['total']],
];

describe('probe of a faulty repository', () => {
  const cases = FAULTS.flatMap(([behaviour, all, untrue]) => all.map((shape) => [behaviour, shape, untrue] as const));
  it.each(cases)('that %s, with %s, does not prove the affected capabilities', async (behaviour, shape, untrue) => {
    const found = await probed(shape, [behaviour]);
    expect(provedClaims(found, shapes[shape].path).filter((claim) => untrue.includes(claim))).toEqual([]);
    expect(found.requests).toBe(found.report.requests);
  });

  it('proves the capabilities that the faults do not affect', async () => {
    const found = await probed('teams that can be read', [
      'compares the first country property only',
      'reports the page size as total',
    ]);
    expect(provedClaims(found, 'teams')).toEqual(expect.arrayContaining([...SORTS, ...DATES]));
    const other = await probed('teams that can be read', ['sorts the first page only']);
    expect(provedClaims(other, 'teams')).toEqual(expect.arrayContaining(['filter country', ...EXACT, 'total']));
  });
});
