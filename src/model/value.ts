/** One value of a property. */
export type Scalar = string | number | boolean;

/** A property's value: a scalar, or a list that is never empty. Empty values are absent (decisions.md, section 4). */
export type Value = Scalar | readonly Scalar[];

/** The items of a list, or the one value as a list of itself; nothing where the value is absent. */
export function itemsOf(value: Value | undefined): readonly Scalar[] {
  if (value === undefined) return [];
  return isList(value) ? value : [value];
}

/** Whether the value is a list. */
export function isList(value: Value): value is readonly Scalar[] {
  return Array.isArray(value);
}
