import type { CountryScope, Predicate, TeamScope, SortKey } from '../model/query.js';

/** A query under construction while its parameters are parsed one by one. */
export interface QueryDraft {
  readonly predicates: Predicate[];
  /** Canonical value of each parameter that selects records. */
  readonly canonicalValues: Map<string, string>;
  order?: readonly SortKey[];
  /** Validated after all parameters are parsed, because `scope` may follow `fields`. */
  fields?: readonly string[];
  scope?: TeamScope;
  countryScope?: CountryScope;
  channel?: string;
  /** A search by relevance, and whether its text can only be a key id or fingerprint. */
  search?: { readonly text: string; readonly isKey: boolean };
  limit?: number;
  offset?: number;
  envelope?: boolean;
  pretty?: boolean;
  callback?: string;
}
