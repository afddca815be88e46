import type { Scope } from '../model/query.js';
import type { ResourceName } from '../model/resource.js';
import { namedCountries } from '../region/names.js';
import { countryCode, region, regionNames } from '../region/region.js';
import { fold } from '../text/fold.js';
import { readIsoDate } from '../text/iso-date.js';
import type { Draft } from './draft.js';
import { enterEquals } from './parameters.js';
import type { Parameter } from './parameters.js';
import { quote, quoted, readList } from './values.js';
import type { Vocabulary } from './vocabulary.js';

const country: Parameter = { name: 'country', enter: enterCountry };
const inRegion: Parameter = { name: 'region', enter: enterRegion };
const scope: Parameter = { name: 'scope', enter: enterScope };

/** The parameters that choose records, by resource, beside the reserved ones and the filters (interfaces.md, section 4). */
export const searchParameters: Readonly<Record<ResourceName, readonly Parameter[]>> = {
  'directory-teams': [words('team', ['short-team-name', 'official-team-name']), country, inRegion, words('q')],
  'data-teams': [
    scope,
    exact('team', ['team']),
    country,
    inRegion,
    words('q', ['team', 'team-full', 'country', '(country-name)']),
  ],
  news: [
    { name: 'channel', enter: enterChannel },
    exact('link', ['link', '(link)']),
    date('before'),
    date('after'),
    words('q', ['title', 'summary', 'link']),
  ],
  'news-item': [],
  channels: [
    exact('channel', ['title']),
    exact('link', ['link', '(link)']),
    exact('rsslink', ['rss', '(rss)']),
    words('q', ['title', 'summary', 'link']),
  ],
};

function exact(name: string, properties: readonly string[]): Parameter {
  return { name, enter: (value, draft) => enterEquals(name, value, draft, properties) };
}

/** Words of a search at most: each is looked for in every record. */
const MOST_WORDS = 20;

/** Words that must all occur, each in one of the properties, or in any when none are named (decisions.md, section 2, `q`). */
function words(name: string, properties?: readonly string[]): Parameter {
  return {
    name,
    enter: (value, draft) => {
      // Folded first, for folding can make spaces (of U+00A8, say), and a word holds none.
      const found = [...new Set(fold(value).split(/\s+/))].filter((word) => word !== '').sort();
      if (found.length === 0) return undefined;
      if (found.length > MOST_WORDS) return `holds more than ${MOST_WORDS} words`;
      draft.where.push({ kind: 'words', words: found, ...(properties && { properties }), parameter: name });
      draft.canonical.set(name, found.join(' '));
      return undefined;
    },
  };
}

/**
 * A bound of ISO 8601, exclusive: the first instant of what is written. Records are dated to the second; the fraction of a bound counts all the same, for
 * what is half a second older is older.
 */
function date(bound: 'before' | 'after'): Parameter {
  return {
    name: bound,
    enter: (value, draft) => {
      const at = readIsoDate(value.replace(PLUS_AS_SPACE, '+'));
      if (at === undefined) return NO_DATE;
      draft.where.push({ kind: 'between', [bound]: at, parameter: bound });
      draft.canonical.set(bound, String(at));
      return undefined;
    },
  };
}

/** The space that a `+` before the zone becomes where a client does not encode it. */
const PLUS_AS_SPACE = /(?<=[T ]\d\d(?::?\d\d(?::?\d\d(?:[.,]\d{1,20})?)?)?) (?=\d\d(?::?\d\d)?$)/i;

const NO_DATE =
  'must be an ISO 8601 date or date-time, such as 2026, 2026-04, 2026-04-02, 20260402, 2026-W14, 2026-W14-4, 2026-092 or 2026-04-02T21:28:40Z';

function enterChannel(value: string, draft: Draft): undefined {
  draft.channel = fold(value);
  draft.canonical.set('channel', draft.channel);
}

function enterCountry(value: string, draft: Draft, { resource }: Vocabulary): string | undefined {
  const codes = new Set<string>();
  for (const item of readList(value)) {
    const code = countryCode(item);
    if (code === undefined) return unknownCountry(item);
    codes.add(code);
  }
  draft.where.push({ kind: 'countries', properties: resource.countries, codes, parameter: 'country' });
  draft.canonical.set('country', [...codes].sort().join(','));
  return undefined;
}

function unknownCountry(item: string): string {
  const named = countriesByName.get(comparable(item));
  const hint = named === undefined ? '' : `; ${named.name} is ${named.code}`;
  return `names the unknown country code ${quote(item)}; codes are those of ISO 3166-1 alpha-2${hint}`;
}

/** A name as it is compared with others: folded, and without what people write differently between its words. */
function comparable(name: string): string {
  return fold(name)
    .replace(/&/g, ' and ')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

const countriesByName = new Map(namedCountries.map(([name, code]) => [comparable(name), { name, code }]));

function enterRegion(value: string, draft: Draft, { resource }: Vocabulary): string | undefined {
  const found = region(value);
  if (found === undefined)
    return `names an unknown region; the regions are ${quoted(regionNames)}, or their UN M49 codes`;
  draft.where.push({ kind: 'countries', properties: resource.countries, codes: found.countries, parameter: 'region' });
  draft.canonical.set('region', found.code);
  return undefined;
}

const SCOPES: readonly Scope[] = ['public', 'pgp', 'minimal', 'country'];

function enterScope(value: string, draft: Draft, { resource }: Vocabulary): string | undefined {
  const known = SCOPES.find((name) => name === value);
  draft.members = value === 'members';
  if (known === undefined) return draft.members ? undefined : `must be one of ${quoted([...SCOPES, 'members'])}`;
  draft.scope = known;
  if (known !== 'public') draft.canonical.set('scope', known);
  if (known === 'pgp') draft.where.push({ kind: 'present', properties: resource.keys, parameter: 'scope' });
  return undefined;
}
