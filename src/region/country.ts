import { listCountriesInRegion } from './cldr-territories.js';

/** Codes in use that are not codes of ISO 3166-1 (decisions 4.5). */
const aliases = [
  ['UK', 'GB'],
  ['EL', 'GR'],
] as const;

const aliasedCodes: ReadonlySet<string> = new Set(aliases.map(([, code]) => code));

// The map has each spelling of two letters, because upper-casing the input would turn "ß" into South Sudan and "ıt"
// into Italy.
const codeByText = new Map<string, string>();

function addSpellings(spelling: string, code: string): void {
  const [first, second] = [spelling.charAt(0), spelling.charAt(1)];
  for (const firstLetter of [first, first.toLowerCase()]) {
    for (const lastLetter of [second, second.toLowerCase()]) codeByText.set(firstLetter + lastLetter, code);
  }
}

for (const code of [...listCountriesInRegion('001'), ...listCountriesInRegion('010')]) addSpellings(code, code);
for (const [alias, code] of aliases) addSpellings(alias, code);

/** The codes that {@link parseCountryCode} accepts, in upper case. */
export const acceptedCountryCodes: readonly string[] = [...codeByText.keys()].filter(
  (code) => code === code.toUpperCase(),
);

/**
 * Parses a country code in any case (decisions 2.25, 4.5). Returns the ISO 3166-1 alpha-2 code in upper case: `GB` for
 * `UK`, `GR` for `EL`, `XK` for Kosovo. Returns undefined for any other text; white space is not trimmed.
 */
export function parseCountryCode(text: string): string | undefined {
  return codeByText.get(text);
}

/**
 * Whether records may have another code for the country with this alpha-2 code in upper case (`UK` for `GB`, `EL` for
 * `GR`). A source that filters by one code leaves out records with the other (decisions 5.12).
 */
export function hasCountryAlias(code: string): boolean {
  return aliasedCodes.has(code);
}
