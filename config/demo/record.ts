/** A record as a repository keeps it: any property with any value, in the order in which it is written. */
export type Stored = ReadonlyMap<string, unknown>;

/** The properties of the directory interface in the order of its table (interfaces.md, section 2.1). */
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

/** The properties in the table's order, then the repository's own, then last-modified; undefined ones left out. */
export function stored(properties: Readonly<Record<string, unknown>>): Stored {
  const own = Object.keys(properties).filter((name) => !order.includes(name) && name !== 'last-modified');
  return inOrder([...order, ...own, 'last-modified'], properties);
}

/** These properties in this order; undefined ones left out. */
export function inOrder(names: readonly string[], properties: Readonly<Record<string, unknown>>): Stored {
  return new Map(names.map((name) => [name, properties[name]] as const).filter(([, value]) => value !== undefined));
}

/** The records as a JSON array, one record a line, so that a change of one record is a change of one line. */
export function fileOf(records: readonly Stored[]): string {
  return `[\n${records.map(line).join(',\n')}\n]\n`;
}

/** Written by hand, because an object would take `__proto__` for more than a name. */
function line(record: Stored): string {
  const members = [...record].map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`);
  return `{ ${members.join(', ')} }`;
}
