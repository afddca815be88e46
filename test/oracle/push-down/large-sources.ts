import fc from 'fast-check';
import { behaviours as all } from '../../support/repository/simulated-repository.js';
import type { Behaviour, BehaviourName, RepositoryLists } from '../../support/repository/simulated-repository.js';
import type { RawRecord } from '../../support/upstream/paged-responses.js';
import { SeededRandom, dataTeams, directoryTeams, newsItems } from './random-records.js';
import type { OracleSource } from '../model/read-records.js';

/** Habits of their own here, beside those that the probe is shown. */
const OWN = {
  'drifts, and dates it': {
    orders: (ordered, _, { number }) => {
      const from = ordered.length === 0 ? 0 : number % ordered.length;
      return [...ordered.slice(from), ...ordered.slice(0, from)];
    },
    paging: { lastModified: ({ number }) => new Date(Date.UTC(2020, 0, 1) + number * 60_000).toUTCString() },
  },
} as const satisfies Readonly<Record<string, Behaviour>>;

const HABITS = { ...all, ...OWN };

/** Of a source that gives PGP keys in a list of their own. */
export const withSeparateKeys: Behaviour = {
  selects: (matching, { query }) => (query.get('scope') === 'pgp' ? matching : matching.map(withoutKeys)),
};

const bare = new WeakMap<RawRecord, RawRecord>();

/** The same object for the same record: who lies is found out by what is not among the matches. */
function withoutKeys(record: RawRecord): RawRecord {
  const known = bare.get(record);
  if (known !== undefined) return known;
  const made = Object.fromEntries(Object.entries(record).filter(([name]) => name !== 'pgp-fingerprint'));
  bare.set(record, made);
  return made;
}

/** The name of a habit. */
export type FaultName = BehaviourName | keyof typeof OWN;

/** The habit of a name. */
export function behaviourOf(name: FaultName): Behaviour {
  return HABITS[name];
}

/** How many records from the start of a list show a lie, 2 at least; Infinity: only all together do. */
export type FaultDepth = number;

/** A claim in words: `filter country`, `coarse before`, `sort -host`, `total`, `search`. */
type Claim = string;

type Of = (claim: Claim) => boolean;

/** What a habit makes untrue. */
interface Effect {
  /** What no check on an answer can see: the probe does not prove it (test/probe/lies.test.ts), and nobody claims it here. */
  readonly hidden?: Of;
  /** What an answer shows, where it is wrong, by its first records. */
  readonly shown?: Of;
  /** What an answer shows that is read to its end. */
  readonly shownAtEnd?: Of;
  /** Reasons of doubt that it may bring about by itself, whatever is claimed. */
  readonly told?: readonly string[];
}

const isFilter: Of = (claim) => /^filter (?!region|search)/.test(claim);
/** Trusted where they are declared exact. */
const isSearch: Of = (claim) => /^search|^filter (region|words)/.test(claim);
const isSort: Of = (claim) => claim.startsWith('sort');
const isTotal: Of = (claim) => claim === 'total';
const isExact =
  (...names: readonly string[]): Of =>
  (claim) =>
    names.some((name) => claim === `filter ${name}`);
const either =
  (...some: readonly Of[]): Of =>
  (claim) =>
    some.some((is) => is(claim));
/** Filters that compare a text. */
const isText: Of = (claim) => isFilter(claim) && !isExact('country', 'before', 'after', 'link')(claim);

const OFFSET = ['offset', 'total'];

