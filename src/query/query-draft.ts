import type { Predicate, TeamScope, SortKey } from '../model/query.js';

/** A query while its parameters are read, one after another. */
export interface QueryDraft {
  readonly where: Predicate[];
  /** Canonical value by parameter: what decides the set of records, written in one way only. */
  readonly canonicalValues: Map<string, string>;
  order?: readonly SortKey[];
  /** Checked when the scope is known, which may be given behind it. */
  fields?: readonly string[];
  scope?: TeamScope;
  /** Whether members' information is asked for, which takes an access level. */
  wantsMembersScope?: boolean;
  channel?: string;
  limit?: number;
  offset?: number;
  envelope?: boolean;
  pretty?: boolean;
  callback?: string;
}
