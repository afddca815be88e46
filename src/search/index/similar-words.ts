import { TypingErrorTable } from '../text/typing-error-table.js';
import type { TermList } from './term-list.js';
import { FIRST_WORD } from './terms.js';
import { readUnit, sizeOfUnit } from './unit-bytes.js';

export interface SimilarTerm {
  readonly term: number;
  readonly errors: number;
}

/**
 * Letters compared with one searched word. In an index of 100,000 fictitious teams (740,000 terms), no word needs more
 * than 13,000, and none has more than 20 similar words. Beyond either limit a word has no similar ones, so that records
 * of words that are made to be alike delay no search.
 */
const MAX_COMPARED = 100_000;
const MAX_SIMILAR = 1_000;

/**
 * Words with at least one and at most `most` typing errors; none where there are too many to compare. Neighbouring
 * terms share the comparison of their common beginning, and all terms with a beginning that has too many errors are
 * left out at once.
 */
export function findSimilarWords(terms: TermList, word: string, most: number): readonly SimilarTerm[] {
  if (most === 0) return [];
  const table = new TypingErrorTable(word, most);
  const found: SimilarTerm[] = [];
  const { bytes } = terms;
  let compared = 0;
  let term = terms.firstFrom(FIRST_WORD);
  while (term < terms.size) {
    const from = terms.startOf(term);
    const end = from + terms.bytesOf(term);
    let [at, length] = [from, 0];
    while (at < end && table.hasUnit(length, readUnit(bytes, at))) {
      at += sizeOfUnit(bytes[at] ?? 0);
      length += 1;
    }
    let canBeSimilar = true;
    while (at < end && canBeSimilar) {
      canBeSimilar = table.setUnit(length, readUnit(bytes, at)) <= most;
      at += sizeOfUnit(bytes[at] ?? 0);
      length += 1;
      compared += 1;
    }
    table.length = length;
    const errors = canBeSimilar ? table.errors : 0;
    if (errors > 0 && errors <= most) found.push({ term, errors });
    if (compared > MAX_COMPARED || found.length > MAX_SIMILAR) return [];
    term = canBeSimilar ? term + 1 : terms.firstBehind(term, at - from);
  }
  return found;
}