const EFFECTS: Readonly<Record<FaultName, Effect>> = {
  'honours every parameter': {},
  'caps pages at 30': {},
  'caps pages at 100': {},
  'responds late': {},
  'ignores limit': {},
  'ignores filters': { hidden: isSearch, shown: isFilter, told: ['filter'] },
  'ignores sort': { shown: isSort },
  'ignores the direction of sort': { shown: (claim) => claim.startsWith('sort -') },
  'ignores sort in a filtered request': { shown: isSort },
  'ignores offset': { shown: isSort, told: OFFSET },
  'ignores offset in a filtered request': { shown: isSort, told: OFFSET },
  'sorts upper case before lower case': { shown: isSort },
  'sorts letters with marks after z': { shown: isSort },
  'sorts Å, Ä and Ö after z': { shown: isSort },
  'sorts by English collation': { shown: isSort },
  'sorts without punctuation': { shown: isSort },
  'sorts missing values first': { shown: isSort },
  'treats before as inclusive': { shown: isExact('before') },
  'treats after as inclusive': { shown: isExact('after') },
  'rounds before to the day': { hidden: isExact('before') },
  'rounds after to the day': { hidden: isExact('after') },
  'reads times in another time zone': { hidden: isExact('before'), shown: isExact('after') },
  'reports the page size as total': { shown: isTotal },
  'reports no total': { shown: isTotal },
  'reports too large a total': { shownAtEnd: isTotal, told: ['total', 'window'] },
  'reports too small a total': { shownAtEnd: isTotal },
  // That it counts all for a channel looks as if it passed over it.
  'ignores filters in the total': { shown: isTotal, told: ['filter'] },
  'drifts, and dates it': { shownAtEnd: isSort, told: ['drift'] },
  drifts: { hidden: () => true },
  grows: { hidden: () => true },
  'never responds': { hidden: () => true },
  'rejects sort': { hidden: isSort },
  'sorts the first page only': { hidden: isSort },
  'sorts by a lagging index': { hidden: isSort },
  'sorts page by page': { hidden: isSort },
  'omits every third match': { hidden: either(isFilter, isSearch, (claim) => claim.startsWith('coarse')) },
  'omits every third match but counts it': {
    hidden: either(isFilter, isSearch, (claim) => claim.startsWith('coarse')),
  },
  'compares the first country property only': { hidden: isExact('country') },
  'uses the first country code only': { hidden: isExact('country') },
  // None of the codes that it could leave out is sent.
  'compares country codes as written': {},
  'compares upper and lower case': { hidden: isText },
  'compares marks': { hidden: isText },
};

/** Those of which whole lists, as they are drained, are not wrong without saying so. */
const NAMES = (Object.keys(EFFECTS) as FaultName[]).filter(
  (name) =>
    !['honours every parameter', 'drifts', 'grows', 'never responds', 'responds late', 'rejects sort'].includes(name),
);

/** Those that may be claimed not to be. */
const SEEN = NAMES.filter((name) => EFFECTS[name].shown !== undefined || EFFECTS[name].shownAtEnd !== undefined);

/** A source before its records are made: short enough to be read where it is a counterexample. */
export interface SourceSketch {
  readonly code: string;
  readonly number: number;
  readonly sourceName: string;
  readonly apiInterface: Face;
  /** What its records are made of. */
  readonly seed: number;
  readonly sizes: Sizes;
  readonly behaviours: readonly FaultName[];
  /** Whether its news are in channels. */
  readonly channels?: boolean;
  /** Where it shows PGP keys. */
  readonly keys: 'public' | 'pgp';
  /** How it grows while it is asked; absent: it does not. */
  readonly growth?: SourceGrowth | undefined;
  readonly depth: FaultDepth;
  /** Its `supports:`, as it is written. */
  readonly supports: Readonly<Partial<Record<'teams' | 'news', DeclaredSupports>>>;
  readonly threshold: number;
  readonly pageSize: number;
}

/** A source, what it has, how it answers and what is claimed of it. */
export interface LargeSource extends OracleSource, Omit<SourceSketch, 'apiInterface' | 'seed' | 'sizes'> {
  readonly lists: RepositoryLists;
  /** Reasons of doubt that its behaviours may bring about. */
  readonly told: readonly string[];
  /** Whether nothing that is claimed of it is untrue. */
  readonly honest: boolean;
}

/** One record comes after so many requests, and again, until all are there. */
export interface SourceGrowth {
  readonly records: number;
  readonly every: number;
}

type Face = 'directory' | 'data' | 'both';

type Sizes = Readonly<Record<'directory' | 'teams' | 'news', number>>;

/** `supports:` of one resource. */
export interface DeclaredSupports {
  readonly filters: readonly string[];
  readonly coarse: readonly string[];
  readonly sort: readonly string[];
  readonly search: boolean;
  readonly total: boolean;
  readonly exact: boolean;
}

