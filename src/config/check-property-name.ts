import { RESERVED_CODE } from '../model/resource.js';
import type { Resource } from '../model/resource.js';
import { dataTeams } from '../model/resources/data-teams.js';
import { directoryTeams } from '../model/resources/directory-teams.js';
import { selectionParameters } from './supports-rules.js';

/** Reserved parameters: a filter on a further property of this name could not be requested (operation 2.8.5). */
export const reservedPropertyNames: readonly string[] = [
  ...['fields', 'limit', 'offset', 'sort', 'envelope', 'pretty', 'callback', '_', 'q', 'scope'],
  ...selectionParameters.teams,
];

/**
 * Undefined if a further property may have this name. Names of parameters are reserved (interfaces 1.7), and a name in
 * the tables of both interfaces would have two meanings. A name in only one table is a further property on the other
 * interface, and both list all teams.
 */
export function propertyNameError(name: string): string | undefined {
  // `-email` in `sort` means descending by `email`.
  const baseName = name.replace(/^-/, '');
  if (reservedPropertyNames.includes(baseName)) return 'is a parameter of queries';
  if (name.startsWith(`-${RESERVED_CODE}-`)) return 'is reserved for this gateway';
  if (baseName in {}) return 'is not allowed as a property name';
  const isInBothTables = [directoryTeams, dataTeams].every((teams) => tablePropertyNames(teams).includes(baseName));
  return isInBothTables ? 'is already a property of teams' : undefined;
}

export function tablePropertyNames({
  properties,
  knownExtraProperties: extra,
  trailingProperty: trailing,
}: Resource): readonly string[] {
  return [...properties, ...extra, ...(trailing ? [trailing] : [])].map(({ name }) => name);
}
