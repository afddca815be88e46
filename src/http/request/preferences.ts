import { parsePrefer } from '../../headers/prefer.js';

/** What a request prefers (RFC 7240), as far as this gateway honours it. */
export interface Preferences {
  /**
   * How an answer is handled that lacks something (decisions.md, section 6): `strict` makes every partial or stale answer an error, `lenient`
   * turns the error for zero hits in a partial answer back into a 200. Absent: neither.
   */
  readonly handling?: HandlingPreference;
  /** Nothing of the query goes to a source (docs/decisions/0011-private.md). */
  readonly isPrivate: boolean;
  /** The Preference-Applied field, where any preference was honoured. */
  readonly appliedHeaders: Readonly<Record<string, string>>;
}

/** The values of `handling` (RFC 7240, section 4.4). */
export type HandlingPreference = 'strict' | 'lenient';

/** Reads a Prefer field. `private` counts with any value: the safe reading of a client that asks for privacy. */
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
