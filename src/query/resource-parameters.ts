import { TEXT_SCHEMA } from '../model/schema/json-schema.js';
import type { JsonSchema } from '../model/schema/json-schema.js';
import type { CountryScope, TeamScope } from '../model/query.js';
import type { ResourceName } from '../model/resource.js';
import { scopeDescriptions } from '../model/resources/team-scopes.js';
import { getCountryNames, recognizeCountry } from '../region/country-names.js';
import { acceptedCountryCodes, parseCountryCode } from '../region/country.js';
import { findRegion, regionCodes, regionNames } from '../region/region.js';
import { readArmoredFingerprint } from '../identifiers/armored-key.js';
import { isKey, parseSearchText } from '../search/text/search-request.js';
import { hasSecretKey } from '../text/repair-pgp-armor.js';
import { foldText } from '../text/text-folding.js';
import { parseIsoDate } from '../text/iso-date.js';
import type { QueryDraft } from './query-draft.js';
import { applyEquals } from './reserved-parameters.js';
import type { ParameterDefinition } from './reserved-parameters.js';
import { quoteTruncated, quoteList, readList } from './parameter-values.js';
import type { Vocabulary } from './vocabulary.js';

/** Each word is searched in every record (decisions 2.19). */
const MAX_WORDS = 20;

const countryParameter: ParameterDefinition = {
  name: 'country',
  apply: applyCountry,
  description:
    'Teams of these countries, or that serve them: codes of ISO 3166-1 alpha-2 in any case, joined by commas.',
  schema: () => ({ type: 'array', items: { type: 'string', enum: [...acceptedCountryCodes].sort() }, minItems: 1 }),
  example: ['IS', 'DK'],
};

const regionParameter: ParameterDefinition = {
  name: 'region',
  apply: applyRegion,
  description: ({ vocabulary: { resource } }) =>
    `${resource.isGatewayOwned === true ? 'Countries of a region' : 'Teams of the countries of a region, or that serve them'}: name in any case, or code, of UN M49.`,
  schema: () => ({ type: 'string', enum: [...regionNames, ...regionCodes] }),
  example: 'Northern Europe',
};

const scopeParameter: ParameterDefinition = {
  name: 'scope',
  apply: applyScope,
  selectsProperties: true,
  description: 'Which properties a record has. `pgp` selects only teams with keys.',
  schema: () => ({ type: 'string', enum: SCOPES, default: 'public' }),
  example: 'minimal',
};

/** In addition to the reserved parameters and the property filters (interfaces 4). */
export const resourceParameters: Readonly<Record<ResourceName, readonly ParameterDefinition[]>> = {
  'directory-teams': [
    wordsParameter('team', 'Words in the short or the official name.', 'health', [
      'short-team-name',
      'official-team-name',
    ]),
    countryParameter,
    regionParameter,
    wordsParameter(
      'q',
      'Words in any property but `last-modified`, or in the English names of the countries.',
      'health',
    ),
  ],
  'data-teams': [
    scopeParameter,
    exactParameter('team', 'Teams with exactly this short name.', ['team'], 'Thorsvik Health CERT'),
    countryParameter,
    regionParameter,
    wordsParameter('q', 'Words in the names, the country or its English names.', 'health', [
      'team',
      'team-full',
      'country',
      '(country-name)',
    ]),
  ],
  news: [
    {
      name: 'channel',
      apply: applyChannel,
      description: 'Items of the channels with exactly this title.',
      schema: () => TEXT_SCHEMA,
      example: 'Advisories',
    },
    exactParameter(
      'link',
      'The item at this address.',
      ['link', '(link)'],
      'https://www.gazette.example.org/advisories/2026/ga-2026-19',
    ),
    dateBoundParameter('before', 'Items published earlier than this date or time.'),
    dateBoundParameter('after', 'Items published later than this date or time.'),
    wordsParameter('q', 'Words in the title, the summary or the link.', 'advisories', ['title', 'summary', 'link']),
  ],
  'news-item': [],
  feed: [],
  channels: [
    exactParameter('channel', 'The channels with exactly this title.', ['title'], 'Advisories'),
    exactParameter(
      'link',
      'The channel whose page is at this address.',
      ['link', '(link)'],
      'https://www.chronicle.example.org/advisories',
    ),
    exactParameter(
      'rsslink',
      'The channel whose feed is at this address.',
      ['rss', '(rss)'],
      'https://www.chronicle.example.org/advisories/rss.xml',
    ),
    wordsParameter('q', 'Words in the title, the summary or the link.', 'advisories', ['title', 'summary', 'link']),
  ],
  countries: [
    {
      name: 'scope',
      apply: applyCountryScope,
      description: 'Which properties a country has, and by which code it is listed.',
      schema: () => ({ type: 'string', enum: COUNTRY_SCOPES, default: 'public' }),
      example: 'full',
    },
    regionParameter,
    wordsParameter('q', 'Words in the names, the region or the codes.', 'ivory', [
      'country',
      'region',
      'alpha-2',
      'alpha-3',
      '(country-name)',
    ]),
  ],
};

