import { parsePrefer } from '../../headers/prefer.js';

/** RFC 7240, as far as Rollcall applies it. */
export interface Preferences {
  /**
   * `strict` makes every partial or stale response an error; `lenient` turns the error for zero hits in a partial
   * answer into a 200 (decisions 6.5, 6.7). Absent: neither.
   */
  readonly handling?: HandlingPreference;
  /** Nothing that depends on the query is sent to a source (decisions 8.7). */
  readonly isPrivate: boolean;
  /** Preference-Applied; empty where no preference was applied. */
  readonly appliedHeaders: Readonly<Record<string, string>>;
}

/** RFC 7240, section 4.4. */
type HandlingPreference = 'strict' | 'lenient';

/** `private` counts with any value, the safe reading for a client that requests privacy. */
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
