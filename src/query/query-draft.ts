import type { CountryScope, Predicate, TeamScope, SortKey } from '../model/query.js';

export interface QueryDraft {
  readonly predicates: Predicate[];
  /** By each parameter that selects records. */
  readonly canonicalValues: Map<string, string>;
  order?: readonly SortKey[];
  /** Validated after all parameters are parsed, because `scope` may follow `fields`. */
  fields?: readonly string[];
  scope?: TeamScope;
  countryScope?: CountryScope;
  channel?: string;
  /** A search by relevance; `isKey`: its text can only be a key id or fingerprint. */
  search?: { readonly text: string; readonly isKey: boolean };
  limit?: number;
  offset?: number;
  envelope?: boolean;
  pretty?: boolean;
  callback?: string;
}