const SORTED = {
  directory: ['short-team-name', 'official-team-name', 'country-code', 'phone-numbers'],
  teams: ['team', 'team-full', 'country', 'member-since'],
  both: ['host', 'establishment', 'last-modified', 'rank', 'email'],
  news: ['published', 'title', 'summary', 'link', 'id', 'rank'],
};
const FILTERED = {
  directory: ['short-team-name', 'country-code', 'phone-numbers', 'constituency-code'],
  teams: ['team-full', 'phone'],
  both: ['country', 'region', 'team', 'host', 'email', 'establishment', 'website'],
  news: ['before', 'after', 'link'],
};

/** Habits of sources that have channels: items do not tell theirs, so that nobody sees what others leave out of one. */
const TELLS_CHANNELS: readonly FaultName[] = [
  'honours every parameter',
  'caps pages at 30',
  'caps pages at 100',
  'ignores limit',
];

/** Channels of each source that has any; of the last one it has no items. */
export const CHANNEL_TITLES = ['Alerts', 'Létters', 'Silence'] as const;

/** Properties and parameters that may be claimed, and are asked for. */
export const declarable = { sorted: SORTED, filtered: FILTERED };

/** Everything, something, or nothing. */
function supportsOf(filters: readonly string[], sorts: readonly string[]): fc.Arbitrary<DeclaredSupports> {
  const sort = sorts.flatMap((name) => [name, `-${name}`]);
  const all = { filters, coarse: [], sort, search: true, total: true, exact: true };
  const some = fc
    .record({
      filters: fc.subarray([...filters]),
      coarse: fc.subarray([...filters].filter((name): boolean => name === 'before' || name === 'after')),
      sort: fc.subarray(sort),
      search: fc.boolean(),
      total: fc.boolean(),
      exact: fc.boolean(),
    })
    // What is exact is not coarse.
    .map((claims) => ({ ...claims, filters: claims.filters.filter((name) => !claims.coarse.includes(name)) }));
  return fc.oneof(
    { weight: 5, arbitrary: fc.constant(all) },
    { weight: 3, arbitrary: some },
    { weight: 1, arbitrary: fc.constant({ ...all, filters: [], sort: [], search: false, total: false, exact: false }) },
  );
}

/** What is left of the claims of a source with these behaviours: nothing that is untrue without anybody's seeing it. */
function tellable(claims: DeclaredSupports, behaviours: readonly FaultName[], depth: FaultDepth): DeclaredSupports {
  const hidden: Of = (claim) =>
    behaviours.some((name) => {
      const { hidden: never, shownAtEnd } = EFFECTS[name];
      return never?.(claim) === true || (depth !== Infinity && shownAtEnd?.(claim) === true);
    });
  const filters = claims.filters.filter(
    (name) => !hidden(claimOf(name)) && !(name === 'team' && hidden('filter words')),
  );
  const coarse = claims.coarse.filter((name) => !hidden(`coarse ${name}`));
  const search = claims.search && !hidden('search');
  return {
    ...claims,
    filters,
    coarse,
    search,
    sort: claims.sort.filter((value) => !hidden(`sort ${value}`)),
    total: claims.total && !hidden('total'),
  };
}

function claimOf(name: string): Claim {
  return `filter ${name}`;
}

function isHonest(claims: DeclaredSupports | undefined, behaviours: readonly FaultName[]): boolean {
  if (claims === undefined) return true;
  const made = [
    ...claims.filters.map(claimOf),
    ...claims.sort.map((value) => `sort ${value}`),
    ...(claims.total ? ['total'] : []),
  ];
  return behaviours.every((name) => {
    const { shown, shownAtEnd, told = [] } = EFFECTS[name];
    return (
      told.every((reason) => reason === 'filter') &&
      !made.some((claim) => shown?.(claim) === true || shownAtEnd?.(claim) === true)
    );
  });
}

/** Those that show wherever they matter: in the total, if not among the first records. */
const PLAIN: readonly FaultName[] = [
  'ignores filters',
  'ignores offset',
  'ignores offset in a filtered request',
  'reports the page size as total',
  'reports no total',
  'ignores filters in the total',
];

/** The behaviours that `boldly` shows or hides; the others are seen whenever they matter. */
export function visibleFaults({
  behaviours: behaviours,
  depth,
}: Pick<SourceSketch, 'behaviours' | 'depth'>): readonly FaultName[] {
  if (depth === Infinity) return [];
  return behaviours.filter((name) => EFFECTS[name].shown !== undefined && !PLAIN.includes(name));
}

