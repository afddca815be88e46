import { describe, expect, it } from 'vitest';
import { findRegion, regionNames } from '../../src/region/region.js';

function countries(nameOrCode: string): string[] {
  const found = findRegion(nameOrCode);
  if (!found) throw new Error(`no region ${nameOrCode}`);
  return [...found.countries].sort();
}

function together(...names: string[]): string[] {
  return names.flatMap(countries).sort();
}

/** The tree of UN M49: each region and the parts that it consists of, each country once. */
const tree: [string, string[]][] = [
  ['Africa', ['Northern Africa', 'Sub-Saharan Africa']],
  ['Sub-Saharan Africa', ['Eastern Africa', 'Middle Africa', 'Southern Africa', 'Western Africa']],
  ['Americas', ['Latin America and the Caribbean', 'Northern America']],
  ['Latin America and the Caribbean', ['Caribbean', 'Central America', 'South America']],
  ['North America', ['Northern America', 'Central America', 'Caribbean']],
  ['Asia', ['Central Asia', 'Eastern Asia', 'South-eastern Asia', 'Southern Asia', 'Western Asia']],
  ['Europe', ['Eastern Europe', 'Northern Europe', 'Southern Europe', 'Western Europe']],
  ['Oceania', ['Australia and New Zealand', 'Melanesia', 'Micronesia', 'Polynesia']],
];

describe('findRegion', () => {
  it.each([
    ['Africa', '002'],
    ['Northern Africa', '015'],
    ['Sub-Saharan Africa', '202'],
    ['Eastern Africa', '014'],
    ['Middle Africa', '017'],
    ['Southern Africa', '018'],
    ['Western Africa', '011'],
    ['Americas', '019'],
    ['North America', '003'],
    ['Latin America and the Caribbean', '419'],
    ['Caribbean', '029'],
    ['Central America', '013'],
    ['South America', '005'],
    ['Northern America', '021'],
    ['Antarctica', '010'],
    ['Asia', '142'],
    ['Central Asia', '143'],
    ['Eastern Asia', '030'],
    ['South-eastern Asia', '035'],
    ['Southern Asia', '034'],
    ['Western Asia', '145'],
    ['Europe', '150'],
    ['Eastern Europe', '151'],
    ['Northern Europe', '154'],
    ['Channel Islands', '830'],
    ['Southern Europe', '039'],
    ['Western Europe', '155'],
    ['Oceania', '009'],
    ['Australia and New Zealand', '053'],
    ['Melanesia', '054'],
    ['Micronesia', '057'],
    ['Polynesia', '061'],
  ])('finds %s, M49 %s, by name in any case and by code', (name, code) => {
    const found = findRegion(code);
    expect(found).toMatchObject({ name, code });
    expect(found?.countries.size).toBeGreaterThan(0);
    expect([findRegion(name), findRegion(name.toUpperCase()), findRegion(name.toLowerCase())]).toEqual([
      found,
      found,
      found,
    ]);
    expect(regionNames).toContain(name);
  });

  it('has no further names', () => {
    expect(regionNames).toHaveLength(32);
    expect(new Set(regionNames).size).toBe(32);
  });

  it.each([
    '',
    'Norway',
    'NO',
    '578',
    '2',
    'EU',
    'QO',
    'Australasia',
    'Southeast Asia',
    'Micronesian Region',
    '__proto__',
  ])('finds no region for %j', (text) => {
    expect(findRegion(text)).toBeUndefined();
  });

  it.each(tree)('composes %s of its parts, each country once', (whole, parts) => {
    expect(countries(whole)).toEqual(together(...parts));
  });

  it('divides the world into the continents of FIRST, each country in exactly one', () => {
    const continents = together('North America', 'South America', 'Europe', 'Asia', 'Africa', 'Oceania', 'Antarctica');
    expect(continents).toEqual(together('Americas', 'Europe', 'Asia', 'Africa', 'Oceania', 'Antarctica'));
    expect(new Set(continents).size).toBe(continents.length);
    expect(continents).toHaveLength(250);
  });

  it.each([
    ['Western Asia', 'CY'],
    ['Western Asia', 'TR'],
    ['Southern Asia', 'IR'],
    ['Eastern Asia', 'TW'],
    ['Southern Europe', 'XK'],
    ['South America', 'GS'],
    ['South America', 'BV'],
    ['Australia and New Zealand', 'HM'],
    ['Australia and New Zealand', 'CC'],
    ['Australia and New Zealand', 'CX'],
    ['Eastern Africa', 'TF'],
    ['Eastern Africa', 'IO'],
    ['Northern Africa', 'SD'],
    ['Eastern Africa', 'SS'],
    ['Western Africa', 'SH'],
    ['Micronesia', 'UM'],
    ['Northern Europe', 'SJ'],
    ['Northern Europe', 'AX'],
    ['Northern Europe', 'JE'],
    ['Northern America', 'GL'],
    ['Central America', 'MX'],
    ['Caribbean', 'PR'],
  ])('places in %s, as M49 does, %s', (name, code) => {
    expect(countries(name)).toContain(code);
  });

  it('has exactly the countries of the smallest regions', () => {
    expect(countries('Antarctica')).toEqual(['AQ']);
    expect(countries('Channel Islands')).toEqual(['GG', 'JE']);
    expect(countries('Southern Africa')).toEqual(['BW', 'LS', 'NA', 'SZ', 'ZA']);
    expect(countries('Australia and New Zealand')).toEqual(['AU', 'CC', 'CX', 'HM', 'NF', 'NZ']);
  });
});
