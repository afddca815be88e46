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

/**
 * Unknown names, repeated names, and resources that the interfaces do not have (operation 2.8.10). `codes`: whose
 * `-<code>-…` properties the source may send; undefined: any code. `further`: properties of any registration.
 */
export function checkSupports(
  source: Setting<RegisteredSource>,
  codes: readonly string[] | undefined,
  further: readonly string[],
): ConfigIssue[] {
  const isOfSource = (name: string): boolean =>
    codes === undefined ? /^-[a-z][a-z0-9-]*-./.test(name) : hasSourcePrefix(name, codes);
  return (['teams', 'news', 'channels'] as const).flatMap((path) => {
    const declared = source.at('supports').at(path);
    if (!declared.isPresent) return [];
    const { filters, sort, hasPropertyFilters } = listKnownNames(path, further);
    const findFilterProblem = (name: string): string | undefined => {
      if (filters.includes(name) || (hasPropertyFilters && isOfSource(name))) return undefined;
      if (name === 'q') return 'is declared by search and exact';
      if (name === 'channel' && path === 'news')
        return 'is not declared since 0.2.0; the items of a channel are always drained';
      return `is not a filter of ${path} on any interface${hintAtName(name, filters)}`;
    };
    const isSorted = (name: string): boolean => sort.includes(name) || isOfSource(name);
    const findSortProblem = (name: string): string | undefined =>
      isSorted(name) || (name.startsWith('-') && isSorted(name.slice(1)))
        ? undefined
        : `is not a property of ${path} on any interface${hintAtName(name.replace(/^-/, ''), sort)}`;
    const isAvailable = path === 'teams' || source.at('data').isPresent;
    const [filterNames, sortNames] = [declared.at('filters').items(), declared.at('sort').items()];
    return [
      ...(isAvailable ? [] : declared.keyIssue('is only on the data interface')),
      ...filterNames.flatMap((name) => name.check(findFilterProblem)),
      ...sortNames.flatMap((name) => name.check(findSortProblem)),
      ...findDuplicates(filterNames),
      ...findDuplicates(sortNames),
    ];
  });
}

interface KnownNames {
  readonly filters: readonly string[];
  readonly sort: readonly string[];
  readonly hasPropertyFilters: boolean;
}

/** Filters are every property of a team except its date; news and channels have only `source-name` (decisions 2.25). */
function listKnownNames(path: SourceResource['path'], further: readonly string[]): KnownNames {
  const resources = sourceResources.filter((resource) => resource.path === path);
  const hasPropertyFilters = resources.some((resource) => resource.hasPropertyFilters);
  const namesOf = (resource: SourceResource): readonly string[] =>
    tablePropertyNames(resource).filter((name) => !isPgpKeyProperty(resource, name));
  const filters = resources.flatMap((resource) =>
    resource.hasPropertyFilters
      ? namesOf(resource).filter((name) => name !== resource.trailingProperty?.name)
      : [resource.sourceNameProperty],
  );
  return {
    hasPropertyFilters,
    filters: [...selectionParameters[path], ...filters, ...(hasPropertyFilters ? further : [])],
    sort: [...resources.flatMap(namesOf), ...further],
  };
}
