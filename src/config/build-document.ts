import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type {
  DocumentAddress,
  DocumentLayout,
  MappedCells,
  PublishedDocument,
} from '../model/registration/document-mapping.js';
import { type PropertyKind, type Resource, findPropertyKind } from '../model/resource.js';
import { dataTeams } from '../model/resources/data-teams.js';
import { directoryTeams } from '../model/resources/directory-teams.js';
import { newsItem } from '../model/resources/news.js';
import { mapTeamProperty } from '../model/resources/team-property-mapping.js';
import type { RegisteredSource } from './schema/config-file.js';

type DocumentSetting = NonNullable<RegisteredSource['document']>;

/** Paths of files are relative to `folder` (operation 2.8.16). */
export function buildDocument(setting: DocumentSetting, folder: string): PublishedDocument {
  const { resource: kind, map, defaults, only, join } = setting;
  const resource = chooseMappedResource(kind, [...Object.keys(map), ...Object.keys(defaults)]);
  const { [IDENTITY]: identity, ...properties } = map;
  const [key = '', joinedKey = ''] = join?.on ?? [];
  return {
    ...buildAddress(setting, folder),
    interfaceName: resource.interfaceName,
    mapping: {
      ...buildLayout(setting),
      // The id of a news item is a property; that of a team becomes part of its public id (decisions 4.18).
      ...(needsIdentity(kind) ? { map } : { identity, map: rename(properties, resource) }),
      defaults: rename(defaults, resource),
      only,
      cells: setting.format === 'rollcall-csv' ? listCells(Object.keys(properties), resource) : undefined,
      join: join && { key, as: join.as ?? '' },
    },
    joined: join && {
      ...buildAddress(join, folder),
      layout: { ...buildLayout(join), key: joinedKey },
    },
  };
}

function buildLayout({
  format,
  delimiter,
  encoding,
  records,
  next,
}: Pick<DocumentSetting, keyof DocumentLayout>): DocumentLayout {
  return { format, delimiter, encoding, records, next };
}

/** The rules between settings ensure that there is an address or a file. */
function buildAddress(
  { url, file, page: { parameter, from, step } }: Pick<DocumentSetting, 'url' | 'file' | 'page'>,
  folder: string,
): DocumentAddress {
  return {
    url: url ?? pathToFileURL(resolve(folder, file ?? '')).href,
    page: parameter === undefined ? undefined : { parameter, from, step },
  };
}

/** Scalars of a CSV are not escaped, so the kind of a property decides whether its cells are split (decisions 3.7). */
function listCells(names: readonly string[], resource: Resource): MappedCells {
  const kinds = names.map((name) => {
    const inResource = toResourceName(name, resource) ?? name;
    return { name: inResource, kind: findPropertyKind(resource, inResource) };
  });
  return {
    lists: kinds.filter(({ kind }) => kind !== undefined && LIST_KINDS.has(kind)).map(({ name }) => name),
    further: kinds.filter(({ kind }) => kind === undefined).map(({ name }) => name),
  };
}

const LIST_KINDS: ReadonlySet<PropertyKind> = new Set<PropertyKind>(['texts', 'phones', 'countries']);

function rename(values: Readonly<Record<string, string>>, resource: Resource): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [toResourceName(name, resource) ?? name, value]),
  );
}

export function tablePropertyNames({
  properties,
  knownExtraProperties: extra,
  trailingProperty: trailing,
}: Resource): readonly string[] {
  return [...properties, ...extra, ...(trailing ? [trailing] : [])].map(({ name }) => name);
}

type DocumentResource = 'teams' | 'news';

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
