import { foldText, normalizeText } from '../../text/text-folding.js';
import { transliterate } from './transliteration.js';

/** In UTF-16 code units. Longer words are cut. */
const MAX_WORD_LENGTH = 64;

/** Written without spaces between words. */
const UNSPACED_SCRIPTS = ['Han', 'Hiragana', 'Katakana', 'Thai', 'Khmer', 'Lao'];
const UNSPACED_CHARACTER = `[${UNSPACED_SCRIPTS.map((script) => `\\p{Script_Extensions=${script}}`).join('')}]`;
const UNSPACED = new RegExp(UNSPACED_CHARACTER, 'u');

/** A run of letters and digits that are all in scripts without spaces, or all in other ones. */
const WORD = new RegExp(
  `(?:(?=${UNSPACED_CHARACTER})[\\p{L}\\p{M}\\p{N}])+|(?:(?!${UNSPACED_CHARACTER})[\\p{L}\\p{M}\\p{N}])+`,
  'gu',
);
const ASCII = /^[\0-\x7f]*$/;
const ASCII_WORD = /[a-z\d]+/g;

/** The folded form first, then spellings without letters beyond ASCII. */
export type Spellings = readonly [string, ...string[]];

/**
 * Splits a text into runs of letters and digits, folded (decisions 2.24). A word in a script without spaces is split
 * into pairs of neighbouring characters.
 */
export function listWords(text: string): readonly Spellings[] {
  if (ASCII.test(text)) return (text.toLowerCase().match(ASCII_WORD) ?? []).map((word) => [cut(word)]);
  return (normalizeText(text, 'NFC').match(WORD) ?? []).flatMap(listSpellings);
}

function listSpellings(word: string): readonly Spellings[] {
  if (ASCII.test(word)) return [[cut(word.toLowerCase())]];
  if (UNSPACED.test(word)) return splitUnspaced(foldText(word)).map((pair) => [pair]);
  const folded = joinLetters(foldText(word));
  if (folded === '') return [];
  const others = transliterate(word).map((text) => joinLetters(foldText(text)));
  return [[cut(folded), ...new Set(others.filter((other) => other !== folded && other !== '').map(cut))]];
}

/** Pairs of characters of a script without spaces overlap with their neighbours. */
export function isUnspaced(word: string): boolean {
  return UNSPACED.test(word);
}

/** The text has the same words: pairs of characters that overlap are written as one word. */
export function joinWords(words: readonly string[]): string {
  let text = '';
  let before = '';
  for (const word of words) {
    const [first = '', ...rest] = Array.from(word);
    const overlaps = rest.length > 0 && isUnspaced(before) && isUnspaced(word) && before.endsWith(first);
    text += overlaps ? rest.join('') : text === '' ? word : ` ${word}`;
    before = word;
  }
  return text;
}

/** Cuts an `s` at the end, which may be that of a plural. Undefined for other words, and for four letters or fewer. */
export function singularOf(word: string): string | undefined {
  return PLURAL.test(word) ? word.slice(0, -1) : undefined;
}

const PLURAL = /^\p{L}{3,}[^\P{L}s]s$/u;

function splitUnspaced(word: string): readonly string[] {
  const characters = Array.from(joinLetters(word));
  if (characters.length < 2) return characters;
  return characters.slice(1).map((character, at) => (characters[at] ?? '') + character);
}

const NO_LETTER = /[^\p{L}\p{N}]+/gu;

function joinLetters(folded: string): string {
  return folded.replace(NO_LETTER, '');
}

function cut(word: string): string {
  return word.length > MAX_WORD_LENGTH ? word.slice(0, MAX_WORD_LENGTH) : word;
}

/** Letters and digits only, for the comparison of names. */
export function listJoinedSpellings(text: string): readonly string[] {
  const letters = joinLetters(foldText(text));
  const others = ASCII.test(text) ? [] : transliterate(text).map((one) => joinLetters(foldText(one)));
  return [...new Set([letters, ...others])].filter((one) => one !== '').map((one) => one.slice(0, MAX_NAME_LENGTH));
}

/** In UTF-16 code units. */
const MAX_NAME_LENGTH = 200;
