/**
 * How a property is read and compared. `text` and `texts` are a string and a list of strings; `phones` is a list in which a bare
 * `(fax)` is no number; `date` is written as exact as its source was; `timestamp`, `spaced-timestamp` and `http-date` always to the
 * second (decisions.md, section 4, "Written"); `url` is made absolute against the source's site; `id` is an integer of its source.
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

/** What the values of a property should be beyond their kind: those that are not are kept, and counted as findings (docs/data-quality.md). */
export type ExpectedFormat = 'short-name' | 'e-mail' | 'key-id' | 'public-key' | 'website' | 'link' | 'member-type';

/** One row of a resource's table of properties. */
export interface Property {
  readonly name: string;
  readonly kind: PropertyKind;
  /** Absent: any value of the kind will do. */
  readonly expectedFormat?: ExpectedFormat;
}

/** A property that is computed from another one, for searching and matching only: it is never shown, sorted by or filtered on by name. */
export interface DerivedProperty {
  readonly name: string;
  readonly from: string;
  /** `as-written`: the text before it was made absolute. `country-name`: the English name of a country code. */
  readonly derivation: 'as-written' | 'country-name';
}

/** The name of a resource: what a source is asked for. */
export type ResourceName = 'directory-teams' | 'data-teams' | 'news' | 'news-item' | 'channels';

/** What an envelope tells beside status, version and data. */
export type EnvelopeProperty = 'total' | 'last-modified' | 'limit' | 'offset' | 'access';

/** The nouns of one resource; the verbs are written once, elsewhere. */
export interface Resource {
  readonly name: ResourceName;
  /** Path below the interface's base address, without extension. */
  readonly path: 'teams' | 'news' | 'channels';
  /** The interface that serves it. */
  readonly interfaceName: 'directory' | 'data';
  /** In the order in which a record is written, before its further properties. */
  readonly properties: readonly Property[];
  /** Known names beyond the interface's table: written among the further properties, where their source put them. */
  readonly knownExtraProperties: readonly Property[];
  /** Written behind everything else, where the resource has it. */
  readonly trailingProperty?: Property;
  readonly derivedProperties: readonly DerivedProperty[];
  /** Names that belong to the detail form: no part of the list, whatever a source sends in it. */
  readonly detailProperties?: readonly string[];
  /** Names that hold PGP keys: part of no public answer (decisions.md, section 4). */
  readonly pgpKeyProperties: readonly string[];
  /** In the order in which the envelope has them (decisions.md, section 2): it is part of the format. */
  readonly envelopeProperties: readonly EnvelopeProperty[];
  /** A record that has none of these is no record (decisions.md, section 4). */
  readonly nameProperties: readonly string[];
  /** What the id of a record is made of: the source's own slug or integer, or nothing that is shown. */
  readonly idKind: 'slug' | 'integer' | 'hidden';
  /** With the names and the first of the countries, what the hash in the id of a record without one is made of. */
  readonly emailProperty?: string;
  /** Stamped on every record by Rollcall. */
  readonly sourceNameProperty: string;
  /** The date that Last-Modified is made of. */
  readonly dateProperty?: string;
  /** Whether every property but last-modified is a filter; otherwise only `source-name` is. */
  readonly hasPropertyFilters: boolean;
  /** Whether the parameters `before` and `after` filter by the date `dated`. */
  readonly hasDateFilters: boolean;
  /** Most records of one result set that paging leads to (interfaces.md, section 8), at every repository; Infinity: all. */
  readonly pagingWindow: number;
  /** Names of formats in which the interface never gives it. */
  readonly unsupportedFormats?: readonly string[];
  /** Properties that the `country` and `region` parameters look at: the team's own country, then its further ones. */
  readonly countryProperties: readonly string[];
  /** What orders the records when no `sort` is given. */
  readonly defaultSort: { readonly property: string; readonly descending: boolean };
}

/** All properties of a record in the order of its values: the table, the trailing one, the derived ones. */
export function listStoredProperties({
  properties,
  trailingProperty: trailing,
  derivedProperties: derived,
}: Resource): readonly { readonly name: string }[] {
  return [...properties, ...(trailing === undefined ? [] : [trailing]), ...derived];
}

/** Position of a property among a record's values, or -1 for a further one. */
export function findPropertyPosition(resource: Resource, property: string): number {
  return listStoredProperties(resource).findIndex(({ name }) => name === property);
}

/**
 * Whether a property holds PGP keys: part of no public answer, whatever the source calls it (decisions.md, section 4, "Scopes").
 */
export function isPgpKeyProperty({ pgpKeyProperties: keys }: Resource, property: string): boolean {
  return keys.length > 0 && (keys.includes(property) || /pgp|enckeys/i.test(property));
}

/** How a property is read; undefined for one that only its source knows. */
export function findPropertyKind(resource: Resource, property: string): PropertyKind | undefined {
  return [
    ...resource.properties,
    ...(resource.trailingProperty ? [resource.trailingProperty] : []),
    ...resource.knownExtraProperties,
  ].find(({ name }) => name === property)?.kind;
}
