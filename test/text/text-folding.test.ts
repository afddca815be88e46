import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { foldText, foldLines } from '../../src/text/text-folding.js';
import { anyText, anyUtf16 } from '../support/generators/any-text.js';

/** Every code point but the surrogates, in texts of 256. */
function* everyCodePoint(): Generator<string> {
  for (let from = 0; from < 0x110000; from += 256) {
    if (from >= 0xd800 && from < 0xe000) continue;
    yield String.fromCodePoint(...Array.from({ length: 256 }, (_, at) => from + at));
  }
}

describe('fold', () => {
  test.each([
    ['ø', 'o'],
    ['Ø', 'o'],
    ['Ǿ', 'o'],
    ['ł', 'l'],
    ['Ł', 'l'],
    ['ß', 'ss'],
    ['ẞ', 'ss'],
    ['æ', 'ae'],
    ['Æ', 'ae'],
    ['Ǽ', 'ae'],
    ['đ', 'd'],
    ['Đ', 'd'],
    ['þ', 'th'],
    ['Þ', 'th'],
    ['ı', 'i'],
    ['I', 'i'],
    ['İ', 'i'],
  ])('writes %s as %s', (letter, plain) => {
    expect(foldText(letter)).toBe(plain);
    expect(foldText(`a${letter}b${letter}`)).toBe(`a${plain}b${plain}`);
  });

  test.each([
    ['Ångström', 'angstrom'],
    ['A\u030angstro\u0308m', 'angstrom'],
    ['Łódź', 'lodz'],
    ['São Tomé', 'sao tome'],
    ['ﬁnance', 'finance'],
    ['ＣＥＲＴ', 'cert'],
    ['№ ①', 'no 1'],
    ['CERT\u00a0Valley', 'cert valley'],
    ['Ёлка', 'елка'],
    ['東京', '東京'],
  ])('writes %s as %s, by NFKD without combining marks', (text, folded) => {
    expect(foldText(text)).toBe(folded);
  });

  test('knows one small sigma, wherever in a word it stands', () => {
    expect(foldText('ΟΔΟΣ')).toBe('οδοσ');
    expect(foldText('οδος')).toBe('οδοσ');
    expect(foldText('ΟΔΟΣ ΑΒ')).toContain(foldText('ΟΔΟΣ'));
  });

  test('leaves neither a capital letter nor a combining mark of any code point, and folds its own work to itself', () => {
    for (const text of everyCodePoint()) {
      const folded = foldText(text);
      expect(folded).not.toMatch(/\p{M}/u);
      expect(folded.toLowerCase().replaceAll('ς', 'σ')).toBe(folded);
      expect(foldText(folded)).toBe(folded);
    }
  });

  test('makes no character of two lone surrogates between which a mark was', () => {
    for (const [high, low] of [
      ['\ud807', '\udc92'],
      ['\ud835', '\udc00'],
    ]) {
      const once = foldText(`${high}\u0301${low}`);
      expect(foldText(once)).toBe(once);
    }
  });

  test('gives for any text, lone surrogates too, what folding twice gives', () => {
    fc.assert(
      fc.property(anyUtf16, (text) => {
        expect(foldText(foldText(text))).toBe(foldText(text));
      }),
    );
  });

  test('folds a text as it folds its parts, so that a part is found in the whole', () => {
    fc.assert(
      fc.property(anyText, anyText, (a, b) => {
        expect(foldText(a + b)).toBe(foldText(a) + foldText(b));
      }),
    );
  });

  test('does not tell capital from small letters', () => {
    const letter = fc.oneof(fc.integer({ min: 0x20, max: 0x24f }), fc.integer({ min: 0x400, max: 0x52f }));
    fc.assert(
      fc.property(fc.array(letter), (points) => {
        const text = String.fromCodePoint(...points);
        expect(foldText(text.toUpperCase())).toBe(foldText(text));
      }),
    );
  });
});

describe('foldLines', () => {
  test('gives each text folded, one a line', () => {
    fc.assert(
      fc.property(fc.array(anyText), (texts) => {
        expect(foldLines(texts)).toBe(texts.map(foldText).join('\n'));
      }),
    );
  });

  test.each(['A', 'Å', 'ſ'])(
    'cuts a text of %s that is too long for itself, and hides nothing of those behind it',
    (letter) => {
      const long = letter.repeat(200_000);
      for (const texts of [
        [long, 'Host'],
        ['', long, 'Ø'],
        ['a'.repeat(100_000), long, 'Ø'],
      ])
        expect(foldLines(texts)).toBe(texts.map(foldText).join('\n'));
    },
  );

  test('folds little of many texts that are too long, and the short ones whole', () => {
    const lines = foldLines([...Array.from({ length: 100 }, () => 'ſ'.repeat(100_000)), 'Host']).split('\n');
    expect(lines.at(-1)).toBe('host');
    expect(new Set(lines.slice(0, -1))).toEqual(new Set(['s'.repeat(Math.floor((256 * 1024 - 4) / 100))]));
  });
});
