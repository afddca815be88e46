import fc from 'fast-check';
import { expect, it } from 'vitest';
import { noCapability } from '../../src/model/capability.js';
import type { Capability } from '../../src/model/capability.js';
import { behaviours, simulatedRepository } from '../support/repository/simulated-repository.js';
import type { Behaviour, BehaviourName } from '../support/repository/simulated-repository.js';
import type { RawRecord } from '../support/upstream/paged-responses.js';
import { probeUpstream, distinctiveNews, distinctiveTeams } from '../support/repository/run-probe.js';
import { SHRINK_LIMIT, GENERATED_TIMEOUT, generatedRuns } from '../support/generated-runs.js';
import { narrowSearches, wideSearches } from '../support/repository/search-behaviours.js';
import { falseClaims } from '../support/repository/false-claims.js';
import type { ClaimedSource } from '../support/repository/false-claims.js';

/** Habits that a generated source does not have: what changes with each request has no truth to compare with, and what never answers no answer. */
const UNSTEADY: readonly BehaviourName[] = ['drifts', 'grows', 'never responds', 'responds late', 'ignores limit'];

const KNOWN: Readonly<Record<string, Behaviour>> = { ...behaviours, ...narrowSearches, ...wideSearches };

const names = Object.keys(KNOWN).filter((name) => !UNSTEADY.includes(name as BehaviourName));

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
  apiInterface: fc.constantFrom('directory' as const, 'data' as const),
  path: fc.constantFrom('teams' as const, 'teams' as const, 'news' as const),
  spelling: fc.constantFrom(...Object.keys(spellings)),
  straddles: fc.boolean(),
  otherForms: fc.constantFrom('none', 'none', 'UK', 'small letters'),
  cap: fc.constantFrom(10, 25, 30, 100, 1000),
  behaviours: fc.uniqueArray(fc.constantFrom(...names), { maxLength: 2 }),
});

type Source = typeof source extends fc.Arbitrary<infer T> ? T : never;

function seenIn(generated: Source, cap: number = generated.cap): ClaimedSource {
  const { size, spelling, straddles, otherForms } = generated;
  const path = generated.path;
  const apiInterface = path === 'news' ? 'data' : generated.apiInterface;
  const spelt = spellings[spelling] ?? String;
  const [name, own, further] =
    apiInterface === 'directory'
      ? ['short-team-name', 'country-code', 'additional-country-code']
      : ['team', 'country', 'country-other'];
  const teams = distinctiveTeams(size, apiInterface).map((team, at): RawRecord => {
    const code = String(team[own]);
    const form =
      otherForms === 'UK' && code === 'PT'
        ? 'UK'
        : otherForms === 'small letters' && at % 5 === 0
          ? code.toLowerCase()
          : code;
    return { ...team, [name]: spelt(String(team[name])), [own]: form, ...(straddles ? {} : { [further]: [] }) };
  });
  const records = path === 'news' ? distinctiveNews(size) : teams;
  const lists =
    path === 'news' ? { news: records } : apiInterface === 'directory' ? { directory: records } : { teams: records };
  const all = [{ paging: { cap } }, ...generated.behaviours.map((one) => KNOWN[one] ?? {})];
  return { lists: lists, behaviours: all, apiInterface: apiInterface, path, records };
}

async function provedOf(
  { lists: lists, behaviours: all, apiInterface: apiInterface, path }: ClaimedSource,
  budget: number,
): Promise<Capability> {
  const { report, requests } = await probeUpstream(simulatedRepository(lists, all), [apiInterface], {
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
const RUNS = generatedRuns({ usual: 1, long: 12 });

const budgets = fc
  .uniqueArray(fc.integer({ min: 1, max: 90 }), { minLength: 2, maxLength: 3 })
  .map((all) => [...all].sort((a, b) => a - b));

it(
  'what a probe proves is true of the source, and a larger budget proves no less',
  { timeout: GENERATED_TIMEOUT },
  async () => {
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
      { numRuns: RUNS, ...SHRINK_LIMIT },
    );
  },
);

it(
  'what a probe proves of an honest source with requests enough does not depend on how large a page may be',
  { timeout: GENERATED_TIMEOUT },
  async () => {
    const caps = fc.uniqueArray(fc.constantFrom(10, 25, 30, 60, 100, 1000), { minLength: 2, maxLength: 2 });
    await fc.assert(
      fc.asyncProperty(source, caps, async (generated, [one = 0, other = 0]) => {
        // Of one that is wrong in something, it may depend on that (docs/known-limits.md).
        const honest = { ...generated, behaviours: [] };
        const proved = async (cap: number): Promise<readonly string[]> => {
          const capability = await provedOf(seenIn(honest, cap), 400);
          return claims({ ...capability, limitMax: 0 }).toSorted();
        };
        expect(await proved(one)).toEqual(await proved(other));
      }),
      { numRuns: RUNS, ...SHRINK_LIMIT },
    );
  },
);
