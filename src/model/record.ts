import type { PropertyValue } from './property-value.js';

/** A property beyond the resource's table, as its source sent it. */
export type ExtraProperty = readonly [name: string, value: PropertyValue];

/** All that a record says, strictly written: never an object that came from outside. */
export interface RecordRow {
  /** By the position of the property (`findPropertyPosition`); undefined where the record has none. */
  readonly values: readonly (PropertyValue | undefined)[];
  /** In the order in which the source sent them. */
  readonly extraProperties: readonly ExtraProperty[];
}

/** One record as it is held. `values` and `further` are made for whoever looks at them: for one property there are `value` and `named`. */
export interface StoredRecord extends RecordRow {
  /** `<code>.<slug>` of a team, the integer of everything else (decisions.md, section 4): identity, and last tie-break of every order. */
  readonly id: string;
  /** What `values` has at that position; nothing at -1, where it has none. */
  valueAt(position: number): PropertyValue | undefined;
  /** The further property of that name. */
  extraValue(name: string): PropertyValue | undefined;
  /** Names of the further properties, in their order. */
  readonly extraNames: readonly string[];
}

/** A record that may still lack its id, which depends on all records of its source. It becomes the held one in place, for there are many. */
export interface DraftRecord extends StoredRecord {
  /** Empty until then; and until then a slug that is shown stands among the values as its source sent it. */
  id: string;
  /** The same without an id, to be given another one. */
  withoutId(): DraftRecord;
}
