import { compareCodePoints } from '../../text/code-point-order.js';
import { toleratedErrors } from '../text/tolerated-typing-errors.js';
import {
  BEST_WORDS_SCORE,
  CODE_LENGTH,
  JOINED_WEIGHT,
  MAX_COUNTED_WORDS,
  NAME_WORD_COST,
  OPTIONAL_WORD_BONUS,
  SINGULAR_WEIGHT,
  importanceOf,
  weightOfBeginning,
  weightOfErrors,
  weightsOfCountries,
  weightsOfFields,
  weightsOfNames,
  weightsOfShortNames,
} from './scores.js';
import type { FieldWeights } from './scores.js';
import type { ScoreSheet } from './score-sheet.js';
import type { SearchIndex } from '../index/search-index.js';
import { TERM_KINDS } from '../index/terms.js';
import type { SearchRequest, SearchedWord } from '../text/search-request.js';
import { joinWords, singularOf } from '../text/words.js';
import type { Spellings } from '../text/words.js';

/** For each record of each source, from 0 for not at all to 1 for the word in a short name. */
type WordMatches = readonly Float32Array[];

/**
 * Raises the scores of the records that have the words (decisions 2.40):
 *
 * 1. those with every required word, where typing errors count only in words that no record has;
 * 2. where there are none, those with every required word, with typing errors in any of them, and those whose words of step 1
 *    are important.
 *
 * Returns the words as the records spell them, where some are misspelled.
 */
export function findWordHits(
  sheets: readonly ScoreSheet[],
  { words, wordSearch }: Pick<SearchRequest, 'words' | 'wordSearch'>,
): string | undefined {
  if (wordSearch === 'none') return undefined;
  const isExact = wordSearch !== 'all';
  const fields = wordSearch === 'exact-names' ? weightsOfNames : undefined;
  const matched = words.map((word): MatchedWord => {
    const matches = createMatches(sheets);
    const isCode = word.isCode && matchCountryCode(sheets, word.spellings[0], matches);
    return { ...word, matches, isCode, isOptional: word.isOptional && !isCode };
  });
  const areKnown = matched.map((word) => word.isCode || matchWritten(sheets, word, { isWhole: isExact, fields }));
  if (!isExact)
    for (const [at, word] of matched.entries()) {
      const next = matched[at + 1];
      if (next === undefined || word.isCode || next.isCode) continue;
      if (matchJoined(sheets, word, next)) areKnown.fill(true, at, at + 2);
    }
  const required = matched.filter(({ isOptional }) => !isOptional);
  const unknown = matched.filter(({ isOptional }, at) => !isExact && !isOptional && areKnown[at] !== true);
  const corrections = new Map(unknown.map((word) => [word, matchSimilar(sheets, word)]));
  const suggestion = suggest(sheets, matched, corrections);
  const weighed = weighWords(sheets, requireSome(matched));
  if (scoreRecords(sheets, weighed) || isExact) return suggestion;
  const important = sheets.map((sheet, source) => selectImportant(sheet, source, weighed));
  for (const word of required) if (!corrections.has(word)) matchSimilar(sheets, word);
  scoreRecords(sheets, weighed, important);
  return suggestion;
}

/** Where no word is required, as in `cert AT` where no record is of Austria, kinds of teams are. */
function requireSome(words: readonly MatchedWord[]): readonly MatchedWord[] {
  if (words.some(({ isOptional }) => !isOptional)) return words;
  return words.map((word) => ({ ...word, isOptional: !word.isTeamKind }));
}

interface MatchedWord extends SearchedWord {
  readonly matches: WordMatches;
}

/** In characters. Short words are like many others: of `hong kong`, `thong vong` would be no help. */
const SHORT_LENGTH = 4;

function suggest(
  sheets: readonly ScoreSheet[],
  words: readonly MatchedWord[],
  similar: ReadonlyMap<MatchedWord, string | undefined>,
): string | undefined {
  const corrections = new Map([...similar].flatMap(([word, to]) => (to === undefined ? [] : [[word, to] as const])));
  const short = [...corrections.keys()].filter(({ spellings: [word] }) => word.length <= SHORT_LENGTH);
  if (short.length > 1 || (short.length === 1 && !isInOneRecord(sheets, words, corrections)))
    for (const word of short) corrections.delete(word);
  if (corrections.size === 0) return undefined;
  return joinWords(words.map((word) => corrections.get(word) ?? word.spellings[0]));
}

/** A record that may be a hit has every required word, and the corrections themselves. */
function isInOneRecord(
  sheets: readonly ScoreSheet[],
  words: readonly MatchedWord[],
  corrections: ReadonlyMap<MatchedWord, string>,
): boolean {
  const required = words.filter(({ isOptional }) => !isOptional);
  return sheets.some((sheet, source) => {
    const counts = new Uint16Array(sheet.index.size);
    for (const word of required) {
      const correction = corrections.get(word);
      const term = correction === undefined ? undefined : sheet.index.terms.find(correction);
      const count = (position: number): void => {
        counts[position] = (counts[position] ?? 0) + 1;
      };
      if (term !== undefined) sheet.index.forEachPosting(term, count);
      else if (correction === undefined)
        for (const [position, match] of word.matches[source]?.entries() ?? []) if (match > 0) count(position);
    }
    return counts.some((count, position) => count === required.length && sheet.allows(position));
  });
}

