/** A record of a repository: any property with any value, in the order in which it is written. */
export type Stored = ReadonlyMap<string, unknown>;

/** The properties of the directory interface in the order of its table (interfaces 2.1). */
const order = [
  'short-team-name',
  'official-team-name',
  'postal-address',
  'country-code',
  'additional-country-code',
  'website',
  'email',
  'host',
  'establishment',
  'phone-numbers',
  'enckeys',
  'operating-hours',
  'constituency',
  'constituency-code',
  'constituency-description',
  'source-name',
];

/**
 * The properties in the order of the table, then the repository's own ones, then last-modified. Omits undefined values.
 */
export function stored(properties: Readonly<Record<string, unknown>>): Stored {
  const own = Object.keys(properties).filter((name) => !order.includes(name) && name !== 'last-modified');
  return inOrder([...order, ...own, 'last-modified'], properties);
}

/** These properties in this order. Omits undefined values. */
export function inOrder(names: readonly string[], properties: Readonly<Record<string, unknown>>): Stored {
  return new Map(names.map((name) => [name, properties[name]] as const).filter(([, value]) => value !== undefined));
}

/** The records as a JSON array with one record a line, so that a changed record is one changed line. */
export function fileOf(records: readonly Stored[]): string {
  return `[\n${records.map(line).join(',\n')}\n]\n`;
}

/** Written without an object, because `__proto__` in an object literal sets the prototype. */
function line(record: Stored): string {
  const members = [...record].map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`);
  return `{ ${members.join(', ')} }`;
}
