import { type SourceResource, RESERVED_CODE, isPgpKeyProperty } from '../../model/resource.js';
import { channels } from '../../model/resources/channels.js';
import { dataTeams } from '../../model/resources/data-teams.js';
import { directoryTeams } from '../../model/resources/directory-teams.js';
import { news } from '../../model/resources/news.js';
import { findNearestName } from '../../text/nearest-name.js';
import { tablePropertyNames } from '../build-document.js';
import type { RegisteredSource } from '../schema/config-file.js';
import { type Setting, findDuplicates } from '../setting.js';
import type { ConfigIssue } from '../yaml/config-node.js';

/** Parameters that select records, beside property filters (operation 2.8.10). `q` is declared as `search`. */
export const selectionParameters: Readonly<Record<SourceResource['path'], readonly string[]>> = {
  teams: ['team', 'country', 'region'],
  news: ['link', 'before', 'after'],
  channels: ['channel', 'link', 'rsslink'],
};

/** Reserved parameters: a filter on a further property of this name could not be requested (operation 2.8.5). */
export const reservedPropertyNames: readonly string[] = [
  ...['fields', 'limit', 'offset', 'sort', 'envelope', 'pretty', 'callback', '_', 'q', 'scope'],
  ...selectionParameters.teams,
];

/** Of the resources that a source has. */
const sourceResources = [directoryTeams, dataTeams, news, channels];

/** Parameters of queries, and properties as filters, in lower case. */
const SENT_PARAMETERS: ReadonlySet<string> = new Set(
  [
    ...[...reservedPropertyNames, 'format', 'type'],
    ...Object.values(selectionParameters).flat(),
    ...sourceResources.flatMap(tablePropertyNames),
  ].map((name) => name.toLowerCase()),
);

export function isSentParameter(name: string): boolean {
  return SENT_PARAMETERS.has(name.toLowerCase());
}

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

/** Whether it is a property that a source with one of the codes may send. */
export function hasSourcePrefix(name: string, codes: readonly string[]): boolean {
  return codes.some((code) => name.startsWith(`-${code}-`) && name.length > code.length + 2);
}

/** The end of a message, such as `; did you mean country?`; empty where no name is near. */
export function hintAtName(name: string, known: readonly string[], show = (nearest: string) => nearest): string {
  const nearest = findNearestName(name, known);
  return nearest === undefined ? '' : `; did you mean ${show(nearest)}?`;
}

export interface AdditionalProperties {
  /** Codes whose `-<code>-…` properties the source may send; undefined: any code. */
  readonly codes: readonly string[] | undefined;
  readonly properties: readonly string[];
}

type ResourcePath = SourceResource['path'];

interface NameContext extends AdditionalProperties {
  readonly path: ResourcePath;
  readonly filters: readonly string[];
  readonly sort: readonly string[];
  readonly hasPropertyFilters: boolean;
}

/** Unknown names, repeated names, and resources that the interfaces do not have (operation 2.8.10). */
export function checkSupports(source: Setting<RegisteredSource>, additional: AdditionalProperties): ConfigIssue[] {
  return (['teams', 'news', 'channels'] as const).flatMap((path) => {
    const declared = source.at('supports').at(path);
    if (!declared.isPresent) return [];
    const isAvailable = path === 'teams' || source.at('data').isPresent;
    const [filters, sort] = [declared.at('filters').items(), declared.at('sort').items()];
    const context = { ...additional, ...listKnownNames(path, additional.properties) };
    return [
      ...(isAvailable ? [] : declared.keyIssue('is only on the data interface')),
      ...filters.flatMap((filter) => filter.issue(filterProblem(filter.value, context))),
      ...sort.flatMap((name) => name.issue(sortProblem(name.value, context))),
      ...findDuplicates(filters),
      ...findDuplicates(sort),
    ];
  });
}

/** Filters are every property of a team except its date; news and channels have only `source-name` (decisions 2.25). */
function listKnownNames(path: ResourcePath, further: readonly string[]): Omit<NameContext, keyof AdditionalProperties> {
  const resources = sourceResources.filter((resource) => resource.path === path);
  const listed = resources.map((resource) => ({
    ...resource,
    all: tablePropertyNames(resource).filter((name) => !isPgpKeyProperty(resource, name)),
  }));
  const filters = listed.flatMap((resource) =>
    resource.hasPropertyFilters
      ? resource.all.filter((name) => name !== resource.trailingProperty?.name)
      : [resource.sourceNameProperty],
  );
  const hasPropertyFilters = resources.some((resource) => resource.hasPropertyFilters);
  return {
    path,
    hasPropertyFilters,
    filters: [...selectionParameters[path], ...filters, ...(hasPropertyFilters ? further : [])],
    sort: [...listed.flatMap(({ all }) => all), ...further],
  };
}

/** Of the source, or of any source that an aggregate lists. */
function isOfSource(name: string, codes: AdditionalProperties['codes']): boolean {
  return codes === undefined ? /^-[a-z][a-z0-9-]*-./.test(name) : hasSourcePrefix(name, codes);
}

function filterProblem(name: string | undefined, context: NameContext): string | undefined {
  const { path, filters, hasPropertyFilters, codes } = context;
  if (name === undefined || filters.includes(name) || (hasPropertyFilters && isOfSource(name, codes))) return undefined;
  if (name === 'q') return 'is declared by search and exact';
  if (name === 'channel' && path === 'news')
    return 'is not declared since 0.2.0; the items of a channel are always drained';
  return `is not a filter of ${path} on any interface${hintAtName(name, filters)}`;
}

function sortProblem(name: string | undefined, { path, sort, codes }: NameContext): string | undefined {
  const isKnown = (property: string): boolean => sort.includes(property) || isOfSource(property, codes);
  if (name === undefined || isKnown(name) || (name.startsWith('-') && isKnown(name.slice(1)))) return undefined;
  return `is not a property of ${path} on any interface${hintAtName(name.replace(/^-/, ''), sort)}`;
}
