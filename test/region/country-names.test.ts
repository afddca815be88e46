import { expect, it } from 'vitest';
import { getCountryNames, getLocalCountryNames, recognizeCountry } from '../../src/region/country-names.js';
import { countryCodes, findThreeLetterCode } from '../../src/region/cldr-territories.js';

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

it.each([
  ['de', 'DE'],
  ['UK', 'GB'],
  ['germany', 'DE'],
  ['USA', 'US'],
  ['U.S.', 'US'],
  ['United States of America', 'US'],
  ['840', 'US'],
  ['040', 'AT'],
  ['the Netherlands', 'NL'],
  ['Sudan (the)', 'SD'],
  ["Cote d'Ivoire", 'CI'],
  ['Ivory Coast', 'CI'],
  ['Bosnia and Herzegovina', 'BA'],
  ['St Lucia', 'LC'],
  ['Korea, Republic of', 'KR'],
  ['Congo (the Democratic Republic of the)', 'CD'],
  ['Guinea', 'GN'],
  ['Guinea-Bissau', 'GW'],
  ['Georgia', 'GE'],
  ['Federated States of Micronesia', 'FM'],
  ['European Union', 'EU'],
])('%j is recognised as %s', (text, code) => {
  expect(recognizeCountry(text)).toBe(code);
});

it.each([
  ...[
    'Congo',
    'Congo (the)',
    'Korea',
    'Micronesia',
    'Virgin Islands',
    'America',
    'Europe',
    'Deutschland',
    'Germ',
    'XX',
  ],
  ...['40', '1', '999', 'GER', 'n/a', '', 'the', '__proto__', 'constructor', 'Germany '.repeat(20), 'Germany, France'],
])('%j is not recognised as a country', (text) => {
  expect(recognizeCountry(text)).toBeUndefined();
});

it('every name of a country, and its alpha-3 code, are recognised as its code or not at all', () => {
  for (const code of countryCodes)
    for (const name of [...getCountryNames(code), findThreeLetterCode(code) ?? ''])
      expect([name, recognizeCountry(name)]).toEqual([name, name === 'Micronesia' ? undefined : code]);
});
