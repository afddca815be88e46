import { expect, it } from 'vitest';
import { selectNationalTeams } from '../../src/countries/national-team.js';
import { teamRecordSet } from '../support/unit/team-record-set.js';

it('selects the teams that call themselves or their constituency national, those with a number first', () => {
  const { records } = teamRecordSet('one', 1, [
    { slug: 'mute', 'official-team-name': 'Nátional CSIRT of Iceland', 'country-code': 'IS' },
    {
      slug: 'named',
      'short-team-name': 'National Cyber Security Centre',
      'country-code': 'IS',
      'phone-numbers': ['+999 1'],
    },
    {
      slug: 'serving',
      'short-team-name': 'IS-CERT',
      constituency: 'Whole country',
      'country-code': 'IS',
      'phone-numbers': ['+999 2'],
    },
    { slug: 'bank', 'short-team-name': 'National Bank CERT', 'country-code': 'IS', 'phone-numbers': ['+999 3'] },
    { slug: 'world', 'short-team-name': 'X', constituency: 'International', 'country-code': 'IS' },
    { slug: 'abroad', 'short-team-name': 'National CSIRT', 'country-code': 'NO', 'additional-country-code': ['IS'] },
  ]);
  expect(selectNationalTeams(records, 'IS').map(({ id }) => id)).toEqual(['one.named', 'one.serving', 'one.mute']);
});
