import { expect, it } from 'vitest';
import {
  BEST_SCORE,
  BEST_WORDS_SCORE,
  HOST_SCORE,
  OFFICIAL_NAME_SCORE,
  importanceOf,
  scoreOfHost,
  scoresOfRanges,
  weightOfBeginning,
  weightOfErrors,
  weightsOfFields,
  weightsOfNames,
} from '../../../src/search/ranking/scores.js';

function expectDescending(scores: readonly number[]): void {
  expect(scores).toEqual([...new Set(scores)].sort((a, b) => b - a));
}

it('put complete names before words, and exact words before beginnings and errors, and last those of two letters', () => {
  expectDescending([BEST_SCORE, OFFICIAL_NAME_SCORE, HOST_SCORE, BEST_WORDS_SCORE]);
  expectDescending([
    1,
    weightOfBeginning(7, 8),
    weightOfBeginning(3, 8),
    weightOfErrors(1),
    weightOfErrors(2),
    weightOfBeginning(2, 3),
  ]);
});

/** Positions of the fields, as in `WORD_FIELDS`. */
const [OFFICIAL_NAME, HOST, CONSTITUENCY, PLACE, OTHER] = [1, 2, 3, 5, 6].map((field) => 2 ** field) as [
  ...[number, number, number, number, number],
];

it('give the weight of the most important field of a record', () => {
  const weights = weightsOfFields('acorn');
  expectDescending([0, 1, 2, 3, 4, 5, 6].map((field) => weights[2 ** field] ?? 0));
  expect([weights[0], weights[OTHER + 1], weights[OTHER + PLACE]]).toEqual([0, 1, 0.4]);
});

it('put the country of a code before the code as a word of a sentence, and behind it as a word of a name', () => {
  const weights = weightsOfFields('us');
  expectDescending([HOST, PLACE, CONSTITUENCY].map((field) => weights[field] ?? 0));
});

it('give names only the weights of names', () => {
  expectDescending([1, OFFICIAL_NAME, HOST, CONSTITUENCY].map((field) => weightsOfNames[field] ?? 0));
  expect([weightsOfNames[PLACE], weightsOfNames[OTHER]]).toEqual([0, 0]);
});

it('count rare words more, and stay numbers where no record has the word', () => {
  expectDescending([importanceOf(1, 1_000), importanceOf(10, 1_000), importanceOf(1_000, 1_000)]);
  expect(importanceOf(0, 0)).toBeGreaterThanOrEqual(0);
});

it('put the nearest host names first, and stay below that of the host itself', () => {
  const found = (labels: number, common: number): number => scoreOfHost({ searched: 4, found: labels, common });
  expectDescending([found(4, 4), found(5, 4), found(3, 3), found(4, 3), found(2, 2), found(9, 2)]);
  expect(found(200, 1)).toBeGreaterThan(0);
});

it('put a host name with one more label in common before all with fewer, whatever else it has', () => {
  for (const searched of [2, 3, 7, 10, 40, 127])
    for (let common = 1; common < searched; common += 1)
      expect(scoreOfHost({ searched, found: 127, common: common + 1 })).toBeGreaterThan(
        scoreOfHost({ searched, found: common, common }),
      );
});

it('put smaller ranges first, also those of nearly the same size', () => {
  const sizes = [2 ** 128, 2 ** 32, 2 ** 24, 257, 256, 255, 254, 2, 1];
  const scores = scoresOfRanges(sizes);
  expectDescending(sizes.toReversed().map((size) => scores.get(size) ?? 0));
  expect(Math.max(...scores.values())).toBeLessThan(BEST_SCORE);
});

it('have a score for each of so many sizes that some are the same', () => {
  const scores = scoresOfRanges(Array.from({ length: 2_000 }, (_, at) => at + 1));
  expect([scores.size, Math.min(...scores.values())]).toEqual([2_000, 1]);
});
