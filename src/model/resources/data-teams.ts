import type { Resource } from '../resource.js';

/**
 * Team profiles of the data interface (interfaces.md, section 2.3), in the order of its table; beside them what FIRST sends
 * today (decisions.md, section 2).
 */
export const dataTeams: Resource = {
  name: 'data-teams',
  path: 'teams',
  face: 'data',
  properties: [
    { name: 'id', kind: 'text' },
    { name: 'team', kind: 'text', expects: 'short-name' },
    { name: 'team-full', kind: 'text' },
    { name: 'host', kind: 'text' },
    { name: 'establishment', kind: 'date' },
    { name: 'address', kind: 'text' },
    { name: 'country', kind: 'country' },
    { name: 'website', kind: 'texts', expects: 'website' },
    { name: 'email', kind: 'text', expects: 'e-mail' },
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
  extra: [
    { name: 'membership', kind: 'text', expects: 'member-type' },
    { name: 'team-type', kind: 'text' },
    { name: 'country-other', kind: 'countries' },
    { name: 'member-since', kind: 'date' },
    { name: 'pgp-id', kind: 'text', expects: 'key-id' },
    { name: 'pgp-fingerprint', kind: 'text', expects: 'key-id' },
    { name: 'pgp-key', kind: 'text', expects: 'public-key' },
  ],
  trailing: { name: 'last-modified', kind: 'spaced-timestamp' },
  derived: [{ name: '(country-name)', from: 'country', how: 'country-name' }],
  keys: ['pgp-id', 'pgp-fingerprint', 'pgp-key'],
  envelope: ['last-modified', 'total', 'access'],
  names: ['team', 'team-full'],
  id: 'slug',
  email: 'email',
  sourceName: 'source-name',
  dated: 'last-modified',
  filters: true,
  dateFilters: false,
  window: Infinity,
  countries: ['country', 'country-other'],
  defaultSort: { property: 'team', descending: false },
};

/** Data teams as sources give them under `scope=pgp`: what they are called may be left out, for they are joined by their ids. */
export const teamKeys: Resource = { ...dataTeams, names: [...dataTeams.names, 'id'] };