function createMatches(sheets: readonly ScoreSheet[]): WordMatches {
  return sheets.map(({ index }) => new Float32Array(index.size));
}

/**
 * Matches a word with itself and, unless it `isWhole`, with words that begin with it and, if it is a plural, with the
 * singular. `fields` limits the match to fields with weights. A word of one character, or an optional one, begins no
 * other word. Returns whether a record that may be a hit has it.
 */
function matchWritten(
  sheets: readonly ScoreSheet[],
  { spellings, isOptional, matches }: MatchedWord,
  { isWhole, fields }: { readonly isWhole: boolean; readonly fields: FieldWeights | undefined },
): boolean {
  let isKnown = false;
  for (const [source, sheet] of sheets.entries()) {
    const { index } = sheet;
    for (const spelling of spellings) {
      const weights = fields ?? weightsOfFields(spelling);
      const column = matches[source] ?? new Float32Array();
      for (const { term, weight } of listWrittenTerms(index, spelling, isWhole || isOptional))
        if (raise(sheet, column, { term, weight, weights })) isKnown = true;
      for (const { term, weight } of isWhole ? [] : listSingularTerms(index, spelling))
        if (raise(sheet, column, { term, weight, weights })) isKnown = true;
    }
  }
  return isKnown;
}

interface WeighedTerm {
  readonly term: number;
  readonly weight: number;
}

function listSingularTerms(index: SearchIndex, word: string): readonly WeighedTerm[] {
  const singular = singularOf(word);
  const term = singular === undefined ? undefined : index.terms.find(singular);
  return term === undefined ? [] : [{ term, weight: SINGULAR_WEIGHT }];
}

function* listWrittenTerms(
  index: SearchIndex,
  spelling: string,
  isWhole: boolean,
): Generator<WeighedTerm, void, undefined> {
  if (isWhole || spelling.length === 1) {
    const term = index.terms.find(spelling);
    if (term !== undefined) yield { term, weight: 1 };
    return;
  }
  for (const term of index.terms.findFrom(spelling)) {
    const length = index.terms.lengthOf(term);
    yield { term, weight: length === spelling.length ? 1 : weightOfBeginning(spelling.length, length) };
  }
}

/** Matches the country of records and their short names. Returns whether any matches. */
function matchCountryCode(sheets: readonly ScoreSheet[], code: string, matches: WordMatches): boolean {
  let isKnown = false;
  for (const [source, sheet] of sheets.entries())
    for (const { text, weights } of [
      { text: code, weights: weightsOfShortNames },
      { text: TERM_KINDS.country + code, weights: weightsOfCountries },
    ]) {
      const term = sheet.index.terms.find(text);
      if (term === undefined) continue;
      if (raise(sheet, matches[source] ?? new Float32Array(), { term, weight: 1, weights })) isKnown = true;
    }
  return isKnown;
}

/**
 * Matches words that differ by typing errors. Returns the most likely of them that a hit may have as a word of its own.
 */
function matchSimilar(sheets: readonly ScoreSheet[], { spellings, matches }: MatchedWord): string | undefined {
  const similar = new Map<string, { errors: number; count: number }>();
  for (const [source, sheet] of sheets.entries()) {
    for (const [term, errors] of listSimilarTerms(sheet.index, spellings)) {
      const weights = weightsOfFields(spellings[0]);
      raise(sheet, matches[source] ?? new Float32Array(), { term, weight: weightOfErrors(errors), weights });
      const text = sheet.index.terms.textOf(term);
      const known = similar.get(text);
      const count = (known?.count ?? 0) + sheet.countSpelled(term);
      if (count > 0) similar.set(text, { errors: Math.min(errors, known?.errors ?? errors), count });
    }
  }
  const [best] = [...similar].sort(
    ([one, a], [other, b]) => a.errors - b.errors || b.count - a.count || compareCodePoints(one, other),
  );
  return best?.[0];
}

/** With the fewest typing errors in any spelling. */
function listSimilarTerms(index: SearchIndex, spellings: Spellings): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  for (const spelling of spellings)
    for (const { term, errors } of index.findSimilarWords(spelling, toleratedErrors(spelling)))
      found.set(term, Math.min(errors, found.get(term) ?? errors));
  return found;
}

/** Matches two neighbouring words that are written as one. Returns whether a record that may be a hit has them. */
function matchJoined(sheets: readonly ScoreSheet[], one: MatchedWord, other: MatchedWord): boolean {
  const joined = one.spellings[0] + other.spellings[0];
  // Of `hospital co`, the code of Colombia is not the beginning of `hospital computer`.
  const isWhole = Math.min(one.spellings[0].length, other.spellings[0].length) <= CODE_LENGTH;
  const weights = weightsOfFields(joined);
  let isKnown = false;
  for (const [source, sheet] of sheets.entries()) {
    const { index } = sheet;
    for (const { term, weight } of listWrittenTerms(index, joined, isWhole)) {
      const match = { term, weight: JOINED_WEIGHT * weight, weights };
      for (const { matches } of [one, other])
        if (raise(sheet, matches[source] ?? new Float32Array(), match)) isKnown = true;
    }
  }
  return isKnown;
}

