import type { Predicate, QueryContent, SortKey } from '../model/query.js';

type Writable<T> = { -readonly [Name in keyof T]: T[Name] };

/** Known from elsewhere than a parameter, or held in another form. */
type NoParameter = 'resource' | 'predicates' | 'order' | 'search' | 'isFile' | 'requestParameters';

/** What the parameters say so far, in the properties of the query. `fields` are validated at the end: `scope` may follow. */
export interface QueryDraft extends Partial<Writable<Omit<QueryContent, NoParameter>>> {
  readonly predicates: Predicate[];
  /** By each parameter that selects records. */
  readonly canonicalValues: Map<string, string>;
  order?: readonly SortKey[];
  /** A search by relevance; `isKey`: its text can only be a key id or fingerprint. */
  search?: { readonly text: string; readonly isKey: boolean };
}
