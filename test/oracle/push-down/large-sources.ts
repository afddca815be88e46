import fc from 'fast-check';
import { behaviours as all } from '../../support/repository/simulated-repository.js';
import type { Behaviour, BehaviourName, RepositoryLists } from '../../support/repository/simulated-repository.js';
import type { RawRecord } from '../../support/upstream/paged-responses.js';
import { SeededRandom, dataTeams, directoryTeams, newsItems } from './random-records.js';
import type { OracleSource } from '../model/read-records.js';

/** Behaviours in addition to those of the probe tests. */
const OWN = {
  'drifts, and dates it': {
    orders: (ordered, _, { number }) => {
      const from = ordered.length === 0 ? 0 : number % ordered.length;
      return [...ordered.slice(from), ...ordered.slice(0, from)];
    },
    paging: { lastModified: ({ number }) => new Date(Date.UTC(2020, 0, 1) + number * 60_000).toUTCString() },
  },
} as const satisfies Readonly<Record<string, Behaviour>>;

const BEHAVIOURS = { ...all, ...OWN };

/** Sends PGP keys under `scope=pgp` only. */
export const withSeparateKeys: Behaviour = {
  selects: (matching, { query }) => (query.get('scope') === 'pgp' ? matching : matching.map(withoutKeys)),
};

const bare = new WeakMap<RawRecord, RawRecord>();

/** Returns the same object for the same record, because `showFaultsEarly` compares records by identity. */
function withoutKeys(record: RawRecord): RawRecord {
  const known = bare.get(record);
  if (known !== undefined) return known;
  const made = Object.fromEntries(Object.entries(record).filter(([name]) => name !== 'pgp-fingerprint'));
  bare.set(record, made);
  return made;
}

/** The name of a behaviour. */
export type FaultName = BehaviourName | keyof typeof OWN;

/** The behaviour with this name. */
export function behaviourOf(name: FaultName): Behaviour {
  return BEHAVIOURS[name];
}

/** Number of records from the start of a list among which a fault is visible, at least 2; Infinity: only in the complete list. */
export type FaultDepth = number;

/** A claim as text: `filter country`, `sort -host`, `total`, `search`. */
type Claim = string;

type Of = (claim: Claim) => boolean;

/** The claims that a behaviour makes untrue. */
interface Effect {
  /**
   * Untrue claims that no check on a response detects. The probe does not prove them (test/probe/misbehaving-sources.test.ts), and
   * no generated source declares them.
   */
  readonly hidden?: Of;
  /** Untrue claims that the first records of a wrong response show. */
  readonly shown?: Of;
  /** Untrue claims that only a complete list shows. */
  readonly shownAtEnd?: Of;
  /** Reasons in Source-Status that the behaviour may cause with any claims. */
  readonly reasons?: readonly string[];
}

const isFilter: Of = (claim) => /^filter (?!region|search)/.test(claim);
/** Claims that Rollcall trusts if they are declared exact. */
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
  'ignores filters': { hidden: isSearch, shown: isFilter, reasons: ['filter'] },
  'ignores sort': { shown: isSort },
  'ignores the direction of sort': { shown: (claim) => claim.startsWith('sort -') },
  'ignores sort in a filtered request': { shown: isSort },
  'ignores offset': { shown: isSort, reasons: OFFSET },
  'ignores offset in a filtered request': { shown: isSort, reasons: OFFSET },
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
  'reports too large a total': { shownAtEnd: isTotal, reasons: ['total', 'window'] },
  'reports too small a total': { shownAtEnd: isTotal },
  // A total of all items for a channel looks like an ignored filter.
  'ignores filters in the total': { shown: isTotal, reasons: ['filter'] },
  'drifts, and dates it': { shownAtEnd: isSort, reasons: ['drift'] },
  drifts: { hidden: () => true },
  grows: { hidden: () => true },
  'never responds': { hidden: () => true },
  'rejects sort': { hidden: isSort },
  'sorts the first page only': { hidden: isSort },
  'sorts by a lagging index': { hidden: isSort },
  'sorts page by page': { hidden: isSort },
  'omits every third match': { hidden: either(isFilter, isSearch) },
  'omits every third match but counts it': {
    hidden: either(isFilter, isSearch),
  },
  'compares the first country property only': { hidden: isExact('country') },
  'uses the first country code only': { hidden: isExact('country') },
  // Rollcall never pushes down a code for which such a source would omit records.
  'compares country codes as written': {},
  'compares upper and lower case': { hidden: isText },
  'compares marks': { hidden: isText },
};

/** Behaviours with which a drained list is correct or marked as incomplete. */
const NAMES = (Object.keys(EFFECTS) as FaultName[]).filter(
  (name) =>
    !['honours every parameter', 'drifts', 'grows', 'never responds', 'responds late', 'rejects sort'].includes(name),
);