const TOTAL_FAULTS: readonly FaultName[] = [
  'reports the page size as total',
  'reports no total',
  'reports too large a total',
  'reports too small a total',
  'ignores filters in the total',
];

/** A source that sends the same page for every offset, with a total of no more records, cannot be distinguished from one without further records. */
function isDetectable(behaviours: readonly FaultName[]): boolean {
  return !behaviours.includes('ignores offset') || !behaviours.some((name) => TOTAL_FAULTS.includes(name));
}

const size = fc.oneof(
  { weight: 1, arbitrary: fc.nat({ max: 3 }) },
  { weight: 2, arbitrary: fc.integer({ min: 15, max: 60 }) },
  { weight: 4, arbitrary: fc.integer({ min: 60, max: 300 }) },
);

const CODES = ['alfa', 'bravo', 'charlie', 'delta'];

/** One source. */
function sketch(code: string, number: number, depth: FaultDepth): fc.Arbitrary<SourceSketch> {
  return fc
    .record({
      apiInterface: fc.constantFrom<Face[]>('directory', 'data', 'data', 'both'),
      seed: fc.nat(),
      keys: fc.constantFrom('public' as const, 'pgp' as const),
      sizes: fc.record({ directory: size, teams: size, news: size }),
      behaviours: fc.oneof(
        { weight: 2, arbitrary: fc.constant<FaultName[]>([]) },
        { weight: 5, arbitrary: fc.subarray(SEEN, { minLength: 1, maxLength: 1 }) },
        { weight: 1, arbitrary: fc.subarray(NAMES, { minLength: 1, maxLength: 1 }) },
        { weight: 1, arbitrary: fc.subarray(NAMES, { minLength: 2, maxLength: 3 }).filter(isDetectable) },
      ),
      directory: supportsOf([...FILTERED.directory, ...FILTERED.both], [...SORTED.directory, ...SORTED.both]),
      data: supportsOf([...FILTERED.teams, ...FILTERED.both], [...SORTED.teams, ...SORTED.both]),
      news: supportsOf(FILTERED.news, SORTED.news),
      channels: fc.boolean(),
      filtersChannels: fc.boolean(),
      threshold: fc.constantFrom(0, 0, 0, 50, 50, 100_000),
      pageSize: fc.constantFrom(20, 20, 7, 100),
      sourceName: fc.constantFrom(code, `Register of ${code}`),
    })
    .map(({ directory, data, news: claimed, filtersChannels, ...rest }) => {
      const { apiInterface, behaviours } = rest;
      // A channel is declared only of a source that counts.
      const more = filtersChannels && claimed.total ? ['channel'] : [];
      const news = { ...claimed, filters: [...claimed.filters, ...more] };
      const teams = apiInterface === 'directory' ? directory : apiInterface === 'data' ? data : joined(directory, data);
      const told = tellable(news, behaviours, depth);
      const supports = {
        teams: tellable(teams, behaviours, depth),
        ...(apiInterface !== 'directory' && {
          news: { ...told, filters: told.filters.filter((name) => name !== 'channel' || told.total) },
        }),
      };
      const channels = rest.channels && behaviours.every((name) => TELLS_CHANNELS.includes(name));
      return { ...rest, channels, code, number, depth, supports };
    });
}

/** The source with its records. */
export function buildLargeSource({ apiInterface: apiInterface, seed, sizes, ...source }: SourceSketch): LargeSource {
  const { behaviours: behaviours, supports, growth } = source;
  const lists = shelvesOf(apiInterface, sizes, {
    chance: new SeededRandom(seed),
    inChannels: source.channels === true,
  });
  const { directory, teams, news = [], channels = [] } = lists;
  const honest = growth === undefined && isHonest(supports.teams, behaviours) && isHonest(supports.news, behaviours);
  const told = behaviours.flatMap((name) => EFFECTS[name].told ?? []);
  return {
    ...source,
    aggregate: false,
    site: undefined,
    lists,
    directory,
    data: teams && { teams, news, channels, keys: source.keys },
    // Of whom all teams were fetched, however many, only because it lied, the keys are still too many.
    told: [...told, ...(growth ? ['drift', 'total'] : []), ...(honest ? [] : ['keys'])],
    honest,
  };
}

