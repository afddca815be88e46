/** One value of a property. */
export type Scalar = string | number | boolean;

/** A property's value: a scalar, or a list that is never empty. Empty values are absent (decisions.md, section 4). */
export type PropertyValue = Scalar | readonly Scalar[];

/** The items of a list, or the one value as a list of itself; nothing where the value is absent. */
export function toItems(value: PropertyValue | undefined): readonly Scalar[] {
  if (value === undefined) return [];
  return isListValue(value) ? value : [value];
}

/** Whether the value is a list. */
export function isListValue(value: PropertyValue): value is readonly Scalar[] {
  return Array.isArray(value);
}
