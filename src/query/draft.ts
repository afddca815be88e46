import type { Predicate, SortKey } from '../model/query.js';

/** A query while its parameters are read, one after another. */
export interface Draft {
  readonly where: Predicate[];
  /** Canonical value by parameter: what decides the set of records, written in one way only. */
  readonly canonical: Map<string, string>;
  order?: readonly SortKey[];
  fields?: readonly string[];
  limit?: number;
  offset?: number;
  envelope?: boolean;
  pretty?: boolean;
  callback?: string;
}
