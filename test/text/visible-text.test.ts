import { describe, expect, it } from 'vitest';
import { cutText, showHiddenCharacters, splitAtHiddenCharacters } from '../../src/text/visible-text.js';

describe('hidden characters', () => {
  it('become visible names, and the text around them stays as it is', () => {
    expect(splitAtHiddenCharacters('a\u202eb\u0000')).toEqual([
      { text: 'a', isHiddenCharacter: false },
      { text: 'U+202E', isHiddenCharacter: true },
      { text: 'b', isHiddenCharacter: false },
      { text: 'U+0000', isHiddenCharacter: true },
    ]);
    expect(splitAtHiddenCharacters('')).toEqual([]);
    expect(showHiddenCharacters('x\u{e0041}\u2066y')).toBe('x[U+E0041][U+2066]y');
  });

  it.each(['\u202a', '\u202e', '\u2066', '\u2069', '\u200b', '\ufeff', '\u0007', '\u009b', '\u{e007f}'])(
    'include %j',
    (character) => {
      expect(showHiddenCharacters(character)).toMatch(/^\[U\+[\dA-F]{4,5}\]$/);
    },
  );

  it('that follow each other and are equal have one name with their number', () => {
    expect(showHiddenCharacters(`a${'\u202e'.repeat(2_000)}\u202db`)).toBe('a[U+202E and 1999 more][U+202D]b');
  });

  it('include marks beyond the fourth of a letter, which cover other lines', () => {
    expect(showHiddenCharacters(`Z${'\u0301'.repeat(200)}algo`)).toBe(
      `Z${'\u0301'.repeat(4)}[U+0301 and 195 more]algo`,
    );
    expect(showHiddenCharacters('a\u0301\u0302\u0303\u0304b')).toBe('a\u0301\u0302\u0303\u0304b');
  });

  it('include Greek and Cyrillic letters in a word with Latin ones, of which they may look like one', () => {
    expect(showHiddenCharacters('Þórsvík Hеalth СЕRТ')).toBe('Þórsvík H[U+0435]alth [U+0421][U+0415]R[U+0422]');
    expect(showHiddenCharacters('ΟSLO')).toBe('[U+039F]SLO');
    expect(showHiddenCharacters('CERT-Верболоз, Αθήνα SOC, µm')).toBe('CERT-Верболоз, Αθήνα SOC, µm');
  });

  it('are found in a long text of one script in the time of a short one', () => {
    const text = 'ж'.repeat(1_000_000);
    expect(showHiddenCharacters(text)).toBe(text);
  });

  it('do not include line ends, tabs, joiners and letters of any script', () => {
    const text = 'a\tb\r\nc بنك می\u200cخواهم 👩\u200d🚒 東京';
    expect(showHiddenCharacters(text)).toBe(text);
  });
});

describe('cutting of a text', () => {
  it('leaves short texts alone and never splits a character', () => {
    expect(cutText('abc', 3)).toBeUndefined();
    expect(cutText('abcd', 3)).toBe('abc');
    expect(cutText('ab😀d', 3)).toBe('ab');
  });
});
