import { parsePrefer } from '../../headers/prefer.js';

/** The preferences of a request that Rollcall applies (RFC 7240). */
export interface Preferences {
  /**
   * Handling of an incomplete answer (decisions 6.5, 6.7). `strict` makes every partial or stale response an error.
   * `lenient` turns the error for zero hits in a partial answer into a 200. Absent: neither.
   */
  readonly handling?: HandlingPreference;
  /** Whether nothing that depends on the query is sent to a source (decisions 8.7). */
  readonly isPrivate: boolean;
  /** The Preference-Applied field; empty where no preference was applied. */
  readonly appliedHeaders: Readonly<Record<string, string>>;
}

/** Values of the preference `handling` (RFC 7240, section 4.4). */
export type HandlingPreference = 'strict' | 'lenient';

/** Parses a Prefer field. `private` counts with any value, the safe reading for a client that requests privacy. */
export function parsePreferences(field: string): Preferences {
  const preferences = parsePrefer(field);
  const handling = parseHandling(preferences.get('handling')?.toLowerCase());
  const isPrivate = preferences.has('private');
  const applied = [...(handling ? [`handling=${handling}`] : []), ...(isPrivate ? ['private'] : [])].join(', ');
  return {
    ...(handling && { handling }),
    isPrivate: isPrivate,
    appliedHeaders: applied === '' ? {} : { 'Preference-Applied': applied },
  };
}

function parseHandling(value: string | undefined): HandlingPreference | undefined {
  return (['strict', 'lenient'] as const).find((known) => known === value);
}
