import type { ExclusionReason } from '../model/outcome.js';
import type { Query } from '../model/query.js';
import type { Resource } from '../model/resource.js';
import { selectSources } from '../plan/source-selection.js';
import type { SourceCandidate } from '../plan/source-selection.js';
import type { SourcePlan } from '../plan/source-plan.js';
import { findItemOwner } from './item-owner.js';

/** A source that can say how it would answer. */
export interface PlannableSource extends SourceCandidate {
  readonly number: number;
  /** How a query is answered, as far as is known before it is asked. */
  planFor(query: Query): SourceParticipation;
  /** The interface in which it is asked for a resource. */
  interfaceFor(resource: Resource): Resource['interfaceName'] | undefined;
}

/** How one source takes part in the answer to a query; `item`: it is asked for one item, by its own id. */
export type SourceParticipation =
  | SourcePlan
  | { readonly strategy: 'item'; readonly nativeId: number }
  | { readonly strategy: 'excluded'; readonly reason: ExclusionReason };

/** The plan of a query as far as one source goes. A plain value. */
export interface SourceExplanation {
  readonly code: string;
  readonly sourceName: string;
  /** Interface in which it is asked; where that is another than the query's, what comes is translated. Absent where it is not asked. */
  readonly interfaceName?: Resource['interfaceName'];
  readonly participation: SourceParticipation;
}

/**
 * How a query, or with its id one item, would be answered by the sources (ordered by number), as far as is known now. Asks nobody. Undefined when
 * no source owns the item.
 */
export function explainQuery(
  query: Query,
  item: number | undefined,
  sources: readonly PlannableSource[],
): readonly SourceExplanation[] | undefined {
  if (item !== undefined) return explainItem(query, item, sources);
  const { excluded } = selectSources(query, sources);
  const reasons = new Map(excluded.map(({ source, reason }) => [source, reason]));
  return sources.map((source) => {
    const reason = reasons.get(source);
    return toExplanation(
      source,
      query,
      reason === undefined ? source.planFor(query) : { strategy: 'excluded', reason },
    );
  });
}

function explainItem(
  query: Query,
  item: number,
  sources: readonly PlannableSource[],
): readonly SourceExplanation[] | undefined {
  const owned = findItemOwner(item, query.resource, sources);
  return owned && [toExplanation(owned.source, query, { strategy: 'item', nativeId: owned.native })];
}

function toExplanation(source: PlannableSource, { resource }: Query, part: SourceParticipation): SourceExplanation {
  const { code, sourceName } = source;
  const face = part.strategy === 'excluded' ? undefined : source.interfaceFor(resource);
  return { code, sourceName, ...(face && { interfaceName: face }), participation: part };
}
