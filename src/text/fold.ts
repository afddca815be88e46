const ASCII = /^[\0-\x7f]*$/;
const MARKS = /\p{M}+/gu;

/** The marks of Latin, Greek and Cyrillic letters, and the blocks that may hold others (no mark is U+2000 to U+20CF): `\p{M}` is slow. */
const COMMON_MARKS = /[\u0300-\u036f]+/g;
const OTHER = /[^\0-\u0482\u2000-\u20cf]/;

/** Letters that NFKD leaves whole (decisions.md, section 2), and final sigma, which lower-casing writes by its place in a word. */
const LETTERS: Readonly<Record<string, string>> = { ø: 'o', ł: 'l', ß: 'ss', æ: 'ae', đ: 'd', þ: 'th', ı: 'i', ς: 'σ' };
const LETTER = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'g');

/**
 * Characters of one text that are folded: what is longer than this is no name, no address and no summary, and folding the megabytes of a
 * hostile one would keep every other request waiting. A request target, with which texts are compared, is far shorter.
 */
const LONGEST = 128 * 1024;

/**
 * Folded text, the form in which every search and comparison sees a value (decisions.md, section 2): NFKD, combining marks
 * removed, lower case, and the letters above. Folding twice gives what folding once gives.
 */
export function fold(whole: string): string {
  const text = whole.length > LONGEST ? whole.slice(0, LONGEST) : whole;
  if (ASCII.test(text)) return text.toLowerCase();
  // Folding is done letter by letter, so what needs none of it is left alone: most letters of most texts.
  const folded = text.replace(FOREIGN, foldForeign).toLowerCase();
  return WIDE.test(text) ? compact(folded) : folded;
}

/** Letters beyond ASCII, and what stands between two of them that are near each other. */
const FOREIGN = /[^\0-\x7f](?:[^]{0,8}[^\0-\x7f])*/g;

/** What makes a text one of two bytes a letter. */
const WIDE = /[^\0-\xff]/;

/** Letters that were folded before: most texts of one language have the same few. */
const known = new Map<string, string>();

/** Letters that are remembered. */
const MOST_KNOWN = 1_024;

function foldForeign(text: string): string {
  if (text.length > 2) return foldAll(text);
  const before = known.get(text);
  if (before !== undefined) return before;
  const folded = foldAll(text);
  if (known.size < MOST_KNOWN) known.set(text, folded);
  return folded;
}

function foldAll(text: string): string {
  const bare = text.normalize('NFKD').replace(COMMON_MARKS, '');
  const plain = (OTHER.test(bare) ? bare.replace(MARKS, '') : bare).toLowerCase();
  return compact(plain.replace(LETTER, (letter) => LETTERS[letter] ?? letter));
}

/** Text that needed two bytes a letter before its marks went keeps them, though one would do: it is held by the hundred thousand. */
function compact(text: string): string {
  return ASCII.test(text) ? Buffer.from(text, 'latin1').toString('latin1') : text;
}
