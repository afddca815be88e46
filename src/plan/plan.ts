import type { Exclusion } from '../model/outcome.js';
import type { Query } from '../model/query.js';
import { fold } from '../text/fold.js';

/** What the planner knows of a source. */
export interface Candidate {
  readonly code: string;
  readonly sourceName: string;
  readonly aggregate: boolean;
}

/** Whom a query asks, and whom it need not ask and why (decisions.md, section 5). Every candidate is in one of both. */
export interface Plan<S extends Candidate> {
  readonly ask: readonly S[];
  readonly excluded: readonly { readonly source: S; readonly reason: Exclusion }[];
}

/** A `source-name` asks only the sources that it names, and every aggregate, for any name may be behind one. */
export function planQuery<S extends Candidate>(query: Query, candidates: readonly S[]): Plan<S> {
  const wanted = sourceNames(query);
  const asked = candidates.filter(
    ({ sourceName, aggregate }) => aggregate || wanted.every((name) => name === fold(sourceName)),
  );
  const excluded = candidates.filter((source) => !asked.includes(source));
  return { ask: asked, excluded: excluded.map((source) => ({ source, reason: 'source-name' })) };
}

function sourceNames({ where, resource }: Query): readonly string[] {
  return where.flatMap((predicate) =>
    predicate.kind === 'equals' && predicate.property === resource.sourceName ? [predicate.value] : [],
  );
}
