import { expect, it } from 'vitest';
import { serializeStructuredList } from '../../src/headers/structured-list.js';

it.each([
  ['email', 'one;missing=email'],
  ['-one-level', 'one;missing="-one-level"'],
  ['(only)', 'one;missing="(only)"'],
  ['say "x"\\', 'one;missing="say \\"x\\"\\\\"'],
  ['größe', 'one;missing="gr??e"'],
  ['', 'one;missing=""'],
])('the text %s is a token, or a string where it is none', (missing, field) => {
  expect(serializeStructuredList([{ name: 'one', parameters: { missing } }])).toBe(field);
});

it('numbers and flags keep their types', () => {
  expect(serializeStructuredList([{ name: 'one', parameters: { records: 5, hit: true } }])).toBe('one;records=5;hit');
});
