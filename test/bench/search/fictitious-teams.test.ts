import { describe, expect, it } from 'vitest';
import { fictitiousTeams } from '../../../bench/search/fictitious-teams.js';
import { countries } from '../../../config/demo/generator/countries.js';

const teams = fictitiousTeams(0, 7_200);

const wordsOf = (texts: readonly (string | undefined)[]): ReadonlySet<string> =>
  new Set(texts.flatMap((text = '') => text.toLowerCase().match(/[\p{L}\p{M}]+/gu) ?? []));

describe('the fictitious teams', () => {
  it('are the same at each position, however many are made', () => {
    expect(fictitiousTeams(700, 50)).toEqual(teams.slice(700, 750));
  });

  it('are of all countries of the demo, with different domains', () => {
    expect(new Set(teams.map((team) => team['country-code'])).size).toBe(countries.length);
    expect(new Set(teams.map(({ email }) => email?.split('@')[1])).size).toBeGreaterThan(7_100);
  });

  it('have names of many different words, in several scripts', () => {
    const words = wordsOf(teams.map(({ host }) => host));
    expect(words.size).toBeGreaterThan(1_200);
    for (const script of ['Latin', 'Greek', 'Cyrillic', 'Arabic', 'Han']) {
      expect(
        [...words].some((word) => new RegExp(`\\p{Script=${script}}`, 'u').test(word)),
        script,
      ).toBe(true);
    }
  });
});
