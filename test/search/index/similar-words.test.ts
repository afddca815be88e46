import { expect, it } from 'vitest';
import { IndexBuilder } from '../../../src/search/index/index-builder.js';
import { SearchIndex } from '../../../src/search/index/search-index.js';
import { findSimilarWords } from '../../../src/search/index/similar-words.js';
import { SEARCH_FIELDS } from '../../../src/search/index/terms.js';

function indexOf(records: readonly (readonly string[])[]): SearchIndex {
  const builder = new IndexBuilder();
  for (const words of records) builder.add(SEARCH_FIELDS.map((field) => (field === 'other' ? words.join(' ') : '')));
  return new SearchIndex(builder.finish(Uint32Array.from(records.keys())));
}

const similar = (index: SearchIndex, word: string, most: number): readonly (readonly [string, number])[] =>
  findSimilarWords(index.terms, word, most).map(({ term, errors }) => [index.terms.textOf(term), errors]);

it('are those with few typing errors, and not the word itself', () => {
  const index = indexOf([['acorn', 'acron', 'acorns', 'acorn1x', 'bacorn', 'corn', 'oak']]);
  expect(similar(index, 'acorn', 1)).toEqual([
    ['acorns', 1],
    ['acron', 1],
    ['bacorn', 1],
    ['corn', 1],
  ]);
  expect(similar(index, 'acorn', 0)).toEqual([]);
});

it('have errors in letters beyond ASCII', () => {
  const index = indexOf([['\u0441\u043e\u0444\u0438\u044f', '\u65e5\u672c']]);
  expect(similar(index, '\u0441\u043e\u0444\u0438', 1)).toEqual([['\u0441\u043e\u0444\u0438\u044f', 1]]);
});

/** Different words with other letters at two of the first eight positions of a word. */
function changeTwoLetters(word: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, at) => {
    const letters = Array.from(word);
    letters[at % 7] = 'klmnopqrstuvwxyz'.charAt(Math.floor(at / 7) % 16);
    letters[7] = 'klmnopqrstuvwxyzklmnopqrst'.charAt(Math.floor(at / 112) % 16);
    return letters.join('');
  });
}

const WORD = 'abcdefghij'.repeat(6);

it('are none where an index has too many of them', () => {
  const alike = changeTwoLetters('abcdefgh', 1_100);
  expect(similar(indexOf([alike.slice(0, 990)]), 'abcdefgh', 2)).toHaveLength(990);
  expect(similar(indexOf([alike]), 'abcdefgh', 2)).toEqual([]);
});

it('are none where so many letters must be compared that a search would be slow', () => {
  const near = `${WORD.slice(0, 59)}k`;
  // All have three errors, of which the last one is at their end.
  const alike = changeTwoLetters(near, 1_790);
  expect(similar(indexOf([[...alike.slice(0, 900), near]]), WORD, 2)).toEqual([[near, 1]]);
  expect(
    similar(indexOf([[...alike, ...changeTwoLetters(near.slice(1), 1_790).map((one) => `a${one}`), near]]), WORD, 2),
  ).toEqual([]);
});
