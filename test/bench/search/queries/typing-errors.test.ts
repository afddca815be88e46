import { describe, expect, it } from 'vitest';
import {
  canHaveError,
  isOneErrorApart,
  misspell,
  typingErrors,
} from '../../../../bench/search/queries/typing-errors.js';
import { createSeededRandom } from '../../../../config/demo/generator/seeded-random.js';

describe('misspell', () => {
  it.each(typingErrors)('makes exactly one error in a word: %s', (error) => {
    const dice = createSeededRandom(error);
    for (const word of ['heron', 'ålesvik', 'sølvkær', 'hospital', 'øøreå']) {
      const misspelt = misspell(word, error, dice);
      expect(misspelt).not.toBe(word);
      expect(isOneErrorApart(word, misspelt), `${word} ${misspelt}`).toBe(true);
    }
  });
});

describe('canHaveError', () => {
  it('accepts words of at least five Latin letters', () => {
    const words = ['heron', 'ålesvik', 'hero', 'heron1', 'цапля', 'aaaaa', 'øåøåø', ''];
    expect(words.filter(canHaveError)).toEqual(['heron', 'ålesvik']);
  });
});

describe('isOneErrorApart', () => {
  it.each([
    ['heron', 'herron', true],
    ['heron', 'heon', true],
    ['heron', 'hwron', true],
    ['heron', 'hreon', true],
    ['heron', 'heron', true],
    ['heron', 'herno', true],
    ['heron', 'hrone', false],
    ['heron', 'herronn', false],
    ['heron', 'hwrin', false],
    ['', 'a', true],
    ['', 'ab', false],
  ])('of %s and %s is %s', (one, other, expected) => {
    expect(isOneErrorApart(one, other)).toBe(expected);
    expect(isOneErrorApart(other, one)).toBe(expected);
  });
});
