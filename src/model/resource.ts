/**
 * How a property is read and compared. `text` and `texts` are a string and a list of strings; `phones` is a list in which a bare
 * `(fax)` is no number; `date` is written as exact as its source was, `timestamp` always to the second, with offset.
 */
export type Kind = 'text' | 'texts' | 'phones' | 'country' | 'countries' | 'date' | 'timestamp';

/** One row of a resource's table of properties. */
export interface Property {
  readonly name: string;
  readonly kind: Kind;
}

/** The nouns of one resource; the verbs are written once, elsewhere. */
export interface Resource {
  readonly name: string;
  /** Path below the interface's base address, without extension. */
  readonly path: string;
  /** In the order in which a record is written. The last one is written behind a record's further properties. */
  readonly properties: readonly Property[];
  /** A record that has none of these is no record (decisions.md, section 4). */
  readonly names: readonly string[];
  /** With the names and the first of the countries, what the id of a record without one is made of. */
  readonly email: string;
  /** Stamped on every record by Rollcall. */
  readonly sourceName: string;
  /** The date that Last-Modified is made of; no filter (interfaces.md, section 2.1). */
  readonly lastModified: string;
  /** Properties that the `country` and `region` parameters look at. */
  readonly countries: readonly string[];
  /** Properties that the `team` parameter searches. */
  readonly team: readonly string[];
  /** Property that orders the records when no `sort` is given, ascending. */
  readonly defaultSort: string;
}

/** Position of a property in the resource's table, or -1 for a further one. */
export function positionOf(resource: Resource, property: string): number {
  return resource.properties.findIndex(({ name }) => name === property);
}
