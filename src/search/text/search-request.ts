import { readSearchedIdentifiers } from './searched-identifiers.js';
import type { SearchedIdentifiers, WordSearchMode } from './searched-identifiers.js';
import { listJoinedSpellings, listWords } from './words.js';
import type { Spellings } from './words.js';

export interface SearchedWord {
  readonly spellings: Spellings;
  /** A record without the word may be a hit: articles, and words for kinds of teams, distinguish no team. */
  readonly isOptional: boolean;
  /** An optional word for a kind of team counts in the order of the hits as other words do. */
  readonly isTeamKind: boolean;
  /**
   * An article written as the code of a country: two capital letters at the beginning or end of the text, as in
   * `hospital DE`. Where a record has the code, it is no article.
   */
  readonly isCode: boolean;
}

export interface SearchRequest extends SearchedIdentifiers {
  /** Empty where the text has no letter or digit. */
  readonly words: readonly SearchedWord[];
  /** The text as a whole is an identifier, of any number of words. */
  readonly isIdentifier: boolean;
  /** Where no record has one of the identifiers. */
  readonly wordSearch: WordSearchMode;
  /** Letters and digits of the text, with which complete names are compared. */
  readonly joinedSpellings: readonly string[];
}

/** (decisions 2.40) */
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
 * The text has a key that is not its only word, and no other identifier but the host name of a URL or the name of a
 * file with the key.
 */
export function isKey({ key, email, phone, asNumber, ipRange, joinedSpellings }: SearchRequest): boolean {
  if (key === undefined || (!/\d/.test(key) && joinedSpellings.includes(key))) return false;
  return [email, phone, asNumber, ipRange].every((other) => other === undefined);
}

/**
 * Articles are optional beside any other word, and kinds of teams beside a word that is neither, or the code of a
 * country. Each label of a host name distinguishes it: `at` is no article in `cert.at`.
 */
function readWords(text: string, wordSearch: WordSearchMode): readonly SearchedWord[] {
  const words = listWords(text);
  if (wordSearch === 'exact-names')
    return words.map((spellings) => ({ spellings, isOptional: false, isTeamKind: false, isCode: false }));
  const codes = listOuterCodes(text);
  const isCode = ([word]: Spellings): boolean => isArticle(word) && codes.has(word);
  const hasTeam = words.some(([word]) => !isArticle(word));
  const hasOthers = words.some((word) => isCode(word) || !(isArticle(word[0]) || isKindOfTeam(word[0])));
  return words.map((spellings) => {
    const isTeamKind = hasOthers && isKindOfTeam(spellings[0]);
    const isOptional = isTeamKind || (hasTeam && isArticle(spellings[0]));
    return { spellings, isOptional, isTeamKind, isCode: isOptional && isCode(spellings) };
  });
}

function isArticle(word: string): boolean {
  return STOP_WORDS.has(word);
}

function isKindOfTeam(word: string): boolean {
  return TEAM_KINDS.has(word) || TEAM_KINDS.has(word.replace(/s$/, ''));
}

/** Two capital letters at the beginning or end, in lower case. */
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

/** Abbreviations of kinds of teams, and the words for them. Most teams have some of these, whichever they are. */
const TEAM_KINDS: ReadonlySet<string> = new Set([
  ...['cert', 'csirt', 'cirt', 'sirt', 'psirt', 'soc', 'team'],
  ...['computer', 'cyber', 'emergency', 'incident', 'readiness', 'response', 'security'],
]);