/** Behaviours whose untrue claims are visible in responses, so that sources may declare these claims. */
const VISIBLE = NAMES.filter((name) => EFFECTS[name].shown !== undefined || EFFECTS[name].shownAtEnd !== undefined);

/** A source before its records are generated: short enough to be readable as a counterexample. */
export interface SourceSketch {
  readonly code: string;
  readonly number: number;
  readonly sourceName: string;
  readonly apiInterface: Face;
  /** Seed of its records. */
  readonly seed: number;
  readonly sizes: Sizes;
  readonly behaviours: readonly FaultName[];
  /** Whether its news items are in channels. */
  readonly channels?: boolean;
  /** Where PGP keys appear: in every list, or under `scope=pgp` only. */
  readonly keys: 'public' | 'pgp';
  /** How it grows between requests; absent: it does not grow. */
  readonly growth?: SourceGrowth | undefined;
  readonly depth: FaultDepth;
  /** Its `supports:` settings. */
  readonly supports: Readonly<Partial<Record<'teams' | 'news', DeclaredSupports>>>;
  readonly threshold: number;
  readonly pageSize: number;
}

/** A source with its records, behaviours and declared capabilities. */
export interface LargeSource extends OracleSource, Omit<SourceSketch, 'apiInterface' | 'seed' | 'sizes'> {
  readonly lists: RepositoryLists;
  /** Reasons in Source-Status that its behaviours may cause. */
  readonly reasons: readonly string[];
  /** Whether all its claims are true. */
  readonly honest: boolean;
}

/** Growth of a source: one record is added after every `every` requests, `records` times. */
export interface SourceGrowth {
  readonly records: number;
  readonly every: number;
}

type Face = 'directory' | 'data' | 'both';

type Sizes = Readonly<Record<'directory' | 'teams' | 'news', number>>;

/** `supports:` of one resource. */
export interface DeclaredSupports {
  readonly filters: readonly string[];
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

/** Behaviours of sources with channels. Items in lists do not state their channels, so no check detects records that other behaviours omit from a channel. */
const WITH_CHANNELS: readonly FaultName[] = [
  'honours every parameter',
  'caps pages at 30',
  'caps pages at 100',
  'ignores limit',
];

/** Channels of each source that has channels; the last one has no items. */
export const CHANNEL_TITLES = ['Alerts', 'Létters', 'Silence'] as const;

/** Properties and parameters that sources may declare and that queries use. */
export const declarable = { sorted: SORTED, filtered: FILTERED };

/** Declares everything, something or nothing. */
function supportsOf(filters: readonly string[], sorts: readonly string[]): fc.Arbitrary<DeclaredSupports> {
  const sort = sorts.flatMap((name) => [name, `-${name}`]);
  const all = { filters, sort, search: true, total: true, exact: true };
  const some = fc.record({
    filters: fc.subarray([...filters]),
    sort: fc.subarray(sort),
    search: fc.boolean(),
    total: fc.boolean(),
    exact: fc.boolean(),
  });
  return fc.oneof(
    { weight: 5, arbitrary: fc.constant(all) },
    { weight: 3, arbitrary: some },
    { weight: 1, arbitrary: fc.constant({ ...all, filters: [], sort: [], search: false, total: false, exact: false }) },
  );
}

/** Removes the claims that are untrue with these behaviours and that no check detects. */
function detectableClaims(
  claims: DeclaredSupports,
  behaviours: readonly FaultName[],
  depth: FaultDepth,
): DeclaredSupports {
  const hidden: Of = (claim) =>
    behaviours.some((name) => {
      const { hidden: never, shownAtEnd } = EFFECTS[name];
      return never?.(claim) === true || (depth !== Infinity && shownAtEnd?.(claim) === true);
    });
  const filters = claims.filters.filter(
    (name) => !hidden(claimOf(name)) && !(name === 'team' && hidden('filter words')),
  );
  const search = claims.search && !hidden('search');
  return {
    ...claims,
    filters,
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
    const { shown, shownAtEnd, reasons = [] } = EFFECTS[name];
    return (
      reasons.every((reason) => reason === 'filter') &&
      !made.some((claim) => shown?.(claim) === true || shownAtEnd?.(claim) === true)
    );
  });
}

/** Behaviours that are visible in every affected response: in the total, if not among the first records. */
const ALWAYS_VISIBLE: readonly FaultName[] = [
  'ignores filters',
  'ignores offset',
  'ignores offset in a filtered request',
  'reports the page size as total',
  'reports no total',
  'ignores filters in the total',
];

