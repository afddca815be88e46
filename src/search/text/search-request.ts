import { readSearchedIdentifiers } from './searched-identifiers.js';
import type { SearchedIdentifiers, WordSearchMode } from './searched-identifiers.js';
import { listJoinedSpellings, listWords } from './words.js';
import type { Spellings } from './words.js';

/** A searched word. */
export interface SearchedWord {
  readonly spellings: Spellings;
  /** Whether a record without the word may be a hit: articles and the like distinguish no team. */
  readonly isOptional: boolean;
  /**
   * Whether an article is written as the code of a country: two capital letters at the beginning or end of the text, as in
   * `hospital DE`. Where a record has the code, it is no article.
   */
  readonly isCode: boolean;
}

/** What a searched text may be. */
export interface SearchRequest extends SearchedIdentifiers {
  /** Empty where the text has no letter or digit. */
  readonly words: readonly SearchedWord[];
  /** Whether the text as a whole is an identifier, which may consist of any number of words. */
  readonly isIdentifier: boolean;
  /** How the words are searched where no record has one of the identifiers. */
  readonly wordSearch: WordSearchMode;
  /** The letters and digits of the text, with which complete names are compared. */
  readonly joinedSpellings: readonly string[];
}

/** Reads a searched text (decisions 2.40). */
export function parseSearchText(text: string): SearchRequest {
  const trimmed = text.trim();
  const { identifiers, isIdentifier, wordSearch, wordText } = readSearchedIdentifiers(trimmed);
  return {
    ...identifiers,
    words: readWords(wordText, wordSearch),
    isIdentifier,
    wordSearch,
    joinedSpellings: listJoinedSpellings(trimmed),
  };
}

/**
 * Whether a text is a search for a key: it has one, which is not its only word, and no other identifier but the host name of a
 * URL or the name of a file with the key.
 */
export function isKey({ key, email, phone, asNumber, ipRange, joinedSpellings }: SearchRequest): boolean {
  if (key === undefined || (!/\d/.test(key) && joinedSpellings.includes(key))) return false;
  return [email, phone, asNumber, ipRange].every((other) => other === undefined);
}

/** The words of a text. Each label of a host name distinguishes it: `at` is no article in `cert.at`. */
function readWords(text: string, wordSearch: WordSearchMode): readonly SearchedWord[] {
  const words = listWords(text);
  const codes = listOuterCodes(text);
  const isFiller = ([word]: Spellings): boolean => STOP_WORDS.has(word);
  const hasOthers = wordSearch !== 'exact-names' && words.some((word) => !isFiller(word));
  return words.map((spellings) => {
    const isOptional = hasOthers && isFiller(spellings);
    return { spellings, isOptional, isCode: isOptional && codes.has(spellings[0]) };
  });
}

/** Two capital letters at the beginning or end of a text, in lower case. */
function listOuterCodes(text: string): ReadonlySet<string> {
  const codes = [/^[A-Z]{2}(?= )/, /(?<= )[A-Z]{2}$/].flatMap((pattern) => pattern.exec(text)?.[0] ?? []);
  return new Set(codes.map((code) => code.toLowerCase()));
}

/** Articles, conjunctions and prepositions. A search for nothing else searches for them. */
const STOP_WORDS: ReadonlySet<string> = new Set([
  ...['a', 'an', 'and', 'at', 'by', 'for', 'from', 'in', 'of', 'on', 'or', 'the', 'to', 'with'],
  ...['da', 'das', 'de', 'del', 'den', 'der', 'des', 'di', 'die', 'do', 'dos', 'du', 'e', 'el', 'en', 'et'],
  ...['fur', 'i', 'la', 'las', 'le', 'les', 'los', 'og', 'och', 'pour', 'und', 'van', 'von', 'y', 'za'],
]);
