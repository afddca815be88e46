/** A single value: text, number or boolean. */
export type Scalar = string | number | boolean;

/** The value of a property: a scalar, or a list that is never empty. Empty values are omitted (decisions 4.2). */
export type PropertyValue = Scalar | readonly Scalar[];

/** Returns the items of a list, a scalar as a list of one item, and no items for an absent value. */
export function toItems(value: PropertyValue | undefined): readonly Scalar[] {
  if (value === undefined) return [];
  return isListValue(value) ? value : [value];
}

/** Whether the value is a list. */
export function isListValue(value: PropertyValue): value is readonly Scalar[] {
  return Array.isArray(value);
}
