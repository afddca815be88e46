import type { SearchField } from '../../model/resource.js';

/** In the order of their bits in a posting. */
export const WORD_FIELDS: readonly Exclude<SearchField, 'phone' | 'key'>[] = [
  'short-name',
  'official-name',
  'host',
  'constituency',
  'contact',
  'place',
  'other',
];

export function isNameField(field: SearchField): boolean {
  return field === 'short-name' || field === 'official-name' || field === 'host';
}

/** In the order in which the texts of a record are listed. */
export const SEARCH_FIELDS: readonly SearchField[] = [...WORD_FIELDS, 'phone', 'key'];

/**
 * Kinds of terms besides words. A term begins with the character of its kind, which no word contains.
 *
 * - `shortName`, `officialName`: all letters and digits of a name
 * - `host`: a host name with its labels in reverse order, each with a dot behind it: `org.example.dept.`
 * - `email`: an e-mail address
 * - `phone`: the digits of a telephone number in reverse order; `phoneStart`: in their order
 * - `key`: the digits of a key id or fingerprint in reverse order; `keyStart`: those of version 6 in their order
 * - `asNumber`: the number of an autonomous system
 * - `country`: the code of a country
 */
export const TERM_KINDS = {
  shortName: '\u0001',
  officialName: '\u0002',
  host: '\u0003',
  email: '\u0004',
  phone: '\u0005',
  phoneStart: '\u0006',
  key: '\u0007',
  keyStart: '\u0008',
  asNumber: '\u0009',
  country: '\u000a',
} as const;

/** Before every word and behind every term of another kind. */
export const FIRST_WORD = '\u0010';

export function hostTerm(name: string): string {
  return `${TERM_KINDS.host}${name.split('.').reverse().join('.')}.`;
}

/** In lower case; each code is a line. */
export function listCountryCodes(place: string): readonly string[] {
  return place
    .split('\n')
    .filter((line) => /^[A-Z]{2}$/.test(line))
    .map((line) => line.toLowerCase());
}

/** Ends are searched as beginnings. */
export function reverse(text: string): string {
  return Array.from(text).reverse().join('');
}
