import { isPgpKeyProperty } from '../model/resource.js';
import type { Resource } from '../model/resource.js';
import { channels } from '../model/resources/channels.js';
import { dataTeams } from '../model/resources/data-teams.js';
import { directoryTeams } from '../model/resources/directory-teams.js';
import { news } from '../model/resources/news.js';
import { findNearestName } from '../text/nearest-name.js';
import { type ConfigPath, type ConfigNode, itemPathsAt, keyOffsetOf, nodeAt } from './config-node.js';
import { type ConfigIssue, formatPath } from './config-error.js';

/** What a source may send beside the properties of the tables. */
export interface AdditionalProperties {
  /** The codes whose `-<code>-…` properties it may send; undefined for any. */
  readonly codes: readonly string[] | undefined;
  /** Further properties that registrations name. */
  readonly properties: readonly string[];
}

type ResourcePath = Resource['path'];

/** The parameters that choose records, beside the properties that are filters (interfaces.md, section 4); `q` is declared as `search`. */
export const selectionParameters: Readonly<Record<ResourcePath, readonly string[]>> = {
  teams: ['team', 'country', 'region'],
  news: ['channel', 'link', 'before', 'after'],
  channels: ['channel', 'link', 'rsslink'],
};

const RESOURCES = [directoryTeams, dataTeams, news, channels];

/** A name as it is written in a list. */
interface LocatedName {
  readonly path: ConfigPath;
  readonly offset: number;
  readonly name: string;
}

/**
 * What is wrong with the capabilities that a source is declared to have: names that none of its interfaces knows there, names that stand
 * twice, and resources that it cannot have.
 */
export function checkSupports(root: ConfigNode, source: ConfigPath, own: AdditionalProperties): ConfigIssue[] {
  return (['teams', 'news', 'channels'] as const).flatMap((resource) => {
    const path = [...source, 'supports', resource];
    if (nodeAt(root, path) === undefined) return [];
    return [...checkInterface(root, source, path), ...checkNames(root, path, { resource, own })];
  });
}

function checkInterface(root: ConfigNode, source: ConfigPath, path: ConfigPath): ConfigIssue[] {
  const isThere = path.at(-1) === 'teams' || nodeAt(root, [...source, 'data']) !== undefined;
  return isThere ? [] : [{ path, offset: keyOffsetOf(root, path), message: 'is only on the data interface' }];
}

interface NameContext {
  readonly resource: ResourcePath;
  readonly own: AdditionalProperties;
}

function checkNames(root: ConfigNode, path: ConfigPath, words: NameContext): ConfigIssue[] {
  const [filters, coarse, sort] = ['filters', 'coarse', 'sort'].map((key) => namesAt(root, [...path, key]));
  const choosing = [...(filters ?? []), ...(coarse ?? [])];
  const ordering = sort ?? [];
  return [
    ...choosing.flatMap((named) => checkFilter(named, words)),
    ...checkChannel(root, path, { resource: words.resource, filters: filters ?? [], coarse: coarse ?? [] }),
    ...ordering.flatMap((named) => checkSort(named, words)),
    ...findDuplicateNames(choosing),
    ...findDuplicateNames(ordering),
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

function checkFilter({ path, offset: at, name }: LocatedName, { resource, own }: NameContext): ConfigIssue[] {
  const further = resourcesAt(resource).some(({ hasPropertyFilters: filters }) => filters);
  const known = [...selectionParameters[resource], ...filterNames(resource), ...(further ? own.properties : [])];
  if (known.includes(name) || (further && hasSourcePrefix(name, own))) return [];
  const message =
    name === 'q' ? 'is declared by search and exact' : unknownNameMessage(`filter of ${resource}`, name, known);
  return [{ path, offset: at, message }];
}

interface DeclaredFilters {
  readonly resource: ResourcePath;
  readonly filters: readonly LocatedName[];
  readonly coarse: readonly LocatedName[];
}

/**
 * A channel of news is pushed down only where the filter is exact, for the items do not name their channel and cannot be filtered again, and where the source counts,
 * so that a filter that is ignored shows (decisions.md, sections 2 and 5). Any other declaration would never be used.
 */
function checkChannel(
  root: ConfigNode,
  path: ConfigPath,
  { resource, filters, coarse }: DeclaredFilters,
): ConfigIssue[] {
  if (resource !== 'news') return [];
  const named = (some: readonly LocatedName[]): readonly LocatedName[] => some.filter(({ name }) => name === 'channel');
  const total = nodeAt(root, [...path, 'total']);
  const counts = total?.kind === 'scalar' && total.value === 'true';
  const vague = named(coarse).map((one) => ({
    path: one.path,
    offset: one.offset,
    message: 'cannot be coarse, for items do not name their channel',
  }));
  const uncounted = named(counts ? [] : filters).map((one) => ({
    path: one.path,
    offset: one.offset,
    message: 'needs total: true beside it, for only a count shows whether the source applies the filter',
  }));
  return [...vague, ...uncounted];
}

function checkSort({ path, offset: at, name }: LocatedName, { resource, own }: NameContext): ConfigIssue[] {
  const known = [...sortNames(resource), ...own.properties];
  const knows = (property: string): boolean => known.includes(property) || hasSourcePrefix(property, own);
  if (knows(name) || (name.startsWith('-') && knows(name.slice(1)))) return [];
  return [{ path, offset: at, message: unknownNameMessage(`property of ${resource}`, name.replace(/^-/, ''), known) }];
}

function unknownNameMessage(what: string, name: string, known: readonly string[]): string {
  const meant = findNearestName(name, known);
  return `is no ${what} on any interface${meant === undefined ? '' : `; did you mean ${meant}?`}`;
}

function hasSourcePrefix(name: string, { codes }: AdditionalProperties): boolean {
  if (codes === undefined) return /^-[a-z][a-z0-9-]*-./.test(name);
  return codes.some((code) => name.startsWith(`-${code}-`) && name.length > code.length + 2);
}

/** Every property of a team but its date is a filter; of news and channels only whose they are (decisions.md, section 2). */
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

function resourcesAt(path: ResourcePath): readonly Resource[] {
  return RESOURCES.filter((resource) => resource.path === path);
}

/** Of equal names every one behind the first. */
function findDuplicateNames(all: readonly LocatedName[]): ConfigIssue[] {
  return all.flatMap(({ path, offset: at, name }, index) => {
    const first = all.findIndex((other) => other.name === name);
    const earlier = all[first];
    return earlier === undefined || first === index
      ? []
      : [{ path, offset: at, message: `is the same as ${formatPath(earlier.path)}` }];
  });
}
