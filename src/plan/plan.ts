import type { Exclusion } from '../model/outcome.js';
import type { Query } from '../model/query.js';
import { fold } from '../text/fold.js';

/** What the planner knows of a source. */
export interface Candidate {
  readonly code: string;
  readonly sourceName: string;
  readonly aggregate: boolean;
  /** The operator's word that it holds no team of any other country (alpha-2); absent: it may. */
  readonly countries?: ReadonlySet<string>;
  /** Whether it has the resource, on whichever interface. */
  serves(resource: Query['resource']): boolean;
}

/** Whom a query asks, and whom it need not ask and why (decisions.md, section 5). Every candidate is in one of both. */
export interface Plan<S extends Candidate> {
  readonly ask: readonly S[];
  readonly excluded: readonly { readonly source: S; readonly reason: Exclusion }[];
}

/**
 * Asks whoever has the resource; of those, a `source-name` only asks the sources that it names, and every aggregate, which may hold any; and
 * `country` and `region` only those whose declared coverage has one of the countries.
 */
export function planQuery<S extends Candidate>(query: Query, candidates: readonly S[]): Plan<S> {
  const wanted = sourceNames(query);
  const judged = candidates.map((source) => ({ source, reason: exclusion(source, query, wanted) }));
  return {
    ask: judged.flatMap(({ source, reason }) => (reason === undefined ? [source] : [])),
    excluded: judged.flatMap(({ source, reason }) => (reason === undefined ? [] : [{ source, reason }])),
  };
}

function exclusion(source: Candidate, query: Query, wanted: readonly string[]): Exclusion | undefined {
  if (!source.serves(query.resource)) return 'resource';
  const named = source.aggregate || wanted.every((name) => name === fold(source.sourceName));
  if (!named) return 'source-name';
  return mayHold(source, query) ? undefined : 'coverage';
}

function mayHold({ countries }: Candidate, { where }: Query): boolean {
  if (countries === undefined) return true;
  return where.every(
    (predicate) => predicate.kind !== 'countries' || [...predicate.codes].some((code) => countries.has(code)),
  );
}

function sourceNames({ where, resource }: Query): readonly string[] {
  return where.flatMap((predicate) =>
    predicate.kind === 'equals' && predicate.properties.includes(resource.sourceName) ? [predicate.value] : [],
  );
}
