import { listCountriesInRegion } from './cldr-territories.js';

/** Of UN M49. */
export interface Region {
  /** Three digits. */
  readonly code: string;
  /** English. */
  readonly name: string;
  /** Alpha-2 codes in upper case, as `parseCountryCode` returns them. */
  readonly countries: ReadonlySet<string>;
}

/**
 * Each region is followed by its sub-regions and intermediate regions, in the order and with the names of UN M49
 * (CLDR's differ). They include FIRST's continents: "North America" is continent 003 and "Antarctica" is area 010.
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

/** Finds regions at any level, and FIRST's continents (decisions 2.25), by name (in any case) or code. */
export function findRegion(nameOrCode: string): Region | undefined {
  return regionByText.get(nameOrCode.toLowerCase());
}

/** In the order of UN M49. */
export const regionNames: readonly string[] = m49Regions.map(([, name]) => name);

/** In the order of UN M49. */
export const regionCodes: readonly string[] = m49Regions.map(([code]) => code);
