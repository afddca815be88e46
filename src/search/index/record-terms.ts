import { isVersion6Fingerprint } from '../../identifiers/key-id.js';
import type { IpRange } from '../../identifiers/ip-range.js';
import type { SearchField } from '../../model/resource.js';
import { listIdentifiers } from './record-identifiers.js';
import type { Identifier } from './record-identifiers.js';
import type { FieldTexts } from './field-texts.js';
import { SEARCH_FIELDS, TERM_KINDS, WORD_FIELDS, hostTerm, isNameField, listCountryCodes, reverse } from './terms.js';
import { isUnspaced, listJoinedSpellings, listWords } from '../text/words.js';

/** `field` is the position of the field in `SEARCH_FIELDS`. */
interface TermReceiver {
  addTerm(term: string, field: number): void;
  /** Two neighbouring words of a name, written as one. */
  addJoined(term: string, field: number): void;
  addRange(range: IpRange): void;
}

/** Returns the number of words in the names. */
export function listTerms(texts: FieldTexts, receiver: TermReceiver): number {
  let nameWords = 0;
  for (const [position, field] of SEARCH_FIELDS.entries()) {
    const text = texts[position] ?? '';
    if (text === '') continue;
    for (const identifier of listIdentifiers(field, text)) addIdentifier(identifier, position, receiver);
    if (position >= WORD_FIELDS.length) continue;
    const words = addWords(text, { field, position }, receiver);
    if (field === 'place')
      for (const code of listCountryCodes(text)) receiver.addTerm(TERM_KINDS.country + code, position);
    const kind = NAME_KINDS.get(field);
    if (kind === undefined) continue;
    nameWords += words;
    for (const item of text.split('\n'))
      for (const name of listJoinedSpellings(item)) receiver.addTerm(kind + name, position);
  }
  return nameWords;
}

const NAME_KINDS: ReadonlyMap<SearchField, string> = new Map([
  ['short-name', TERM_KINDS.shortName],
  ['official-name', TERM_KINDS.officialName],
]);

/** Adds words and, in a name, pairs of neighbours, which may be written as one word. */
function addWords(
  text: string,
  { field, position }: { readonly field: SearchField; readonly position: number },
  receiver: TermReceiver,
): number {
  let count = 0;
  for (const item of text.split('\n')) {
    const words = listWords(item);
    count += words.length;
    for (const [at, spellings] of words.entries()) {
      for (const spelling of spellings) receiver.addTerm(spelling, position);
      const before = words[at - 1];
      if (before === undefined || !isNameField(field)) continue;
      const joined = before[0] + spellings[0];
      if (!isUnspaced(joined)) receiver.addJoined(joined, position);
    }
  }
  return count;
}

function addIdentifier(identifier: Identifier, field: number, receiver: TermReceiver): void {
  if (identifier.kind === 'ip-range') receiver.addRange(identifier.value);
  else for (const term of listTermsOf(identifier)) receiver.addTerm(term, Math.min(field, WORD_FIELDS.length - 1));
}

function listTermsOf({ kind, value }: Exclude<Identifier, { readonly kind: 'ip-range' }>): readonly string[] {
  switch (kind) {
    case 'host':
      return [hostTerm(value)];
    case 'email':
      return [TERM_KINDS.email + value];
    case 'phone':
      return [TERM_KINDS.phone + reverse(value), TERM_KINDS.phoneStart + value];
    case 'key':
      return [TERM_KINDS.key + reverse(value), ...(isVersion6Fingerprint(value) ? [TERM_KINDS.keyStart + value] : [])];
    case 'as-number':
      return [TERM_KINDS.asNumber + String(value)];
  }
}
