import { listCountriesInRegion } from './cldr-territories.js';

/** A region of UN M49 and its countries. */
export interface Region {
  /** Three-digit code of UN M49. */
  readonly code: string;
  /** English name of UN M49. */
  readonly name: string;
  /** ISO 3166-1 alpha-2 codes in upper case, as `parseCountryCode` returns them. */
  readonly countries: ReadonlySet<string>;
}

/**
 * The regions of UN M49, each followed by its sub-regions and intermediate regions, in the order and with the names of
 * the standard (CLDR's English names differ). They include FIRST's continents: "North America" is continent 003 and
 * "Antarctica" is area 010.
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
 * Finds a region by name (in any case) or M49 code: regions, sub-regions and intermediate regions of M49, and FIRST's
 * continents (decisions 2.25). Returns undefined if there is none.
 */
export function findRegion(nameOrCode: string): Region | undefined {
  return regionByText.get(nameOrCode.toLowerCase());
}

/** All names that the parameter `region` accepts besides the codes, in the order of UN M49. */
export const regionNames: readonly string[] = m49Regions.map(([, name]) => name);

/** All codes that the parameter `region` accepts, in the same order. */
export const regionCodes: readonly string[] = m49Regions.map(([code]) => code);
