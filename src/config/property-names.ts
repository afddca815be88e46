import type { Resource } from '../model/resource.js';
import { dataTeams } from '../model/resources/data-teams.js';
import { directoryTeams } from '../model/resources/directory-teams.js';
import { selectionParameters } from './supports-rules.js';

/** Parameters of every list, and of teams, that are no names of properties: a filter of such a name could never be asked for. */
export const reservedPropertyNames: readonly string[] = [
  ...['fields', 'limit', 'offset', 'sort', 'envelope', 'pretty', 'callback', '_', 'q', 'scope'],
  ...selectionParameters.teams,
];

/**
 * Why a source cannot have a property of this name (interfaces.md, section 1): reserved parameters are never used for anything else, and what
 * both interfaces have in their tables would be two things of one name. Of a name that one of them has the other knows nothing: there it is a
 * further one, for teams are shown on both.
 */
export function propertyNameError(name: string): string | undefined {
  // `-email` is what descends by `email`.
  const plain = name.replace(/^-/, '');
  if (reservedPropertyNames.includes(plain)) return 'is a parameter of queries';
  if (plain in {}) return 'is no name for a property';
  const isThere = [directoryTeams, dataTeams].every((teams) => tablePropertyNames(teams).includes(plain));
  return isThere ? 'is a property of teams already' : undefined;
}

function tablePropertyNames({
  properties,
  knownExtraProperties: extra,
  trailingProperty: trailing,
}: Resource): readonly string[] {
  return [...properties, ...extra, ...(trailing ? [trailing] : [])].map(({ name }) => name);
}
