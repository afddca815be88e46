import type { CountryScope } from '../query.js';
import type { Resource } from '../resource.js';

/** This gateway has the list of countries itself: no source serves the resource (decisions 2.41). */
export const countries: Resource = {
  name: 'countries',
  path: 'countries',
  isGatewayOwned: true,
  interfaceName: 'data',
  properties: [
    { name: 'country', kind: 'text', description: 'English name', example: 'Iceland' },
    { name: 'region', kind: 'text', description: 'name of the continent', example: 'Europe' },
    { name: 'alpha-2', kind: 'country', description: 'code of two letters, ISO 3166-1', example: 'IS' },
    { name: 'alpha-3', kind: 'text', description: 'code of three letters, ISO 3166-1', example: 'ISL' },
  ],
  knownExtraProperties: [],
  derivedProperties: [{ name: '(country-name)', from: 'alpha-2', derivation: 'country-name' }],
  pgpKeyProperties: [],
  envelopeProperties: ['total', 'limit', 'offset', 'access'],
  nameProperties: ['country'],
  idKind: 'hidden',
  sourceNameProperty: 'source-name',
  hasScopes: false,
  hasPropertyFilters: false,
  hasDateFilters: false,
  pagingWindow: Infinity,
  countryProperties: ['alpha-2'],
  defaultSort: { property: 'country', descending: false },
};

/** Column of a table with the code under which a list of countries has an entry. */
export const COUNTRY_KEY_COLUMN = 'code';

/** The property whose value is the key of a country, and the properties of its entry. */
interface CountryForm {
  readonly key: 'alpha-2' | 'alpha-3';
  readonly properties: readonly string[];
}

export const countryForms: Readonly<Record<CountryScope, CountryForm>> = {
  public: { key: 'alpha-2', properties: ['country', 'region'] },
  iso: { key: 'alpha-3', properties: ['country', 'region'] },
  full: { key: 'alpha-2', properties: ['country', 'region', 'alpha-2', 'alpha-3'] },
};
