export type Scalar = string | number | boolean;

/** A list is never empty: empty values are omitted (decisions 4.2). */
export type PropertyValue = Scalar | readonly Scalar[];

/** A scalar becomes a list of one item, an absent value one of none. */
export function toItems(value: PropertyValue | undefined): readonly Scalar[] {
  if (value === undefined) return [];
  return isListValue(value) ? value : [value];
}

export function isListValue(value: PropertyValue): value is readonly Scalar[] {
  return Array.isArray(value);
}
