import type { Value } from './value.js';

/** A property beyond the resource's table, as its source sent it. */
export type Further = readonly [name: string, value: Value];

/** All that a record says, strictly written: never an object that came from outside. */
export interface Row {
  /** By the position of the property (`positionOf`); undefined where the record has none. */
  readonly values: readonly (Value | undefined)[];
  /** In the order in which the source sent them. */
  readonly further: readonly Further[];
}

/** One record as it is held. `values` and `further` are made for whoever looks at them: for one property there are `value` and `named`. */
export interface HeldRecord extends Row {
  /** `<code>.<slug>` of a team, the integer of everything else (decisions.md, section 4): identity, and last tie-break of every order. */
  readonly id: string;
  /** What `values` has at that position; nothing at -1, where it has none. */
  value(position: number): Value | undefined;
  /** The further property of that name. */
  named(name: string): Value | undefined;
  /** Names of the further properties, in their order. */
  readonly names: readonly string[];
}

/** A record that may still lack its id, which depends on all records of its source. It becomes the held one in place, for there are many. */
export interface Draft extends HeldRecord {
  /** Empty until then; and until then a slug that is shown stands among the values as its source sent it. */
  id: string;
  /** The same without an id, to be given another one. */
  anew(): Draft;
}