/**
 * A character that is neither white space nor punctuation of ASCII. Not every such character can be searched, but no class
 * of letters and digits is the same in all dialects of patterns.
 */
const SEARCHABLE = '[^\\u0000-\\u0020\\u007f\\s!-/:-@\\[-`{-~]';

/** In place of the resource's own `q` (decisions 2.40). */
export const searchTextParameter: ParameterDefinition = {
  name: 'q',
  apply: applySearchText,
  description: `What is searched: 1 to ${MAX_WORDS} words of a name, also misspelled; a host name, URL or e-mail address; a telephone number; a fingerprint, key id or public key; an IP address, prefix or AS number.`,
  schema: () => ({ type: 'string', pattern: SEARCHABLE }),
  example: 'thorsvik helth',
  isRequired: true,
};

/** A public key is searched by its fingerprint. */
function applySearchText(searched: string, draft: QueryDraft): string | undefined {
  if (hasSecretKey(searched)) return 'has a secret key, which nobody but its owner may have';
  const value = readArmoredFingerprint(searched) ?? searched;
  const request = parseSearchText(value);
  const terms = request.words;
  if (terms.length === 0) return 'has no letters or digits';
  const text = value.trim().replace(/\s+/g, ' ');
  draft.search = { text, isKey: isKey(request) };
  draft.canonicalValues.set('q', text);
  // An identifier, such as a URL or a fingerprint in groups, is not searched as words.
  if (request.wordSearch === 'none' || (request.isIdentifier && terms.length > MAX_WORDS)) return undefined;
  const words = value.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  if (words.length > MAX_WORDS) return `has more than ${MAX_WORDS} words`;
  if (terms.length > MAX_TERMS) return `has more than ${MAX_TERMS} words and pairs of neighbouring characters`;
  return undefined;
}

function exactParameter(
  name: string,
  description: string,
  properties: readonly string[],
  example: string,
): ParameterDefinition {
  const apply: ParameterDefinition['apply'] = (value, draft) => applyEquals(name, value, draft, properties);
  return { name, apply, description, schema: () => TEXT_SCHEMA, example };
}

/** Each is searched in every record. A pair of characters in a script without spaces counts as a word. */
const MAX_TERMS = 60;

/** All words must occur, each in any of the properties, or in any property where none are listed (decisions 2.27). */
function wordsParameter(
  name: string,
  description: string,
  example: string,
  properties?: readonly string[],
): ParameterDefinition {
  return {
    name,
    description: `${description} Every word must occur, at most ${MAX_WORDS}.`,
    schema: () => TEXT_SCHEMA,
    example,
    apply: (value, draft) => {
      // Folding comes first because it can produce spaces (from U+00A8, for instance), and a word contains none.
      const words = [...new Set(foldText(value).split(/\s+/))].filter((word) => word !== '').sort();
      if (words.length === 0) return undefined;
      if (words.length > MAX_WORDS) return `has more than ${MAX_WORDS} words`;
      draft.predicates.push({ kind: 'words', words, ...(properties && { properties }), parameter: name });
      draft.canonicalValues.set(name, words.join(' '));
      return undefined;
    },
  };
}

/**
 * An exclusive bound: the first instant of an ISO 8601 date or date-time (decisions 2.30). Records have dates with a
 * precision of one second; the fraction of a bound still counts, because an item half a second older than the bound is
 * older.
 */
function dateBoundParameter(bound: 'before' | 'after', description: string): ParameterDefinition {
  return {
    name: bound,
    description: `${description} Without a zone, UTC is meant.`,
    schema: () => DATE_SCHEMA,
    example: '2026-06-01',
    apply: (value, draft) => {
      const at = parseIsoDate(value.replace(PLUS_AS_SPACE, '+'));
      if (at === undefined) return DATE_MESSAGE;
      draft.predicates.push({ kind: 'between', [bound]: at, parameter: bound });
      draft.canonicalValues.set(bound, String(at));
      return undefined;
    },
  };
}

/** The space that results from an unencoded `+` before a zone offset. */
const PLUS_AS_SPACE = /(?<=[T ]\d\d(?::?\d\d(?::?\d\d(?:[.,]\d{1,20})?)?)?) (?=\d\d(?::?\d\d)?$)/i;

