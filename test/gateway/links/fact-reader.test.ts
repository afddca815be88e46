import { expect, it, vi } from 'vitest';
import { directoryTeams } from '../../../src/model/resources/directory-teams.js';
import { SameTeamFinder } from '../../../src/gateway/links/same-team.js';
import { teamRecordSet } from '../../support/unit/team-record-set.js';

it('reads the facts of many namesakes once in a search, however often they are compared', async () => {
  const teams = Array.from({ length: 60 }, (_, at) => ({
    slug: `s${at}`,
    'short-team-name': 'Acorn CERT',
    'country-code': 'NO',
    'source-name': `Source ${at}`,
    website: ['https://acorn.example.org'],
  }));
  const set = teamRecordSet('relay', 1, teams);
  const finder = await SameTeamFinder.over([set]);
  const reads = set.records.map((record) => vi.spyOn(record, 'valueAt'));
  const links = await finder.findAll(set.records);
  expect([...links.values()].map(({ length }) => length)).toEqual(teams.map(() => 59));
  // Once as a fact, and for each link, in both directions, to find what differs.
  const times = 1 + 2 * 59;
  const website = directoryTeams.properties.findIndex(({ name }) => name === 'website');
  expect(reads.map(({ mock }) => mock.calls.filter(([position]) => position === website).length)).toEqual(
    teams.map(() => times),
  );
});
