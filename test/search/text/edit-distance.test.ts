import fc from 'fast-check';
import { expect, it } from 'vitest';
import { countTypingErrors, toleratedErrors } from '../../../src/search/text/edit-distance.js';
import { naiveTypingErrors } from '../../support/naive-typing-errors.js';

const units = (text: string): Uint16Array => Uint16Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));

function count(word: string, other: string, most: number): number {
  return countTypingErrors(units(word), { units: units(`xx${other}yy`), from: 2, length: other.length }, most);
}

it.each([
  ['acorn', 'acorn', 0],
  ['acorn', 'acrn', 1],
  ['acorn', 'accorn', 1],
  ['acorn', 'acorm', 1],
  ['acorn', 'aocrn', 1],
  ['acorn', 'caorn', 1],
  ['acorn', 'acrno', 2],
  ['ca', 'abc', 3],
  ['', '', 0],
  ['', 'ab', 2],
])('between %s and %s are %i typing errors', (one, other, errors) => {
  expect(count(one, other, 3)).toBe(errors);
  expect(count(other, one, 3)).toBe(errors);
});

it('are counted as by the naive definition, up to the maximum', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'é'), maxLength: 12 });
  const property = fc.property(word, word, fc.integer({ min: 0, max: 3 }), (one, other, most) => {
    expect(count(one, other, most)).toBe(Math.min(naiveTypingErrors(one, other), most + 1));
  });
  fc.assert(property, { numRuns: 2_000 });
});

it('are counted in words of the maximum length', () => {
  const long = 'a'.repeat(64);
  expect([count(long, `${long}bb`, 2), count(long, `b${long.slice(1)}`, 2), count(long, 'b'.repeat(64), 2)]).toEqual([
    2, 1, 3,
  ]);
});

it('are tolerated once from four letters, twice from eight, and never in a word with a digit', () => {
  expect([3, 4, 7, 8, 64].map((length) => toleratedErrors('a'.repeat(length)))).toEqual([0, 1, 1, 2, 2]);
  expect(toleratedErrors('csirt2024')).toBe(0);
});
