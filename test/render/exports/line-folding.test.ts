import { describe, expect, it } from 'vitest';
import { foldLine } from '../../../src/render/exports/line-folding.js';

const fold = (line: string): string => [...foldLine([line])].join('');

describe('a folded line', () => {
  it.each([
    ['of 75 bytes is one line', 'x'.repeat(75), `${'x'.repeat(75)}\r\n`],
    ['of 76 bytes has two', 'x'.repeat(76), `${'x'.repeat(75)}\r\n x\r\n`],
    [
      'has a space and 74 bytes on each further line',
      'x'.repeat(150),
      `${'x'.repeat(75)}\r\n ${'x'.repeat(74)}\r\n x\r\n`,
    ],
    ['is empty', '', '\r\n'],
    ['ends before a character that does not fit', `${'x'.repeat(74)}é`, `${'x'.repeat(74)}\r\n é\r\n`],
    ['keeps a surrogate pair together', `${'x'.repeat(72)}😀`, `${'x'.repeat(72)}\r\n 😀\r\n`],
  ])('%s', (_title, line, folded) => {
    expect(fold(line)).toBe(folded);
  });

  it.each([1, 7, 74, 75, 76, 149])('is the same in pieces of %i characters', (length) => {
    const line = 'xé€'.repeat(200);
    const pieces = Array.from({ length: Math.ceil(line.length / length) }, (_, at) =>
      line.slice(at * length, (at + 1) * length),
    );
    expect([...foldLine(pieces)].join('')).toBe(fold(line));
  });
});
