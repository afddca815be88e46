import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { joinWords, listJoinedSpellings, listWords } from '../../../src/search/text/words.js';
import { anyText } from '../../support/generators/any-text.js';

describe('words of a text', () => {
  it.each([
    ['Acorn-CERT, v2.0', [['acorn'], ['cert'], ['v2'], ['0']]],
    [
      'Müller & Søn',
      [
        ['muller', 'mueller'],
        ['son', 'soen'],
      ],
    ],
    ['Mu\u0308ller', [['muller', 'mueller']]],
    ['ŁÓDŹ', [['lodz']]],
    ['Straße', [['strasse']]],
    ['Киев', [['киев', 'kiev']]],
    ['Αθήνα', [['αθηνα', 'athina']]],
    ['東京都', [['東京'], ['京都']]],
    ['日', [['日']]],
    ['JPCERT日本', [['jpcert'], ['日本']]],
    ['ﬁn Ⅷ １２', [['fin'], ['viii'], ['12']]],
    ['snake_case', [['snake'], ['case']]],
    ['\u0301\u0302', []],
    ['— … 👍', []],
    ['', []],
  ])('%j are %j', (text, words) => {
    expect(listWords(text)).toEqual(words);
  });

  it('are cut after their first letters, also where folding lengthens them', () => {
    for (const letter of ['a', 'ß', 'é', 'щ', '㎨'])
      for (const spelling of listWords(letter.repeat(16_384)).flat()) expect(spelling.length).toBeLessThanOrEqual(64);
  });

  it('of any text have only letters and digits, and are the same for the folded text', () => {
    const property = fc.property(anyText, (text) => {
      for (const spelling of listWords(text).flat()) expect(spelling).toMatch(/^[\p{L}\p{N}\ud800-\udfff]{1,64}$/u);
    });
    fc.assert(property);
  });

  it('are those of each part of a text', () => {
    const property = fc.property(anyText, anyText, (one, other) => {
      expect(listWords(`${one}\n${other}`)).toEqual([...listWords(one), ...listWords(other)]);
    });
    fc.assert(property);
  });

  /** Each alternative of the pattern consumes one character, and no character can be in both. */
  it.each(['a', '1a', 'é', 'е\u0301', '\u0301', '日', '日a', 'ｶﾞ', ' ', '.', '\ud800'])(
    'of a hostile text of repeated %j are read to its end',
    (unit) => {
      expect(listWords(unit.repeat(16_384)).length).toBeLessThanOrEqual(2 * 16_384);
    },
  );
});

describe('joined spellings', () => {
  it.each([
    ['N-CSIRT-KR', ['ncsirtkr']],
    ['n csirt kr', ['ncsirtkr']],
    ['Köln CERT', ['kolncert', 'koelncert']],
    ['東京 CSIRT', ['東京csirt']],
    ['!', []],
  ])('of %j are %j', (text, spellings) => {
    expect(listJoinedSpellings(text)).toEqual(spellings);
  });

  it('are cut after 200 code units', () => {
    expect(listJoinedSpellings('ö'.repeat(201))).toEqual(['o'.repeat(200), 'oe'.repeat(100)]);
  });
});

it.each([
  ['日本語 acorn', '日本語 acorn'],
  ['日本 語学 a', '日本 語学 a'],
  ['日', '日'],
  ['acorn nut', 'acorn nut'],
  ['\u{20bb7}野家', '\u{20bb7}野家'],
])('are joined to a text with the same words: %s', (text, joined) => {
  expect(joinWords(listWords(text).map(([word]) => word))).toBe(joined);
});