interface Making {
  readonly chance: SeededRandom;
  readonly inChannels: boolean;
}

function shelvesOf(apiInterface: Face, sizes: Sizes, { chance, inChannels }: Making): RepositoryLists {
  const data =
    apiInterface === 'directory' ? {} : { teams: dataTeams(sizes.teams, chance), news: newsItems(sizes.news, chance) };
  const titles = inChannels ? CHANNEL_TITLES : [];
  return {
    ...(apiInterface !== 'data' && { directory: directoryTeams(sizes.directory, chance) }),
    ...data,
    ...(data.news && {
      news: data.news.map((item, at) => ({ ...item, channels: titles.slice(0, 2).filter((_, nth) => at % 5 !== nth) })),
    }),
    ...(apiInterface !== 'directory' && { channels: titles.map((title, at): RawRecord => ({ id: at + 1, title })) }),
  };
}

/** The source as it is when so many of its records are yet to come. */
export function withFewerRecords(source: LargeSource, records: number): LargeSource {
  const { lists, data } = source;
  const left = (all: readonly RawRecord[] = []): readonly RawRecord[] =>
    all.slice(0, Math.max(0, all.length - records));
  const cut: RepositoryLists = {
    ...lists,
    ...(lists.directory && { directory: left(lists.directory) }),
    ...(lists.teams && { teams: left(lists.teams), news: left(lists.news) }),
  };
  const { directory, teams = [], news = [] } = cut;
  return { ...source, lists: cut, directory, data: data && { ...data, teams, news } };
}

/** What is claimed of teams is claimed of both interfaces at once. */
function joined(one: DeclaredSupports, other: DeclaredSupports): DeclaredSupports {
  return {
    ...one,
    filters: [...new Set([...one.filters, ...other.filters])],
    sort: [...new Set([...one.sort, ...other.sort])],
  };
}

/** One to four sources, numbered in no particular order, whose lies show at a depth. */
export function largeSources(depth: FaultDepth): fc.Arbitrary<readonly SourceSketch[]> {
  return fc
    .tuple(
      fc.integer({ min: 1, max: CODES.length }),
      fc.uniqueArray(fc.integer({ min: 1, max: 999 }), { minLength: 4, maxLength: 4 }),
    )
    .chain(([count, numbers]) =>
      fc.tuple(...CODES.slice(0, count).map((code, at) => sketch(code, numbers[at] ?? at + 1, depth))),
    );
}

/** One source of 5,000 to 20,000 records of one resource, over its threshold, of which nothing is known. */
export const sourceOfUnknownSize: fc.Arbitrary<SourceSketch> = fc
  .record({
    resource: fc.constantFrom<(keyof Sizes)[]>('directory', 'teams', 'news'),
    records: fc.oneof(
      { weight: 5, arbitrary: fc.integer({ min: 5_001, max: 6_500 }) },
      { weight: 1, arbitrary: fc.integer({ min: 6_500, max: 20_000 }) },
    ),
    seed: fc.nat(),
    keys: fc.constantFrom('public' as const, 'pgp' as const),
    channels: fc.boolean(),
  })
  .map(({ resource, records, ...rest }) => ({
    ...rest,
    ...{ code: 'alfa', number: 7, sourceName: 'alfa', behaviours: [], depth: Infinity, supports: {} },
    apiInterface: resource === 'directory' ? 'directory' : 'data',
    sizes: { directory: 0, teams: 0, news: 0, [resource]: records },
    ...{ threshold: 5_000, pageSize: 1_000 },
  }));

const growth = fc.record({ records: fc.integer({ min: 1, max: 3 }), every: fc.integer({ min: 1, max: 4 }) });

/** The same, of which the first one grows while it is asked, and does nothing else that is wrong. */
export function growingSources(depth: FaultDepth): fc.Arbitrary<readonly SourceSketch[]> {
  return fc.tuple(largeSources(depth), growth).map(([[first, ...others], grown]) => {
    // Keys are of another moment than the teams that have them.
    const growing = first && ({ ...first, behaviours: [], keys: 'public', growth: grown } satisfies SourceSketch);
    return growing === undefined ? others : [growing, ...others];
  });
}
