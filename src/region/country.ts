import { listCountriesInRegion } from './territory-containment.js';

/** Codes in use that are not the ISO 3166-1 ones (decisions.md, section 4). */
const aliases = [
  ['UK', 'GB'],
  ['EL', 'GR'],
] as const;

const aliasedCodes: ReadonlySet<string> = new Set(aliases.map(([, code]) => code));

// A key for each way to write two letters: upper-casing what came would make South Sudan of "ß" and Italy of "ıt".
const codeByText = new Map<string, string>();

function addSpellings(written: string, code: string): void {
  const [first, second] = [written.charAt(0), written.charAt(1)];
  for (const head of [first, first.toLowerCase()]) {
    for (const tail of [second, second.toLowerCase()]) codeByText.set(head + tail, code);
  }
}

for (const code of [...listCountriesInRegion('001'), ...listCountriesInRegion('010')]) addSpellings(code, code);
for (const [written, code] of aliases) addSpellings(written, code);

/**
 * The ISO 3166-1 alpha-2 code, in upper case, of the country that a record or a client wrote (decisions.md, sections 2 and 4):
 * any case, `UK` read as `GB` and `EL` as `GR`, Kosovo as `XK`. Undefined where the text is no country; white space is not cut.
 */
export function parseCountryCode(text: string): string | undefined {
  return codeByText.get(text);
}

/**
 * Whether the country with this alpha-2 code, in upper case, is met under another code, too (`GB` as `UK`, `GR` as `EL`): who filters by the
 * one leaves out what has the other.
 */
export function hasCountryAlias(code: string): boolean {
  return aliasedCodes.has(code);
}
