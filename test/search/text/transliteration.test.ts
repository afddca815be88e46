import { describe, expect, it } from 'vitest';
import { transliterate } from '../../../src/search/text/transliteration.js';

describe('transliteration', () => {
  it.each([
    ['Müller', 'mueller'],
    ['Mu\u0308ller', 'mueller'],
    ['Ångström', 'aangstroem'],
    ['Щербаков', 'shcherbakov'],
    ['ЙОГИ', 'yogi'],
    ['Беларусь', 'belarus'],
    ['Њујорк', 'njujork'],
    ['Αθήνα', 'athina'],
    ['Ουρανός', 'ouranos'],
    ['Ἀθῆναι', 'athinai'],
    ['ΑΓΓΕΛΟΣ', 'angelos'],
  ])('of %s is %s', (text, latin) => {
    expect(transliterate(text)).toEqual([latin]);
  });

  it.each(['acorn', 'É', '東京', '', 'ß'])('of %s is no other text', (text) => {
    expect(transliterate(text)).toEqual([]);
  });
});
