/** Undefined where the value is no object or has no such property. */
export function readJsonProperty(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Object.getOwnPropertyDescriptor(value, name)?.value : undefined;
}
