import type { PropertyValue } from './property-value.js';

/** A property outside the table of its resource, as its source sent it (decisions 4.13). */
export type ExtraProperty = readonly [name: string, value: PropertyValue];

/** Built property by property, never copied from parsed input. */
export interface RecordRow {
  /** Values by position (`findPropertyPosition`); undefined for a property that the record does not have. */
  readonly values: readonly (PropertyValue | undefined)[];
  /** In the order in which the source sent them. */
  readonly extraProperties: readonly ExtraProperty[];
}

/** Each access to `values` and `extraProperties` builds a new list; `valueAt` and `extraValue` read one property. */
export interface StoredRecord extends RecordRow {
  /** `<code>.<slug>` of a team, the integer of all other records (decisions 4.17, 4.18). Breaks ties in every order. */
  readonly id: string;
  /** Undefined at position -1. */
  valueAt(position: number): PropertyValue | undefined;
  extraValue(name: string): PropertyValue | undefined;
  readonly extraNames: readonly string[];
}

/**
 * A record whose id may not be assigned yet, because ids depend on all records of the source. Assigning completes it in
 * place, because copying many records is expensive.
 */
export interface DraftRecord extends StoredRecord {
  /**
   * Until assigned: the identity that an expression of a document gave, else empty. A property that shows the id has
   * the source's slug until then.
   */
  id: string;
  /** Another id can then be assigned. */
  withoutId(): DraftRecord;
}
