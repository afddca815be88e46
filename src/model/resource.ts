import { TEXT_SCHEMA, TEXTS_SCHEMA } from './schema/json-schema.js';
import type { JsonSchema, JsonValue } from './schema/json-schema.js';

/**
 * How a property is read (decisions 4.2), compared and written (decisions 4.10). A bare `(fax)` is dropped from
 * `phones`. `country` and `countries` are country codes (decisions 4.5). A `date` is as exact as the source sent it.
 * `timestamp`, `spaced-timestamp` and `http-date` are written to the second. A `url` is made absolute against the site
 * of the source. An `id` is an integer of the source.
 */
export type PropertyKind =
  | 'text'
  | 'texts'
  | 'phones'
  | 'country'
  | 'countries'
  | 'date'
  | 'timestamp'
  | 'spaced-timestamp'
  | 'http-date'
  | 'url'
  | 'id';

/** Other values are kept and counted as findings (decisions 4.6; `docs/data-quality.md`). */
export type ExpectedFormat = 'short-name' | 'e-mail' | 'key-id' | 'public-key' | 'website' | 'link' | 'member-type';

/**
 * What a property is to a search by relevance (decisions 2.40), in order of importance. Words are searched; of
 * telephone numbers and PGP keys only the digits.
 */
export type SearchField =
  'short-name' | 'official-name' | 'host' | 'constituency' | 'contact' | 'place' | 'other' | 'phone' | 'key';

/** A text in an unexpected form is kept, so that the schema of a date or of a country is that of any text. */
export const propertySchemas: Readonly<Record<PropertyKind, JsonSchema>> = {
  text: TEXT_SCHEMA,
  texts: TEXTS_SCHEMA,
  phones: TEXTS_SCHEMA,
  country: TEXT_SCHEMA,
  countries: TEXTS_SCHEMA,
  date: TEXT_SCHEMA,
  timestamp: TEXT_SCHEMA,
  'spaced-timestamp': TEXT_SCHEMA,
  'http-date': TEXT_SCHEMA,
  url: TEXT_SCHEMA,
  id: { type: 'integer', minimum: 0 },
};

export interface Property {
  readonly name: string;
  readonly kind: PropertyKind;
  /** Absent: a search by relevance does not read the property. */
  readonly searchedAs?: SearchField;
  /** For the description of the interfaces (decisions 2.42). */
  readonly description: string;
  readonly example: JsonValue;
  /** Absent: any value of the kind is expected. */
  readonly expectedFormat?: ExpectedFormat;
}

/** Computed from another property, for search and comparison only: never shown, and no name for `sort` or filters. */
export interface DerivedProperty {
  readonly name: string;
  readonly from: string;
  /**
   * `as-written`: the address before it was made absolute (decisions 2.25). `country-name`: the English name of a
   * country code (decisions 2.27).
   */
  readonly derivation: 'as-written' | 'country-name';
}

export type SourceResourceName = 'directory-teams' | 'data-teams' | 'news' | 'news-item' | 'channels' | 'feed';

/** Label `resource` of metrics and log lines (operation 3.4). */
export type ResourceName = SourceResourceName | 'countries';

/** In addition to status, version and data (decisions 2.8). */
export type EnvelopeProperty = 'total' | 'last-modified' | 'limit' | 'offset' | 'access';

