import * as read from './read-value.js';
import type { ValueReader } from './read-value.js';

/** A resource as the oracle defines it (interfaces 2.1 to 2.4; decisions 2.22, 2.23, 2.27). */
export interface OracleResource {
  readonly name: 'directory' | 'teams' | 'news' | 'channels';
  /** Path of its list at Rollcall. */
  readonly list: string;
  /** Properties in output order, each with its reader. */
  readonly table: ReadonlyMap<string, ValueReader>;
  /** Known properties that keep the position at which their source sent them. */
  readonly extra: ReadonlyMap<string, ValueReader>;
  /** Reader of `last-modified`, which is the last property; absent: the resource has none. */
  readonly last?: ValueReader;
  /** A record without any of these is dropped; slugs are built from the first. */
  readonly names: readonly [string, ...string[]];
  readonly countries: readonly [] | readonly [string, string];
  /** Properties that are compared as dates. */
  readonly dates: readonly string[];
  readonly links: readonly string[];
  readonly sort: { readonly property: string; readonly descending: boolean };
  /** Properties that `q` searches; undefined: all except last-modified. */
  readonly q?: readonly string[];
}

/** The PGP properties. */
export const PGP_KEY_PROPERTIES: ReadonlyMap<string, ValueReader> = new Map([
  ['pgp-id', read.readText],
  ['pgp-fingerprint', read.readText],
  ['pgp-key', read.readText],
]);

const byName = (property: string): OracleResource['sort'] => ({ property, descending: false });

export const DIRECTORY_TEAMS: OracleResource = {
  name: 'directory',
  list: '/directory/v1/teams',
  table: new Map<string, ValueReader>([
    ['short-team-name', read.readText],
    ['official-team-name', read.readText],
    ['postal-address', read.readText],
    ['country-code', read.readCountry],
    ['additional-country-code', read.readCountries],
    ['website', read.readList],
    ['email', read.readText],
    ['host', read.readText],
    ['establishment', read.readDate],
    ['phone-numbers', read.readPhones],
    ['enckeys', read.readList],
    ['operating-hours', read.readText],
    ['constituency', read.readText],
    ['constituency-code', read.readText],
    ['constituency-description', read.readText],
    ['source-name', read.readText],
  ]),
  extra: new Map(),
  last: read.readTimestamp,
  names: ['short-team-name', 'official-team-name'],
  countries: ['country-code', 'additional-country-code'],
  dates: ['establishment', 'last-modified'],
  links: [],
  sort: byName('short-team-name'),
};

export const DATA_TEAMS: OracleResource = {
  name: 'teams',
  list: '/data/v1/teams',
  table: new Map<string, ValueReader>([
    ['id', read.readText],
    ['team', read.readText],
    ['team-full', read.readText],
    ['host', read.readText],
    ['establishment', read.readDate],
    ['address', read.readText],
    ['country', read.readCountry],
    ['website', read.readList],
    ['email', read.readText],
    ['phone', read.readPhones],
    ['fax', read.readText],
    ['phone-emergency', read.readText],
    ['timezone', read.readText],
    ['timezone-dst', read.readText],
    ['other-communication', read.readText],
    ['operating-hours', read.readText],
    ['constituency', read.readText],
    ['constituency-description', read.readText],
    ['source-name', read.readText],
  ]),
  extra: new Map<string, ValueReader>([
    ['membership', read.readText],
    ['team-type', read.readText],
    ['country-other', read.readCountries],
    ['member-since', read.readDate],
  ]),
  last: read.readSpaced,
  names: ['team', 'team-full'],
  countries: ['country', 'country-other'],
  dates: ['establishment', 'member-since', 'last-modified'],
  links: [],
  sort: byName('team'),
  q: ['team', 'team-full', 'country'],
};

export const NEWS: OracleResource = {
  name: 'news',
  list: '/data/v1/news',
  table: new Map<string, ValueReader>([
    ['id', read.readAny],
    ['title', read.readText],
    ['summary', read.readText],
    ['link', read.readText],
    ['published', read.readPublished],
    ['source-name', read.readText],
  ]),
  extra: new Map(),
  names: ['title', 'summary', 'link'],
  countries: [],
  dates: ['published'],
  links: ['link'],
  sort: { property: 'published', descending: true },
  q: ['title', 'summary', 'link'],
};

export const CHANNELS: OracleResource = {
  name: 'channels',
  list: '/data/v1/channels',
  table: new Map<string, ValueReader>([
    ['id', read.readAny],
    ['title', read.readText],
    ['link', read.readText],
    ['rss', read.readText],
    ['image', read.readText],
    ['summary', read.readText],
    ['copyright', read.readText],
    ['source-name', read.readText],
  ]),
  extra: new Map(),
  names: ['title', 'link', 'rss'],
  countries: [],
  dates: [],
  links: ['link', 'rss', 'image'],
  sort: byName('title'),
  q: ['title', 'summary', 'link'],
};

export const ORACLE_RESOURCES: readonly OracleResource[] = [DIRECTORY_TEAMS, DATA_TEAMS, NEWS, CHANNELS];
