import type { SeededRandom } from '../../test/oracle/push-down/random-records.js';
import { MEMBERS_KEY } from './programs.js';
import type { SentRequest } from './exchange.js';

/** A request of the comparison. */
export interface ComparedRequest extends SentRequest {
  /** Number of an earlier request for the same, whose validators of the program's own answer are sent as a condition. */
  readonly conditionOf?: number;
  readonly condition?: Condition;
}

/** Which validators a conditional request has. */
export type Condition = 'etag' | 'modified' | 'unmodified' | 'both';

/** A record as JSON. */
export type JsonRecord = Readonly<Record<string, unknown>>;

/** Known records of each list, from which values for queries are drawn. */
export type KnownRecords = Readonly<Record<ListName, readonly JsonRecord[]>>;

/** The lists by name, with their addresses. */
export const LISTS = {
  directory: '/directory/v1/teams',
  teams: '/data/v1/teams',
  news: '/data/v1/news',
  channels: '/data/v1/channels',
} as const;

/** Name of a list. */
export type ListName = keyof typeof LISTS;

type Parameters = [name: string, value: string][];

/** Everything that decides about a request. */
interface Draft {
  readonly known: KnownRecords;
  readonly chance: SeededRandom;
}

const split = (text: string): readonly string[] => text.split(' | ');
const EXTENSIONS = {
  any: split('.json | .yml | .yaml | .xml | .csv'),
  directory: split('.xlsx | .ndjson | .vcf | .geojson'),
  teams: split('.xlsx | .ndjson | .vcf | .geojson | .asc'),
  news: split('.atom | .rss'),
  channels: split('.xlsx'),
};
const ACCEPTS = split(
  'application/json | application/yaml | text/yaml | application/xml | text/xml | text/csv | application/csv | */* | text/html | ' +
    'application/x-ndjson | text/vcard | application/pgp-keys | application/atom+xml | application/geo+json | image/png | ' +
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet | text/csv;q=0.5, application/xml;q=0.8 | text/csv, */*;q=0.1',
);
const CODINGS = split('gzip | br | identity | gzip;q=0.5, br;q=0.1 | * | deflate | identity;q=0');
const PREFERENCES = split(
  'handling=lenient | handling=lenient | handling=strict | private | private, handling=strict | wait=1 | ;',
);
const SCOPES = split('public | pgp | pgp | minimal | country | members');
const COUNTRY_SCOPES = split('public | iso | full');
const REGIONS = split('Europe | southern EUROPE | 419 | Antarctica | asia | 003 | 154');
const COUNTRIES = split('NO | br | PT,NO | UK | gr | AQ | XK | JP,DE');
const TIMES = split('2025 | 2025-W14 | 2025-06-03 | 20251101T000000Z');
const WORDS = split(
  'cert | CE | é | 日 | ss | 10 | org | ø | depot 0001 | ocean | way | register | thorsvk | no such thing | mail.example.org | ' +
    '+1 202 555 0100 | 0123456789ABCDEF | AS64500 | 192.0.2.7 | " | %',
);
/** Values that are wrong for most parameters. */
const WRONG = split(
  '-1 | abc | 1.5 | 1e3 | 99999999999 | yes | a b | Atlantis | ZZ | 2025-11-31 | NO,,PT | none | \u0000',
);
const IDS = split('none | harbour.none | 999 | 1001 | nowhere.cert | a%2Fb | -1 | %ZZ');
const PATHS = split(
  '/ | /?q=cert | /?country=NO&q=depot | /?limit=x | /news | /news?q=fire | /docs | /docs | /openapi.json | /openapi.json | ' +
    '/robots.txt | /favicon.ico | /sources | /healthz | /metrics | /config | /assets/none.js | /directory/v1 | /data/v1/ | ' +
    '/directory/v1/teams/ | /Directory/v1/teams | //data/v1/teams | /data/v1/nothing | /data/v1/teams. | /data/v1/.json | ' +
    '/directory/v1/news | /data/v1/teams/a/b | /teams/none.none | /data/v1/search | /teams | /data/v1/teams.txt',
);

/** Generates further requests. An earlier one of those that were sent may be repeated with a condition. */
export function generateRequests(
  sent: readonly ComparedRequest[],
  count: number,
  draft: Draft,
): readonly ComparedRequest[] {
  const requests = [...sent];
  while (requests.length < sent.length + count) {
    const conditionOf = requests.length - 1 - draft.chance.below(400);
    const earlier = draft.chance.below(8) === 0 ? requests[conditionOf] : undefined;
    // The Last-Modified of a search depends on the instant at which an index was ready.
    const isSearch = earlier?.target.includes('/search') === true;
    const condition = isSearch ? 'etag' : draft.chance.of(['etag', 'etag', 'modified', 'unmodified', 'both'] as const);
    requests.push(earlier ? { ...earlier, conditionOf, condition } : generateRequest(draft));
  }
  return requests.slice(sent.length);
}

function generateRequest(draft: Draft): ComparedRequest {
  const { chance } = draft;
  const target = generateTarget(draft);
  const method = chance.below(14) > 0 ? 'GET' : chance.of(['HEAD', 'HEAD', 'OPTIONS', 'POST', 'DELETE']);
  const needsKey = target.includes('scope=members');
  const key = chance.below(needsKey ? 6 : 3) > 0 ? MEMBERS_KEY : chance.of(['rck_unknown', '']);
  const headers = {
    ...(chance.below(5) === 0 && { Accept: one(ACCEPTS, chance) }),
    ...(chance.below(4) === 0 && { 'Accept-Encoding': one(CODINGS, chance) }),
    ...(chance.below(7) === 0 && { Prefer: one(PREFERENCES, chance) }),
    ...(chance.below(needsKey ? 1 : 10) === 0 && { Authorization: `${chance.below(12) ? 'Bearer' : 'Basic'} ${key}` }),
    ...(chance.below(15) === 0 && { Origin: 'https://portal.example.net' }),
  };
  return { method, target, headers };
}

function generateTarget(draft: Draft): string {
  const { chance } = draft;
  const kind = chance.below(100);
  if (kind < 5) return one(PATHS, chance);
  if (kind < 9) return `/teams/${idOf('teams', draft)}`;
  const list = chance.of(['directory', 'directory', 'teams', 'teams', 'news', 'channels']);
  if (kind < 18 && list !== 'channels') {
    const same = list !== 'news' && chance.below(3) === 0 ? '/same' : '';
    const path = `${LISTS[list]}/${idOf(list === 'news' ? 'news' : 'teams', draft)}${same}`;
    return `${path}${extensionFor('any', chance)}${writeQuery(formParameters(chance))}`;
  }
  if (kind < 24) return `/data/v1/countries${extensionFor('channels', chance)}${writeQuery(countryParameters(chance))}`;
  const query = writeQuery(listParameters(list, draft));
  if (kind < 34 && (list === 'directory' || list === 'teams')) {
    const q = query.includes('q=') ? query : `${query || '?'}&q=${encodeURIComponent(wordOf(list, draft))}`;
    return `${LISTS[list].replace('teams', 'search')}${extensionFor('channels', chance)}${q}`;
  }
  return `${LISTS[list]}${extensionFor(list, chance)}${query}`;
}

function one(values: readonly string[], chance: SeededRandom): string {
  return values[chance.below(values.length)] ?? '';
}

function extensionFor(kind: keyof typeof EXTENSIONS, chance: SeededRandom): string {
  const how = chance.below(30);
  if (how < 9) return '';
  return one(how === 9 ? Object.values(EXTENSIONS).flat() : EXTENSIONS[how < 20 ? kind : 'any'], chance);
}

function idOf(list: 'teams' | 'news', { known, chance }: Draft): string {
  if (chance.below(12) === 0) return one(IDS, chance);
  return encodeURIComponent(textOf(recordOf(list, { known, chance }), 'id', chance));
}

/** A record of a list, seldom one of the source with most records. */
function recordOf(list: ListName, { known, chance }: Draft): JsonRecord {
  const all = known[list];
  const some = [0, 1, 2].map(() => all[chance.below(all.length)] ?? {});
  return some.find((record) => !/depot|ocean/.test(String(record['source-name']))) ?? some[0] ?? {};
}

function textOf(record: JsonRecord, name: string, chance: SeededRandom): string {
  const value = record[name];
  const item: unknown = Array.isArray(value) ? value[chance.below(value.length)] : value;
  if (item === undefined) return '';
  return typeof item === 'string' ? item : JSON.stringify(item);
}

function nameOf(record: JsonRecord, chance: SeededRandom): string {
  return one(Object.keys(record), chance);
}

function wordOf(list: ListName, draft: Draft): string {
  const { chance } = draft;
  if (chance.below(4) === 0) return one(WORDS, chance);
  const record = recordOf(list, draft);
  const words = textOf(record, nameOf(record, chance), chance).split(/\s+/);
  return words.slice(0, 1 + chance.below(3)).join(' ');
}

/** Adds a parameter in one of `odds` cases, seldom with a wrong value. */
function addSome(all: Parameters, chance: SeededRandom): (odds: number, name: string, value: () => string) => void {
  return (odds, name, value) => {
    if (chance.below(odds) === 0) all.push([name, chance.below(25) === 0 ? one(WRONG, chance) : value()]);
  };
}

function listParameters(list: ListName, draft: Draft): Parameters {
  const { chance } = draft;
  const all: Parameters = [];
  const add = addSome(all, chance);
  const record = recordOf(list, draft);
  const names = (): string[] => Array.from({ length: 1 + chance.below(3) }, () => nameOf(record, chance));
  const time = (): string => {
    const at = Date.parse(String(record['published'])) + chance.of([0, 0, 1_000, -1_000, 86_400_000]);
    return Number.isNaN(at) ? one(TIMES, chance) : new Date(at).toISOString().slice(0, chance.of([4, 7, 10, 24]));
  };
  const filter = nameOf(record, chance);
  const value = textOf(record, filter, chance);
  if (list === 'directory' || list === 'teams') {
    add(filter === 'last-modified' ? 99 : 4, filter, () => (chance.below(3) === 0 ? value.toUpperCase() : value));
    add(9, 'country', () => one(COUNTRIES, chance));
    add(12, 'region', () => one(REGIONS, chance));
    add(14, 'team', () => (list === 'teams' ? textOf(record, 'team', chance) : wordOf(list, draft)));
    if (list === 'teams') add(5, 'scope', () => one(SCOPES, chance));
  } else {
    add(8, 'link', () => textOf(record, 'link', chance));
    if (list === 'channels') add(6, 'rsslink', () => textOf(record, 'rss', chance));
    else {
      add(6, 'channel', () => textOf(recordOf('channels', draft), 'title', chance));
      add(6, 'before', time);
      add(6, 'after', time);
    }
  }
  add(6, 'q', () => wordOf(list, draft));
  add(3, 'source-name', () => String(record['source-name']));
  add(4, 'sort', () =>
    names()
      .map((name) => (chance.below(2) ? name : `-${name}`))
      .join(','),
  );
  add(2, 'limit', () => chance.of(['0', '1', '2', '7', '20', '60', '500', '']));
  add(4, 'offset', () => chance.of(['0', '1', '5', '20', '40', '100', '300', '9999', '10000', '']));
  add(8, 'fields', () => [...names(), ...(chance.below(4) ? [] : ['-rollcall-id'])].join(','));
  return [...all, ...formParameters(chance)];
}

/** Parameters of every answer. */
function formParameters(chance: SeededRandom): Parameters {
  const all: Parameters = [];
  const add = addSome(all, chance);
  add(5, 'envelope', () => chance.of(['0', '1', 'true', 'false', '']));
  add(5, 'pretty', () => chance.of(['0', '1', 'true', 'false']));
  add(30, 'callback', () => 'show');
  add(60, chance.of(['unknown', 'limit', 'id', 'sort']), () => '3');
  add(40, '_', () => '1');
  return all;
}

function countryParameters(chance: SeededRandom): Parameters {
  const all: Parameters = [];
  const add = addSome(all, chance);
  add(2, 'scope', () => one(COUNTRY_SCOPES, chance));
  add(3, 'region', () => one(REGIONS, chance));
  add(4, 'q', () => chance.of(['ivory', 'land', 'é', 'NO', 'x y']));
  add(3, 'sort', () => chance.of(['country', '-country', 'region,country', 'alpha-3']));
  add(2, 'limit', () => chance.of(['3', '40', '300']));
  add(4, 'fields', () => chance.of(['country', 'alpha-2,region', 'region']));
  return [...all, ...formParameters(chance)];
}

function writeQuery(parameters: Parameters): string {
  return parameters
    .map(([name, value], at) => `${at === 0 ? '?' : '&'}${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('');
}
