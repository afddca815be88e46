/** In the order of the table: keys, telephone, e-mail, hours, constituency, names. */
const LABELS: ReadonlyMap<string, string> = new Map([
  ['enckeys', 'Key'],
  ['phone-emergency', 'Emergency telephone'],
  ['phone-numbers', 'Telephone'],
  ['email', 'E-mail'],
  ['other-communication', 'Other channels'],
  ['operating-hours', 'Hours'],
  ['timezone', 'Time zone'],
  ['timezone-dst', 'Time zone in summer'],
  ['constituency', 'Constituency'],
  ['constituency-code', 'Code of constituency'],
  ['constituency-description', 'Constituency in words'],
  ['short-team-name', 'Short name'],
  ['official-team-name', 'Official name'],
  ['host', 'Organisation'],
  ['country-code', 'Country'],
  ['additional-country-code', 'Further countries'],
  ['website', 'Web sites'],
  ['postal-address', 'Postal address'],
  ['establishment', 'Established'],
  ['team-type', 'Kind of team'],
]);

const ORDER = [...LABELS.keys()];

/** Undefined for a property of one repository, whose name is all that is known. */
export function labelOf(property: string): string | undefined {
  return LABELS.get(property);
}

/** All others come last, in the order in which they are. */
export function sortForReading<T extends { readonly property: string }>(rows: readonly T[]): readonly T[] {
  const place = ({ property }: T): number => (LABELS.has(property) ? ORDER.indexOf(property) : ORDER.length);
  return [...rows].sort((a, b) => place(a) - place(b));
}
