import type { Exclusion } from '../model/outcome.js';
import type { Query } from '../model/query.js';
import { fold } from '../text/fold.js';

/** What the planner knows of a source. */
export interface Candidate {
  readonly code: string;
  readonly sourceName: string;
  readonly aggregate: boolean;
  /** Whether it has the resource, on whichever interface. */
  serves(resource: Query['resource']): boolean;
}

/** Whom a query asks, and whom it need not ask and why (decisions.md, section 5). Every candidate is in one of both. */
export interface Plan<S extends Candidate> {
  readonly ask: readonly S[];
  readonly excluded: readonly { readonly source: S; readonly reason: Exclusion }[];
}

/** Asks whoever has the resource; of those, a `source-name` only asks the sources that it names, and every aggregate, which may hold any. */
export function planQuery<S extends Candidate>(query: Query, candidates: readonly S[]): Plan<S> {
  const wanted = sourceNames(query);
  const judged = candidates.map((source) => ({ source, reason: exclusion(source, query, wanted) }));
  return {
    ask: judged.flatMap(({ source, reason }) => (reason === undefined ? [source] : [])),
    excluded: judged.flatMap(({ source, reason }) => (reason === undefined ? [] : [{ source, reason }])),
  };
}

function exclusion(source: Candidate, { resource }: Query, wanted: readonly string[]): Exclusion | undefined {
  if (!source.serves(resource)) return 'resource';
  const named = source.aggregate || wanted.every((name) => name === fold(source.sourceName));
  return named ? undefined : 'source-name';
}

function sourceNames({ where, resource }: Query): readonly string[] {
  return where.flatMap((predicate) =>
    predicate.kind === 'equals' && predicate.properties.includes(resource.sourceName) ? [predicate.value] : [],
  );
}
