import fc from 'fast-check';
import { expect, it } from 'vitest';
import { noCapability } from '../../src/model/capability.js';
import type { Capability } from '../../src/model/capability.js';
import { habits, repository } from '../support/habits.js';
import type { Habit, HabitName } from '../support/habits.js';
import type { Raw } from '../support/paging.js';
import { probeAnswering, tellingNews, tellingTeams } from '../support/probing.js';
import { PATIENCE, TIMEOUT, runs } from '../support/runs.js';
import { narrowSearches, wideSearches } from '../support/search-habits.js';
import { falseClaims } from '../support/true-claims.js';
import type { Seen } from '../support/true-claims.js';

/** Habits that a generated source does not have: what changes with each request has no truth to compare with, and what never answers no answer. */
const UNSTEADY: readonly HabitName[] = ['drifts', 'grows', 'never answers', 'answers late', 'passes over limit'];

const KNOWN: Readonly<Record<string, Habit>> = { ...habits, ...narrowSearches, ...wideSearches };

const names = Object.keys(KNOWN).filter((name) => !UNSTEADY.includes(name as HabitName));

/** What becomes of the names of teams. */
const spellings: Readonly<Record<string, (name: string) => string>> = {
  'as they are': (name) => name,
  'ASCII only': (name) => name.normalize('NFKD').replace(/[^\x20-\x7e]/g, ''),
  'small letters only': (name) =>
    name
      .normalize('NFKD')
      .replace(/[^\x20-\x7e]/g, '')
      .toLowerCase(),
  'capital letters only': (name) =>
    name
      .normalize('NFKD')
      .replace(/[^\x20-\x7e]/g, '')
      .toUpperCase(),
};

/** A list whose size is a multiple of seven would repeat itself (`tellingTeams`), and is not told from one that ignores offsets. */
const size = fc
  .oneof(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 61, max: 300 }))
  .filter((one) => one % 7 !== 0);

const source = fc.record({
  size,
  face: fc.constantFrom('directory' as const, 'data' as const),
  path: fc.constantFrom('teams' as const, 'teams' as const, 'news' as const),
  spelling: fc.constantFrom(...Object.keys(spellings)),
  straddles: fc.boolean(),
  otherForms: fc.constantFrom('none', 'none', 'UK', 'small letters'),
  cap: fc.constantFrom(10, 25, 30, 100, 1000),
  habits: fc.uniqueArray(fc.constantFrom(...names), { maxLength: 2 }),
});

type Source = typeof source extends fc.Arbitrary<infer T> ? T : never;

function seenIn(generated: Source, cap: number = generated.cap): Seen {
  const { size, spelling, straddles, otherForms } = generated;
  const path = generated.path;
  const face = path === 'news' ? 'data' : generated.face;
  const spelt = spellings[spelling] ?? String;
  const [name, own, further] =
    face === 'directory'
      ? ['short-team-name', 'country-code', 'additional-country-code']
      : ['team', 'country', 'country-other'];
  const teams = tellingTeams(size, face).map((team, at): Raw => {
    const code = String(team[own]);
    const form =
      otherForms === 'UK' && code === 'PT'
        ? 'UK'
        : otherForms === 'small letters' && at % 5 === 0
          ? code.toLowerCase()
          : code;
    return { ...team, [name]: spelt(String(team[name])), [own]: form, ...(straddles ? {} : { [further]: [] }) };
  });
  const records = path === 'news' ? tellingNews(size) : teams;
  const shelves =
    path === 'news' ? { news: records } : face === 'directory' ? { directory: records } : { teams: records };
  const all = [{ manners: { cap } }, ...generated.habits.map((one) => KNOWN[one] ?? {})];
  return { shelves, habits: all, face, path, records };
}

async function provedOf({ shelves, habits: all, face, path }: Seen, budget: number): Promise<Capability> {
  const { report, requests } = await probeAnswering(repository(shelves, all), [face], {
    budget,
    registered: { resources: [path] },
  });
  expect(requests).toBeLessThanOrEqual(budget);
  return report.supports[path] ?? noCapability;
}

/** What is claimed, a line each. */
function claims({ filters, coarse, sort, search, total, limitMax }: Capability): readonly string[] {
  return [
    ...filters.map((name) => `filter ${name}`),
    ...coarse.map((name) => `coarse ${name}`),
    ...sort.map((name) => `sort ${name}`),
    ...(search ? ['search'] : []),
    ...(total ? ['total'] : []),
    ...(limitMax === undefined ? [] : [`limit ${limitMax}`]),
  ];
}

/** Sources that each property is tried on. */
const RUNS = runs({ usual: 1, long: 12 });

const budgets = fc
  .uniqueArray(fc.integer({ min: 1, max: 90 }), { minLength: 2, maxLength: 3 })
  .map((all) => [...all].sort((a, b) => a - b));

it('what a probe proves is true of the source, and a larger budget proves no less', { timeout: TIMEOUT }, async () => {
  await fc.assert(
    fc.asyncProperty(source, budgets, async (generated, all) => {
      const seen = seenIn(generated);
      let before: readonly string[] = [];
      for (const budget of all) {
        const proved = await provedOf(seen, budget);
        expect(falseClaims(seen, proved)).toEqual([]);
        const now = claims(proved);
        expect(before.filter((claim) => !now.includes(claim))).toEqual([]);
        before = now;
      }
    }),
    { numRuns: RUNS, ...PATIENCE },
  );
});

it(
  'what a probe proves of an honest source with requests enough does not depend on how large a page may be',
  { timeout: TIMEOUT },
  async () => {
    const caps = fc.uniqueArray(fc.constantFrom(10, 25, 30, 60, 100, 1000), { minLength: 2, maxLength: 2 });
    await fc.assert(
      fc.asyncProperty(source, caps, async (generated, [one = 0, other = 0]) => {
        // Of one that is wrong in something, it may depend on that (docs/next.md).
        const honest = { ...generated, habits: [] };
        const proved = async (cap: number): Promise<readonly string[]> => {
          const capability = await provedOf(seenIn(honest, cap), 400);
          return claims({ ...capability, limitMax: 0 }).toSorted();
        };
        expect(await proved(one)).toEqual(await proved(other));
      }),
      { numRuns: RUNS, ...PATIENCE },
    );
  },
);
