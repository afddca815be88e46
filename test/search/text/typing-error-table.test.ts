import fc from 'fast-check';
import { expect, it } from 'vitest';
import { TypingErrorTable } from '../../../src/search/text/typing-error-table.js';
import { naiveTypingErrors } from '../../support/naive-typing-errors.js';

const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 7 });

/** Sets the units of a text behind those that it has in common with the one before. Undefined where it has too many errors. */
function read(table: TypingErrorTable, text: string, most: number): number | undefined {
  let length = 0;
  while (length < text.length && table.hasUnit(length, text.charCodeAt(length))) length += 1;
  for (; length < text.length; length += 1) {
    const least = table.setUnit(length, text.charCodeAt(length));
    table.length = length + 1;
    if (least > most) return undefined;
  }
  table.length = length;
  return table.errors <= most ? table.errors : undefined;
}

it('counts the errors of a definition in sorted words, whose beginnings it reads once', () => {
  const property = fc.property(word, fc.array(word), fc.nat(2), (searched, words, most) => {
    const table = new TypingErrorTable(searched, most);
    for (const text of words.toSorted()) {
      const errors = naiveTypingErrors(searched, text);
      expect([text, read(table, text, most)]).toEqual([text, errors <= most ? errors : undefined]);
    }
  });
  fc.assert(property, { numRuns: 1_000 });
});

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
])('counts between %s and %s %i typing errors', (one, other, errors) => {
  expect(read(new TypingErrorTable(one, 3), other, 3)).toBe(errors);
  expect(read(new TypingErrorTable(other, 3), one, 3)).toBe(errors);
});

it('counts up to the maximum in words of the maximum length', () => {
  const long = 'a'.repeat(64);
  const table = new TypingErrorTable(long, 2);
  expect([`${long}bb`, `b${long.slice(1)}`, 'b'.repeat(64)].map((text) => read(table, text, 2))).toEqual([
    2,
    1,
    undefined,
  ]);
});