const YEAR = '[1-9][0-9]{3}';
const MONTH = '(?:0[1-9]|1[0-2])';
const DAY = '(?:0[1-9]|[12][0-9]|3[01])';
const WEEK = '[Ww](?:0[1-9]|[1-4][0-9]|5[0-3])';
const DAY_OF_YEAR = '(?:00[1-9]|0[1-9][0-9]|[12][0-9]{2}|3[0-5][0-9]|36[0-6])';
const HOUR = '(?:[01][0-9]|2[0-3])';
const SIXTIETH = '[0-5][0-9]';
const SECOND = `${SIXTIETH}(?:[.,][0-9]+)?`;
/** A space in place of the `+` that the client did not encode is part of it. */
const ZONE = `(?: ?(?:[Zz]|[Gg][Mm][Tt]|[Uu][Tt][Cc]|[-+]${HOUR}(?::?${SIXTIETH})?)| ${HOUR}(?::?${SIXTIETH})?)`;
const EXTENDED_TIME = `(?:[Tt]| +)${HOUR}(?::${SIXTIETH}(?::${SECOND})?)?${ZONE}?`;
const BASIC_TIME = `(?:[Tt]| +)${HOUR}(?:${SIXTIETH}(?:${SECOND})?)?${ZONE}?`;

/** A pattern for each form. They do not state which months have 31 days, or which years a week 53 or a day 366. */
const DATE_SCHEMA: JsonSchema = {
  description:
    'ISO 8601 date or date-time: `2026`, `2026-04`, `2026-04-02`, `20260402`, `2026-W14`, `2026-W14-4`, `2026-092`, `2026-04-02T21:28:40Z`',
  anyOf: [
    YEAR,
    `${YEAR}-${MONTH}`,
    `${YEAR}-?${WEEK}`,
    `${YEAR}-${MONTH}-${DAY}(?:${EXTENDED_TIME})?`,
    `${YEAR}${MONTH}${DAY}(?:${BASIC_TIME})?`,
    `${YEAR}-${WEEK}-[1-7](?:${EXTENDED_TIME})?`,
    `${YEAR}${WEEK}[1-7](?:${BASIC_TIME})?`,
    `${YEAR}-${DAY_OF_YEAR}(?:${EXTENDED_TIME})?`,
    `${YEAR}${DAY_OF_YEAR}(?:${BASIC_TIME})?`,
  ].map((form) => ({ type: 'string', pattern: `^${form}$` })),
};

const DATE_MESSAGE =
  'must be an ISO 8601 date or date-time, such as 2026, 2026-04, 2026-04-02, 20260402, 2026-W14, 2026-W14-4, 2026-092 or 2026-04-02T21:28:40Z';

function applyChannel(value: string, draft: QueryDraft): undefined {
  draft.channel = foldText(value);
  draft.canonicalValues.set('channel', draft.channel);
}

function applyCountry(value: string, draft: QueryDraft, { resource }: Vocabulary): string | undefined {
  const codes = new Set<string>();
  for (const item of readList(value)) {
    const code = parseCountryCode(item);
    if (code === undefined) return unknownCountryMessage(item);
    codes.add(code);
  }
  draft.predicates.push({ kind: 'countries', properties: resource.countryProperties, codes, parameter: 'country' });
  draft.canonicalValues.set('country', [...codes].sort().join(','));
  return undefined;
}

function unknownCountryMessage(item: string): string {
  const code = recognizeCountry(item) ?? '';
  const [name] = getCountryNames(code);
  const hint = name === undefined ? '' : `; ${name} is ${code}`;
  return `names the unknown country code ${quoteTruncated(item)}; codes are those of ISO 3166-1 alpha-2${hint}`;
}

function applyRegion(value: string, draft: QueryDraft, { resource }: Vocabulary): string | undefined {
  const region = findRegion(value);
  if (region === undefined)
    return `names an unknown region; the regions are ${quoteList(regionNames)}, or their UN M49 codes`;
  draft.predicates.push({
    kind: 'countries',
    properties: resource.countryProperties,
    codes: region.countries,
    parameter: 'region',
  });
  draft.canonicalValues.set('region', region.code);
  return undefined;
}

const SCOPES = Object.keys(scopeDescriptions) as readonly TeamScope[];

function applyScope(value: string, draft: QueryDraft, { resource }: Vocabulary): string | undefined {
  const known = SCOPES.find((name) => name === value);
  if (known === undefined) return `must be one of ${quoteList(SCOPES)}`;
  draft.scope = known;
  if (known !== 'public') draft.canonicalValues.set('scope', known);
  if (known === 'pgp')
    draft.predicates.push({ kind: 'present', properties: resource.pgpKeyProperties, parameter: 'scope' });
  return undefined;
}

const COUNTRY_SCOPES: readonly CountryScope[] = ['public', 'iso', 'full'];

function applyCountryScope(value: string, draft: QueryDraft): string | undefined {
  const known = COUNTRY_SCOPES.find((name) => name === value);
  if (known === undefined) return `must be one of ${quoteList(COUNTRY_SCOPES)}`;
  draft.countryScope = known;
  if (known !== 'public') draft.canonicalValues.set('scope', known);
  return undefined;
}
