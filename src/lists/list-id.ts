import { dataTeamsWithKeys } from '../model/resources/data-teams.js';
import { feedEntries } from '../model/resources/feed-entries.js';
import { completeListQuery, isFilteredQuery } from '../source/request/source-query.js';
import type { SourceQuery } from '../source/request/source-query.js';

/** What one list of a source is: a native resource, as far as parameters restrict it. */
export interface ListId {
  /** Unique among the lists of all sources of a level. */
  readonly key: string;
  readonly query: SourceQuery;
  /**
   * `whole`: all records up to the `drain-threshold`; `large`: all beyond it; `keys`: the PGP keys of all teams; `part`:
   * the items of a channel; `pushed`: what a pushed-down query gives; `item`: one record.
   */
  readonly kind: 'whole' | 'large' | 'keys' | 'feed' | 'part' | 'pushed' | 'item';
  /** Of the number of records in the shrink guard. Absent if it may change at any moment. */
  readonly sizeKey?: string;
}

/** Begins the keys of all lists of a source. */
export function listKeyPrefix(code: string): string {
  return `${code} `;
}

export function createListId(code: string, query: SourceQuery): ListId {
  const isSized = query.nativeId === undefined && !isFilteredQuery(query);
  const kind = findKind(query);
  // The whole list, the large one and an unfiltered query that is pushed down have the same number of records.
  const sized = kind === 'large' || kind === 'pushed' ? completeListQuery(query.resource) : query;
  return Object.freeze({
    key: createKey(code, query),
    query,
    kind,
    ...(isSized && { sizeKey: createKey(code, sized) }),
  });
}

/**
 * Any number of such lists can be requested: they are evicted first, and end with the process. The others are those that the
 * configuration has, and the channels of a source.
 */
export function isPerQuery({ kind }: ListId): boolean {
  return kind === 'pushed' || kind === 'item';
}

/** It takes turns with the whole list: already its first content counts as changed (decisions 7.6). */
export function isDatedFromStart({ kind }: ListId): boolean {
  return kind === 'large' || kind === 'pushed';
}

function createKey(code: string, { resource, parameters, nativeId, pushDown, completeAtAnySize }: SourceQuery): string {
  const { order, first } = pushDown?.topRecords ?? {};
  const top = first === undefined ? '' : order?.length === 0 ? ' count' : ` first ${first}`;
  const size = completeAtAnySize === true ? ' all' : '';
  return `${listKeyPrefix(code)}${resource.name} ${nativeId ?? ''} ${JSON.stringify(parameters)}${top}${size}`;
}

function findKind({ resource, parameters, nativeId, pushDown, completeAtAnySize }: SourceQuery): ListId['kind'] {
  if (nativeId !== undefined) return 'item';
  if (pushDown !== undefined) return 'pushed';
  if (resource === feedEntries) return 'feed';
  if (resource === dataTeamsWithKeys) return 'keys';
  if (Object.keys(parameters).length > 0) return 'part';
  return completeAtAnySize === true ? 'large' : 'whole';
}
