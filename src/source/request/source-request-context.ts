import { dataTeamsWithKeys } from '../../model/resources/data-teams.js';
import type { SourceWait } from '../../model/cache-result.js';
import type { SourceQuery } from './source-query.js';

/** In what way a query is to be answered. */
export interface QueryOptions {
  /** Nothing of the query goes to a source (docs/decisions/0011-private.md). */
  readonly private: boolean;
  /** Whether another gateway asks, that may itself be waited for by what is asked for it; absent: no. */
  readonly relayed?: boolean;
  /** Whether what the next page needs may be fetched once this one is there; absent: no. */
  readonly prefetchNextPage?: boolean;
}

/** How a query is put to a source, beside what it asks. */
export interface SourceRequestContext extends QueryOptions {
  /** The asker's deadline: when it is aborted, what can be said by then is the answer. */
  readonly signal: AbortSignal;
  /** Told of everything that the answer waits for. */
  readonly onWait: (waited: SourceWait) => void;
}

/** The way of a query that has nothing to hide. */
export const defaultQueryOptions: QueryOptions = Object.freeze({ private: false });

/** Asking until the signal is aborted, by somebody who need not know what had to be waited for. */
export function createSourceRequestContext(
  signal: AbortSignal,
  { private: isPrivate }: QueryOptions = defaultQueryOptions,
): SourceRequestContext {
  return Object.freeze({ private: isPrivate, signal, onWait: () => undefined });
}

/**
 * Whether a request for it would tell the source of the query. The whole of a resource tells nothing of it, and neither do the keys
 * of all teams: they are asked for by a scope, whichever team is looked up. Every other parameter and every id may, and so does a count.
 */
export function disclosesQuery({ resource, parameters, nativeId: native, pushDown: pushed }: SourceQuery): boolean {
  if (native !== undefined || pushed !== undefined) return true;
  return Object.keys(parameters).some((name) => resource !== dataTeamsWithKeys || name !== 'scope');
}
