import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { foldText, foldLines } from '../../src/text/text-folding.js';
import { anyText, anyUtf16 } from '../support/generators/any-text.js';
import { measureCpuTime } from '../support/cpu-time.js';

/** Every code point except surrogates, in texts of 256 characters. */
function* everyCodePoint(): Generator<string> {
  for (let from = 0; from < 0x110000; from += 256) {
    if (from >= 0xd800 && from < 0xe000) continue;
    yield String.fromCodePoint(...Array.from({ length: 256 }, (_, at) => from + at));
  }
}

describe('foldText', () => {
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
  ])('folds %s to %s', (letter, plain) => {
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
  ])('folds %s to %s by NFKD without combining marks', (text, folded) => {
    expect(foldText(text)).toBe(folded);
  });

  test('folds the final sigma to the other lower-case sigma', () => {
    expect(foldText('ΟΔΟΣ')).toBe('οδοσ');
    expect(foldText('οδος')).toBe('οδοσ');
    expect(foldText('ΟΔΟΣ ΑΒ')).toContain(foldText('ΟΔΟΣ'));
  });

  test('leaves no upper case and no combining mark of any code point, and is idempotent', () => {
    for (const text of everyCodePoint()) {
      const folded = foldText(text);
      expect(folded).not.toMatch(/\p{M}/u);
      expect(folded.toLowerCase().replaceAll('ς', 'σ')).toBe(folded);
      expect(foldText(folded)).toBe(folded);
    }
  });

  test('joins no two lone surrogates into a character when it removes a mark between them', () => {
    for (const [high, low] of [
      ['\ud807', '\udc92'],
      ['\ud835', '\udc00'],
    ]) {
      const once = foldText(`${high}\u0301${low}`);
      expect(foldText(once)).toBe(once);
    }
  });

  test('takes no longer for a text of combining marks than for as many letters', () => {
    const time = (text: string): number => measureCpuTime(() => foldText(text));
    const letters = time('Ж'.repeat(120_000));
    expect(time(`a${'\u0315\u0316'.repeat(60_000)}`)).toBeLessThan(100 * letters);
    expect(time('\uff9e\u0315'.repeat(60_000))).toBeLessThan(100 * letters);
  });

  test('is idempotent for any text, also with lone surrogates', () => {
    fc.assert(
      fc.property(anyUtf16, (text) => {
        expect(foldText(foldText(text))).toBe(foldText(text));
      }),
    );
  });

  test('folds a text like its parts, so that a part is found in the whole', () => {
    fc.assert(
      fc.property(anyText, anyText, (a, b) => {
        expect(foldText(a + b)).toBe(foldText(a) + foldText(b));
      }),
    );
  });

  test('ignores case', () => {
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
  test('returns each folded text on a line', () => {
    fc.assert(
      fc.property(fc.array(anyText), (texts) => {
        expect(foldLines(texts)).toBe(texts.map(foldText).join('\n'));
      }),
    );
  });

  test.each(['A', 'Å', 'ſ'])('truncates only the text of %s that is too long, not the texts after it', (letter) => {
    const long = letter.repeat(200_000);
    for (const texts of [
      [long, 'Host'],
      ['', long, 'Ø'],
      ['a'.repeat(100_000), long, 'Ø'],
    ])
      expect(foldLines(texts)).toBe(texts.map(foldText).join('\n'));
  });

  test('truncates many long texts to equal lengths, and keeps short ones complete', () => {
    const lines = foldLines([...Array.from({ length: 100 }, () => 'ſ'.repeat(100_000)), 'Host']).split('\n');
    expect(lines.at(-1)).toBe('host');
    expect(new Set(lines.slice(0, -1))).toEqual(new Set(['s'.repeat(Math.floor((256 * 1024 - 4) / 100))]));
  });
});
