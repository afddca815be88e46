import mappings from 'cldr-core/supplemental/codeMappings.json' with { type: 'json' };
import zones from 'cldr-core/supplemental/primaryZones.json' with { type: 'json' };
import territories from 'cldr-core/supplemental/territoryContainment.json' with { type: 'json' };
import territoryInfo from 'cldr-core/supplemental/territoryInfo.json' with { type: 'json' };

const containment: Readonly<Record<string, { readonly _contains: readonly string[] }>> =
  territories.supplemental.territoryContainment;

/** Neither M49 regions nor ISO 3166-1 countries: Outlying Oceania, Sark, Ceuta and Melilla, Canary Islands. */
const cldrOnlyCodes = new Set(['QO', 'CQ', 'EA', 'IC']);

/** Antarctica belongs to no region, and the Channel Islands are an intermediate region. */
const areasMissingFromCldr: Readonly<Record<string, readonly string[]>> = { '010': ['AQ'], '830': ['GG', 'JE'] };

/** Alpha-2 codes in an M49 region, at any depth; TW and XK as in CLDR. Returns a code that is no region itself. */
export function listCountriesInRegion(code: string): string[] {
  const parts = areasMissingFromCldr[code] ?? containment[code]?._contains;
  return parts ? parts.filter((part) => !cldrOnlyCodes.has(part)).flatMap(listCountriesInRegion) : [code];
}

const presentCodes = new Set([...listCountriesInRegion('001'), ...listCountriesInRegion('010')]);

const { codeMappings } = mappings.supplemental;

/** The file has former codes too, such as ZR beside CD. */
const codesByNumber = new Map(
  Object.entries(codeMappings).flatMap(([code, mapping]) =>
    '_numeric' in mapping && presentCodes.has(code) ? [[mapping._numeric, code] as const] : [],
  ),
);

/** Takes the three digits of ISO 3166-1. */
export function findCountryByNumber(numericCode: string): string | undefined {
  return codesByNumber.get(numericCode);
}

const threeLetterCodes = new Map(
  Object.entries(codeMappings).flatMap(([code, mapping]) =>
    '_alpha3' in mapping && presentCodes.has(code) ? [[code, mapping._alpha3] as const] : [],
  ),
);

/** Takes an alpha-2 code in upper case; `XKK` for Kosovo. */
export function findThreeLetterCode(code: string): string | undefined {
  return threeLetterCodes.get(code);
}

/** Alpha-2 codes in upper case: those of ISO 3166-1, and XK. */
export const countryCodes: ReadonlySet<string> = presentCodes;

interface TerritoryInfo {
  readonly _population: string;
  readonly languagePopulation?: Readonly<
    Record<string, { readonly _populationPercent: string; readonly _officialStatus?: string }>
  >;
}

const infoByCode: Readonly<Record<string, TerritoryInfo>> = territoryInfo.supplemental.territoryInfo;

/** Languages official in a whole country (alpha-2, upper case), by law or in fact: BCP 47 tags, as `nn`, `zh-Hant`. */
export function listOfficialLanguages(code: string): readonly string[] {
  if (!presentCodes.has(code)) return [];
  return Object.entries(infoByCode[code]?.languagePopulation ?? {})
    .filter(([, { _officialStatus: status }]) => status === 'official' || status === 'de_facto_official')
    .map(([language]) => language.replaceAll('_', '-'));
}

const primaryZones: Readonly<Record<string, string>> = zones.supplemental.primaryZones;

/** Where most people of a country with several zones live in one of them; its name in the IANA database. */
export function findPrimaryTimeZone(code: string): string | undefined {
  return primaryZones[code];
}
