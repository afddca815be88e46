/**
 * Scores are thousandths (decisions 2.40): 1000 for a record that is exactly what was searched for, at least 1 for every
 * hit. The constants below are the only place that decides which kind of match counts more.
 */

/** Score of a hit of which nothing is better. */
export const BEST_SCORE = 1_000;

/** Score of a record whose official name is the searched text. Its short name would have the best score. */
export const OFFICIAL_NAME_SCORE = 980;

/** Best score of a record that has all words: below that of a record whose complete name was searched. */
export const BEST_WORDS_SCORE = 950;

/** Longest word that is rather the code of a country than a word or a beginning, in UTF-16 code units. */
export const CODE_LENGTH = 2;

/** The weight of the most important of several fields, by their bits. */
export type FieldWeights = readonly number[];

/** Weights for names only: the other fields give nothing. */
export const weightsOfNames = weighAll([1, 0.9, 0.8, 0, 0, 0, 0]);

/** Weights for the code of a country that is an article elsewhere: as a word it counts in short names only. */
export const weightsOfShortNames = weighAll([1, 0, 0, 0, 0, 0, 0]);

/** Weights for the country of a record. */
export const weightsOfCountries = weighAll([0, 0, 0, 0, 0, 0.7, 0]);

/** Share of the score that each field gives, in the order of `WORD_FIELDS`, for words and for codes. */
const wordWeights = weighAll([1, 0.9, 0.8, 0.5, 0.45, 0.4, 0.3]);
const codeWeights = weighAll([1, 0.9, 0.8, 0.3, 0.3, 0.7, 0.3]);

/** The weights for a word. One of two letters is rather the code of a country than a word in a sentence. */
export function weightsOfFields(word: string): FieldWeights {
  return word.length === CODE_LENGTH ? codeWeights : wordWeights;
}

function weighAll(weights: readonly number[]): FieldWeights {
  return Array.from({ length: 2 ** weights.length }, (_, bits) =>
    Math.max(0, ...weights.filter((_weight, field) => (bits & (2 ** field)) !== 0)),
  );
}

/**
 * Weight of a word that begins with the searched one: more, the more of it was typed. Two letters are rather a country code
 * than a beginning: in a short name they count less than a complete code in a place.
 */
export function weightOfBeginning(typed: number, length: number): number {
  return typed <= CODE_LENGTH ? 0.3 + (0.1 * typed) / length : 0.75 + (0.2 * typed) / length;
}

/** Weight of a word that differs from the searched one by typing errors. */
export function weightOfErrors(errors: number): number {
  return errors === 1 ? 0.6 : 0.4;
}

/** Weight of the singular of a searched word. */
export const SINGULAR_WEIGHT = 0.8;

/** Weight of two neighbouring words that are written as one where they are found. */
export const JOINED_WEIGHT = 0.95;

/** Thousandths that each word of a record's names takes from its score, up to `MAX_COUNTED_WORDS`: short names come first. */
export const NAME_WORD_COST = 1;
/** Number of words of a record's names beyond which further words take nothing from its score. */
export const MAX_COUNTED_WORDS = 20;

/** Importance of a word that `count` of all `records` have: rare words decide. */
export function importanceOf(count: number, records: number): number {
  return Math.log(1 + records / Math.max(1, count));
}

/**
 * Score of a host name for a searched one. First counts how many labels from the end both have in common, then how many
 * the host name has besides: of names of any length, these never outweigh one more label in common.
 */
export function scoreOfHost(labels: {
  readonly searched: number;
  readonly found: number;
  readonly common: number;
}): number {
  const { searched, found, common } = labels;
  if (common === searched && common === found) return HOST_SCORE;
  const scoreOfLabel = 620 / searched;
  const cost = Math.min(10, (scoreOfLabel - 1) / MAX_COUNTED_LABELS);
  return Math.round(300 + scoreOfLabel * common - cost * Math.min(found - common, MAX_COUNTED_LABELS));
}

/** Labels that a host name has besides those in common, which count. */
const MAX_COUNTED_LABELS = 10;

/** Score of the searched host name itself; the searched e-mail address has the best score. */
export const HOST_SCORE = 970;

/** Scores of telephone numbers: the same digits; with or without country and area code; with these digits at its beginning. */
export const PHONE_SCORES = { same: BEST_SCORE, end: 900, start: 600 } as const;

/** Scores of keys: the same fingerprint or id; an id and its fingerprint. */
export const KEY_SCORES = { same: BEST_SCORE, part: 950 } as const;

/** Score of a record with the searched AS number. */
export const AS_NUMBER_SCORE = BEST_SCORE;

/**
 * Scores of IP ranges that have an address in common with the searched one, by their numbers of addresses: more, the
 * smaller a range is. Ranges of different sizes have different scores, as long as there are any left.
 */
export function scoresOfRanges(sizes: Iterable<number>): ReadonlyMap<number, number> {
  let best = BEST_SCORE;
  const ascending = [...new Set(sizes)].sort((a, b) => a - b);
  return new Map(
    ascending.map((size) => {
      const bits = 128 - Math.log2(size);
      best = Math.max(1, Math.min(best - 1, Math.round(600 + (380 * bits) / 128)));
      return [size, best];
    }),
  );
}

/** Thousandths that an article adds to the score of a record that has it as well. */
export const OPTIONAL_WORD_BONUS = 10;
