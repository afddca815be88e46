import type { Resource } from '../resource.js';

/** Team records of the directory interface (interfaces.md, section 2.1), in the order of its table. */
export const directoryTeams: Resource = {
  name: 'directory-teams',
  path: 'teams',
  properties: [
    { name: 'short-team-name', kind: 'text' },
    { name: 'official-team-name', kind: 'text' },
    { name: 'postal-address', kind: 'text' },
    { name: 'country-code', kind: 'country' },
    { name: 'additional-country-code', kind: 'countries' },
    { name: 'website', kind: 'texts' },
    { name: 'email', kind: 'text' },
    { name: 'host', kind: 'text' },
    { name: 'establishment', kind: 'date' },
    { name: 'phone-numbers', kind: 'phones' },
    { name: 'enckeys', kind: 'texts' },
    { name: 'operating-hours', kind: 'text' },
    { name: 'constituency', kind: 'text' },
    { name: 'constituency-code', kind: 'text' },
    { name: 'constituency-description', kind: 'text' },
    { name: 'source-name', kind: 'text' },
    { name: 'last-modified', kind: 'timestamp' },
  ],
  names: ['short-team-name', 'official-team-name'],
  email: 'email',
  sourceName: 'source-name',
  lastModified: 'last-modified',
  countries: ['country-code', 'additional-country-code'],
  team: ['short-team-name', 'official-team-name'],
  defaultSort: 'short-team-name',
};
