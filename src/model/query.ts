import type { AccessLevel } from './access-level.js';
import type { Resource } from './resource.js';

/** A condition of a record. All predicates of a query are combined with AND (decisions 2.25). */
export type Predicate = PredicateCondition & {
  /** Parameter that requested the predicate. */
  readonly parameter?: string;
};

type PredicateCondition =
  /** One of the properties equals `value` (folded text) as a whole or in one item of a list (decisions 2.24). */
  | { readonly kind: 'equals'; readonly properties: readonly string[]; readonly value: string }
  /** Every word (folded) occurs in one of the properties, or in any except last-modified (decisions 2.27). */
  | { readonly kind: 'words'; readonly properties?: readonly string[]; readonly words: readonly string[] }
  /** One of the properties contains one of the codes (alpha-2, upper case). */
  | { readonly kind: 'countries'; readonly properties: readonly string[]; readonly codes: ReadonlySet<string> }
  /** Later than `after` and earlier than `before`, in milliseconds since 1970 (decisions 2.30). */
  | { readonly kind: 'between'; readonly after?: number; readonly before?: number }
  /** At least one of the properties is present. */
  | { readonly kind: 'present'; readonly properties: readonly string[] };

/** Selects properties and teams of data teams (decisions 4.20, 8.2). */
export type TeamScope = 'public' | 'pgp' | 'minimal' | 'country' | 'members';

/** Selects how countries are shown (decisions 2.41). */
export type CountryScope = 'public' | 'iso' | 'full';

/** Records without the property come last in both directions (decisions 2.23). */
export interface SortKey {
  readonly property: string;
  readonly descending: boolean;
}

/** The text of a search by relevance (decisions 2.40). */
interface SearchText {
  /** With one space for each run of white space. */
  readonly text: string;
  /** PGP keys are searched: a client with the access level of the query may have them. */
  readonly includesKeys: boolean;
}

/**
 * Which records a list selects, how they are shown, and the access level at which everything for it is fetched, cached
 * and shown.
 */
export type Query = QueryAt<'public'> | QueryAt<'members'>;

interface QueryAt<Level extends AccessLevel> extends QueryContent {
  readonly access: Level;
  /**
   * Canonical text of access level, resource, filters and order. Queries that select and sort the same records at the
   * same level share it, whatever their page, fields or format.
   */
  readonly canonicalKey: `${Level} ${string}`;
}

export interface QueryContent {
  readonly resource: Resource;
  readonly predicates: readonly Predicate[];
  /** Never empty. Ties are broken by source number and record id. */
  readonly order: readonly SortKey[];
  readonly offset: number;
  /** The applied limit: the default if none was requested, reduced to the maximum (decisions 2.12). */
  readonly limit: number;
  /** `public` for all resources but data teams. */
  readonly scope: TeamScope;
  /** Absent: `public`. */
  readonly countryScope?: CountryScope;
  /** Folded title of a channel. Sources evaluate it, because items do not carry their channels (decisions 2.32). */
  readonly channel?: string;
  /** Absent: the query selects records by its predicates alone. */
  readonly search?: SearchText;
  /** Properties to show, without duplicates, in the requested order; absent: all. */
  readonly fields?: readonly string[];
  /** The response is a file of the records, which lasts longer than any cache (decisions 4.25). */
  readonly isFile?: true;
  readonly envelope: boolean;
  readonly pretty: boolean;
  /** Function that a JSONP response calls (decisions 2.15). */
  readonly callback?: string;
  /** Parameters as received, except `limit` and `offset`. Links to other pages repeat them (decisions 2.11). */
  readonly requestParameters: readonly (readonly [name: string, value: string])[];
}

/** Decisions 2.17. */
export interface ParameterError {
  readonly parameter: string;
  readonly message: string;
}
