import { describe, expect, it } from 'vitest';
import { countMatches } from '../../src/records/match-counts.js';
import { teamRecordSet } from '../support/unit/team-record-set.js';

const set = teamRecordSet('harbour', 1, [
  { slug: 'a', 'country-code': 'NO', host: 'Energy' },
  { slug: 'b', 'country-code': 'SE', 'additional-country-code': ['NO', 'SE', 'NO'], host: 'Water' },
  { slug: 'c', 'country-code': 'NO', host: 'Water', 'source-name': 'Behind' },
  { slug: 'd', host: 'Water' },
]);

describe('the number of matches', () => {
  it('by country counts each team once for each of its countries', async () => {
    expect(await countMatches(set, [], 'country')).toEqual(
      new Map([
        ['NO', 3],
        ['SE', 1],
      ]),
    );
  });

  it('leaves out what does not match, and values without a match', async () => {
    const water = [{ kind: 'words', words: ['water'] }] as const;
    expect(await countMatches(set, water, 'country')).toEqual(
      new Map([
        ['NO', 2],
        ['SE', 1],
      ]),
    );
    const energy = [{ kind: 'words', words: ['energy'] }] as const;
    expect(await countMatches(set, energy, 'country')).toEqual(new Map([['NO', 1]]));
    expect(await countMatches(set, [{ kind: 'words', words: ['nothing'] }], 'country')).toEqual(new Map());
  });

  it('without a country counts the teams that no country counts', async () => {
    expect(await countMatches(set, [], 'no-country')).toEqual(new Map([['', 1]]));
    expect(await countMatches(set, [{ kind: 'words', words: ['energy'] }], 'no-country')).toEqual(new Map());
  });

  it('by source-name counts the sources behind an aggregate', async () => {
    expect(await countMatches(set, [], 'source-name')).toEqual(
      new Map([
        ['harbour', 3],
        ['Behind', 1],
      ]),
    );
  });
});
