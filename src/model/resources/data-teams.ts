import type { SourceResource } from '../resource.js';

/**
 * Team profiles of the data interface, in the order of its table (interfaces 2.3), with the properties that FIRST sends
 * in addition (decisions 2.20; interfaces 2.3.2).
 */
export const dataTeams: SourceResource = {
  name: 'data-teams',
  path: 'teams',
  interfaceName: 'data',
  properties: [
    { name: 'id', kind: 'text', searchedAs: 'other' },
    { name: 'team', kind: 'text', expectedFormat: 'short-name', searchedAs: 'short-name' },
    { name: 'team-full', kind: 'text', searchedAs: 'official-name' },
    { name: 'host', kind: 'text', searchedAs: 'host' },
    { name: 'establishment', kind: 'date' },
    { name: 'address', kind: 'text', searchedAs: 'place' },
    { name: 'country', kind: 'country', searchedAs: 'place' },
    { name: 'website', kind: 'texts', expectedFormat: 'website', searchedAs: 'contact' },
    { name: 'email', kind: 'text', expectedFormat: 'e-mail', searchedAs: 'contact' },
    { name: 'phone', kind: 'phones', searchedAs: 'phone' },
    { name: 'fax', kind: 'text', searchedAs: 'phone' },
    { name: 'phone-emergency', kind: 'text', searchedAs: 'phone' },
    { name: 'timezone', kind: 'text' },
    { name: 'timezone-dst', kind: 'text' },
    { name: 'other-communication', kind: 'text', searchedAs: 'contact' },
    { name: 'operating-hours', kind: 'text', searchedAs: 'other' },
    { name: 'constituency', kind: 'text', searchedAs: 'constituency' },
    { name: 'constituency-description', kind: 'text', searchedAs: 'constituency' },
    { name: 'source-name', kind: 'text', searchedAs: 'other' },
  ],
  knownExtraProperties: [
    { name: 'membership', kind: 'text', expectedFormat: 'member-type', searchedAs: 'other' },
    { name: 'team-type', kind: 'text', searchedAs: 'other' },
    { name: 'country-other', kind: 'countries', searchedAs: 'place' },
    { name: 'member-since', kind: 'date' },
    { name: 'pgp-id', kind: 'text', expectedFormat: 'key-id', searchedAs: 'key' },
    { name: 'pgp-fingerprint', kind: 'text', expectedFormat: 'key-id', searchedAs: 'key' },
    { name: 'pgp-key', kind: 'text', expectedFormat: 'public-key' },
  ],
  trailingProperty: { name: 'last-modified', kind: 'spaced-timestamp' },
  derivedProperties: [{ name: '(country-name)', from: 'country', derivation: 'country-name' }],
  pgpKeyProperties: ['pgp-id', 'pgp-fingerprint', 'pgp-key'],
  envelopeProperties: ['last-modified', 'total', 'access'],
  nameProperties: ['team', 'team-full'],
  idKind: 'slug',
  emailProperty: 'email',
  sourceNameProperty: 'source-name',
  dateProperty: 'last-modified',
  hasPropertyFilters: true,
  hasDateFilters: false,
  pagingWindow: Infinity,
  countryProperties: ['country', 'country-other'],
  defaultSort: { property: 'team', descending: false },
};

/**
 * Data teams in a source's list under `scope=pgp`. A record of that list may have no name if it has an id, because
 * records are joined by id (decisions 4.22).
 */
export const dataTeamsWithKeys: SourceResource = { ...dataTeams, nameProperties: [...dataTeams.nameProperties, 'id'] };
