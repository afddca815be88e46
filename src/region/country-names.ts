import { listCountriesInRegion } from './territory-containment.js';
import { findRegion } from './region.js';

const englishNames = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

/** Names that people go on searching for, beside CLDR's own (the recorded `q=EY` found Turkey). */
const ALTERNATIVE_NAMES: Readonly<Record<string, string>> = {
  CI: 'Ivory Coast',
  CV: 'Cabo Verde',
  CZ: 'Czech Republic',
  MK: 'Macedonia',
  MM: 'Burma',
  SZ: 'Swaziland',
  TR: 'Turkey',
};

const namesByCode = new Map<string, readonly string[]>();

for (const code of [...listCountriesInRegion('001'), ...listCountriesInRegion('010')]) {
  namesByCode.set(
    code,
    [englishNames.of(code), ALTERNATIVE_NAMES[code]].filter((name) => name !== undefined),
  );
}

/** English names of a country by its alpha-2 code in upper case, the usual one first; none for what is no country. */
export function getCountryNames(code: string): readonly string[] {
  return namesByCode.get(code) ?? [];
}

/** Every English name of a country, and its alpha-2 code in upper case. */
export const countryCodesByName: readonly (readonly [name: string, code: string])[] = [...namesByCode].flatMap(
  ([code, names]) => names.map((name) => [name, code] as const),
);

/** The continents that FIRST uses (decisions.md, section 2, `region`). */
const CONTINENTS = ['Africa', 'Antarctica', 'Asia', 'Europe', 'North America', 'Oceania', 'South America'];

const continentByCode = new Map(
  CONTINENTS.flatMap((name) => [...(findRegion(name)?.countries ?? [])].map((code) => [code, name] as const)),
);

/** Name of the continent in which a country lies, by its alpha-2 code in upper case. */
export function findContinent(code: string): string | undefined {
  return continentByCode.get(code);
}
