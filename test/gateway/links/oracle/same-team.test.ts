import fc from 'fast-check';
import { expect, it } from 'vitest';
import { groupLinked } from '../../../../src/gateway/links/linked-groups.js';
import { SameTeamFinder } from '../../../../src/gateway/links/same-team.js';
import type { RecordSet } from '../../../../src/records/record-set.js';
import { boundShrinking, generatedRuns } from '../../../support/generated-runs.js';
import { teamRecordSet } from '../../../support/unit/team-record-set.js';
import type { TeamInput } from '../../../support/unit/team-record-set.js';
import { knownFleets } from './known-identities.js';
import type { KnownFleet } from './known-identities.js';
import { naiveReasons } from './naive-links.js';

function setsOf(fleet: KnownFleet): readonly RecordSet[] {
  return fleet.map((teams, at) =>
    teamRecordSet(
      `s${at}`,
      at + 1,
      teams.map(({ record }) => record),
    ),
  );
}

/** The kinds of the reasons of all links, by the ids of the two records. */
async function findLinks(fleet: KnownFleet): Promise<ReadonlyMap<string, readonly string[]>> {
  const sets = setsOf(fleet);
  const finder = await SameTeamFinder.over(sets);
  const links = await finder.findAll(sets.flatMap(({ records }) => records));
  return new Map(
    [...links].flatMap(([id, found]) =>
      found.map(({ record, reasons }) => [`${id} ${record.id}`, reasons.map(({ kind }) => kind)] as const),
    ),
  );
}

function expectedLinks(fleet: KnownFleet): ReadonlyMap<string, readonly string[]> {
  const all = fleet.flatMap((teams, repository) => teams.map(({ record }) => ({ repository, record })));
  const pairs = all.flatMap((a) => all.map((b) => [a, b] as const));
  const found = pairs.map(
    ([a, b]) =>
      [`s${a.repository}.${a.record.slug} s${b.repository}.${b.record.slug}`, naiveReasons(a, b, all)] as const,
  );
  return new Map(found.filter(([, reasons]) => reasons.length > 0));
}

/** The pairs of records of teams that share no fact, where both state the country, the short name and an equal key or address. */
function clearPairs(fleet: KnownFleet): readonly string[] {
  const all = fleet.flatMap((teams, repository) =>
    teams.map((listed) => ({ ...listed, id: `s${repository}.${listed.record.slug}` })),
  );
  const states = (record: TeamInput, name: string): boolean => record[name] !== undefined;
  return all.flatMap((a) =>
    all
      .filter((b) => a.id !== b.id && a.identity === b.identity && /^(?:other|namesake)/.test(a.identity))
      .filter((b) =>
        ['short-team-name', 'country-code'].every((name) => states(a.record, name) && states(b.record, name)),
      )
      .filter((b) => ['enckeys', 'email'].some((name) => states(a.record, name) && states(b.record, name)))
      .map((b) => `${a.id} ${b.id}`),
  );
}

it('links records exactly as the definition says, and never two teams', async () => {
  const counted = { links: 0, clear: 0 };
  const property = fc.asyncProperty(knownFleets, async (fleet) => {
    const links = await findLinks(fleet);
    expect(new Map([...links].sort())).toEqual(new Map([...expectedLinks(fleet)].sort()));
    for (const pair of links.keys()) {
      const [one = '', other = ''] = pair.split(' ');
      expect(one.slice(one.indexOf('.'))).toBe(other.slice(other.indexOf('.')));
    }
    const clear = clearPairs(fleet);
    expect(clear.filter((pair) => !links.has(pair))).toEqual([]);
    counted.links += links.size;
    counted.clear += clear.length;
  });
  await fc.assert(boundShrinking(property), { numRuns: generatedRuns({ usual: 150, long: 2_000 }) });
  expect(Math.min(counted.links, counted.clear)).toBeGreaterThan(100);
});

/** A repository that lists each record of the others several times. */
function copyAll(fleet: KnownFleet): KnownFleet[number] {
  return fleet.flatMap((teams, repository) =>
    teams.flatMap(({ identity, record }) =>
      [1, 2, 3].map((copy) => ({ identity, record: { ...record, slug: `s${repository}-${identity}-${copy}` } })),
    ),
  );
}

it('links records of other repositories as before where one copies all of them, and each copy as its original', async () => {
  let count = 0;
  const property = fc.asyncProperty(knownFleets, async (fleet) => {
    const links = await findLinks(fleet);
    const hostile = `s${fleet.length}.`;
    const amongCopies = await findLinks([...fleet, copyAll(fleet)]);
    const others = [...amongCopies].filter(([pair]) => !pair.includes(hostile));
    expect(new Map(others.sort())).toEqual(new Map([...links].sort()));
    for (const [pair, kinds] of links) {
      const [one = '', other = ''] = pair.split(' ');
      for (const copy of [1, 2, 3])
        expect(amongCopies.get(`${hostile}${one.replace('.', '-')}-${copy} ${other}`)).toEqual(kinds);
      count += 1;
    }
  });
  await fc.assert(boundShrinking(property), { numRuns: generatedRuns({ usual: 50, long: 1_000 }) });
  expect(count).toBeGreaterThan(100);
});

it('groups records of one team by links of links, of each repository once, and never of two teams', async () => {
  let indirect = 0;
  const property = fc.asyncProperty(knownFleets, async (fleet) => {
    const sets = setsOf(fleet);
    const records = sets.flatMap((set) => set.records);
    const finder = await SameTeamFinder.over(sets);
    const groups = records.map((record) => [
      ...new Set([record.id, ...finder.findGroup(record).flatMap((pair) => pair.records.map(({ id }) => id))]),
    ]);
    const listed = groupLinked(records, await finder.findAll(records)).map(({ record, linked }) => [
      record.id,
      ...linked.map((link) => link.record.id),
    ]);
    expect(listed.flat().sort()).toEqual(records.map(({ id }) => id).sort());
    for (const ids of [...groups, ...listed]) {
      const [codes, identities] = [0, 1].map((part) => new Set(ids.map((id) => id.split('.')[part])));
      expect([codes?.size, identities?.size]).toEqual([ids.length, 1]);
    }
    indirect += groups.flat().length - records.reduce((sum, record) => sum + 1 + finder.find(record).length, 0);
  });
  await fc.assert(boundShrinking(property), { numRuns: generatedRuns({ usual: 100, long: 1_000 }) });
  expect(indirect).toBeGreaterThan(0);
});
