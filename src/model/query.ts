import type { AccessLevel } from './access-level.js';
import type { Resource } from './resource.js';

/** A condition that a record must meet. All predicates of a query are combined with AND (decisions 2.25). */
export type Predicate = PredicateCondition & {
  /** Name of the parameter that requested the predicate. */
  readonly parameter?: string;
};

type PredicateCondition =
  /**
   * Equality with the complete value, or one complete item of a list, of one of the properties. `value` is folded text
   * (decisions 2.24).
   */
  | { readonly kind: 'equals'; readonly properties: readonly string[]; readonly value: string }
  /**
   * Every word (folded text) occurs in one of the properties (decisions 2.27). Without `properties`: in any property
   * except last-modified.
   */
  | { readonly kind: 'words'; readonly properties?: readonly string[]; readonly words: readonly string[] }
  /** One of the properties contains one of the codes (alpha-2, upper case). */
  | { readonly kind: 'countries'; readonly properties: readonly string[]; readonly codes: ReadonlySet<string> }
  /**
   * The date of the record is later than `after` and earlier than `before`, in milliseconds since 1970
   * (decisions 2.30).
   */
  | { readonly kind: 'between'; readonly after?: number; readonly before?: number }
  /** At least one of the properties is present. */
  | { readonly kind: 'present'; readonly properties: readonly string[] };

/** The scope of a data teams query, which selects properties and teams (decisions 4.20, 8.2). */
export type TeamScope = 'public' | 'pgp' | 'minimal' | 'country' | 'members';

/** The scope of a query for countries, which selects how they are shown (decisions 2.41). */
export type CountryScope = 'public' | 'iso' | 'full';

/** One property of an order. Records without the property come last in both directions (decisions 2.23). */
export interface SortKey {
  readonly property: string;
  readonly descending: boolean;
}

/** The text of a search by relevance (decisions 2.40). */
export interface SearchText {
  /** With one space for each run of white space. */
  readonly text: string;
  /** Whether the PGP keys of teams are searched: whether a client with the access level of the query may have them. */
  readonly includesKeys: boolean;
}

/**
 * A parsed request for a list: which records it selects, how they are shown, and the access level that it needs.
 * Everything that is fetched, cached and shown for it has that level.
 */
export type Query = QueryAt<'public'> | QueryAt<'members'>;

interface QueryAt<Level extends AccessLevel> extends QueryContent {
  readonly access: Level;
  /**
   * Canonical text of access level, resource, filters and order. Queries that select and sort the same records at the
   * same level have the same key, whatever their page, fields or format.
   */
  readonly canonicalKey: `${Level} ${string}`;
}

/** A query without its access level and key. */
export interface QueryContent {
  readonly resource: Resource;
  readonly predicates: readonly Predicate[];
  /** Never empty. Ties are broken by source number and record id. */
  readonly order: readonly SortKey[];
  readonly offset: number;
  /** The applied limit: the default if none was requested, reduced to the maximum (decisions 2.12). */
  readonly limit: number;
  /** Scope of data teams; `public` for all other resources. */
  readonly scope: TeamScope;
  /** Scope of countries; absent: `public`. */
  readonly countryScope?: CountryScope;
  /**
   * Folded title of the channel whose news are requested. Sources evaluate it, because items do not carry their
   * channels (decisions 2.32).
   */
  readonly channel?: string;
  /** Absent: the query selects records by its predicates alone. */
  readonly search?: SearchText;
  /** Names of the properties to show, without duplicates, in the requested order; absent: all. */
  readonly fields?: readonly string[];
  /** Whether the response is a file of the records, which lasts longer than any cache (decisions 4.25). Absent: no. */
  readonly isFile?: true;
  readonly envelope: boolean;
  readonly pretty: boolean;
  /** Name of the function that a JSONP response calls (decisions 2.15). */
  readonly callback?: string;
  /** Parameters as received, except `limit` and `offset`. Links to other pages repeat them (decisions 2.11). */
  readonly requestParameters: readonly (readonly [name: string, value: string])[];
}

/** One error of a query string (decisions 2.17). */
export interface ParameterError {
  readonly parameter: string;
  readonly message: string;
}
