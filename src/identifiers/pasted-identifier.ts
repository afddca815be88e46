import { normalizeText } from '../text/text-folding.js';

/** Reports write parts of addresses in these ways, so that nobody opens them by mistake (defanging). */
const DEFANGED: readonly (readonly [RegExp, string])[] = [
  [/ ?[[({](?:\.|dot)[\])}] ?/gi, '.'],
  [/\[:\/\/\]/g, '://'],
  [/\[:\]/g, ':'],
  [/ ?[[({](?:@|at)[\])}] ?/gi, '@'],
  [/\bhxxp/gi, 'http'],
];

/** Dashes of all lengths, as word processors write them. */
const DASH = /\p{Pd}/gu;

const QUOTES = '"\'`\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u201f\u2039\u203a\u00ab\u00bb';
const OPENING = `<(.${QUOTES}`;
const CLOSING = `>).,:;!?${QUOTES}`;

/** Also part of identifiers: these brackets are removed only from both ends together. */
const PAIRS: Readonly<Record<string, string>> = { '[': ']', '{': '}' };

/**
 * The form in which identifiers are compared: without invisible characters, with dashes, digits of all scripts and
 * spaces in their plain forms, and with the dots, colons and `@` that a report has defanged
 * (`hxxps://dept[.]example[.]org`).
 */
export function normalizeIdentifiers(text: string): string {
  const plain = ASCII.test(text) ? text : toPlainCharacters(text);
  return DEFANGED.reduce((known, [pattern, mark]) => known.replace(pattern, mark), plain);
}

const ASCII = /^[\0-\x7f]*$/;

function toPlainCharacters(text: string): string {
  return normalizeText(text, 'NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(DASH, '-')
    .replace(/(?![0-9])\p{Nd}/gu, toAsciiDigit)
    .replace(LONG_VOWEL_MARK, '-');
}

/** The mark for a long vowel, which input methods of Japanese write for a dash. */
const LONG_VOWEL_MARK = /(?<=\d)\u30fc(?=\d)/g;

/** The digits of a script are ten neighbouring characters in the order of their values. */
function toAsciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let zero = code;
  while (code - zero < 9 && IS_DIGIT.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return String(code - zero);
}

const IS_DIGIT = /^\p{Nd}$/u;

/** {@link normalizeIdentifiers}, without the brackets, quotes and punctuation marks around the text. */
export function readPastedIdentifier(text: string): string {
  return removeMarksAround(normalizeIdentifiers(text).trim());
}

/** Removes brackets, quotes and punctuation marks. */
export function removeMarksAround(text: string): string {
  let [from, end] = [0, text.length];
  for (;;) {
    while (from < end && OPENING.includes(text.charAt(from))) from += 1;
    while (end > from && CLOSING.includes(text.charAt(end - 1)) && !endsWithZeros(text, end)) end -= 1;
    if (PAIRS[text.charAt(from)] !== text.charAt(end - 1)) return text.slice(from, end);
    from += 1;
    end -= 1;
  }
}

/** With the two colons of an IPv6 address. */
function endsWithZeros(text: string, end: number): boolean {
  return text.slice(Math.max(0, end - 3), end).replace(/^[^:]/, '') === '::';
}
