import { expect, it, vi } from 'vitest';
import { findRegistrableDomain } from '../../../src/identifiers/host-name.js';
import { SameTeamFinder } from '../../../src/gateway/links/same-team.js';
import { teamRecordSet } from '../../support/unit/team-record-set.js';

vi.mock('../../../src/identifiers/host-name.js', { spy: true });

it('reads the facts of many namesakes once in a search, however often they are compared', async () => {
  const teams = Array.from({ length: 60 }, (_, at) => ({
    slug: `s${at}`,
    'short-team-name': 'Acorn CERT',
    'country-code': 'NO',
    'source-name': `Source ${at}`,
    website: ['https://acorn.example.org'],
  }));
  const set = teamRecordSet('relay', 1, teams);
  const links = await (await SameTeamFinder.over([set])).findAll(set.records);
  expect([...links.values()].map(({ length }) => length)).toEqual(teams.map(() => 59));
  expect(vi.mocked(findRegistrableDomain).mock.calls).toHaveLength(60);
});
