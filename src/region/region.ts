import { listCountriesInRegion } from './territory-containment.js';

export { parseCountryCode, hasCountryAlias } from './country.js';

/** A part of the world and the countries in it. */
export interface Region {
  /** UN M49, three digits. */
  readonly code: string;
  /** As UN M49 writes it. */
  readonly name: string;
  /** ISO 3166-1 alpha-2 codes in upper case, as `parseCountryCode` gives them. */
  readonly countries: ReadonlySet<string>;
}

/**
 * UN M49's regions, each followed by its sub-regions and intermediate regions, in the order and the words of the standard
 * (CLDR's English names differ). FIRST's continents are among them: "North America" is M49's continent 003, "Antarctica" its area 010.
 */
const m49Regions: readonly (readonly [code: string, name: string])[] = [
  ['002', 'Africa'],
  ['015', 'Northern Africa'],
  ['202', 'Sub-Saharan Africa'],
  ['014', 'Eastern Africa'],
  ['017', 'Middle Africa'],
  ['018', 'Southern Africa'],
  ['011', 'Western Africa'],
  ['019', 'Americas'],
  ['003', 'North America'],
  ['419', 'Latin America and the Caribbean'],
  ['029', 'Caribbean'],
  ['013', 'Central America'],
  ['005', 'South America'],
  ['021', 'Northern America'],
  ['010', 'Antarctica'],
  ['142', 'Asia'],
  ['143', 'Central Asia'],
  ['030', 'Eastern Asia'],
  ['035', 'South-eastern Asia'],
  ['034', 'Southern Asia'],
  ['145', 'Western Asia'],
  ['150', 'Europe'],
  ['151', 'Eastern Europe'],
  ['154', 'Northern Europe'],
  ['830', 'Channel Islands'],
  ['039', 'Southern Europe'],
  ['155', 'Western Europe'],
  ['009', 'Oceania'],
  ['053', 'Australia and New Zealand'],
  ['054', 'Melanesia'],
  ['057', 'Micronesia'],
  ['061', 'Polynesia'],
];

const regionByText = new Map<string, Region>();

for (const [code, name] of m49Regions) {
  const region = { code, name, countries: new Set(listCountriesInRegion(code)) };
  regionByText.set(code, region);
  regionByText.set(name.toLowerCase(), region);
}

/**
 * The region of this name (any case) or M49 code: M49's regions, sub-regions and intermediate regions, and FIRST's
 * continents (decisions.md, section 2, `region`). Undefined where there is none.
 */
export function findRegion(nameOrCode: string): Region | undefined {
  return regionByText.get(nameOrCode.toLowerCase());
}

/** All names that `region` accepts beside the codes, in the order of UN M49. */
export const regionNames: readonly string[] = m49Regions.map(([, name]) => name);
