import { compareCodePoints } from '../../text/code-point-order.js';
import { toleratedErrors } from '../text/edit-distance.js';
import {
  BEST_WORDS_SCORE,
  JOINED_WEIGHT,
  MAX_COUNTED_WORDS,
  NAME_WORD_COST,
  importanceOf,
  weightOfBeginning,
  weightOfErrors,
  weightOfFields,
} from './scores.js';
import type { ScoreSheet } from './score-sheet.js';
import type { SearchIndex } from '../index/search-index.js';
import type { Spellings } from '../text/words.js';

/** How well a word matches each record of each source: from 0 for not at all to 1 for the word in a short name. */
type WordMatches = readonly Float32Array[];

/**
 * Raises the scores of the records that have the words: all of them or, where no record has all, as many as any record has,
 * at least half of them. Returns the words as the records spell them, where some are misspelled.
 */
export function findWordHits(sheets: readonly ScoreSheet[], words: readonly Spellings[]): string | undefined {
  const indexes = sheets.map(({ index }) => index);
  const matches = words.map((): WordMatches => indexes.map((index) => new Float32Array(index.size)));
  const corrections = words.map((word, at) => matchWord(sheets, word, matches[at] ?? []));
  for (const [at, word] of words.entries()) {
    const next = words[at + 1];
    if (next === undefined) continue;
    const isKnown = matchJoined(sheets, word[0] + next[0], [matches[at] ?? [], matches[at + 1] ?? []]);
    if (isKnown) corrections.fill(undefined, at, at + 2);
  }
  const records = indexes.reduce((sum, { size }) => sum + size, 0);
  const importance = matches.map((ofWord) => importanceOf(countMatches(ofWord), records));
  const bySource = sheets.map((_, source) => matches.map((ofWord) => ofWord[source] ?? new Float32Array()));
  const coverage = sheets.map((sheet, source) => countCoverage(sheet, bySource[source] ?? []));
  const most = coverage.reduce((best, ofSource) => ofSource.reduce((a, b) => Math.max(a, b), best), 0);
  if (most > 0 && most >= words.length / 2)
    for (const [source, sheet] of sheets.entries())
      scoreSource(sheet, {
        matches: bySource[source] ?? [],
        importance,
        isHit: (position) => coverage[source]?.[position] === most,
      });
  if (corrections.every((correction) => correction === undefined)) return undefined;
  return words.map(([word], at) => corrections[at] ?? word).join(' ');
}

/**
 * Matches one word with all records. Returns its usual spelling where it occurs in this spelling in no record that may be a
 * hit.
 */
function matchWord(sheets: readonly ScoreSheet[], spellings: Spellings, matches: WordMatches): string | undefined {
  const [word] = spellings;
  const errors = /^\d+$/.test(word) ? 0 : toleratedErrors(word.length);
  let isKnown = false;
  const similar = new Map<string, { errors: number; count: number }>();
  for (const [source, sheet] of sheets.entries()) {
    const { index } = sheet;
    const ofSource = matches[source] ?? new Float32Array();
    for (const spelling of spellings)
      for (const term of index.findTermsFrom(spelling)) {
        isKnown ||= sheet.countAllowed(term) > 0;
        const length = index.lengthOf(term);
        const weight = length === spelling.length ? 1 : weightOfBeginning(spelling.length, length);
        raise(index, ofSource, { term, weight });
      }
    for (const { term, errors: found } of index.findSimilarWords(word, errors)) {
      raise(index, ofSource, { term, weight: weightOfErrors(found) });
      const text = index.textOf(term);
      const count = (similar.get(text)?.count ?? 0) + sheet.countAllowed(term);
      if (count > 0) similar.set(text, { errors: found, count });
    }
  }
  if (isKnown) return undefined;
  const [best] = [...similar].sort(
    ([one, a], [other, b]) => a.errors - b.errors || b.count - a.count || compareCodePoints(one, other),
  );
  return best?.[0];
}

/**
 * Matches two neighbouring words with those that are both written as one. Returns whether a record that may be a hit has
 * such a word.
 */
function matchJoined(
  sheets: readonly ScoreSheet[],
  joined: string,
  both: readonly [WordMatches, WordMatches],
): boolean {
  let isKnown = false;
  for (const [source, sheet] of sheets.entries()) {
    const { index } = sheet;
    for (const term of index.findTermsFrom(joined)) {
      isKnown ||= sheet.countAllowed(term) > 0;
      const length = index.lengthOf(term);
      const weight = JOINED_WEIGHT * (length === joined.length ? 1 : weightOfBeginning(joined.length, length));
      for (const matches of both) raise(index, matches[source] ?? new Float32Array(), { term, weight });
    }
  }
  return isKnown;
}

function raise(
  index: SearchIndex,
  matches: Float32Array,
  { term, weight }: { readonly term: number; readonly weight: number },
): void {
  index.forEachPosting(term, (position, fields) => {
    const match = weight * (weightOfFields[fields] ?? 0);
    if (match > (matches[position] ?? 0)) matches[position] = match;
  });
}

function countMatches(matches: WordMatches): number {
  let count = 0;
  for (const ofSource of matches) for (const match of ofSource) if (match > 0) count += 1;
  return count;
}

/** Returns how many words each record of a source has; 0 for a record that may be no hit. */
function countCoverage(sheet: ScoreSheet, matches: readonly Float32Array[]): Uint16Array {
  const coverage = new Uint16Array(sheet.index.size);
  for (const ofWord of matches)
    for (const [position, match] of ofWord.entries())
      if (match > 0 && sheet.allows(position)) coverage[position] = (coverage[position] ?? 0) + 1;
  return coverage;
}

interface SourceScoring {
  /** By word. */
  readonly matches: readonly Float32Array[];
  readonly importance: readonly number[];
  readonly isHit: (position: number) => boolean;
}

function scoreSource(sheet: ScoreSheet, { matches, importance, isHit }: SourceScoring): void {
  const whole = importance.reduce((sum, one) => sum + one, 0);
  for (let position = 0; position < sheet.index.size; position += 1) {
    if (!isHit(position)) continue;
    let sum = 0;
    for (const [word, ofWord] of matches.entries()) sum += (importance[word] ?? 0) * (ofWord[position] ?? 0);
    const cost = NAME_WORD_COST * Math.min(sheet.index.nameWordsOf(position), MAX_COUNTED_WORDS);
    sheet.raise(position, Math.max(1, Math.round((BEST_WORDS_SCORE * sum) / whole) - cost));
  }
}
