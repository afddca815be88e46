import { isKey } from '../model/resource.js';
import type { Resource } from '../model/resource.js';
import { channels } from '../model/resources/channels.js';
import { dataTeams } from '../model/resources/data-teams.js';
import { directoryTeams } from '../model/resources/directory-teams.js';
import { news } from '../model/resources/news.js';
import { nearest } from '../text/nearest.js';
import { type Path, type YamlNode, itemsAt, keyOffsetOf, nodeAt } from './node.js';
import { type Finding, writePath } from './positions.js';

/** What a source may send beside the properties of the tables. */
export interface Own {
  /** The codes whose `-<code>-…` properties it may send; undefined for any. */
  readonly codes: readonly string[] | undefined;
  /** Further properties that registrations name. */
  readonly properties: readonly string[];
}

type ResourcePath = Resource['path'];

/** The parameters that choose records, beside the properties that are filters (interfaces.md, section 4); `q` is declared as `search`. */
export const parameters: Readonly<Record<ResourcePath, readonly string[]>> = {
  teams: ['team', 'country', 'region'],
  news: ['channel', 'link', 'before', 'after'],
  channels: ['channel', 'link', 'rsslink'],
};

const RESOURCES = [directoryTeams, dataTeams, news, channels];

/** A name as it is written in a list. */
interface Named {
  readonly path: Path;
  readonly at: number;
  readonly name: string;
}

/**
 * What is wrong with the capabilities that a source is declared to have: names that none of its interfaces knows there, names that stand
 * twice, and resources that it cannot have.
 */
export function checkSupports(root: YamlNode, source: Path, own: Own): Finding[] {
  return (['teams', 'news', 'channels'] as const).flatMap((resource) => {
    const path = [...source, 'supports', resource];
    if (nodeAt(root, path) === undefined) return [];
    return [...checkInterface(root, source, path), ...checkNames(root, path, { resource, own })];
  });
}

function checkInterface(root: YamlNode, source: Path, path: Path): Finding[] {
  const isThere = path.at(-1) === 'teams' || nodeAt(root, [...source, 'data']) !== undefined;
  return isThere ? [] : [{ path, at: keyOffsetOf(root, path), message: 'is only on the data interface' }];
}

interface Words {
  readonly resource: ResourcePath;
  readonly own: Own;
}

function checkNames(root: YamlNode, path: Path, words: Words): Finding[] {
  const [filters, coarse, sort] = ['filters', 'coarse', 'sort'].map((key) => namesAt(root, [...path, key]));
  const choosing = [...(filters ?? []), ...(coarse ?? [])];
  const ordering = sort ?? [];
  return [
    ...choosing.flatMap((named) => checkFilter(named, words)),
    ...checkChannel(root, path, { resource: words.resource, filters: filters ?? [], coarse: coarse ?? [] }),
    ...ordering.flatMap((named) => checkSort(named, words)),
    ...repeated(choosing),
    ...repeated(ordering),
  ];
}

function namesAt(root: YamlNode, path: Path): readonly Named[] {
  return itemsAt(root, path).flatMap((item) => {
    const node = nodeAt(root, item);
    return node?.kind === 'scalar' && node.value !== null ? [{ path: item, at: node.at, name: node.value }] : [];
  });
}

function checkFilter({ path, at, name }: Named, { resource, own }: Words): Finding[] {
  const further = on(resource).some(({ filters }) => filters);
  const known = [...parameters[resource], ...filterNames(resource), ...(further ? own.properties : [])];
  if (known.includes(name) || (further && isPrefixed(name, own))) return [];
  const message = name === 'q' ? 'is declared by search and exact' : unknown(`filter of ${resource}`, name, known);
  return [{ path, at, message }];
}

interface Choosing {
  readonly resource: ResourcePath;
  readonly filters: readonly Named[];
  readonly coarse: readonly Named[];
}

/**
 * A channel of news is pushed down only where the filter is exact, for the items do not name their channel and cannot be filtered again, and where the source counts,
 * so that a filter that is ignored shows (decisions.md, sections 2 and 5). Any other declaration would never be used.
 */
function checkChannel(root: YamlNode, path: Path, { resource, filters, coarse }: Choosing): Finding[] {
  if (resource !== 'news') return [];
  const named = (some: readonly Named[]): readonly Named[] => some.filter(({ name }) => name === 'channel');
  const total = nodeAt(root, [...path, 'total']);
  const counts = total?.kind === 'scalar' && total.value === 'true';
  const vague = named(coarse).map((one) => ({
    path: one.path,
    at: one.at,
    message: 'cannot be coarse, for items do not name their channel',
  }));
  const uncounted = named(counts ? [] : filters).map((one) => ({
    path: one.path,
    at: one.at,
    message: 'needs total: true beside it, for only a count shows whether the source applies the filter',
  }));
  return [...vague, ...uncounted];
}

function checkSort({ path, at, name }: Named, { resource, own }: Words): Finding[] {
  const known = [...sortNames(resource), ...own.properties];
  const knows = (property: string): boolean => known.includes(property) || isPrefixed(property, own);
  if (knows(name) || (name.startsWith('-') && knows(name.slice(1)))) return [];
  return [{ path, at, message: unknown(`property of ${resource}`, name.replace(/^-/, ''), known) }];
}

function unknown(what: string, name: string, known: readonly string[]): string {
  const meant = nearest(name, known);
  return `is no ${what} on any interface${meant === undefined ? '' : `; did you mean ${meant}?`}`;
}

function isPrefixed(name: string, { codes }: Own): boolean {
  if (codes === undefined) return /^-[a-z][a-z0-9-]*-./.test(name);
  return codes.some((code) => name.startsWith(`-${code}-`) && name.length > code.length + 2);
}

/** Every property of a team but its date is a filter; of news and channels only whose they are (decisions.md, section 2). */
function filterNames(path: ResourcePath): readonly string[] {
  return on(path).flatMap((resource) => (resource.filters ? tableOf(resource) : [resource.sourceName]));
}

function sortNames(path: ResourcePath): readonly string[] {
  return on(path).flatMap((resource) => [...tableOf(resource), ...(resource.trailing ? [resource.trailing.name] : [])]);
}

function tableOf(resource: Resource): readonly string[] {
  const names = [...resource.properties, ...resource.extra].map(({ name }) => name);
  return names.filter((name) => !isKey(resource, name));
}

function on(path: ResourcePath): readonly Resource[] {
  return RESOURCES.filter((resource) => resource.path === path);
}

/** Of equal names every one behind the first. */
function repeated(all: readonly Named[]): Finding[] {
  return all.flatMap(({ path, at, name }, index) => {
    const first = all.findIndex((other) => other.name === name);
    const earlier = all[first];
    return earlier === undefined || first === index
      ? []
      : [{ path, at, message: `is the same as ${writePath(earlier.path)}` }];
  });
}
