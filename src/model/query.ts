import type { Resource } from './resource.js';

/** What a record must fulfil. All predicates of a query combine with AND (decisions.md, section 2). */
export type Predicate = PredicateCondition & {
  /** Name of the parameter that it was asked by. */
  readonly parameter?: string;
};

type PredicateCondition =
  /** Exact on the whole value, or on one item of a list, of one of the properties; `value` is folded text. */
  | { readonly kind: 'equals'; readonly properties: readonly string[]; readonly value: string }
  /** Every word (folded text) occurs in one of the properties; no list of properties: in any but last-modified. */
  | { readonly kind: 'words'; readonly properties?: readonly string[]; readonly words: readonly string[] }
  /** One of the properties holds one of the codes (alpha-2, upper case). */
  | { readonly kind: 'countries'; readonly properties: readonly string[]; readonly codes: ReadonlySet<string> }
  /** The resource's date lies behind `after` and before `before`, both exclusive, in milliseconds since 1970. */
  | { readonly kind: 'between'; readonly after?: number; readonly before?: number }
  /** One of the properties is there. */
  | { readonly kind: 'present'; readonly properties: readonly string[] };

/** What a data teams query shows (interfaces.md, section 5). */
export type TeamScope = 'public' | 'pgp' | 'minimal' | 'country';

/** One field of an order. Records without it come last, whichever the direction. */
export interface SortKey {
  readonly property: string;
  readonly descending: boolean;
}

/** A parsed request for a list: what is asked of whom, and how it is shown. */
export interface Query {
  readonly resource: Resource;
  readonly predicates: readonly Predicate[];
  /** Never empty; ties are broken by source number and record id. */
  readonly order: readonly SortKey[];
  readonly offset: number;
  /** As applied: the default where none was given, cut to the maximum. */
  readonly limit: number;
  /** Of data teams; `public` for everything else. */
  readonly scope: TeamScope;
  /** Folded title of the channel that news are asked of: it is pushed to the sources, for items do not carry their channels. */
  readonly channel?: string;
  /** Properties to show; absent: all. Names in the order asked for, none twice. */
  readonly fields?: readonly string[];
  readonly envelope: boolean;
  readonly pretty: boolean;
  /** Name of the function that a JSONP answer calls. */
  readonly callback?: string;
  /** Parameters as they were asked, but for limit and offset: what links to other pages of the same answer repeat. */
  readonly requestParameters: readonly (readonly [name: string, value: string])[];
  /** Canonical text of the set that is asked for (resource, filters, order): equal sets have equal keys, pages and forms share one. */
  readonly canonicalKey: string;
}

/** One fault of a query string. */
export interface ParameterError {
  readonly parameter: string;
  readonly message: string;
}
