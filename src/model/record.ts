import type { Value } from './value.js';

/** A property beyond the resource's table, as its source sent it. */
export type Further = readonly [name: string, value: Value];

/** One record as it is held: strictly written values in a fixed shape, never an object that came from outside. */
export interface HeldRecord {
  /** `<code>.<slug>` of a team, the integer of everything else (decisions.md, section 4): identity, and last tie-break of every order. */
  readonly id: string;
  /** By the position of the property (`positionOf`); undefined where the record has none. */
  readonly values: readonly (Value | undefined)[];
  /** In the order in which the source sent them. */
  readonly further: readonly Further[];
}
