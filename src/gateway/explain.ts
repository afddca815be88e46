import type { AccessLevel } from '../model/access-level.js';
import type { ExclusionReason } from '../model/reasons.js';
import type { Query } from '../model/query.js';
import type { Resource } from '../model/resource.js';
import { selectSources } from '../plan/source-selection.js';
import type { SourceCandidate } from '../plan/source-selection.js';
import type { SourcePlan } from '../plan/source-plan.js';
import { findItemOwner } from './item-owner.js';

export interface PlannableSource extends SourceCandidate {
  readonly number: number;
  /** Of the requests to the source (decisions 8.3). */
  readonly upstreamAccess: AccessLevel;
  /** As far as it is known without a request. */
  planFor(query: Query): SourceParticipation;
  /** On which the source is queried for a resource. */
  interfaceFor(resource: Resource): Resource['interfaceName'] | undefined;
}

/** `item`: one item is requested by the source's own id. */
export type SourceParticipation =
  | SourcePlan
  | { readonly strategy: 'item'; readonly nativeId: number }
  | { readonly strategy: 'excluded'; readonly reason: ExclusionReason };

/** Operation 1.6. */
export interface SourceExplanation {
  readonly code: string;
  readonly sourceName: string;
  /** Records of the other interface are translated. Absent if the source is excluded. */
  readonly interfaceName?: Resource['interfaceName'];
  /** Of the requests to the source. Absent if the source is excluded. */
  readonly access?: AccessLevel;
  readonly participation: SourceParticipation;
}

/**
 * Plans of all sources (ordered by number) for a query, or for one item by its id, as far as they are known now
 * (operation 3.6). Sends no request. Undefined if no source owns the item.
 */
export function explainQuery(
  query: Query,
  item: string | undefined,
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
  item: string,
  sources: readonly PlannableSource[],
): readonly SourceExplanation[] | undefined {
  const owner = findItemOwner(item, query.resource, sources);
  if (owner === undefined) return undefined;
  const { source, nativeId } = owner;
  return [
    toExplanation(source, query, nativeId === undefined ? source.planFor(query) : { strategy: 'item', nativeId }),
  ];
}

function toExplanation(
  source: PlannableSource,
  { resource }: Query,
  participation: SourceParticipation,
): SourceExplanation {
  const { code, sourceName, upstreamAccess: access } = source;
  if (participation.strategy === 'excluded') return { code, sourceName, participation };
  const interfaceName = source.interfaceFor(resource);
  return { code, sourceName, ...(interfaceName && { interfaceName }), access, participation };
}
