import { dataTeamsWithKeys } from '../../model/resources/data-teams.js';
import { feedEntries } from '../../model/resources/feed-entries.js';
import type { SourceWait } from '../../model/cache-result.js';
import type { TraceSpan } from '../../model/tracer.js';
import type { SourceQuery } from './source-query.js';

/** How a query is answered, not what it requests. */
export interface QueryOptions {
  /** Nothing that depends on the query may be sent to a source (decisions 8.7; decision record 0011). */
  readonly isPrivate: boolean;
  /** The client is a gateway (its request has Via). An aggregate queried for it may wait for it (decisions 5.23). */
  readonly isRelayed?: boolean;
  /** As rate limits count it: clients take turns where they wait for the same. Absent: one with all unknown ones. */
  readonly client?: string | undefined;
  /** After this page is complete (decisions 5.15). */
  readonly prefetchNextPage?: boolean;
  /** Absent: not traced (operation 7.2). */
  readonly trace?: TraceSpan | undefined;
}

export interface SourceRequestContext extends QueryOptions {
  /** Of the deadline. The source returns what it has by then. */
  readonly signal: AbortSignal;
  /** Milliseconds until the signal is aborted. Absent: the caller waits as long as it takes. */
  readonly deadline?: number;
  /** For everything that the response has to wait for. */
  readonly onWait: (waited: SourceWait) => void;
}

export const defaultQueryOptions: QueryOptions = Object.freeze({ isPrivate: false });

/** For a caller that does not need to know what the response waited for. */
export function createSourceRequestContext(signal: AbortSignal): SourceRequestContext {
  return Object.freeze({ isPrivate: false, signal, onWait: () => undefined });
}

/**
 * A resource's complete list discloses nothing, nor do the keys of all teams: they are requested by scope, whichever
 * team is looked up. Every other parameter, id and count may.
 */
export function disclosesQuery({ resource, parameters, nativeId: native, pushDown }: SourceQuery): boolean {
  if (native !== undefined || pushDown !== undefined) return true;
  // Feeds are requested whatever the query is.
  if (resource === feedEntries) return false;
  return Object.keys(parameters).some((name) => resource !== dataTeamsWithKeys || name !== 'scope');
}
