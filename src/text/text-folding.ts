const ASCII = /^[\0-\x7f]*$/;
const MARKS = /\p{M}+/gu;

/**
 * Combining marks of Latin, Greek and Cyrillic letters, and characters among which others may be (U+2000 to U+20CF has
 * none). They are tested first, because `\p{M}` is slow.
 */
const COMMON_MARKS = /[\u0300-\u036f]+/g;
const MAY_HAVE_OTHER_MARKS = /[^\0-\u0482\u2000-\u20cf]/;

/** Not decomposed by NFKD (decisions 2.24); and final sigma, which lower-casing produces at the end of a word. */
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
 * In characters. Names, addresses and summaries are shorter, as is a request target, with which texts are compared;
 * folding a hostile text of megabytes would block all other requests.
 */
const MAX_FOLDED_LENGTH = 128 * 1024;

/**
 * The form in which every search and comparison uses a text: NFKD, combining marks removed, lower case, and the letters
 * above replaced. Idempotent.
 */
export function foldText(whole: string): string {
  const text = whole.length > MAX_FOLDED_LENGTH ? whole.slice(0, MAX_FOLDED_LENGTH) : whole;
  if (ASCII.test(text)) return text.toLowerCase();
  if (BEYOND_LATIN_1.test(text)) return foldAnyText(text);
  // Only the Latin-1 letters beyond ASCII are replaced, letter by letter. Most texts of western Europe take this path.
  return text.replace(LATIN_1_LETTERS, (letter) => FOLDED_LATIN_1[letter.charCodeAt(0) - 0x80] ?? letter).toLowerCase();
}

/**
 * Joins the folded texts with line feeds. Texts beyond Latin-1, which take the slow path, are folded one by one,
 * because most others do not need it; texts that may be too long, so that one long text does not hide the others.
 */
export function foldLines(texts: readonly string[]): string {
  const whole = texts.join('\n');
  if (whole.length > MAX_FOLDED_LENGTH) {
    const most = findLengthPerText(texts);
    return texts.map((text) => foldText(text.slice(0, most))).join('\n');
  }
  return BEYOND_LATIN_1.test(whole) ? texts.map(foldText).join('\n') : foldText(whole);
}

/** Of several texts together, in characters. A hostile record may have many long texts. */
const MAX_TOTAL_LENGTH = 2 * MAX_FOLDED_LENGTH;

/** Short texts are folded completely, and the longest share what remains. */
function findLengthPerText(texts: readonly string[]): number {
  let [room, left] = [MAX_TOTAL_LENGTH, texts.length];
  for (const { length } of [...texts].sort((a, b) => a.length - b.length)) {
    if (length * left > room) return Math.min(MAX_FOLDED_LENGTH, Math.floor(room / left));
    [room, left] = [room - length, left - 1];
  }
  return MAX_FOLDED_LENGTH;
}

/**
 * Thirty marks in a row are kept, as in the Stream-Safe Text Format (Unicode Standard Annex 15, section 13).
 * Normalization sorts each run of marks, in a time that grows with the square of its length.
 */
const LONG_MARK_RUN = /([\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]+/gu;

/** Drops the marks beyond thirty in a row, which no language writes. */
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

const FOLDED_LATIN_1 = Array.from({ length: 0x80 }, (_, at) => foldAnyText(String.fromCharCode(0x80 + at)));

/** V8 keeps two where the text had characters beyond Latin-1. Folded texts are cached by the hundred thousand. */
function toOneByteText(text: string): string {
  return ASCII.test(text) ? Buffer.from(text, 'latin1').toString('latin1') : text;
}
