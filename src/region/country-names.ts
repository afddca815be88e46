import {
  findCountryByNumber,
  findThreeLetterCode,
  listCountriesInRegion,
  listOfficialLanguages,
} from './cldr-territories.js';
import { parseCountryCode } from './country.js';
import { findRegion } from './region.js';

const englishNames = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

/** Former or alternative names still in use that CLDR lacks (decisions 2.27). The recorded `q=EY` found Turkey. */
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

/** English names of an alpha-2 code in upper case, the usual one first; an empty list for any other text. */
export function getCountryNames(code: string): readonly string[] {
  return namesByCode.get(code) ?? [];
}

const localNamesByCode = new Map<string, readonly string[]>();

/** Names in the official languages, such as `Schweiz` and `Suisse`, without English ones; takes alpha-2, upper case. */
export function getLocalCountryNames(code: string): readonly string[] {
  const known = localNamesByCode.get(code);
  if (known !== undefined) return known;
  const english = getCountryNames(code);
  const names = listOfficialLanguages(code)
    .map((language) => new Intl.DisplayNames(language, { type: 'region', fallback: 'none' }).of(code))
    .filter((name) => name !== undefined)
    .filter((name) => !english.includes(name));
  const found = [...new Set(names)];
  // Only for codes of countries: records may have any text as their country.
  if (english.length > 0) localNamesByCode.set(code, found);
  return found;
}

/**
 * Further English names in records (decisions 4.5): of ISO 3166-1, of the United Nations, and abbreviations. The
 * European Union is here because it is known to be no country.
 */
const NAMES_IN_RECORDS: Readonly<Record<string, readonly string[]>> = {
  AE: ['UAE'],
  BN: ['Brunei Darussalam'],
  BO: ['Bolivia (Plurinational State of)', 'Plurinational State of Bolivia'],
  BQ: ['Bonaire, Sint Eustatius and Saba'],
  CD: ['Congo (the Democratic Republic of the)', 'Democratic Republic of the Congo', 'DR Congo'],
  CG: ['Republic of the Congo', 'Congo, Republic of the'],
  EU: ['EU', 'European Union'],
  FK: ['Falkland Islands (Malvinas)'],
  FM: ['Micronesia (Federated States of)', 'Federated States of Micronesia'],
  GB: ['United Kingdom of Great Britain and Northern Ireland', 'Great Britain'],
  HK: ['Hong Kong SAR'],
  HM: ['Heard Island and McDonald Islands'],
  IR: ['Iran (Islamic Republic of)', 'Islamic Republic of Iran'],
  KP: ["Korea (the Democratic People's Republic of)", "Democratic People's Republic of Korea", 'DPRK'],
  KR: ['Korea (the Republic of)', 'Republic of Korea'],
  LA: ["Lao People's Democratic Republic", 'Lao PDR'],
  MD: ['Moldova (the Republic of)', 'Republic of Moldova'],
  MF: ['Saint Martin (French part)'],
  MK: ['Republic of North Macedonia'],
  MO: ['Macau', 'Macao SAR'],
  NL: ['Netherlands (Kingdom of the)', 'Kingdom of the Netherlands'],
  PS: ['Palestine, State of', 'State of Palestine'],
  RU: ['Russian Federation'],
  SH: ['Saint Helena, Ascension and Tristan da Cunha'],
  SX: ['Sint Maarten (Dutch part)'],
  SY: ['Syrian Arab Republic'],
  TL: ['East Timor'],
  TW: ['Taiwan (Province of China)', 'Taiwan, Province of China'],
  TZ: ['Tanzania, the United Republic of', 'United Republic of Tanzania'],
  UM: ['United States Minor Outlying Islands'],
  US: ['United States of America'],
  VA: ['Holy See', 'Holy See (Vatican City State)'],
  VE: ['Venezuela (Bolivarian Republic of)', 'Bolivarian Republic of Venezuela'],
  VG: ['Virgin Islands (British)'],
  VI: ['Virgin Islands (U.S.)'],
  VN: ['Viet Nam'],
};

/** CLDR's other English names: shorter ones such as `Hong Kong`, and those of other English-speaking countries. */
const otherEnglishNames = [
  new Intl.DisplayNames('en', { type: 'region', style: 'short', fallback: 'none' }),
  ...['en-GB', 'en-CA', 'en-AU'].map(
    (language) => new Intl.DisplayNames(language, { type: 'region', fallback: 'none' }),
  ),
];

/** In characters. */
const MAX_NAME_LENGTH = 100;

/**
 * To lower case without diacritics, dots, apostrophes and `the`; `&` as `and`, `St` as `Saint`, other punctuation as
 * spaces.
 */
function foldCountryName(name: string): string {
  const words = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\p{M}.'’]/gu, '')
    .replace(/&/g, ' and ')
    .split(/[^\p{L}\p{N}]+/u);
  return words
    .filter((word) => word !== '' && word !== 'the')
    .map((word) => (word === 'st' ? 'saint' : word))
    .join(' ');
}

const codesByName = new Map<string, string>();

for (const [code, names] of namesByCode) {
  const others = otherEnglishNames.map((displayNames) => displayNames.of(code));
  for (const name of [...names, ...others, findThreeLetterCode(code)]) addName(name, code);
}
for (const [code, names] of Object.entries(NAMES_IN_RECORDS)) for (const name of names) addName(name, code);

/** Not if it is also the name of a region with several countries, such as Micronesia. */
function addName(name: string | undefined, code: string): void {
  if (name !== undefined && (findRegion(name)?.countries.size ?? 1) === 1) codesByName.set(foldCountryName(name), code);
}

/**
 * Recognises a code (`parseCountryCode`), English name, alpha-3 or numeric code of ISO 3166-1; returns alpha-2 in upper
 * case, or `EU`. Returns undefined for a name that countries share, such as Congo, and any other text.
 */
export function recognizeCountry(text: string): string | undefined {
  const code = parseCountryCode(text);
  if (code !== undefined || text.length > MAX_NAME_LENGTH) return code;
  return findCountryByNumber(text) ?? codesByName.get(foldCountryName(text));
}

/** As FIRST names them (decisions 2.25). */
const CONTINENTS = ['Africa', 'Antarctica', 'Asia', 'Europe', 'North America', 'Oceania', 'South America'];

const continentByCode = new Map(
  CONTINENTS.flatMap((name) => [...(findRegion(name)?.countries ?? [])].map((code) => [code, name] as const)),
);

/** Takes an alpha-2 code in upper case (decisions 4.20). */
export function findContinent(code: string): string | undefined {
  return continentByCode.get(code);
}
