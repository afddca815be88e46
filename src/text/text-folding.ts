const ASCII = /^[\0-\x7f]*$/;
const MARKS = /\p{M}+/gu;

/**
 * The combining marks of Latin, Greek and Cyrillic letters, and the characters among which others may be (U+2000 to
 * U+20CF has none). They are tested first, because `\p{M}` is slow.
 */
const COMMON_MARKS = /[\u0300-\u036f]+/g;
const MAY_HAVE_OTHER_MARKS = /[^\0-\u0482\u2000-\u20cf]/;

/**
 * Letters that NFKD does not decompose (decisions 2.24), and final sigma, which lower-casing produces at the end of a
 * word.
 */
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
 * Maximum number of characters of one text that are folded. Names, addresses and summaries are shorter, and folding a
 * hostile text of megabytes would block all other requests. A request target, with which texts are compared, is far
 * shorter.
 */
const MAX_FOLDED_LENGTH = 128 * 1024;

/**
 * Folds a text, the form in which every search and comparison uses it: NFKD, combining marks removed, lower case, and
 * the letters above replaced. Folding is idempotent.
 */
export function foldText(whole: string): string {
  const text = whole.length > MAX_FOLDED_LENGTH ? whole.slice(0, MAX_FOLDED_LENGTH) : whole;
  if (ASCII.test(text)) return text.toLowerCase();
  if (BEYOND_LATIN_1.test(text)) return foldAnyText(text);
  // Folding works letter by letter, so only the Latin-1 letters beyond ASCII are replaced. Most texts of western Europe
  // take this path.
  return text.replace(LATIN_1_LETTERS, (letter) => FOLDED_LATIN_1[letter.charCodeAt(0) - 0x80] ?? letter).toLowerCase();
}

/**
 * Folds several texts and joins them with line feeds. Texts beyond Latin-1, which take the slow path, are folded one by
 * one, because most of the other texts do not need it. Texts that may be too long are folded one by one too, so that
 * one long text does not hide the others.
 */
export function foldLines(texts: readonly string[]): string {
  const whole = texts.join('\n');
  if (whole.length > MAX_FOLDED_LENGTH) {
    const most = findLengthPerText(texts);
    return texts.map((text) => foldText(text.slice(0, most))).join('\n');
  }
  return BEYOND_LATIN_1.test(whole) ? texts.map(foldText).join('\n') : foldText(whole);
}

/**
 * Maximum number of characters of several texts together that are folded. A hostile record may have many long texts.
 */
const MAX_TOTAL_LENGTH = 2 * MAX_FOLDED_LENGTH;

/**
 * Returns the maximum number of characters of each text: short texts are folded completely, and the longest share what
 * remains.
 */
function findLengthPerText(texts: readonly string[]): number {
  let [room, left] = [MAX_TOTAL_LENGTH, texts.length];
  for (const { length } of [...texts].sort((a, b) => a.length - b.length)) {
    if (length * left > room) return Math.min(MAX_FOLDED_LENGTH, Math.floor(room / left));
    [room, left] = [room - length, left - 1];
  }
  return MAX_FOLDED_LENGTH;
}

/**
 * Combining marks in a row that are kept: those of the Stream-Safe Text Format (Unicode Standard Annex 15, section 13).
 * Normalization sorts each run of marks, in a time that grows with the square of its length.
 */
const LONG_MARK_RUN = /([\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]+/gu;

/** Normalizes a text without the marks beyond thirty in a row, which no language writes. */
export function normalizeText(text: string, form: 'NFC' | 'NFKC' | 'NFKD'): string {
  return text.replace(LONG_MARK_RUN, '$1').normalize(form);
}

const LATIN_1_LETTERS = /[\x80-\xff]/g;
const BEYOND_LATIN_1 = /[^\0-\xff]/;

function foldAnyText(text: string): string {
  // Without `toWellFormed`, removing the marks between two lone surrogates would join them into one character, and a
  // second folding would change the text again.
  const bare = normalizeText(text.toWellFormed(), 'NFKD').replace(COMMON_MARKS, '');
  const plain = (MAY_HAVE_OTHER_MARKS.test(bare) ? bare.replace(MARKS, '') : bare).toLowerCase();
  return toOneByteText(plain.replace(LETTER, (letter) => LETTER_REPLACEMENTS[letter] ?? letter));
}

/** The Latin-1 letters beyond ASCII, folded. */
const FOLDED_LATIN_1 = Array.from({ length: 0x80 }, (_, at) => foldAnyText(String.fromCharCode(0x80 + at)));

/**
 * Copies ASCII text into a string of one byte per character. V8 keeps two bytes per character where the text had
 * characters beyond Latin-1 before folding, and folded texts are cached by the hundred thousand.
 */
function toOneByteText(text: string): string {
  return ASCII.test(text) ? Buffer.from(text, 'latin1').toString('latin1') : text;
}
