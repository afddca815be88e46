import type { ExclusionReason } from '../model/outcome.js';
import type { Query } from '../model/query.js';
import { foldText } from '../text/text-folding.js';

/** What the planner knows of a source. */
export interface SourceCandidate {
  readonly code: string;
  readonly sourceName: string;
  readonly aggregate: boolean;
  /** The operator's word that it holds no team of any other country (alpha-2); absent: it may. */
  readonly countries?: ReadonlySet<string>;
  /** Whether it has the resource, on whichever interface. */
  serves(resource: Query['resource']): boolean;
}

/** Whom a query asks, and whom it need not ask and why (decisions.md, section 5). Every candidate is in one of both. */
export interface SourceSelection<S extends SourceCandidate> {
  readonly selected: readonly S[];
  readonly excluded: readonly { readonly source: S; readonly reason: ExclusionReason }[];
}

/**
 * Asks whoever has the resource; of those, a `source-name` only asks the sources that it names, and every aggregate, which may hold any; and
 * `country` and `region` only those whose declared coverage has one of the countries.
 */
export function selectSources<S extends SourceCandidate>(query: Query, candidates: readonly S[]): SourceSelection<S> {
  const wanted = requestedSourceNames(query);
  const judged = candidates.map((source) => ({ source, reason: exclusionReason(source, query, wanted) }));
  return {
    selected: judged.flatMap(({ source, reason }) => (reason === undefined ? [source] : [])),
    excluded: judged.flatMap(({ source, reason }) => (reason === undefined ? [] : [{ source, reason }])),
  };
}

function exclusionReason(
  source: SourceCandidate,
  query: Query,
  wanted: readonly string[],
): ExclusionReason | undefined {
  if (!source.serves(query.resource)) return 'resource';
  const named = source.aggregate || wanted.every((name) => name === foldText(source.sourceName));
  if (!named) return 'source-name';
  return mayHaveMatches(source, query) ? undefined : 'coverage';
}

function mayHaveMatches({ countries }: SourceCandidate, { predicates: where }: Query): boolean {
  if (countries === undefined) return true;
  return where.every(
    (predicate) => predicate.kind !== 'countries' || [...predicate.codes].some((code) => countries.has(code)),
  );
}

function requestedSourceNames({ predicates: where, resource }: Query): readonly string[] {
  return where.flatMap((predicate) =>
    predicate.kind === 'equals' && predicate.properties.includes(resource.sourceNameProperty) ? [predicate.value] : [],
  );
}
