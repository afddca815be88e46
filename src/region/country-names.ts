import { listCountriesInRegion, listOfficialLanguages } from './cldr-territories.js';
import { findRegion } from './region.js';

const englishNames = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

/**
 * Former or alternative names that are still in use, in addition to CLDR's (decisions 2.27). The recorded `q=EY` found
 * Turkey.
 */
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

/**
 * Returns the English names of a country by its alpha-2 code in upper case, the usual name first; an empty list for any
 * other text.
 */
export function getCountryNames(code: string): readonly string[] {
  return namesByCode.get(code) ?? [];
}

const localNamesByCode = new Map<string, readonly string[]>();

/**
 * Returns the names of a country in its official languages, such as `Schweiz`, `Suisse` and `Svizzera`, without those that are
 * English names too; an empty list for a text that is no alpha-2 code in upper case.
 */
export function getLocalCountryNames(code: string): readonly string[] {
  const known = localNamesByCode.get(code);
  if (known !== undefined) return known;
  const english = getCountryNames(code);
  const names = listOfficialLanguages(code)
    .map((language) => new Intl.DisplayNames(language, { type: 'region', fallback: 'none' }).of(code))
    .filter((name) => name !== undefined)
    .filter((name) => !english.includes(name));
  const found = [...new Set(names)];
  // Only codes of countries are remembered: records may have any text as their country.
  if (english.length > 0) localNamesByCode.set(code, found);
  return found;
}

/** Pairs of every English name of a country and its alpha-2 code in upper case. */
export const countryCodesByName: readonly (readonly [name: string, code: string])[] = [...namesByCode].flatMap(
  ([code, names]) => names.map((name) => [name, code] as const),
);

/** The continent names that FIRST uses (decisions 2.29). */
const CONTINENTS = ['Africa', 'Antarctica', 'Asia', 'Europe', 'North America', 'Oceania', 'South America'];

const continentByCode = new Map(
  CONTINENTS.flatMap((name) => [...(findRegion(name)?.countries ?? [])].map((code) => [code, name] as const)),
);

/**
 * Returns the name of the continent of a country (decisions 4.20) by its alpha-2 code in upper case; undefined for any
 * other text.
 */
export function findContinent(code: string): string | undefined {
  return continentByCode.get(code);
}
