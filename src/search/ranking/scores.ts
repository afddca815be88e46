/**
 * Scores are thousandths: 1000 for a record that is exactly what was searched for, at least 1 for every hit (decisions
 * 2.40). Only these constants decide which kind of match counts more.
 */

export const BEST_SCORE = 1_000;

/** The short name would have the best score. */
export const OFFICIAL_NAME_SCORE = 980;

/** Of a record that has all words: below a record whose complete name was searched. */
export const BEST_WORDS_SCORE = 950;

/** In UTF-16 code units. Words up to this length are rather the code of a country than a word or a beginning. */
export const CODE_LENGTH = 2;

/** By the bits of several fields: the weight of the most important one. */
export type FieldWeights = readonly number[];

export const weightsOfNames = weighAll([1, 0.9, 0.8, 0, 0, 0, 0]);

/** For the code of a country that is an article elsewhere. */
export const weightsOfShortNames = weighAll([1, 0, 0, 0, 0, 0, 0]);

export const weightsOfCountries = weighAll([0, 0, 0, 0, 0, 0.7, 0]);

/** In the order of `WORD_FIELDS`. */
const wordWeights = weighAll([1, 0.9, 0.8, 0.5, 0.45, 0.4, 0.3]);
const codeWeights = weighAll([1, 0.9, 0.8, 0.3, 0.3, 0.7, 0.3]);

/** A word of two letters is rather the code of a country than a word in a sentence. */
export function weightsOfFields(word: string): FieldWeights {
  return word.length === CODE_LENGTH ? codeWeights : wordWeights;
}

function weighAll(weights: readonly number[]): FieldWeights {
  return Array.from({ length: 2 ** weights.length }, (_, bits) =>
    Math.max(0, ...weights.filter((_weight, field) => (bits & (2 ** field)) !== 0)),
  );
}

/**
 * More, the more of the word was typed. Two letters are rather a country code than a beginning: in a short name they
 * count less than a complete code in a place.
 */
export function weightOfBeginning(typed: number, length: number): number {
  return typed <= CODE_LENGTH ? 0.3 + (0.1 * typed) / length : 0.75 + (0.2 * typed) / length;
}

export function weightOfErrors(errors: number): number {
  return errors === 1 ? 0.6 : 0.4;
}

export const SINGULAR_WEIGHT = 0.8;

/** For two neighbouring words that are written as one where they are found. */
export const JOINED_WEIGHT = 0.95;

/** Short names come first: thousandths that each word of the names, up to `MAX_COUNTED_WORDS`, takes from the score. */
export const NAME_WORD_COST = 1;
export const MAX_COUNTED_WORDS = 20;

/** Rare words decide. */
export function importanceOf(count: number, records: number): number {
  return Math.log(1 + records / Math.max(1, count));
}

/**
 * First counts how many labels from the end both have in common, then how many the host name has besides: these never
 * outweigh one more label in common.
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

/** Labels besides those in common. */
const MAX_COUNTED_LABELS = 10;

/** The searched e-mail address has the best score. */
export const HOST_SCORE = 970;

/** The same digits; with or without country and area code; with these digits at the beginning. */
export const PHONE_SCORES = { same: BEST_SCORE, end: 900, start: 600 } as const;

/** The same fingerprint or id; an id and its fingerprint. */
export const KEY_SCORES = { same: BEST_SCORE, part: 950 } as const;

export const AS_NUMBER_SCORE = BEST_SCORE;

/**
 * By number of addresses: more, the smaller a range is. Ranges of different sizes have different scores, as long as any
 * are left.
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

/** Thousandths for a record that also has an article of the text. */
export const OPTIONAL_WORD_BONUS = 10;
