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
