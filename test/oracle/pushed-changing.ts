import fc from 'fast-check';
import type { Habit, Shelves } from '../support/habits.js';
import type { Raw } from '../support/paging.js';
import { built, claimable, fleetOf } from './pushed-fleet.js';
import type { Name, Pushed, Sketch } from './pushed-fleet.js';
import { Chance } from './pushed-records.js';

/** How a source changes. Only one that dates its lists may have as many records afterwards: nothing else would show that. */
const KINDS = ['grows', 'shrinks', 'replaces, and dates it'] as const;

/** A fleet of which the first source changes between requests. */
export interface Changing {
  readonly sketches: readonly Sketch[];
  readonly kind: (typeof KINDS)[number];
  readonly seed: number;
  /** Before which pages of a client it changes. */
  readonly before: readonly number[];
}

/** The source as it is at one moment, and how it answers then. */
export interface Moment {
  readonly source: Pushed;
  readonly habits: readonly Habit[];
}

/** Fleets with a source that changes; nothing else is wrong in them. */
export const changingFleet: fc.Arbitrary<Changing> = fc.record({
  // Keys are of another moment than the teams that have them.
  sketches: fleetOf(2).map(([first, ...others]) => [
    ...(first === undefined ? [] : [{ ...first, habits: [], keys: 'public' as const }]),
    ...others.map((other) => ({ ...other, habits: [] })),
  ]),
  kind: fc.constantFrom(...KINDS),
  seed: fc.nat(),
  before: fc.uniqueArray(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 3 }),
});

/** The first source at each of its moments, one more than it has changes. */
export function momentsOf({ sketches, kind, seed, before }: Changing): readonly Moment[] {
  const [sketch] = sketches;
  if (sketch === undefined) return [];
  const source = built(sketch);
  const chance = new Chance(seed);
  const { directory, teams, news } = source.shelves;
  const lives = [directory, teams, news].map((records = []) =>
    livesOf(records, { kind, chance, steps: before.length }),
  );
  return Array.from({ length: before.length + 1 }, (_, at): Moment => {
    const [ofDirectory = [], ofTeams = [], ofNews = []] = lives.map((all) =>
      all.filter(isAlive(at)).map(({ record }) => record),
    );
    const shelves: Shelves = {
      ...source.shelves,
      ...(directory && { directory: ofDirectory }),
      ...(teams && { teams: ofTeams, news: ofNews }),
    };
    const data = source.data && { ...source.data, teams: ofTeams, news: ofNews };
    const told = [...source.told, 'drift', 'total', 'keys'];
    return {
      source: { ...source, shelves, directory: shelves.directory, data, told, honest: false },
      habits: kind === 'replaces, and dates it' ? [dated(at)] : [],
    };
  });
}

function dated(at: number): Habit {
  const date = new Date(Date.UTC(2026, 0, 1) + at * 60_000).toUTCString();
  return { manners: { lastModified: () => date } };
}

/** A record, and from which moment on, up to which, it is there. */
interface Life {
  readonly record: Raw;
  readonly from: number;
  readonly to: number;
}

function isAlive(at: number): (life: Life) => boolean {
  return ({ from, to }) => from <= at && at < to;
}

interface Course {
  readonly kind: Changing['kind'];
  readonly chance: Chance;
  readonly steps: number;
}

/** One record in ten or so comes or goes with one of the changes. */
function livesOf(records: readonly Raw[], { kind, chance, steps }: Course): readonly Life[] {
  return records.map((record, at) => {
    const stays = { record, from: 0, to: Infinity };
    if (chance.below(10) > 0) return stays;
    const step = 1 + chance.below(steps);
    const comes = kind === 'grows' || (kind !== 'shrinks' && at % 2 === 0);
    return comes ? { ...stays, from: step } : { ...stays, to: step };
  });
}

/** Habits of sources that count what does not match, or do not count what does. */
const MISCOUNTING: readonly Name[] = [
  'counts too many',
  'counts too few',
  'counts all beside a filter',
  'passes over filters',
];

const SORTS = claimable.sorted;
const FILTERS = claimable.filtered;

/** Fleets of which every source miscounts, and is said to do all that is asked of it. */
export const miscountingFleet: fc.Arbitrary<readonly Sketch[]> = fc
  .tuple(fleetOf(2), fc.array(fc.constantFrom(...MISCOUNTING), { minLength: 4, maxLength: 4 }))
  .map(([sketches, habits]) =>
    sketches.map((sketch, at) => {
      const habit = habits[at] ?? 'counts too many';
      // Of what no check on an answer can see nothing is claimed: filters that rest on the operator's word.
      const unseen = ['region', 'team'];
      const all = { coarse: [], search: false, total: true, exact: false };
      const teams = {
        ...all,
        filters: [...FILTERS.directory, ...FILTERS.teams, ...FILTERS.both].filter((name) => !unseen.includes(name)),
        sort: bothWays([...SORTS.directory, ...SORTS.teams, ...SORTS.both]),
      };
      const news = { ...all, filters: FILTERS.news, sort: bothWays(SORTS.news) };
      return {
        ...sketch,
        habits: [habit],
        keys: 'public' as const,
        supports: { teams, ...(sketch.face !== 'directory' && { news }) },
      };
    }),
  );

function bothWays(names: readonly string[]): readonly string[] {
  return names.flatMap((name) => [name, `-${name}`]);
}
