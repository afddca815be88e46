import type { Resource } from '../resource.js';
import { dataTeams } from './data-teams.js';
import { directoryTeams } from './directory-teams.js';

/** Properties of a team that have the same values on both interfaces, directory first (decisions 4.14). */
export const teamPropertyPairs: readonly (readonly [directory: string, data: string])[] = [
  ['short-team-name', 'team'],
  ['official-team-name', 'team-full'],
  ['postal-address', 'address'],
  ['country-code', 'country'],
  ['additional-country-code', 'country-other'],
  ['website', 'website'],
  ['email', 'email'],
  ['host', 'host'],
  ['establishment', 'establishment'],
  ['operating-hours', 'operating-hours'],
  ['constituency', 'constituency'],
  ['constituency-description', 'constituency-description'],
  ['source-name', 'source-name'],
];

/** Returns the property of the other interface's teams that has the same values; undefined if there is none. */
export function mapTeamProperty(property: string, from: Resource, to: Resource): string | undefined {
  if (from === directoryTeams && to === dataTeams) return teamPropertyPairs.find(([name]) => name === property)?.[1];
  if (from === dataTeams && to === directoryTeams) return teamPropertyPairs.find(([, name]) => name === property)?.[0];
  return undefined;
}
