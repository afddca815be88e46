import { createRequire } from 'node:module';
import type mappings from 'cldr-core/supplemental/codeMappings.json';
import type territories from 'cldr-core/supplemental/territoryContainment.json';
import type territoryInfo from 'cldr-core/supplemental/territoryInfo.json';

// Node.js 20 prints a warning on standard error when JSON is imported. Therefore only the type of the file is imported.
const require = createRequire(import.meta.url);
const file = require('cldr-core/supplemental/territoryContainment.json') as typeof territories;

const containment: Readonly<Record<string, { readonly _contains: readonly string[] }>> =
  file.supplemental.territoryContainment;

/**
 * Codes below CLDR's regions that are neither M49 regions nor ISO 3166-1 countries: Outlying Oceania, Sark, Ceuta and
 * Melilla, Canary Islands.
 */
const cldrOnlyCodes = new Set(['QO', 'CQ', 'EA', 'IC']);

/**
 * M49 areas that CLDR does not have: Antarctica belongs to no region, and the Channel Islands are an intermediate
 * region.
 */
const areasMissingFromCldr: Readonly<Record<string, readonly string[]>> = { '010': ['AQ'], '830': ['GG', 'JE'] };

/**
 * Returns the alpha-2 codes of the countries in an M49 region, at any depth. Countries that M49 does not list (TW, XK)
 * are in the region of CLDR. For a code that is not a region, returns the code itself.
 */
export function listCountriesInRegion(code: string): string[] {
  const parts = areasMissingFromCldr[code] ?? containment[code]?._contains;
  return parts ? parts.filter((part) => !cldrOnlyCodes.has(part)).flatMap(listCountriesInRegion) : [code];
}

const presentCodes = new Set([...listCountriesInRegion('001'), ...listCountriesInRegion('010')]);

const codeFile = require('cldr-core/supplemental/codeMappings.json') as typeof mappings;

/** Numbers of present countries. The file has former codes too, such as ZR beside CD. */
const codesByNumber = new Map(
  Object.entries(codeFile.supplemental.codeMappings).flatMap(([code, mapping]) =>
    '_numeric' in mapping && presentCodes.has(code) ? [[mapping._numeric, code] as const] : [],
  ),
);

/** Returns the alpha-2 code of a country by its numeric code of ISO 3166-1, three digits; undefined for any other text. */
export function findCountryByNumber(numericCode: string): string | undefined {
  return codesByNumber.get(numericCode);
}

/** Three-letter codes of present countries by their two-letter codes. */
const threeLetterCodes = new Map(
  Object.entries(codeFile.supplemental.codeMappings).flatMap(([code, mapping]) =>
    '_alpha3' in mapping && presentCodes.has(code) ? [[code, mapping._alpha3] as const] : [],
  ),
);

/**
 * Returns the alpha-3 code of ISO 3166-1 of a country by its alpha-2 code in upper case, `XKK` for Kosovo; undefined for
 * any other text.
 */
export function findThreeLetterCode(code: string): string | undefined {
  return threeLetterCodes.get(code);
}

/** The alpha-2 codes of all countries in upper case: those of ISO 3166-1, and XK. */
export const countryCodes: ReadonlySet<string> = presentCodes;

const infoFile = require('cldr-core/supplemental/territoryInfo.json') as typeof territoryInfo;

interface TerritoryInfo {
  readonly _population: string;
  readonly languagePopulation?: Readonly<
    Record<string, { readonly _populationPercent: string; readonly _officialStatus?: string }>
  >;
}

const infoByCode: Readonly<Record<string, TerritoryInfo>> = infoFile.supplemental.territoryInfo;

/**
 * Returns the languages that are official in a whole country, by law or in fact, by its alpha-2 code in upper case: tags of
 * BCP 47 such as `nn` and `zh-Hant`. An empty list for any other text.
 */
export function listOfficialLanguages(code: string): readonly string[] {
  if (!presentCodes.has(code)) return [];
  return Object.entries(infoByCode[code]?.languagePopulation ?? {})
    .filter(([, { _officialStatus: status }]) => status === 'official' || status === 'de_facto_official')
    .map(([language]) => language.replaceAll('_', '-'));
}
