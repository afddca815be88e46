import type { Resource } from '../resource.js';
import { dataTeams } from './data-teams.js';
import { directoryTeams } from './directory-teams.js';

/** Properties with the same values on both interfaces (decisions 4.14). */
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

/** Undefined if the other interface has no such property. */
export function mapTeamProperty(property: string, from: Resource, to: Resource): string | undefined {
  if (from === directoryTeams && to === dataTeams) return teamPropertyPairs.find(([name]) => name === property)?.[1];
  if (from === dataTeams && to === directoryTeams) return teamPropertyPairs.find(([, name]) => name === property)?.[0];
  return undefined;
}
