import { readPreferences } from '../wire/prefer.js';

/** What a request prefers (RFC 7240), as far as this gateway honours it. */
export interface Preferences {
  /**
   * How an answer is handled that lacks something (decisions.md, section 6): `strict` makes every partial or stale answer an error, `lenient`
   * turns the error for zero hits in a partial answer back into a 200. Absent: neither.
   */
  readonly handling?: Handling;
  /** Nothing of the query goes to a source (docs/decisions/0011-private.md). */
  readonly private: boolean;
  /** The Preference-Applied field, where any preference was honoured. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The values of `handling` (RFC 7240, section 4.4). */
export type Handling = 'strict' | 'lenient';

/** Reads a Prefer field. `private` counts with any value: the safe reading of a client that asks for privacy. */
export function preferencesOf(field: string): Preferences {
  const preferences = readPreferences(field);
  const handling = handlingOf(preferences.get('handling')?.toLowerCase());
  const isPrivate = preferences.has('private');
  const applied = [...(handling ? [`handling=${handling}`] : []), ...(isPrivate ? ['private'] : [])].join(', ');
  return {
    ...(handling && { handling }),
    private: isPrivate,
    headers: applied === '' ? {} : { 'Preference-Applied': applied },
  };
}

function handlingOf(value: string | undefined): Handling | undefined {
  return (['strict', 'lenient'] as const).find((known) => known === value);
}
