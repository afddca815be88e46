import type { PropertyValue } from './property-value.js';

/** A property that is not in the table of its resource, as its source sent it (decisions 4.13). */
export type ExtraProperty = readonly [name: string, value: PropertyValue];

/** The values of one record, built property by property and never copied from parsed input. */
export interface RecordRow {
  /** Values by position (`findPropertyPosition`); undefined for a property that the record does not have. */
  readonly values: readonly (PropertyValue | undefined)[];
  /** In the order in which the source sent them. */
  readonly extraProperties: readonly ExtraProperty[];
}

/**
 * A record in memory. Each access to `values` and `extraProperties` builds a new list. To read one property, use
 * `valueAt` or `extraValue`.
 */
export interface StoredRecord extends RecordRow {
  /**
   * `<code>.<slug>` of a team, the integer of all other records (decisions 4.17, 4.18). Identifies the record and
   * breaks ties in every order.
   */
  readonly id: string;
  /** Value at a position of `values`; undefined at position -1. */
  valueAt(position: number): PropertyValue | undefined;
  extraValue(name: string): PropertyValue | undefined;
  /** Names of the extra properties, in their order. */
  readonly extraNames: readonly string[];
}

/**
 * A record whose id may not be assigned yet, because ids depend on all records of the source. Assigning the id
 * completes the record in place, because copying many records is expensive.
 */
export interface DraftRecord extends StoredRecord {
  /**
   * Until it is assigned: the identity that an expression of a document gave, else empty. Until then, a property that
   * shows the id has the slug that the source sent.
   */
  id: string;
  /** Returns the record without its id, so that another one can be assigned. */
  withoutId(): DraftRecord;
}
