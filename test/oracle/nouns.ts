import * as read from './read-value.js';
import type { Read } from './read-value.js';

/** What the oracle knows of a resource (interfaces.md, section 2; decisions.md, section 2). */
export interface Noun {
  readonly name: 'directory' | 'teams' | 'news' | 'channels';
  /** Where Rollcall lists it. */
  readonly list: string;
  /** In the order in which it is shown, with how each property is read. */
  readonly table: ReadonlyMap<string, Read>;
  /** Known properties that are shown where their source put them. */
  readonly extra: ReadonlyMap<string, Read>;
  /** Shown behind all others. */
  readonly last?: Read;
  /** Whoever has none of these is dropped; the first is what slugs are made of. */
  readonly names: readonly [string, ...string[]];
  readonly countries: readonly [] | readonly [string, string];
  /** What is compared by date. */
  readonly dates: readonly string[];
  readonly links: readonly string[];
  readonly sort: { readonly property: string; readonly descending: boolean };
  /** What `q` searches; undefined: everything but last-modified. */
  readonly q?: readonly string[];
}

/** The properties that hold PGP keys. */
export const KEYS: ReadonlyMap<string, Read> = new Map([
  ['pgp-id', read.text],
  ['pgp-fingerprint', read.text],
  ['pgp-key', read.text],
]);

const byName = (property: string): Noun['sort'] => ({ property, descending: false });

export const DIRECTORY: Noun = {
  name: 'directory',
  list: '/directory/v1/teams',
  table: new Map<string, Read>([
    ['short-team-name', read.text],
    ['official-team-name', read.text],
    ['postal-address', read.text],
    ['country-code', read.country],
    ['additional-country-code', read.countries],
    ['website', read.list],
    ['email', read.text],
    ['host', read.text],
    ['establishment', read.date],
    ['phone-numbers', read.phones],
    ['enckeys', read.list],
    ['operating-hours', read.text],
    ['constituency', read.text],
    ['constituency-code', read.text],
    ['constituency-description', read.text],
    ['source-name', read.text],
  ]),
  extra: new Map(),
  last: read.timestamp,
  names: ['short-team-name', 'official-team-name'],
  countries: ['country-code', 'additional-country-code'],
  dates: ['establishment', 'last-modified'],
  links: [],
  sort: byName('short-team-name'),
};

export const TEAMS: Noun = {
  name: 'teams',
  list: '/data/v1/teams',
  table: new Map<string, Read>([
    ['id', read.text],
    ['team', read.text],
    ['team-full', read.text],
    ['host', read.text],
    ['establishment', read.date],
    ['address', read.text],
    ['country', read.country],
    ['website', read.list],
    ['email', read.text],
    ['phone', read.phones],
    ['fax', read.text],
    ['phone-emergency', read.text],
    ['timezone', read.text],
    ['timezone-dst', read.text],
    ['other-communication', read.text],
    ['operating-hours', read.text],
    ['constituency', read.text],
    ['constituency-description', read.text],
    ['source-name', read.text],
  ]),
  extra: new Map<string, Read>([
    ['membership', read.text],
    ['team-type', read.text],
    ['country-other', read.countries],
    ['member-since', read.date],
  ]),
  last: read.spaced,
  names: ['team', 'team-full'],
  countries: ['country', 'country-other'],
  dates: ['establishment', 'member-since', 'last-modified'],
  links: [],
  sort: byName('team'),
  q: ['team', 'team-full', 'country'],
};

export const NEWS: Noun = {
  name: 'news',
  list: '/data/v1/news',
  table: new Map<string, Read>([
    ['id', read.any],
    ['title', read.text],
    ['summary', read.text],
    ['link', read.text],
    ['published', read.published],
    ['source-name', read.text],
  ]),
  extra: new Map(),
  names: ['title', 'summary', 'link'],
  countries: [],
  dates: ['published'],
  links: ['link'],
  sort: { property: 'published', descending: true },
  q: ['title', 'summary', 'link'],
};

export const CHANNELS: Noun = {
  name: 'channels',
  list: '/data/v1/channels',
  table: new Map<string, Read>([
    ['id', read.any],
    ['title', read.text],
    ['link', read.text],
    ['rss', read.text],
    ['image', read.text],
    ['summary', read.text],
    ['copyright', read.text],
    ['source-name', read.text],
  ]),
  extra: new Map(),
  names: ['title', 'link', 'rss'],
  countries: [],
  dates: [],
  links: ['link', 'rss', 'image'],
  sort: byName('title'),
  q: ['title', 'summary', 'link'],
};

export const NOUNS: readonly Noun[] = [DIRECTORY, TEAMS, NEWS, CHANNELS];
