import { listCountriesInRegion } from './cldr-territories.js';

/** Not codes of ISO 3166-1, but in use (decisions 4.5). */
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

/** In upper case. */
export const acceptedCountryCodes: readonly string[] = [...codeByText.keys()].filter(
  (code) => code === code.toUpperCase(),
);

/**
 * Takes any case, untrimmed (decisions 2.25); returns alpha-2 in capitals: `UK` is `GB`, `EL` is `GR`; Kosovo is `XK`.
 */
export function parseCountryCode(text: string): string | undefined {
  return codeByText.get(text);
}

/** Whether records may have another code, such as `UK` for `GB`: a source that filters by one omits the other. */
export function hasCountryAlias(code: string): boolean {
  return aliasedCodes.has(code);
}