/** Records that may be no hits have no match, and count nowhere. Returns whether any record matches. */
function raise(
  sheet: ScoreSheet,
  matches: Float32Array,
  { term, weight, weights }: { readonly term: number; readonly weight: number; readonly weights: FieldWeights },
): boolean {
  let isMatched = false;
  sheet.index.forEachPosting(term, (position, fields) => {
    const match = weight * (weights[fields] ?? 0);
    if (match === 0 || !sheet.allows(position)) return;
    isMatched = true;
    if (match > (matches[position] ?? 0)) matches[position] = match;
  });
  return isMatched;
}

interface WeighedWords {
  /** Required, with kinds of teams behind them. */
  readonly words: readonly MatchedWord[];
  readonly requiredCount: number;
  readonly counts: readonly number[];
  readonly importances: readonly number[];
  readonly records: number;
  readonly bonuses: readonly MatchedWord[];
}

/** Weighs the words as matched now: typing errors that are matched later do not make a word less important. */
function weighWords(sheets: readonly ScoreSheet[], all: readonly MatchedWord[]): WeighedWords {
  const required = all.filter(({ isOptional }) => !isOptional);
  const words = [...required, ...all.filter(({ isOptional, isTeamKind }) => isOptional && isTeamKind)];
  const records = sheets.reduce((sum, sheet) => sum + sheet.allowedSize, 0);
  const counts = words.map(({ matches }) => countMatches(matches));
  return {
    words,
    requiredCount: required.length,
    counts,
    importances: counts.map((count) => importanceOf(count, records)),
    records,
    bonuses: all.filter(({ isOptional, isTeamKind }) => isOptional && !isTeamKind),
  };
}

/** Where no record has every word: the importance of all words, in multiples of what the record has. */
const MAX_LACKING = 3;

/**
 * Selects records in which one required word, which is no number, is in at most √N of N records, or whose words have at
 * least a third of the importance of all required words. Returns 1 for each such record, else 0.
 */
function selectImportant(
  { index }: ScoreSheet,
  source: number,
  { words, requiredCount, counts, importances, records }: WeighedWords,
): Uint8Array {
  const required = words.slice(0, requiredCount);
  const columns = required.map(({ matches }) => matches[source] ?? new Float32Array());
  const areRare = words.map(({ spellings: [word] }, at) => (counts[at] ?? 0) ** 2 <= records && /\D/.test(word));
  const allImportance = importances.slice(0, requiredCount).reduce((sum, one) => sum + one, 0);
  const selected = new Uint8Array(index.size);
  for (let position = 0; position < index.size; position += 1) {
    let importance = 0;
    let isImportant = false;
    for (let word = 0; word < columns.length; word += 1) {
      if ((columns[word]?.[position] ?? 0) === 0) continue;
      importance += importances[word] ?? 0;
      isImportant ||= areRare[word] === true;
    }
    if (importance > 0 && (isImportant || importance * MAX_LACKING >= allImportance)) selected[position] = 1;
  }
  return selected;
}

/** Scores the records with every required word, and the selected ones. Returns whether there are any. */
function scoreRecords(
  sheets: readonly ScoreSheet[],
  { words, requiredCount, importances, bonuses }: WeighedWords,
  selected: readonly Uint8Array[] = [],
): boolean {
  const allImportance = importances.reduce((sum, one) => sum + one, 0);
  let isHit = false;
  for (const [source, sheet] of sheets.entries()) {
    const columns = words.map(({ matches }) => matches[source] ?? new Float32Array());
    const extras = bonuses.map(({ matches }) => matches[source]);
    for (let position = 0; position < sheet.index.size; position += 1) {
      let count = 0;
      let sum = 0;
      for (let word = 0; word < columns.length; word += 1) {
        const match = columns[word]?.[position] ?? 0;
        if (match === 0) continue;
        if (word < requiredCount) count += 1;
        sum += (importances[word] ?? 0) * match;
      }
      if (count < requiredCount && selected[source]?.[position] !== 1) continue;
      isHit = true;
      const bonus = extras.filter((column) => (column?.[position] ?? 0) > 0).length * OPTIONAL_WORD_BONUS;
      const cost = NAME_WORD_COST * Math.min(sheet.index.nameWordsOf(position), MAX_COUNTED_WORDS);
      const score = Math.round((BEST_WORDS_SCORE * sum) / allImportance) + bonus - cost;
      sheet.raise(position, Math.min(BEST_WORDS_SCORE, Math.max(1, score)));
    }
  }
  return isHit;
}

function countMatches(matches: WordMatches): number {
  let count = 0;
  for (const ofSource of matches) for (const match of ofSource) if (match > 0) count += 1;
  return count;
}
