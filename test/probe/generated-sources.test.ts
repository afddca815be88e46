import fc from 'fast-check';
import { expect, it } from 'vitest';
import { noCapability } from '../../src/model/registration/capability.js';
import type { Capability } from '../../src/model/registration/capability.js';
import { behaviours, simulatedRepository } from '../support/repository/simulated-repository.js';
import type { Behaviour, BehaviourName } from '../support/repository/simulated-repository.js';
import type { RawRecord } from '../support/upstream/paged-responses.js';
import { probeUpstream, distinctiveNews, distinctiveTeams } from '../support/gateway/run-probe.js';
import { boundShrinking, generatedRuns } from '../support/generated-runs.js';
import { narrowSearches, wideSearches } from '../support/repository/search-behaviours.js';
import { falseClaims } from '../support/repository/false-claims.js';
import type { ClaimedSource } from '../support/repository/false-claims.js';

/** Behaviours that no generated source has: a source that changes with each request has no correct result, and a source that never responds has none. */
const EXCLUDED: readonly BehaviourName[] = ['drifts', 'grows', 'never responds', 'responds late', 'ignores limit'];

const KNOWN: Readonly<Record<string, Behaviour>> = { ...behaviours, ...narrowSearches, ...wideSearches };

const names = Object.keys(KNOWN).filter((name) => !EXCLUDED.includes(name as BehaviourName));

/** Transformations of team names. */
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

/** Excludes multiples of seven: `distinctiveTeams` would repeat itself, and such a list looks like that of a source that ignores `offset`. */
const size = fc
  .oneof(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 61, max: 300 }))
  .filter((count) => count % 7 !== 0);

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

function buildSource(generated: Source, cap: number = generated.cap): ClaimedSource {
  const { size, spelling, straddles, otherForms, path } = generated;
  const apiInterface = path === 'news' ? 'data' : generated.apiInterface;
  const respell = spellings[spelling] ?? String;
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
    return { ...team, [name]: respell(String(team[name])), [own]: form, ...(straddles ? {} : { [further]: [] }) };
  });
  const records = path === 'news' ? distinctiveNews(size) : teams;
  const lists =
    path === 'news' ? { news: records } : apiInterface === 'directory' ? { directory: records } : { teams: records };
  const all = [{ paging: { cap } }, ...generated.behaviours.map((behaviour) => KNOWN[behaviour] ?? {})];
  return { lists, behaviours: all, apiInterface, path, records };
}

async function proveCapability({ lists, behaviours: all, apiInterface, path }: ClaimedSource): Promise<Capability> {
  const { report } = await probeUpstream(simulatedRepository(lists, all), [apiInterface], {
    registered: { resources: [path] },
  });
  return report.supports[path] ?? noCapability;
}

/** Number of generated sources for each property. */
const RUNS = generatedRuns({ usual: 1, long: 12 });

it('a probe proves only capabilities that the source has', async () => {
  await fc.assert(
    boundShrinking(
      fc.asyncProperty(source, async (generated) => {
        const claimed = buildSource(generated);
        expect(falseClaims(claimed, await proveCapability(claimed))).toEqual([]);
      }),
    ),
    { numRuns: RUNS },
  );
});

it('a probe proves the same capabilities of a correct source for every maximum page size', async () => {
  const caps = fc.uniqueArray(fc.constantFrom(10, 25, 30, 60, 100, 1000), { minLength: 2, maxLength: 2 });
  await fc.assert(
    boundShrinking(
      fc.asyncProperty(source, caps, async (generated, [first = 0, second = 0]) => {
        // The result for a faulty source may depend on the page size (docs/known-limits.md).
        const correct = { ...generated, behaviours: [] };
        expect(await proveCapability(buildSource(correct, first))).toEqual(
          await proveCapability(buildSource(correct, second)),
        );
      }),
    ),
    { numRuns: RUNS },
  );
});
