import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareCodePoints } from '../../src/text/code-point-order.js';
import { anyUtf16 } from '../support/generators/any-text.js';

function points(text: string): number[] {
  return Array.from(text, (character) => character.codePointAt(0) ?? -1);
}

/** The specified order: by code point, a prefix before longer texts (decisions 2.23). */
function naive(a: string, b: string): number {
  const [left, right] = [points(a), points(b)];
  const at = left.findIndex((point, index) => point !== right[index]);
  if (at < 0) return left.length - right.length;
  return (left[at] ?? -1) - (right[at] ?? -1);
}

/** Few code units, most of them at the borders of UTF-16, so that generated texts share prefixes. */
const unit = fc.constantFrom(0x61, 0xd7ff, 0xd800, 0xd801, 0xdbff, 0xdc00, 0xdfff, 0xe000, 0xffff);
const tricky = fc.array(unit, { maxLength: 6 }).map((units) => String.fromCharCode(...units));
const anything = fc.oneof(tricky, anyUtf16);

describe('compareCodePoints', () => {
  test('sorts code points above U+FFFF after U+E000 to U+FFFF, unlike the order of UTF-16', () => {
    const texts = ['\u{10ffff}', '\ue000', '\u{1f600}', '\uffff', '\ufb01', 'z', '\u{10000}', '\ud7ff'];
    expect(texts.sort(compareCodePoints)).toEqual([
      'z',
      '\ud7ff',
      '\ue000',
      '\ufb01',
      '\uffff',
      '\u{10000}',
      '\u{1f600}',
      '\u{10ffff}',
    ]);
  });

  test('sorts a lone surrogate by its own code point', () => {
    const texts = ['\u{10000}', '\ue000', '\udfff', '\ud800\ue000', '\ud800', '\ud7ff'];
    expect(texts.sort(compareCodePoints)).toEqual([
      '\ud7ff',
      '\ud800',
      '\ud800\ue000',
      '\udfff',
      '\ue000',
      '\u{10000}',
    ]);
  });

  test('sorts a prefix before longer texts', () => {
    expect(compareCodePoints('', 'a')).toBeLessThan(0);
    expect(compareCodePoints('\ue000', '\ue000\u{10000}')).toBeLessThan(0);
    expect(compareCodePoints('\u{10000}b', '\u{10000}')).toBeGreaterThan(0);
  });

  test('sorts any two texts by their code points', () => {
    fc.assert(
      fc.property(anything, anything, (a, b) => {
        expect(Math.sign(compareCodePoints(a, b))).toBe(Math.sign(naive(a, b)));
        expect(Math.sign(compareCodePoints(`\u{10000}${a}`, `\u{10000}${b}`))).toBe(Math.sign(naive(a, b)));
      }),
      { numRuns: 2000 },
    );
  });
});
