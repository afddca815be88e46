import { stringify } from 'csv-stringify/sync';
import type { Node } from '../model/document.js';
import { isArmor } from '../text/armor.js';
import { cellItems } from './cell.js';
import { csvAllowed } from './characters.js';
import type { Table } from './rendering.js';

/** Rows of one piece: fewer cost more calls of the library, more keep its garbage alive for longer; ten are the fastest. */
const ROWS = 10;

/** CSV of RFC 4180 in pieces of some rows each: CR LF, a header line always, no byte order mark (decisions.md, section 3). */
export function* csvPieces({ columns, rows }: Table): Generator<string, void, undefined> {
  yield lines([columns.map((name) => guarded(name, PLAIN_NAME))]);
  let piece: string[][] = [];
  for (const row of rows) {
    piece.push(columns.map((name) => cellText(name, row.get(name))));
    if (piece.length < ROWS) continue;
    yield lines(piece);
    piece = [];
  }
  if (piece.length > 0) yield lines(piece);
}

/** A row of one empty cell would be an empty line, which readers skip: there even nothing is quoted. CR and LF alone are, too. */
function lines(rows: readonly (readonly string[])[]): string {
  const text = stringify([...rows], {
    record_delimiter: '\r\n',
    quote_record_delimiter: true,
    quoted_empty: rows[0]?.length === 1,
  });
  return csvAllowed(text);
}

/** The column of armored keys. An apostrophe before a key would keep every OpenPGP program from reading it, and armor is no formula. */
const ARMORED = 'pgp-key';

function cellText(column: string, value: Node | undefined): string {
  const items = cellItems(value);
  const text = typeof items === 'string' ? items : items.map(escapedItem).join('|');
  if (text === '' || (column === ARMORED && isArmor(text))) return text;
  return guarded(text, PLAIN_VALUE);
}

const ESCAPED = /[|\\]/;

/** Backslashes count only where a `|` follows, or the item's end: there each is written twice, so that none escapes a separator. */
function escapedItem(item: string): string {
  return ESCAPED.test(item) ? item.replace(/(?<!\\)\\+(?=\||$)/g, '$&$&').replaceAll('|', '\\|') : item;
}

/** What a spreadsheet may take for a formula, and a value that would be taken for a guarded one. */
const FORMULA = /^(?:'+[=@\t\r+-]|[=@\t\r+-])/;

/** Numbers, and telephone numbers, which begin with a sign and are none. */
const PLAIN_VALUE = /^[+-](?:\d+(?:\.\d*)?(?:e[+-]?\d+)?|(?=.*\d)[\d ()./-]*)$/i;

/** Names such as `-first-member-type`: programs find their columns by them. */
const PLAIN_NAME = /^-[a-z\d_.-]*$/i;

function guarded(text: string, plain: RegExp): string {
  return FORMULA.test(text) && !plain.test(text) ? `'${text}` : text;
}
