const ASCII = /^[\0-\x7f]*$/;
const MARKS = /\p{M}+/gu;

/** The marks of Latin, Greek and Cyrillic letters, and the blocks that may hold others (no mark is U+2000 to U+20CF): `\p{M}` is slow. */
const COMMON_MARKS = /[\u0300-\u036f]+/g;
const MAY_HAVE_OTHER_MARKS = /[^\0-\u0482\u2000-\u20cf]/;

/** Letters that NFKD leaves whole (decisions.md, section 2), and final sigma, which lower-casing writes by its place in a word. */
const LETTER_REPLACEMENTS: Readonly<Record<string, string>> = {
  ø: 'o',
  ł: 'l',
  ß: 'ss',
  æ: 'ae',
  đ: 'd',
  þ: 'th',
  ı: 'i',
  ς: 'σ',
};
const LETTER = new RegExp(`[${Object.keys(LETTER_REPLACEMENTS).join('')}]`, 'g');

/**
 * Characters of one text that are folded: what is longer than this is no name, no address and no summary, and folding the megabytes of a
 * hostile one would keep every other request waiting. A request target, with which texts are compared, is far shorter.
 */
const MAX_FOLDED_LENGTH = 128 * 1024;

/**
 * Folded text, the form in which every search and comparison sees a value (decisions.md, section 2): NFKD, combining marks
 * removed, lower case, and the letters above. Folding twice gives what folding once gives.
 */
export function foldText(whole: string): string {
  const text = whole.length > MAX_FOLDED_LENGTH ? whole.slice(0, MAX_FOLDED_LENGTH) : whole;
  if (ASCII.test(text)) return text.toLowerCase();
  if (BEYOND_LATIN_1.test(text)) return foldAnyText(text);
  // Folding is done letter by letter, so what needs none of it is left alone: most letters of the texts of western Europe.
  return text.replace(LATIN_1_LETTERS, (letter) => FOLDED_LATIN_1[letter.charCodeAt(0) - 0x80] ?? letter).toLowerCase();
}

/**
 * The same of several texts, one a line. What needs the long way is folded text by text, for most texts beside it do not; and so is what may hold a
 * text that is too long, for it must hide nothing of the others.
 */
export function foldLines(texts: readonly string[]): string {
  const whole = texts.join('\n');
  if (whole.length > MAX_FOLDED_LENGTH) {
    const most = findLengthPerText(texts);
    return texts.map((text) => foldText(text.slice(0, most))).join('\n');
  }
  return BEYOND_LATIN_1.test(whole) ? texts.map(foldText).join('\n') : foldText(whole);
}

/** Characters of several texts that are folded, for a hostile record has many long ones. */
const MAX_TOTAL_LENGTH = 2 * MAX_FOLDED_LENGTH;

/** Characters of each text that there is room for: the short ones are folded whole, and the longest share what is left. */
function findLengthPerText(texts: readonly string[]): number {
  let [room, left] = [MAX_TOTAL_LENGTH, texts.length];
  for (const { length } of [...texts].sort((a, b) => a.length - b.length)) {
    if (length * left > room) return Math.min(MAX_FOLDED_LENGTH, Math.floor(room / left));
    [room, left] = [room - length, left - 1];
  }
  return MAX_FOLDED_LENGTH;
}

const LATIN_1_LETTERS = /[\x80-\xff]/g;
const BEYOND_LATIN_1 = /[^\0-\xff]/;

function foldAnyText(text: string): string {
  // Two lone surrogates would be one character when the marks between them are gone, and folded anew.
  const bare = text.toWellFormed().normalize('NFKD').replace(COMMON_MARKS, '');
  const plain = (MAY_HAVE_OTHER_MARKS.test(bare) ? bare.replace(MARKS, '') : bare).toLowerCase();
  return toOneByteText(plain.replace(LETTER, (letter) => LETTER_REPLACEMENTS[letter] ?? letter));
}

/** The letters of Latin-1 beyond ASCII, folded. */
const FOLDED_LATIN_1 = Array.from({ length: 0x80 }, (_, at) => foldAnyText(String.fromCharCode(0x80 + at)));

/** Text that needed two bytes a letter before its marks went keeps them, though one would do: it is held by the hundred thousand. */
function toOneByteText(text: string): string {
  return ASCII.test(text) ? Buffer.from(text, 'latin1').toString('latin1') : text;
}
