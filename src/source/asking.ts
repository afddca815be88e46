import { teamKeys } from '../model/resources/data-teams.js';
import type { Waited } from '../model/waited.js';
import type { Wish } from './wish.js';

/** In what way a query is to be answered. */
export interface Manner {
  /** Nothing of the query goes to a source (docs/decisions/0011-private.md). */
  readonly private: boolean;
  /** Whether another gateway asks, that may itself be waited for by what is asked for it; absent: no. */
  readonly relayed?: boolean;
  /** Whether what the next page needs may be fetched once this one is there; absent: no. */
  readonly ahead?: boolean;
}

/** How a query is put to a source, beside what it asks. */
export interface Asking extends Manner {
  /** The asker's deadline: when it is aborted, what can be said by then is the answer. */
  readonly signal: AbortSignal;
  /** Told of everything that the answer waits for. */
  readonly waits: (waited: Waited) => void;
}

/** The way of a query that has nothing to hide. */
export const openly: Manner = Object.freeze({ private: false });

/** Asking until the signal is aborted, by somebody who need not know what had to be waited for. */
export function askingUntil(signal: AbortSignal, { private: isPrivate }: Manner = openly): Asking {
  return Object.freeze({ private: isPrivate, signal, waits: () => undefined });
}

/**
 * Whether a request for it would tell the source of the query. The whole of a resource tells nothing of it, and neither do the keys
 * of all teams: they are asked for by a scope, whichever team is looked up. Every other parameter and every id may, and so does a count.
 */
export function tellsOfQuery({ resource, parameters, native, pushed }: Wish): boolean {
  if (native !== undefined || pushed !== undefined) return true;
  return Object.keys(parameters).some((name) => resource !== teamKeys || name !== 'scope');
}
