import type { Resource } from '../../model/resource.js';
import { dataTeams } from '../../model/resources/data-teams.js';
import { directoryTeams } from '../../model/resources/directory-teams.js';
import { newsItem } from '../../model/resources/news.js';
import { mapTeamProperty } from '../../model/resources/team-property-mapping.js';
import { tablePropertyNames } from '../check-property-name.js';

export type DocumentResource = 'teams' | 'news';

/** In `map`: an expression of its own for teams, a property for news. */
export const IDENTITY = 'id';

/** The first one, unless a name belongs to the second one only. */
const MAPPED_RESOURCES: Readonly<Record<DocumentResource, readonly [Resource, Resource?]>> = {
  teams: [directoryTeams, dataTeams],
  news: [newsItem],
};

/**
 * News in detail form; teams of the data interface where one of the mapped names is a property of these only; else
 * teams of the directory interface (decisions 4.27).
 */
export function chooseMappedResource(kind: DocumentResource, names: readonly string[]): Resource {
  const [first, second] = MAPPED_RESOURCES[kind];
  const known = [IDENTITY, ...tablePropertyNames(first)];
  const needsSecond =
    second && names.some((name) => !known.includes(name) && tablePropertyNames(second).includes(name));
  return needsSecond === true ? second : first;
}

/**
 * Names of the directory interface stand for the properties of the data interface with the same values (decisions
 * 4.14). Undefined: the data interface has no such property.
 */
export function toResourceName(name: string, resource: Resource): string | undefined {
  const isOfDirectory = tablePropertyNames(directoryTeams).includes(name);
  if (resource !== dataTeams || !isOfDirectory || tablePropertyNames(dataTeams).includes(name)) return name;
  return name === 'phone-numbers' ? 'phone' : mapTeamProperty(name, directoryTeams, dataTeams);
}

/** Except further properties. Rollcall writes the source-name itself. */
export function listMappableNames(kind: DocumentResource): readonly string[] {
  const resources = MAPPED_RESOURCES[kind].filter((resource) => resource !== undefined);
  const names = new Set(resources.flatMap(tablePropertyNames));
  return [...names].filter((name) => resources.every(({ sourceNameProperty }) => name !== sourceNameProperty));
}

/** A document must map at least one, because a record without a name is left out (decisions 4.7). */
export function listNameProperties(kind: DocumentResource): readonly string[] {
  return MAPPED_RESOURCES[kind].flatMap((resource) => resource?.nameProperties ?? []);
}

/** A news item without `id` is left out. */
export function needsIdentity(kind: DocumentResource): boolean {
  return MAPPED_RESOURCES[kind][0].idKind === 'integer';
}
