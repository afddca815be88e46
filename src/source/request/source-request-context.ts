import { dataTeamsWithKeys } from '../../model/resources/data-teams.js';
import { feedEntries } from '../../model/resources/feed-entries.js';
import type { SourceWait } from '../../model/cache-result.js';
import type { TraceSpan } from '../../model/tracer.js';
import type { SourceQuery } from './source-query.js';

/** How a query is answered, as opposed to what it requests. */
export interface QueryOptions {
  /** Whether nothing that depends on the query may be sent to a source (decisions 8.7; decision record 0011). */
  readonly isPrivate: boolean;
  /**
   * Whether the client is another gateway (its request has Via). An aggregate queried for it may in turn wait for that
   * gateway (decisions 5.23). Absent: no.
   */
  readonly isRelayed?: boolean;
  /**
   * Whose query it is, as rate limits count it: clients take turns where they wait for the same. Absent: an unknown client,
   * one with all others of which nothing is known.
   */
  readonly client?: string | undefined;
  /** Whether the records of the next page may be fetched after this page is complete (decisions 5.15). Absent: no. */
  readonly prefetchNextPage?: boolean;
  /** Span of the request. Absent: the query is not traced (operation 7.2). */
  readonly trace?: TraceSpan | undefined;
}

/** The conditions under which a source answers a query. */
export interface SourceRequestContext extends QueryOptions {
  /** Deadline of the request. When the signal is aborted, the source returns what it has by then. */
  readonly signal: AbortSignal;
  /** After how many milliseconds the signal is aborted. Absent: the caller waits as long as it takes. */
  readonly deadline?: number;
  /** Called for everything that the response has to wait for. */
  readonly onWait: (waited: SourceWait) => void;
}

export const defaultQueryOptions: QueryOptions = Object.freeze({ isPrivate: false });

/** Creates a context for a caller that does not need to know what the response waited for. */
export function createSourceRequestContext(signal: AbortSignal): SourceRequestContext {
  return Object.freeze({ isPrivate: false, signal, onWait: () => undefined });
}

/**
 * Whether a request for this discloses the query to the source. The complete list of a resource discloses nothing, and
 * neither do the keys of all teams: they are requested by scope, whichever team is looked up. Every other parameter,
 * every id and every count may disclose something.
 */
export function disclosesQuery({ resource, parameters, nativeId: native, pushDown }: SourceQuery): boolean {
  if (native !== undefined || pushDown !== undefined) return true;
  // The feeds of a source are requested whatever the query is.
  if (resource === feedEntries) return false;
  return Object.keys(parameters).some((name) => resource !== dataTeamsWithKeys || name !== 'scope');
}
