import { isPgpKeyProperty } from '../model/resource.js';
import type { Resource, SourceResource } from '../model/resource.js';
import { channels } from '../model/resources/channels.js';
import { dataTeams } from '../model/resources/data-teams.js';
import { directoryTeams } from '../model/resources/directory-teams.js';
import { news } from '../model/resources/news.js';
import { findNearestName } from '../text/nearest-name.js';
import { type ConfigPath, type ConfigNode, itemPathsAt, keyOffsetOf, nodeAt } from './yaml/config-node.js';
import { type ConfigIssue, formatPath } from './yaml/config-error.js';

export interface AdditionalProperties {
  /** Codes whose `-<code>-…` properties the source may send; undefined: any code. */
  readonly codes: readonly string[] | undefined;
  readonly properties: readonly string[];
}

type ResourcePath = SourceResource['path'];

/** Parameters that select records, beside property filters (operation 2.8.10). `q` is declared as `search`. */
export const selectionParameters: Readonly<Record<ResourcePath, readonly string[]>> = {
  teams: ['team', 'country', 'region'],
  news: ['link', 'before', 'after'],
  channels: ['channel', 'link', 'rsslink'],
};

const RESOURCES = [directoryTeams, dataTeams, news, channels];

interface LocatedName {
  readonly path: ConfigPath;
  readonly offset: number;
  readonly name: string;
}

/** Unknown names, repeated names, and resources that the interfaces do not have. */
export function checkSupports(root: ConfigNode, source: ConfigPath, additional: AdditionalProperties): ConfigIssue[] {
  return (['teams', 'news', 'channels'] as const).flatMap((resource) => {
    const path = [...source, 'supports', resource];
    if (nodeAt(root, path) === undefined) return [];
    return [...checkInterface(root, source, path), ...checkNames(root, path, { resource, additional })];
  });
}

function checkInterface(root: ConfigNode, source: ConfigPath, path: ConfigPath): ConfigIssue[] {
  const isAvailable = path.at(-1) === 'teams' || nodeAt(root, [...source, 'data']) !== undefined;
  return isAvailable ? [] : [{ path, offset: keyOffsetOf(root, path), message: 'is only on the data interface' }];
}

interface NameContext {
  readonly resource: ResourcePath;
  readonly additional: AdditionalProperties;
}

function checkNames(root: ConfigNode, path: ConfigPath, context: NameContext): ConfigIssue[] {
  const filters = namesAt(root, [...path, 'filters']);
  const sort = namesAt(root, [...path, 'sort']);
  return [
    ...filters.flatMap((item) => checkFilter(item, context)),
    ...sort.flatMap((item) => checkSort(item, context)),
    ...findDuplicateNames(filters),
    ...findDuplicateNames(sort),
  ];
}

function namesAt(root: ConfigNode, path: ConfigPath): readonly LocatedName[] {
  return itemPathsAt(root, path).flatMap((item) => {
    const node = nodeAt(root, item);
    return node?.kind === 'scalar' && node.value !== null
      ? [{ path: item, offset: node.offset, name: node.value }]
      : [];
  });
}

function checkFilter({ path, offset: at, name }: LocatedName, { resource, additional }: NameContext): ConfigIssue[] {
  const hasPropertyFilters = resourcesAt(resource).some(({ hasPropertyFilters: filters }) => filters);
  const known = [
    ...selectionParameters[resource],
    ...filterNames(resource),
    ...(hasPropertyFilters ? additional.properties : []),
  ];
  if (known.includes(name) || (hasPropertyFilters && hasSourcePrefix(name, additional))) return [];
  return [{ path, offset: at, message: filterMessage(name, resource, known) }];
}

function filterMessage(name: string, resource: ResourcePath, known: readonly string[]): string {
  if (name === 'q') return 'is declared by search and exact';
  if (name === 'channel' && resource === 'news')
    return 'is not declared since 0.2.0; the items of a channel are always drained';
  return unknownNameMessage(`filter of ${resource}`, name, known);
}

function checkSort({ path, offset: at, name }: LocatedName, { resource, additional }: NameContext): ConfigIssue[] {
  const known = [...sortNames(resource), ...additional.properties];
  const isKnown = (property: string): boolean => known.includes(property) || hasSourcePrefix(property, additional);
  if (isKnown(name) || (name.startsWith('-') && isKnown(name.slice(1)))) return [];
  return [{ path, offset: at, message: unknownNameMessage(`property of ${resource}`, name.replace(/^-/, ''), known) }];
}

function unknownNameMessage(kind: string, name: string, known: readonly string[]): string {
  const suggestion = findNearestName(name, known);
  return `is not a ${kind} on any interface${suggestion === undefined ? '' : `; did you mean ${suggestion}?`}`;
}

function hasSourcePrefix(name: string, { codes }: AdditionalProperties): boolean {
  if (codes === undefined) return /^-[a-z][a-z0-9-]*-./.test(name);
  return codes.some((code) => name.startsWith(`-${code}-`) && name.length > code.length + 2);
}

/** Every property of a team except its date; news and channels have only `source-name` (decisions 2.25). */
function filterNames(path: ResourcePath): readonly string[] {
  return resourcesAt(path).flatMap((resource) =>
    resource.hasPropertyFilters ? tableNames(resource) : [resource.sourceNameProperty],
  );
}

function sortNames(path: ResourcePath): readonly string[] {
  return resourcesAt(path).flatMap((resource) => [
    ...tableNames(resource),
    ...(resource.trailingProperty ? [resource.trailingProperty.name] : []),
  ]);
}

function tableNames(resource: Resource): readonly string[] {
  const names = [...resource.properties, ...resource.knownExtraProperties].map(({ name }) => name);
  return names.filter((name) => !isPgpKeyProperty(resource, name));
}

function resourcesAt(path: ResourcePath): readonly SourceResource[] {
  return RESOURCES.filter((resource) => resource.path === path);
}

function findDuplicateNames(all: readonly LocatedName[]): ConfigIssue[] {
  return all.flatMap(({ path, offset: at, name }, index) => {
    const first = all.findIndex((other) => other.name === name);
    const earlier = all[first];
    return earlier === undefined || first === index
      ? []
      : [{ path, offset: at, message: `is the same as ${formatPath(earlier.path)}` }];
  });
}
