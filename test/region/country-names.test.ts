import { expect, it } from 'vitest';
import { getCountryNames, getLocalCountryNames } from '../../src/region/country-names.js';
import { countryCodes } from '../../src/region/cldr-territories.js';

it.each([
  ['DE', ['Deutschland']],
  ['FI', ['Suomi', 'Finland']],
  ['TW', ['台灣']],
  ['RS', ['Србија', 'Srbija']],
  ['US', []],
])('%s has the names %j in its official languages, apart from English ones', (code, names) => {
  expect(getLocalCountryNames(code)).toEqual(names.filter((name) => !getCountryNames(code).includes(name)));
});

it.each(['de', 'EU', '', '__proto__', 'constructor'])('%j is no country and has no names', (text) => {
  expect(getCountryNames(text)).toEqual([]);
  expect(getLocalCountryNames(text)).toEqual([]);
});

it('every country has an English name, and no name twice', () => {
  for (const code of countryCodes) {
    const names = [...getCountryNames(code), ...getLocalCountryNames(code)];
    expect(getCountryNames(code)).not.toEqual([]);
    expect(new Set(names).size).toBe(names.length);
  }
});
