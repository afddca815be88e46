import type { Exclusion } from '../model/outcome.js';
import type { Query } from '../model/query.js';
import type { Resource } from '../model/resource.js';
import { planQuery } from '../plan/plan.js';
import type { Candidate } from '../plan/plan.js';
import type { Way } from '../plan/way.js';
import { ownerOf } from './owner.js';

/** A source that can say how it would answer. */
export interface Planned extends Candidate {
  readonly number: number;
  /** How a query is answered, as far as is known before it is asked. */
  way(query: Query): Part;
  /** The interface in which it is asked for a resource. */
  face(resource: Resource): Resource['face'] | undefined;
}

/** How one source takes part in the answer to a query; `item`: it is asked for one item, by its own id. */
export type Part =
  Way | { readonly way: 'item'; readonly native: number } | { readonly way: 'excluded'; readonly reason: Exclusion };

/** The plan of a query as far as one source goes. A plain value. */
export interface Explained {
  readonly code: string;
  readonly sourceName: string;
  /** Interface in which it is asked; where that is another than the query's, what comes is translated. Absent where it is not asked. */
  readonly face?: Resource['face'];
  readonly part: Part;
}

/**
 * How a query, or with its id one item, would be answered by the sources (ordered by number), as far as is known now. Asks nobody. Undefined when
 * no source owns the item.
 */
export function explain(
  query: Query,
  item: number | undefined,
  sources: readonly Planned[],
): readonly Explained[] | undefined {
  if (item !== undefined) return explainItem(query, item, sources);
  const { excluded } = planQuery(query, sources);
  const reasons = new Map(excluded.map(({ source, reason }) => [source, reason]));
  return sources.map((source) => {
    const reason = reasons.get(source);
    return explained(source, query, reason === undefined ? source.way(query) : { way: 'excluded', reason });
  });
}

function explainItem(query: Query, item: number, sources: readonly Planned[]): readonly Explained[] | undefined {
  const owned = ownerOf(item, query.resource, sources);
  return owned && [explained(owned.source, query, { way: 'item', native: owned.native })];
}

function explained(source: Planned, { resource }: Query, part: Part): Explained {
  const { code, sourceName } = source;
  const face = part.way === 'excluded' ? undefined : source.face(resource);
  return { code, sourceName, ...(face && { face }), part };
}