/** The behaviours that `showFaultsEarly` applies only to lists in which they are visible. The others are visible in every affected response. */
export function visibleFaults({
  behaviours: behaviours,
  depth,
}: Pick<SourceSketch, 'behaviours' | 'depth'>): readonly FaultName[] {
  if (depth === Infinity) return [];
  return behaviours.filter((name) => EFFECTS[name].shown !== undefined && !ALWAYS_VISIBLE.includes(name));
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

/** Generates one source. */
function sketch(code: string, number: number, depth: FaultDepth): fc.Arbitrary<SourceSketch> {
  return fc
    .record({
      apiInterface: fc.constantFrom<Face[]>('directory', 'data', 'data', 'both'),
      seed: fc.nat(),
      keys: fc.constantFrom('public' as const, 'pgp' as const),
      sizes: fc.record({ directory: size, teams: size, news: size }),
      behaviours: fc.oneof(
        { weight: 2, arbitrary: fc.constant<FaultName[]>([]) },
        { weight: 5, arbitrary: fc.subarray(VISIBLE, { minLength: 1, maxLength: 1 }) },
        { weight: 1, arbitrary: fc.subarray(NAMES, { minLength: 1, maxLength: 1 }) },
        { weight: 1, arbitrary: fc.subarray(NAMES, { minLength: 2, maxLength: 3 }).filter(isDetectable) },
      ),
      directory: supportsOf([...FILTERED.directory, ...FILTERED.both], [...SORTED.directory, ...SORTED.both]),
      data: supportsOf([...FILTERED.teams, ...FILTERED.both], [...SORTED.teams, ...SORTED.both]),
      news: supportsOf(FILTERED.news, SORTED.news),
      channels: fc.boolean(),
      threshold: fc.constantFrom(0, 0, 0, 50, 50, 100_000),
      pageSize: fc.constantFrom(20, 20, 7, 100),
      sourceName: fc.constantFrom(code, `Register of ${code}`),
    })
    .map(({ directory, data, news, ...rest }) => {
      const { apiInterface, behaviours } = rest;
      const teams = apiInterface === 'directory' ? directory : apiInterface === 'data' ? data : joined(directory, data);
      const supports = {
        teams: detectableClaims(teams, behaviours, depth),
        ...(apiInterface !== 'directory' && { news: detectableClaims(news, behaviours, depth) }),
      };
      const channels = rest.channels && behaviours.every((name) => WITH_CHANNELS.includes(name));
      return { ...rest, channels, code, number, depth, supports };
    });
}

/** Builds a source with its records. */
export function buildLargeSource({ apiInterface: apiInterface, seed, sizes, ...source }: SourceSketch): LargeSource {
  const { behaviours: behaviours, supports, growth } = source;
  const lists = generateLists(apiInterface, sizes, {
    chance: new SeededRandom(seed),
    inChannels: source.channels === true,
  });
  const { directory, teams, news = [], channels = [] } = lists;
  const honest = growth === undefined && isHonest(supports.teams, behaviours) && isHonest(supports.news, behaviours);
  const reasons = behaviours.flatMap((name) => EFFECTS[name].reasons ?? []);
  return {
    ...source,
    aggregate: false,
    site: undefined,
    lists,
    directory,
    data: teams && { teams, news, channels, keys: source.keys },
    // If Rollcall drains the teams of a large source because a claim is untrue, its keys may still be too many to fetch.
    reasons: [...reasons, ...(growth ? ['drift', 'total'] : []), ...(honest ? [] : ['keys'])],
    honest,
  };
}

interface Making {
  readonly chance: SeededRandom;
  readonly inChannels: boolean;
}

function generateLists(apiInterface: Face, sizes: Sizes, { chance, inChannels }: Making): RepositoryLists {
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

/** The source without the last `records` records of each list. */
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

/** Combines the claims for both interfaces, because `supports:` of teams applies to both. */
function joined(directory: DeclaredSupports, data: DeclaredSupports): DeclaredSupports {
  return {
    ...directory,
    filters: [...new Set([...directory.filters, ...data.filters])],
    sort: [...new Set([...directory.sort, ...data.sort])],
  };
}

/** One to four sources, numbered in no particular order, whose faults are visible at a depth. */
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

/** One source with more than 5,000 and up to 20,000 records of one resource, over its drain threshold, without declared capabilities. */
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

/** Like `largeSources`; the first source grows between requests and has no other fault. */
export function growingSources(depth: FaultDepth): fc.Arbitrary<readonly SourceSketch[]> {
  return fc.tuple(largeSources(depth), growth).map(([[first, ...others], grown]) => {
    // Separate keys would be fetched at another time than their teams.
    const growing = first && ({ ...first, behaviours: [], keys: 'public', growth: grown } satisfies SourceSketch);
    return growing === undefined ? others : [growing, ...others];
  });
}
