import type { Resource } from '../resource.js';

/**
 * Team profiles of the data interface, in the order of its table (interfaces 2.3), with the properties that FIRST sends
 * in addition (decisions 2.20; interfaces 2.3.2).
 */
export const dataTeams: Resource = {
  name: 'data-teams',
  path: 'teams',
  interfaceName: 'data',
  properties: [
    {
      name: 'id',
      kind: 'text',
      description:
        'id of the team: the code of its source, a dot, and the id at the source, or one made from its names',
      example: 'lantern.thorsvik-health-cert',
    },
    {
      name: 'team',
      kind: 'text',
      expectedFormat: 'short-name',
      description: 'short name',
      example: 'Thorsvik Health CERT',
    },
    {
      name: 'team-full',
      kind: 'text',
      description: 'full name',
      example: 'Thorsvik Health Computer Emergency Response Team',
    },
    { name: 'host', kind: 'text', description: 'organisation that the team belongs to', example: 'Thorsvik Hospital' },
    {
      name: 'establishment',
      kind: 'date',
      description: 'date of establishment, ISO 8601, as exact as in the source',
      example: '2007-07',
    },
    {
      name: 'address',
      kind: 'text',
      description: 'postal address, with line breaks',
      example: '3 Harbour Street\nThorsvik',
    },
    { name: 'country', kind: 'country', description: 'country, ISO 3166-1 alpha-2', example: 'IS' },
    {
      name: 'website',
      kind: 'texts',
      expectedFormat: 'website',
      description: 'addresses of its websites',
      example: ['https://cert.thorsvik.example.org/'],
    },
    {
      name: 'email',
      kind: 'text',
      expectedFormat: 'e-mail',
      description: 'contact mailbox',
      example: 'cert@thorsvik.example.org',
    },
    {
      name: 'phone',
      kind: 'phones',
      description: 'telephone numbers; fax numbers are marked `(fax)`',
      example: ['+999 5550 0173'],
    },
    { name: 'fax', kind: 'text', description: 'fax number', example: '+999 5550 0174' },
    {
      name: 'phone-emergency',
      kind: 'text',
      description: 'telephone number for emergencies',
      example: '+999 5550 0175',
    },
    { name: 'timezone', kind: 'text', description: 'offset of standard time, as in the source', example: 'GMT+0000' },
    {
      name: 'timezone-dst',
      kind: 'text',
      description: 'offset of daylight-saving time, as in the source',
      example: 'GMT+0100',
    },
    {
      name: 'other-communication',
      kind: 'text',
      description: 'other ways to reach the team',
      example: 'Matrix: #cert:thorsvik.example.org',
    },
    {
      name: 'operating-hours',
      kind: 'text',
      description: 'hours in which the team responds',
      example: 'Mon-Fri 08:00-17:00',
    },
    {
      name: 'constituency',
      kind: 'text',
      description: "whom the team serves, in the source's vocabulary",
      example: 'Health',
    },
    {
      name: 'constituency-description',
      kind: 'text',
      description: 'whom the team serves, in words',
      example: 'Hospitals of the island',
    },
    {
      name: 'source-name',
      kind: 'text',
      description: 'name of the source of the record',
      example: 'Lantern Network (sample)',
    },
  ],
  knownExtraProperties: [
    {
      name: 'membership',
      kind: 'text',
      expectedFormat: 'member-type',
      description: 'kind of membership at the source',
      example: 'Full Member',
    },
    { name: 'team-type', kind: 'text', description: 'kind of team, such as CSIRT or PSIRT', example: 'CSIRT' },
    {
      name: 'country-other',
      kind: 'countries',
      description: 'further countries that the team serves',
      example: ['NO'],
    },
    { name: 'member-since', kind: 'date', description: 'date of joining the source, ISO 8601', example: '2012-05-01' },
    { name: 'pgp-id', kind: 'text', expectedFormat: 'key-id', description: 'id of a PGP key', example: '0x4AFC5900' },
    {
      name: 'pgp-fingerprint',
      kind: 'text',
      expectedFormat: 'key-id',
      description: 'fingerprint of a PGP key',
      example: 'DE30DE30DE3000000000000000000000004AFC59',
    },
    {
      name: 'pgp-key',
      kind: 'text',
      expectedFormat: 'public-key',
      description: 'PGP key in ASCII armour',
      example: '-----BEGIN PGP PUBLIC KEY BLOCK-----\n…\n-----END PGP PUBLIC KEY BLOCK-----',
    },
  ],
  trailingProperty: {
    name: 'last-modified',
    kind: 'spaced-timestamp',
    description: 'time of the last change of the profile',
    example: '2016-06-09 13:59:39+00:00',
  },
  derivedProperties: [{ name: '(country-name)', from: 'country', derivation: 'country-name' }],
  pgpKeyProperties: ['pgp-id', 'pgp-fingerprint', 'pgp-key'],
  envelopeProperties: ['last-modified', 'total', 'access'],
  nameProperties: ['team', 'team-full'],
  idKind: 'slug',
  emailProperty: 'email',
  sourceNameProperty: 'source-name',
  dateProperty: 'last-modified',
  hasPropertyFilters: true,
  hasScopes: true,
  hasDateFilters: false,
  pagingWindow: Infinity,
  countryProperties: ['country', 'country-other'],
  defaultSort: { property: 'team', descending: false },
};

/**
 * Data teams in a source's list under `scope=pgp`. A record of that list may have no name if it has an id, because
 * records are joined by id (decisions 4.22).
 */
export const dataTeamsWithKeys: Resource = { ...dataTeams, nameProperties: [...dataTeams.nameProperties, 'id'] };
