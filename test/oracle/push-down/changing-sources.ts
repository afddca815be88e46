import fc from 'fast-check';
import type { Behaviour, RepositoryLists } from '../../support/repository/simulated-repository.js';
import type { RawRecord } from '../../support/upstream/paged-responses.js';
import { buildLargeSource, declarable, largeSources } from './large-sources.js';
import type { FaultName, LargeSource, SourceSketch } from './large-sources.js';
import { SeededRandom } from './random-records.js';

/** How a source changes. A change that keeps the number of records is visible only if the source dates its lists. */
const KINDS = ['grows', 'shrinks', 'replaces, and dates it'] as const;

/** Sources of which the first changes between requests. */
export interface ChangingSources {
  readonly sketches: readonly SourceSketch[];
  readonly kind: (typeof KINDS)[number];
  readonly seed: number;
  /** Page numbers of the client before which the source changes. */
  readonly before: readonly number[];
}

/** The source and its behaviours in one state. */
export interface FleetState {
  readonly source: LargeSource;
  readonly behaviours: readonly Behaviour[];
}

/** Sources of which the first changes; none has another fault. */
export const changingSources: fc.Arbitrary<ChangingSources> = fc.record({
  // Separate keys would be fetched at another time than their teams.
  sketches: largeSources(2).map(([first, ...others]) => [
    ...(first === undefined ? [] : [{ ...first, behaviours: [], keys: 'public' as const }]),
    ...others.map((other) => ({ ...other, behaviours: [] })),
  ]),
  kind: fc.constantFrom(...KINDS),
  seed: fc.nat(),
  before: fc.uniqueArray(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 3 }),
});

/** The states of the first source: the initial one and one after each change. */
export function fleetStates({ sketches, kind, seed, before }: ChangingSources): readonly FleetState[] {
  const [sketch] = sketches;
  if (sketch === undefined) return [];
  const source = buildLargeSource(sketch);
  const chance = new SeededRandom(seed);
  const { directory, teams, news } = source.lists;
  const lives = [directory, teams, news].map((records = []) =>
    livesOf(records, { kind, chance, steps: before.length }),
  );
  return Array.from({ length: before.length + 1 }, (_, at): FleetState => {
    const [ofDirectory = [], ofTeams = [], ofNews = []] = lives.map((all) =>
      all.filter(isAlive(at)).map(({ record }) => record),
    );
    const lists: RepositoryLists = {
      ...source.lists,
      ...(directory && { directory: ofDirectory }),
      ...(teams && { teams: ofTeams, news: ofNews }),
    };
    const data = source.data && { ...source.data, teams: ofTeams, news: ofNews };
    const reasons = [...source.reasons, 'drift', 'total', 'keys'];
    return {
      source: { ...source, lists, directory: lists.directory, data, reasons, honest: false },
      behaviours: kind === 'replaces, and dates it' ? [dated(at)] : [],
    };
  });
}

function dated(at: number): Behaviour {
  const date = new Date(Date.UTC(2026, 0, 1) + at * 60_000).toUTCString();
  return { paging: { lastModified: () => date } };
}

/** A record with the states in which it exists: from `from` inclusive to `to` exclusive. */
interface Life {
  readonly record: RawRecord;
  readonly from: number;
  readonly to: number;
}

function isAlive(at: number): (life: Life) => boolean {
  return ({ from, to }) => from <= at && at < to;
}

interface Course {
  readonly kind: ChangingSources['kind'];
  readonly chance: SeededRandom;
  readonly steps: number;
}

/** About one record in ten appears or disappears with one of the changes. */
function livesOf(records: readonly RawRecord[], { kind, chance, steps }: Course): readonly Life[] {
  return records.map((record, at) => {
    const stays = { record, from: 0, to: Infinity };
    if (chance.below(10) > 0) return stays;
    const step = 1 + chance.below(steps);
    const comes = kind === 'grows' || (kind !== 'shrinks' && at % 2 === 0);
    return comes ? { ...stays, from: step } : { ...stays, to: step };
  });
}

/** Faults that make totals wrong. */
const MISCOUNTING: readonly FaultName[] = [
  'reports too large a total',
  'reports too small a total',
  'ignores filters in the total',
  'ignores filters',
];

const SORTS = declarable.sorted;
const FILTERS = declarable.filtered;

/** Sources with wrong totals for which every filter, sort and total is declared. */
export const miscountingSources: fc.Arbitrary<readonly SourceSketch[]> = fc
  .tuple(largeSources(2), fc.array(fc.constantFrom(...MISCOUNTING), { minLength: 4, maxLength: 4 }))
  .map(([sketches, behaviours]) =>
    sketches.map((sketch, at) => {
      const behaviour = behaviours[at] ?? 'reports too large a total';
      // Filters that Rollcall cannot check, because only the operator can declare them, are not declared.
      const unchecked = ['region', 'team'];
      const all = { search: false, total: true, exact: false };
      const teams = {
        ...all,
        filters: [...FILTERS.directory, ...FILTERS.teams, ...FILTERS.both].filter((name) => !unchecked.includes(name)),
        sort: bothWays([...SORTS.directory, ...SORTS.teams, ...SORTS.both]),
      };
      const news = { ...all, filters: FILTERS.news, sort: bothWays(SORTS.news) };
      return {
        ...sketch,
        behaviours: [behaviour],
        keys: 'public' as const,
        supports: { teams, ...(sketch.apiInterface !== 'directory' && { news }) },
      };
    }),
  );

function bothWays(names: readonly string[]): readonly string[] {
  return names.flatMap((name) => [name, `-${name}`]);
}
