import type { Resource } from '../model/resource.js';
import { dataTeams } from '../model/resources/data-teams.js';
import { directoryTeams } from '../model/resources/directory-teams.js';
import { parameters } from './supports.js';

/** Parameters of every list, and of teams, that are no names of properties: a filter of such a name could never be asked for. */
export const reserved: readonly string[] = [
  ...['fields', 'limit', 'offset', 'sort', 'envelope', 'pretty', 'callback', '_', 'q', 'scope'],
  ...parameters.teams,
];

const TEAMS = { directory: directoryTeams, data: dataTeams };

/**
 * Why a source cannot have a property of this name (interfaces.md, section 1): reserved parameters are never used for anything else, and what
 * every interface that it speaks has in its table would be two things of one name. A name of the other interface's table may be its own.
 */
export function faultOfProperty(name: string, faces: readonly Resource['face'][]): string | undefined {
  // `-email` is what descends by `email`.
  const plain = name.replace(/^-/, '');
  if (reserved.includes(plain)) return 'is a parameter of queries';
  if (plain in {}) return 'is no name for a property';
  const isThere = faces.length > 0 && faces.every((face) => namesOf(TEAMS[face]).includes(plain));
  return isThere ? 'is a property of teams already' : undefined;
}

function namesOf({ properties, extra, trailing }: Resource): readonly string[] {
  return [...properties, ...extra, ...(trailing ? [trailing] : [])].map(({ name }) => name);
}
