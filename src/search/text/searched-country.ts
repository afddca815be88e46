import { countryCodes } from '../../region/cldr-territories.js';
import { parseCountryCode } from '../../region/country.js';
import { getCountryNames, getLocalCountryNames } from '../../region/country-names.js';
import { parseSearchText } from './search-request.js';
import { foldText } from '../../text/text-folding.js';

/** Of a name in a searched text, or of the ending of a host name: alpha-2. Undefined where the text names none. */
export function findCountryInText(text: string): string | undefined {
  const words = toWords(text);
  const named = [...listFoldedNames()].find(([name]) => words.includes(name));
  return named?.[1] ?? parseCountryCode(parseSearchText(text).host?.split('.').at(-1) ?? '');
}

let foldedNames: ReadonlyMap<string, string> | undefined;

/** Codes by name. */
function listFoldedNames(): ReadonlyMap<string, string> {
  foldedNames ??= new Map(
    [...countryCodes].flatMap((code) =>
      [...getCountryNames(code), ...getLocalCountryNames(code)].map((name) => [toWords(name), code] as const),
    ),
  );
  return foldedNames;
}

/** Folded, each between spaces. */
function toWords(text: string): string {
  return ` ${
    foldText(text)
      .match(/[\p{L}\p{N}]+/gu)
      ?.join(' ') ?? ''
  } `;
}
