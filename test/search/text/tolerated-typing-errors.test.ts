import { expect, it } from 'vitest';
import { toleratedErrors } from '../../../src/search/text/tolerated-typing-errors.js';

it('are tolerated once from four letters, twice from eight, and never in a word with a digit', () => {
  expect([3, 4, 7, 8, 64].map((length) => toleratedErrors('a'.repeat(length)))).toEqual([0, 1, 1, 2, 2]);
  expect(toleratedErrors('csirt2024')).toBe(0);
});
