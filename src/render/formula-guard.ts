/**
 * Without a glyph, and skipped by some spreadsheets: controls but NUL (CSV replaces it), white space, and what is
 * ignored by default (`Default_Ignorable_Code_Point` of Unicode). A few that are visible lie between them.
 */
const INVISIBLE =
  '\u034f\u17b4\u17b5\u180b-\u180f\ufe00-\ufe0f\x01-\x20\x7f-\xa0\xad\u061c\u115f\u1160\u1680\u2000-\u206f\u2800\u3000\u3164' +
  '\ufeff\uffa0\ufff0-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}';

/** With fullwidth and small forms. */
const FORMULA_CHARACTERS = '=+\\-@＝＋－＠﹦﹢﹣﹫';

const BEGINNING = `(?:[\t\r]|[${INVISIBLE}]*[${FORMULA_CHARACTERS}])`;

/** A spreadsheet may take the cell for a formula, or it looks guarded already (decisions 3.8). */
export const FORMULA = new RegExp(`^'*${BEGINNING}`, 'u');

/**
 * Has the apostrophe of the guard. A cell that looks so without the guard is always guarded, and armor of a PGP key,
 * which never is, begins with a hyphen.
 */
export const GUARDED = new RegExp(`^'+${BEGINNING}`, 'u');
