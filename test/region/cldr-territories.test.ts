import { describe, expect, it } from 'vitest';
import { countryCodes, findThreeLetterCode, listOfficialLanguages } from '../../src/region/cldr-territories.js';

describe('findThreeLetterCode', () => {
  it('has a code of three letters for each country, and no code twice', () => {
    const codes = [...countryCodes].map((code) => findThreeLetterCode(code) ?? code);
    expect(codes.filter((code) => !/^[A-Z]{3}$/.test(code))).toEqual([]);
    expect(new Set(codes).size).toBe(countryCodes.size);
  });

  it.each([
    ['DZ', 'DZA'],
    ['CD', 'COD'],
    ['GB', 'GBR'],
    ['GR', 'GRC'],
    ['RO', 'ROU'],
    ['TL', 'TLS'],
    ['TW', 'TWN'],
    ['XK', 'XKK'],
  ])('is the code of ISO 3166-1 for %s', (code, alpha3) => {
    expect(findThreeLetterCode(code)).toBe(alpha3);
  });

  it.each(['UK', 'EL', 'EU', 'ZR', 'dz', '', 'DZA', '__proto__', 'constructor'])('has none for %j', (text) => {
    expect(findThreeLetterCode(text)).toBeUndefined();
  });
});

it.each([
  ['CH', ['de', 'fr', 'gsw', 'it']],
  ['NO', ['nb', 'nn', 'no']],
  ['IN', ['en', 'hi']],
  ['AQ', []],
  ['CQ', []],
  ['constructor', []],
])('%s has the official languages %j', (code, languages) => {
  expect(listOfficialLanguages(code)).toEqual(languages);
});
