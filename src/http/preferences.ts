import { readPreferences } from '../wire/prefer.js';

/** What a request prefers (RFC 7240), as far as it is heard here. */
export interface Preferences {
  /** An error instead of an answer that lacks something, or rests on a last good copy (decisions.md, section 6). */
  readonly strict: boolean;
  /** Nothing of the query goes to a source (docs/decisions/0011-private.md). */
  readonly private: boolean;
  /** The Preference-Applied field, where anything was heard. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Reads a Prefer field. `private` is taken with any value: who writes it has something to hide. */
export function preferencesOf(field: string): Preferences {
  const preferences = readPreferences(field);
  const strict = preferences.get('handling')?.toLowerCase() === 'strict';
  const isPrivate = preferences.has('private');
  const applied = [...(strict ? ['handling=strict'] : []), ...(isPrivate ? ['private'] : [])].join(', ');
  return { strict, private: isPrivate, headers: applied === '' ? {} : { 'Preference-Applied': applied } };
}
