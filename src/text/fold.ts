const ASCII = /^[\0-\x7f]*$/;
const MARKS = /\p{M}+/gu;

/** The marks of Latin, Greek and Cyrillic letters, and whatever may hold others: U+0483 is the first. `\p{M}` takes five times as long. */
const COMMON_MARKS = /[\u0300-\u036f]+/g;
const OTHER = /[\u0483-\uffff]/;

/** Letters that NFKD leaves whole (decisions.md, section 2), and final sigma, which lower-casing writes by its place in a word. */
const LETTERS: Readonly<Record<string, string>> = { ø: 'o', ł: 'l', ß: 'ss', æ: 'ae', đ: 'd', þ: 'th', ı: 'i', ς: 'σ' };
const LETTER = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'g');

/**
 * Folded text, the form in which every search and comparison sees a value (decisions.md, section 2): NFKD, combining marks
 * removed, lower case, and the letters above. Folding twice gives what folding once gives.
 */
export function fold(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  const bare = text.normalize('NFKD').replace(COMMON_MARKS, '');
  const plain = (OTHER.test(bare) ? bare.replace(MARKS, '') : bare).toLowerCase();
  return plain.replace(LETTER, (letter) => LETTERS[letter] ?? letter);
}
