import type { ExclusionReason } from '../model/reasons.js';
import type { Query } from '../model/query.js';
import { foldText } from '../text/text-folding.js';

export interface SourceCandidate {
  readonly code: string;
  readonly sourceName: string;
  readonly aggregate: boolean;
  /** Alpha-2 codes of all countries of its teams, as declared; absent: any country (operation 2.8.6). */
  readonly countries?: ReadonlySet<string>;
  /** On either interface. */
  serves(resource: Query['resource']): boolean;
}

/** Each candidate is in exactly one of the lists (decisions 5.2). */
interface SourceSelection<S extends SourceCandidate> {
  readonly selected: readonly S[];
  readonly excluded: readonly { readonly source: S; readonly reason: ExclusionReason }[];
}

/**
 * Selects sources that have the resource. `source-name` excludes all others except aggregates, which may have records
 * of any source. `country` and `region` exclude sources whose declared coverage has none of the countries.
 */
export function selectSources<S extends SourceCandidate>(query: Query, candidates: readonly S[]): SourceSelection<S> {
  const requestedNames = requestedSourceNames(query);
  const evaluated = candidates.map((source) => ({ source, reason: exclusionReason(source, query, requestedNames) }));
  return {
    selected: evaluated.flatMap(({ source, reason }) => (reason === undefined ? [source] : [])),
    excluded: evaluated.flatMap(({ source, reason }) => (reason === undefined ? [] : [{ source, reason }])),
  };
}

function exclusionReason(
  source: SourceCandidate,
  query: Query,
  requestedNames: readonly string[],
): ExclusionReason | undefined {
  if (!source.serves(query.resource)) return 'resource';
  const isNamed = source.aggregate || requestedNames.every((name) => name === foldText(source.sourceName));
  if (!isNamed) return 'source-name';
  return mayHaveMatches(source, query) ? undefined : 'coverage';
}

function mayHaveMatches({ countries }: SourceCandidate, { predicates }: Query): boolean {
  if (countries === undefined) return true;
  return predicates.every(
    (predicate) => predicate.kind !== 'countries' || [...predicate.codes].some((code) => countries.has(code)),
  );
}

function requestedSourceNames({ predicates, resource }: Query): readonly string[] {
  return predicates.flatMap((predicate) =>
    predicate.kind === 'equals' && predicate.properties.includes(resource.sourceNameProperty) ? [predicate.value] : [],
  );
}
