import type { Resource } from '../resource.js';

/**
 * Team profiles of the data interface (interfaces.md, section 2.3), in the order of its table; beside them what FIRST sends
 * today (decisions.md, section 2).
 */
export const dataTeams: Resource = {
  name: 'data-teams',
  path: 'teams',
  interfaceName: 'data',
  properties: [
    { name: 'id', kind: 'text' },
    { name: 'team', kind: 'text', expectedFormat: 'short-name' },
    { name: 'team-full', kind: 'text' },
    { name: 'host', kind: 'text' },
    { name: 'establishment', kind: 'date' },
    { name: 'address', kind: 'text' },
    { name: 'country', kind: 'country' },
    { name: 'website', kind: 'texts', expectedFormat: 'website' },
    { name: 'email', kind: 'text', expectedFormat: 'e-mail' },
    { name: 'phone', kind: 'phones' },
    { name: 'fax', kind: 'text' },
    { name: 'phone-emergency', kind: 'text' },
    { name: 'timezone', kind: 'text' },
    { name: 'timezone-dst', kind: 'text' },
    { name: 'other-communication', kind: 'text' },
    { name: 'operating-hours', kind: 'text' },
    { name: 'constituency', kind: 'text' },
    { name: 'constituency-description', kind: 'text' },
    { name: 'source-name', kind: 'text' },
  ],
  knownExtraProperties: [
    { name: 'membership', kind: 'text', expectedFormat: 'member-type' },
    { name: 'team-type', kind: 'text' },
    { name: 'country-other', kind: 'countries' },
    { name: 'member-since', kind: 'date' },
    { name: 'pgp-id', kind: 'text', expectedFormat: 'key-id' },
    { name: 'pgp-fingerprint', kind: 'text', expectedFormat: 'key-id' },
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

/** Data teams as sources give them under `scope=pgp`: what they are called may be left out, for they are joined by their ids. */
export const dataTeamsWithKeys: Resource = { ...dataTeams, nameProperties: [...dataTeams.nameProperties, 'id'] };