/** Everything that differs between resources. The code that reads it is shared by all. */
export interface Resource {
  readonly name: ResourceName;
  /** Below the base address of the interface, without extension. */
  readonly path: 'teams' | 'news' | 'channels' | 'countries';
  /** The records are this gateway's own: no source has them, and they have no source-name (decisions 2.41). */
  readonly isGatewayOwned?: true;
  readonly interfaceName: 'directory' | 'data';
  /** In the order in which a record is written (decisions 2.22). */
  readonly properties: readonly Property[];
  /** Known names outside the table (decisions 2.20), written among the extra properties, in the order of the source. */
  readonly knownExtraProperties: readonly Property[];
  /** Written after all other properties. */
  readonly trailingProperty?: Property;
  readonly derivedProperties: readonly DerivedProperty[];
  /** Dropped from records of a list, whatever a source sends (decisions 2.34). */
  readonly detailProperties?: readonly string[];
  /** Only the scopes `pgp` and `members` contain these (decisions 4.20). */
  readonly pgpKeyProperties: readonly string[];
  /** Shows the PGP keys of data teams, which need the access of the scope `pgp` (decisions 4.16, 8.2). */
  readonly derivedKeyProperty?: string;
  /** In the order of the envelope, which is part of the format. */
  readonly envelopeProperties: readonly EnvelopeProperty[];
  /** A record without any of these is dropped (decisions 4.7). */
  readonly nameProperties: readonly string[];
  /**
   * Slug or integer of the source, or a hidden id (decisions 4.17, 4.18); or the property `identity` of a record that
   * no client gets (decisions 4.32).
   */
  readonly idKind: 'slug' | 'integer' | 'hidden' | 'identity';
  /** Shows a hidden id, only where `fields` names it, and is a filter. */
  readonly idProperty?: string;
  /** Part of the hash in the id of a team without a slug, with the names and the first country. */
  readonly emailProperty?: string;
  /** Rollcall sets this property on every record of a source (decisions 4.11). */
  readonly sourceNameProperty: string;
  /** Gives Last-Modified (decisions 7.7). */
  readonly dateProperty?: string;
  /** Every property except last-modified is a filter; otherwise only `source-name` is. */
  readonly hasPropertyFilters: boolean;
  /** The parameter `scope` selects properties. */
  readonly hasScopes: boolean;
  /** The parameters `before` and `after` filter by `dateProperty` (decisions 2.30). */
  readonly hasDateFilters: boolean;
  /** Number of records of one result that paging reaches (decisions 2.13; interfaces 8). */
  readonly pagingWindow: number;
  /** For the parameters `country` and `region`: the team's own country, then its further ones. */
  readonly countryProperties: readonly string[];
  /** If the request has no `sort` (decisions 2.23). */
  readonly defaultSort: { readonly property: string; readonly descending: boolean };
}

export interface SourceResource extends Resource {
  readonly name: SourceResourceName;
  readonly path: Exclude<Resource['path'], 'countries'>;
  readonly isGatewayOwned?: never;
}

/** Code of properties that this gateway adds. No source may have it, nor send such a property. */
export const RESERVED_CODE = 'rollcall';

/** Score of a search by relevance, from 0 to 1. */
export const SCORE_PROPERTY = `-${RESERVED_CODE}-score`;

/** What a search by relevance matched. */
export const MATCHES_PROPERTY = `-${RESERVED_CODE}-matches`;

/** In the order of a record's values: the table, the trailing property, the derived ones. */
export function listStoredProperties({
  properties,
  trailingProperty: trailing,
  derivedProperties: derived,
}: Resource): readonly { readonly name: string }[] {
  return [...properties, ...(trailing === undefined ? [] : [trailing]), ...derived];
}

/** Position in a record's values; -1 for an extra property. */
export function findPropertyPosition(resource: Resource, property: string): number {
  return listStoredProperties(resource).findIndex(({ name }) => name === property);
}

/** Whatever its source calls it. Only the scopes `pgp` and `members` contain PGP keys. */
export function isPgpKeyProperty({ pgpKeyProperties: keys }: Resource, property: string): boolean {
  return keys.length > 0 && (keys.includes(property) || /pgp|enckeys/i.test(property));
}

/** Derived from `pgp-key` if the source states no fingerprint (decisions 4.24). No response shows the name. */
export const DERIVED_FINGERPRINT = '(pgp-fingerprint)';

export function isHiddenProperty(resource: Resource, scope: 'public' | 'members', property: string): boolean {
  return scope === 'members' ? property === DERIVED_FINGERPRINT : isPgpKeyProperty(resource, property);
}

/** Undefined for an extra property that the resource does not know. */
export function findPropertyKind(resource: Resource, property: string): PropertyKind | undefined {
  return [
    ...resource.properties,
    ...(resource.trailingProperty ? [resource.trailingProperty] : []),
    ...resource.knownExtraProperties,
  ].find(({ name }) => name === property)?.kind;
}
